// Whether the page shows a text: in the document, and in its open shadow trees.
function(wanted) {
  const text = line(wanted);
  const shows = root => {
    const says = root.innerText ?? Array.from(root.children, child => child.innerText ?? '').join('\n');
    if (line(says).includes(text)) return true;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = root; node; node = walker.nextNode()) if (node.shadowRoot && shows(node.shadowRoot)) return true;
    return false;
  };
  return !!document.body && shows(document.body);
}
