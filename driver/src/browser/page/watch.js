// What the document changes by itself, and what an input made it change. One for each document, in a world of our own.
//
// What a listener changes is told while its event is the current one: so it is certain what an input did at once. What is
// changed later may be its doing or not. What was seen to change when nothing had been done for a while, and what then
// changes again, the page changes by itself.
(globalThis.axpressWatch ??= (() => {
  // How many changes are kept, how far apart those of one node, and for how long what happens may be an act's doing.
  const MOST = 1000, APART = 300, TIMES = 16, AFTERMATH = 3000;
  const INPUTS = new Set(['auxclick', 'beforeinput', 'beforetoggle', 'blur', 'change', 'click', 'close', 'compositionend',
    'contextmenu', 'dblclick', 'drag', 'dragend', 'dragenter', 'dragleave', 'dragover', 'dragstart', 'drop', 'focus',
    'focusin', 'focusout', 'input', 'invalid', 'keydown', 'keypress', 'keyup', 'mousedown', 'mouseenter', 'mouseleave',
    'mousemove', 'mouseout', 'mouseover', 'mouseup', 'pointerdown', 'pointerenter', 'pointerleave', 'pointermove',
    'pointerout', 'pointerover', 'pointerup', 'reset', 'submit', 'toggle']);
  const now = () => performance.timeOrigin + performance.now();
  const begun = now();
  const times = new WeakMap(), arrivals = new WeakMap(), watched = new WeakSet(), listening = new Set();
  let recent = [], caused = 0, causedAt = 0, inShadow = false;
  // What came by itself is a part of the node that it came to: each entry of a feed is another node, and the feed is one.
  const place = node => {
    let at = node;
    for (let up = node, steps = 0; up && steps < 200; steps++) {
      const arrival = arrivals.get(up);
      if (arrival) at = arrival;
      up = arrival || up.parentNode || up.host;
    }
    return at;
  };
  const isInput = event => !!event && event.isTrusted && INPUTS.has(event.type);
  const take = records => {
    if (inShadow || isInput(globalThis.event)) {
      caused += records.length;
      causedAt = now();
      return;
    }
    const at = now(), places = new Set();
    for (const {target, addedNodes} of records) {
      places.add(place(target));
      for (const node of addedNodes) arrivals.set(node, target);
    }
    for (const node of places) {
      const known = times.get(node) || [];
      if (!known.length || at - known.at(-1) >= APART) times.set(node, [...known, at].slice(-TIMES));
      recent.push({node: new WeakRef(node), at});
      for (const listener of [...listening]) listener(node);
    }
    if (recent.length > 2 * MOST) recent = recent.slice(-MOST);
  };
  const observer = new MutationObserver(take);
  const observe = root => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  };
  observe(document);
  // While the listeners of a shadow tree run, the event is hidden.
  const enter = event => {
    const root = isInput(event) && event.composedPath()[0]?.getRootNode?.();
    if (!(root instanceof ShadowRoot)) return;
    inShadow = true;
    setTimeout(leave);
  };
  const leave = () => { inShadow = false; };
  for (const kind of INPUTS) {
    addEventListener(kind, enter, {capture: true, passive: true});
    addEventListener(kind, leave, {passive: true});
  }
  const flush = () => take(observer.takeRecords());
  return {
    now,
    // Also sees what changes in this document's open shadow trees, and in this one.
    begin(root) {
      if (root) observe(root);
      const roots = [document];
      for (let inner; (inner = roots.pop());) {
        for (const node of inner.querySelectorAll('*')) {
          if (!node.shadowRoot) continue;
          observe(node.shadowRoot);
          roots.push(node.shadowRoot);
        }
      }
      flush();
      return {from: now(), caused};
    },
    // What inputs have changed since, and what changed beside that.
    since({from, caused: before}) {
      flush();
      return {caused: caused - before, own: recent.filter(change => change.at >= from).length};
    },
    // What there is to be said of the changes since an act: `nothing` changed; something did, but before it (`earlier`);
    // all that changed does so by itself (`again`); something does not (`once`). `seen` is when the page was last read
    // before the act, `acts` are the earlier acts.
    judge(from, seen, acts, most) {
      flush();
      if (causedAt >= from) return 'once';
      const late = new Set();
      let earlier = false;
      for (const {node, at} of recent) {
        if (at < from) earlier ||= at >= seen;
        else if (node.deref()) late.add(node.deref());
      }
      if (!late.size) return earlier ? 'earlier' : 'nothing';
      const prompts = acts.filter(act => act < from).concat(performance.timeOrigin);
      const unprompted = at => at < from && !prompts.some(act => act <= at && at - act < AFTERMATH);
      const unknown = new Set([...late].filter(node => !times.get(node)?.some(unprompted)));
      if (!unknown.size) return 'again';
      // Where nothing was done, and nothing changed, for a while, what changed now is no chance.
      const since = Math.max(begun, ...prompts);
      if (from - since > 2 * AFTERMATH && !recent.some(({at}) => unprompted(at))) return 'once';
      return new Promise(resolve => {
        const end = answer => { listening.delete(listener); clearTimeout(over); resolve(answer); };
        const listener = node => { if (unknown.delete(node) && !unknown.size) end('again'); };
        const over = setTimeout(end, most, 'once');
        listening.add(listener);
      });
    },
  };
})())
