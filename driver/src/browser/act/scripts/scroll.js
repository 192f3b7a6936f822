// Scrolls the nearest scroller of the element, or what scrolls most of the page.
function(amount) {
  const scrolls = node => node.scrollHeight > node.clientHeight + 1 &&
    (node === document.scrollingElement || /auto|scroll|overlay/.test(getComputedStyle(node).overflowY));
  const nearest = node => {
    for (; node; node = above(node)) if (node.nodeType === Node.ELEMENT_NODE && scrolls(node)) return node;
    return null;
  };
  const page = document.scrollingElement || document.documentElement;
  const start = this === document ? null : element(this);
  const scroller = start ? nearest(start) || page
    : scrolls(page) ? page : nearest(document.elementFromPoint(innerWidth / 2, innerHeight / 2)) || page;
  const before = scroller.scrollTop;
  scroller.scrollBy({top: amount, behavior: 'instant'});
  return {moved: scroller.scrollTop - before, at: scroller.scrollTop, most: scroller.scrollHeight - scroller.clientHeight};
}
