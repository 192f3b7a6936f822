// Takes down what reaches the element, and that something changes. Nothing that a script made up counts.
function(kinds) {
  const target = this, root = this.getRootNode(), at = element(this);
  const record = {reached: false, elsewhere: null, changes: 0};
  const focused = () => root.activeElement;
  const state = () => JSON.stringify([at.checked, at.open, at.getAttribute('aria-checked'), at.getAttribute('aria-expanded'), at.getAttribute('aria-pressed'), at.scrollTop]);
  const before = state();
  const take = event => {
    if (!event.isTrusted) return;
    const hit = event.composedPath()[0];
    if (hit instanceof Node && reaches(target, hit)) record.reached = true;
    else if (event.currentTarget === window && hit instanceof Node && !holds(hit, target)) record.elsewhere ??= named(hit);
  };
  const observer = new MutationObserver(changes => { record.changes += changes.length; });
  const everything = {subtree: true, childList: true, attributes: true, characterData: true};
  for (const place of new Set([window, root])) for (const kind of kinds) place.addEventListener(kind, take, {capture: true, passive: true});
  for (const place of new Set([document, root])) observer.observe(place, everything);
  record.read = () => ({
    reached: record.reached, elsewhere: record.elsewhere,
    changes: record.changes += observer.takeRecords().length, altered: state() !== before,
  });
  record.end = () => {
    observer.disconnect();
    for (const place of new Set([window, root])) for (const kind of kinds) place.removeEventListener(kind, take, {capture: true});
  };
  return record;
}
