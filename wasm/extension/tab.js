// A tab that is being debugged: its frames' trees, and the element behind a handle.
//
// Takes a tab's id; gives the payload of every frame, and points at elements. `chrome.debugger` gives an object and never
// the bytes that Chrome sent, so a payload here is the text that JSON.stringify makes of it.

const PROTOCOL = '1.3';
// How long a frame may take to answer, and how long the page itself may take to give its tree: there is no view without.
const PATIENCE = 5000;
const PATIENCE_FOR_PAGE = 120_000;
const TARGETS = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
const HIGHLIGHT = {
  showInfo: false,
  contentColor: { r: 255, g: 183, b: 0, a: 0.4 },
  borderColor: { r: 214, g: 93, b: 14, a: 1 },
};
const encoder = new TextEncoder();

// Numbers of frame documents: none is ever used again while this worker lives, whatever tab it was for.
let lastNumber = 0;

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}

export class Tab {
  constructor(tabId) {
    this.tabId = tabId;
    // Sessions of frames that have a process of their own, by id: the target, and the session above.
    this.sessions = new Map();
    // Of frame documents, by loader: their number.
    this.numbers = new Map();
    // Where each number's nodes are: the session and the frame, and the document that it was.
    this.documents = new Map();
  }

  attach() {
    this.attaching ??= this.#attach().catch((error) => {
      this.attaching = undefined;
      throw error;
    });
    return this.attaching;
  }

  async #attach() {
    try {
      await chrome.debugger.attach({ tabId: this.tabId }, PROTOCOL);
    } catch (error) {
      if (/another debugger/i.test(error.message)) {
        throw coded('tab-busy', 'another debugger has this tab. Close its DevTools, or the other extension, and read again');
      }
      throw coded('tab-closed-to-us', `this tab can’t be read: ${error.message}`);
    }
    try {
      await Promise.all([
        this.send('Page.enable'),
        this.send('DOM.enable'),
        this.send('Accessibility.enable'),
        this.send('Target.setAutoAttach', TARGETS),
      ]);
    } catch (error) {
      await chrome.debugger.detach({ tabId: this.tabId }).catch(() => {});
      throw coded('tab-silent', `this tab can’t be read now: ${error.message}`);
    }
  }

  async detach() {
    if (!this.attaching) return;
    this.attaching = undefined;
    await chrome.debugger.detach({ tabId: this.tabId }).catch(() => {});
  }

  // Someone else ended it.
  detached() {
    this.attaching = undefined;
    this.sessions.clear();
  }

  // A page that is busy for ever answers nothing.
  send(method, parameters, sessionId, patience = PATIENCE) {
    return within(chrome.debugger.sendCommand({ tabId: this.tabId, sessionId }, method, parameters), patience);
  }

  event(sessionId, method, parameters) {
    if (method === 'Target.attachedToTarget') {
      const { sessionId: child, targetInfo } = parameters;
      if (targetInfo.type !== 'iframe') return;
      const setUp = Promise.all(
        ['Page.enable', 'DOM.enable', 'Accessibility.enable']
          .map((name) => this.send(name, {}, child))
          .concat(this.send('Target.setAutoAttach', TARGETS, child)),
      );
      setUp.catch(() => {});
      this.sessions.set(child, { frameId: targetInfo.targetId, parentId: targetInfo.parentFrameId, above: sessionId, setUp });
    } else if (method === 'Target.detachedFromTarget') {
      this.sessions.delete(parameters.sessionId);
    }
  }

  // The payloads of the page and of all its frames.
  async snapshot() {
    await this.clearHighlight();
    await this.#settled();
    this.documents.clear();
    const unread = [];
    const { frameTree } = await this.send('Page.getFrameTree');
    const page = { ...(await this.#payload(frameTree.frame, undefined, PATIENCE_FOR_PAGE)), number: 0, title: '', frames: [], unread };
    this.documents.set(0, { sessionId: undefined, frameId: frameTree.frame.id, loaderId: frameTree.frame.loaderId });
    const root = page.nodes.find(({ parentId }) => parentId === undefined) ?? page.nodes[0];
    page.title = root?.name?.value ?? '';
    delete page.nodes;
    await this.#children(page, frameTree, undefined, 0);
    page.frames.forEach((frame) => delete frame.nodes);
    this.page = page;
    return page;
  }

  // Every session that is announced, and those that it announces, answer before a page is read.
  async #settled() {
    let seen = -1;
    while (seen !== this.sessions.size) {
      seen = this.sessions.size;
      await Promise.all([...this.sessions.values()].map(({ setUp }) => within(setUp, PATIENCE).catch(() => {})));
    }
  }

  // The frames in a document, to any depth: those of its own process, and those that have a session of their own.
  async #children(page, { frame, childFrames = [] }, sessionId, number) {
    for (const tree of childFrames) await this.#child(page, tree, sessionId, sessionId, number);
    for (const [session, { frameId, parentId, above }] of this.sessions) {
      if (above !== sessionId || parentId !== frame.id) continue;
      try {
        const { frameTree } = await this.send('Page.getFrameTree', {}, session);
        await this.#child(page, frameTree, session, sessionId, number);
      } catch (error) {
        page.unread.push({ url: `frame ${frameId}`, why: error.message });
      }
    }
  }

  // One of them. `above` and `number` are the session and the number of the document that it stands in.
  async #child(page, tree, sessionId, above, number) {
    const { id, loaderId, url } = tree.frame;
    try {
      const { backendNodeId } = await this.send('DOM.getFrameOwner', { frameId: id }, above);
      const read = await this.#payload(tree.frame, sessionId);
      const mine = sessionId === undefined ? 0 : this.#numberOf(loaderId);
      const owner = number === 0 ? `${backendNodeId}` : `${number}.${backendNodeId}`;
      page.frames.push({ ...read, owner, number: mine });
      if (mine !== 0) this.documents.set(mine, { sessionId, frameId: id, loaderId });
      await this.#children(page, tree, sessionId, mine);
    } catch (error) {
      page.unread.push({ url, why: error.message });
    }
  }

  #numberOf(loaderId) {
    if (!this.numbers.has(loaderId)) this.numbers.set(loaderId, (lastNumber += 1));
    return this.numbers.get(loaderId);
  }

  async #payload(frame, sessionId, patience = PATIENCE) {
    const result = await this.send('Accessibility.getFullAXTree', { frameId: frame.id }, sessionId, patience);
    return { frame: frame.id, url: frame.url, nodes: result.nodes, payload: encoder.encode(JSON.stringify(result)) };
  }

  // Shows the element behind a handle in the page, scrolled into view.
  async highlight(uid) {
    const [, number = '0', node] = /^(?:(\d+)\.)?(\d+)$/.exec(uid) ?? [];
    const document = this.documents.get(Number(number));
    if (!document) throw coded('unknown-uid', `@${uid} is not in the view`);
    const { sessionId, loaderId } = document;
    const now = await this.send('Page.getFrameTree', {}, sessionId).catch(() => undefined);
    if (!find(now?.frameTree, loaderId)) {
      throw coded('stale-uid', 'the page has changed since it was read: read it again');
    }
    const backendNodeId = Number(node);
    await this.clearHighlight();
    try {
      await this.send('DOM.scrollIntoViewIfNeeded', { backendNodeId }, sessionId);
    } catch (error) {
      if (/does not have a layout object|not visible/i.test(error.message)) {
        throw coded('not-visible', `@${uid} is in the page, but takes no room in it`);
      }
      throw coded('stale-uid', `@${uid} is no longer in the page: read it again`);
    }
    await this.send('Overlay.enable', {}, sessionId);
    await this.send('Overlay.highlightNode', { backendNodeId, highlightConfig: HIGHLIGHT }, sessionId);
    this.highlighted = { sessionId };
    return { uid };
  }

  async clearHighlight() {
    if (!this.highlighted) return;
    const { sessionId } = this.highlighted;
    this.highlighted = undefined;
    await this.send('Overlay.hideHighlight', {}, sessionId).catch(() => {});
  }
}

// Whether a document is still among these frames.
function find(tree, loaderId) {
  const open = tree ? [tree] : [];
  for (const { frame, childFrames = [] } of open) {
    if (frame.loaderId === loaderId) return true;
    open.push(...childFrames);
  }
  return false;
}

function within(promise, milliseconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds / 1000} s`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
