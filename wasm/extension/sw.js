// The service worker: what the panel asks for is done here, and the debugger's events come here.
//
// All imports are static: a service worker may not import anything later. The WebAssembly is fetched when it is first
// needed. The worker may be stopped at any time and started again by the panel's next message: nothing that matters is
// kept in it but the sessions of tabs that are being debugged, and those keep it running.

import * as axpress from './axpress/axpress.js';
import { openStore } from './axpress/store.js';
import { estimate } from './tokens.js';
import { Tab } from './tab.js';

const ready = axpress.init({
  scalar: chrome.runtime.getURL('axpress/axpress.wasm'),
  simd: chrome.runtime.getURL('axpress/axpress-simd.wasm'),
});
// Said to whoever asks, and to the console where nobody does.
ready.catch((error) => console.error(error));

const tabs = new Map();
let store;

chrome.sidePanel?.setPanelBehavior({ openPanelOnActionClick: true }).catch((error) => console.error(error));

// A panel says which tab it shows, asks, and lets the tab go when it is closed.
chrome.runtime.onConnect.addListener((port) => {
  const shown = new Set();
  let open = true;
  port.onMessage.addListener(async ({ id, ask, tabId, ...rest }) => {
    try {
      if (tabId !== undefined) shown.add(tabId);
      port.postMessage({ id, answer: await ACTS[ask]({ tabId, ...rest }) });
    } catch (error) {
      answer(port, { id, error: { code: error.code ?? 'failed', message: error.message } });
    } finally {
      // Closed while it waited: the tab may have been attached since.
      if (!open && tabId !== undefined) release(tabId);
    }
  });
  port.onDisconnect.addListener(() => {
    open = false;
    for (const tabId of shown) release(tabId);
  });
});

function answer(port, message) {
  try {
    port.postMessage(message);
  } catch {
    // The panel was closed while it waited.
  }
}

const ACTS = {
  async read({ tabId, query }) {
    const tab = await attached(tabId);
    return shown(tab, await tab.snapshot(), query);
  },

  // Another view of what was read last.
  async search({ tabId, query }) {
    const tab = await beingRead(tabId);
    return shown(tab, tab.page, query);
  },

  async highlight({ tabId, uid }) {
    const tab = await beingRead(tabId);
    return tab.highlight(uid);
  },

  async clear({ tabId }) {
    await tabs.get(tabId)?.clearHighlight();
  },

  async release({ tabId }) {
    await release(tabId);
  },
};

async function attached(tabId) {
  await ready;
  let tab = tabs.get(tabId);
  if (!tab) {
    tab = new Tab(tabId);
    tabs.set(tabId, tab);
  }
  try {
    await tab.attach();
  } catch (error) {
    tabs.delete(tabId);
    throw error;
  }
  return tab;
}

// A tab that was read and is attached since: it is never attached again but to read it.
async function beingRead(tabId) {
  await ready;
  const tab = tabs.get(tabId);
  if (!tab?.page) throw coded('nothing-read', 'this tab is no longer being read: read the page again');
  return tab;
}

async function release(tabId) {
  const tab = tabs.get(tabId);
  tabs.delete(tabId);
  await tab?.detach();
}

// The view, what it cost and what it costs, and the handles of all originals, which are in the store by then.
async function shown(tab, page, query) {
  const payload = { payload: page.payload, frames: page.frames };
  const view = axpress.view(payload, { query: query || undefined });
  // Where there is no room for them there is a view all the same.
  const originals = await keep(page).catch((error) => ({ rows: [], error: error.message }));
  const bytesBefore = [page, ...page.frames].reduce((sum, { payload }) => sum + payload.length, 0);
  return {
    title: page.title,
    url: page.url,
    text: view.text,
    uids: view.uids,
    unread: page.unread,
    bytesBefore,
    bytesAfter: new TextEncoder().encode(view.text).length,
    tokensBefore: estimate.payload([page, ...page.frames].map(({ payload }) => payload)),
    tokensAfter: estimate.text(view.text),
    originals,
  };
}

// One original a frame, and for a page with frames a manifest: lines of JSON, the page's own first.
async function keep(page) {
  if (page.originals) return page.originals;
  try {
    return await keepIn(await opened(), page);
  } catch (error) {
    if (error.code !== 'store-unavailable') throw error;
    // The browser closed it, as when someone clears its data.
    store = undefined;
    return keepIn(await opened(), page);
  }
}

function opened() {
  store ??= openStore().catch((error) => {
    store = undefined;
    throw error;
  });
  return store;
}

async function keepIn(open, page) {
  const rows = [];
  for (const { frame, owner = null, number = 0, url, payload } of [page, ...page.frames]) {
    rows.push({ frame, owner, number, url, bytes: payload.length, handle: await open.put(payload) });
  }
  let handle = rows[0].handle;
  if (rows.length > 1) {
    const lines = rows.map(({ frame, owner, number, handle }) => JSON.stringify({ frame, owner, number, handle }));
    handle = await open.put(`${lines.join('\n')}\n`);
  }
  page.originals = { handle, rows };
  return page.originals;
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}

chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, parameters) => {
  tabs.get(tabId)?.event(sessionId, method, parameters);
});

chrome.debugger.onDetach.addListener(({ tabId }) => {
  tabs.get(tabId)?.detached();
  tabs.delete(tabId);
});
