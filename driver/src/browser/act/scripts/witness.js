// Takes down what reaches the element, and that something changes. Nothing that a script made up counts.
function(kinds) {
  const target = this, root = this.getRootNode(), at = element(this);
  const record = {reached: false, elsewhere: null, clicked: false, released: null};
  // A list is opened by the press alone.
  const clicks = kinds.includes('click') && !at.closest('select');
  const state = () => JSON.stringify([at.checked, at.open, at.getAttribute('aria-checked'), at.getAttribute('aria-expanded'), at.getAttribute('aria-pressed'), at.scrollTop]);
  // No event tells that a script set a field.
  const fields = Array.from(document.querySelectorAll('input, select, textarea')).slice(0, 1000);
  const contents_now = () => fields.map(field => [field.value, field.checked]);
  const before = state(), held = contents_now();
  const altered = () => state() !== before ||
    contents_now().some(([value, checked], place) => value !== held[place][0] || checked !== held[place][1]);
  const take = event => {
    if (!event.isTrusted) return;
    const hit = event.composedPath()[0];
    if (event.type === 'mouseup') {
      if (hit instanceof Node && !reaches(target, hit)) record.released ??= named(hit);
      return;
    }
    if (hit instanceof Node && reaches(target, hit)) {
      record.reached = true;
      if (event.type === 'click') record.clicked = true;
    }
    else if (event.currentTarget === window && hit instanceof Node && !holds(hit, target)) record.elsewhere ??= named(hit);
  };
  for (const place of new Set([window, root])) for (const kind of kinds) place.addEventListener(kind, take, {capture: true, passive: true});
  const begun = watch.begin(root);
  record.read = () => ({
    reached: record.reached, elsewhere: record.elsewhere, released: record.released,
    // Something that its own press takes away was used all the same.
    unclicked: clicks && record.reached && !record.clicked && at.checkVisibility({visibilityProperty: true}), ...watch.since(begun), altered: altered(), begun: begun.from,
  });
  record.end = () => {
    for (const place of new Set([window, root])) for (const kind of kinds) place.removeEventListener(kind, take, {capture: true});
  };
  return record;
}
