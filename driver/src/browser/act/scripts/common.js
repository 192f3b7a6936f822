// What the other scripts share. They run in a world of their own: the page can neither see nor change them.
// An element's parent as the page is drawn: out of shadow trees, into their hosts.
const above = node => node.parentNode || node.host || null;
const holds = (outer, node) => {
  for (; node; node = above(node)) if (node === outer) return true;
  return false;
};
const element = node => node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
// A press on a label is one on its control.
const reaches = (target, hit) => {
  if (holds(target, hit)) return true;
  for (let node = hit; node; node = above(node)) {
    if (node.localName === 'label' && node.control && holds(target, node.control)) return true;
    if (node === target) break;
  }
  return false;
};
const line = text => text.replace(/\s+/g, ' ').trim();
const named = node => {
  const at = element(node);
  if (!at) return 'the page';
  const says = line(at.getAttribute('aria-label') || at.innerText || at.getAttribute('title') || at.getAttribute('alt') || '');
  const id = at.id ? '#' + at.id : '';
  const text = says.length > 60 ? says.slice(0, 60).toWellFormed() + '…' : says;
  return `<${at.localName}${id}>` + (text ? ` ${JSON.stringify(text)}` : '');
};
const secretTokens = /^(current-password|new-password|one-time-code|cc-.*)$/i;
const isSecret = node => node.type === 'password' ||
  (node.getAttribute?.('autocomplete') || '').trim().split(/\s+/).some(token => secretTokens.test(token));
const isTextField = node => node.localName === 'textarea' || (node.localName === 'input' &&
  !['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden'].includes(node.type));
const contents = node => isTextField(node) || node.localName === 'select' ? node.value : node.innerText;
