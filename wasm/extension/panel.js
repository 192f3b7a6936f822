// The panel: asks the service worker, shows what it says, points at elements, and gives originals out of the store.
//
// A panel shows the tab in front of its window; opened as a page with `?tab=ID` it shows that one.

import * as axpress from './axpress/axpress.js';
import { openStore } from './axpress/store.js';

const element = (id) => document.getElementById(id);
const view = element('view');
const number = new Intl.NumberFormat('en');
const given = Number(new URLSearchParams(location.search).get('tab')) || undefined;
// As you type, and no more often than the view can be made.
const PAUSE = 150;
// A view has what a handle looks like only where there is one: in page text it is `\@`.
const HANDLE = /(?<!\\)@(\d+(?:\.\d+)?)/g;

let port;
let asked = 0;
const waiting = new Map();
let tabId;
let page;
let query = '';

function connected() {
  if (port) return port;
  port = chrome.runtime.connect({ name: 'panel' });
  port.onMessage.addListener(({ id, answer, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
    else resolve(answer);
  });
  // The worker was stopped: the next question starts it again.
  port.onDisconnect.addListener(() => {
    port = undefined;
    for (const { reject } of waiting.values()) reject(new Error('the extension was stopped: try again'));
    waiting.clear();
  });
  return port;
}

function ask(what, rest) {
  return new Promise((resolve, reject) => {
    asked += 1;
    waiting.set(asked, { resolve, reject });
    connected().postMessage({ id: asked, ask: what, tabId, ...rest });
  });
}

async function tabInFront() {
  if (given) return given;
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

function say(text, bad = false) {
  element('status').textContent = text;
  element('status').classList.toggle('bad', bad);
}

async function read() {
  element('read').disabled = true;
  say('Reading …');
  try {
    const front = await tabInFront();
    if (tabId !== undefined && tabId !== front) await ask('release');
    tabId = front;
    const wanted = query;
    let answer = await ask('read', { query: wanted });
    // Someone typed while the page was read.
    if (wanted !== query) answer = await ask('search', { query });
    show(answer);
    const unread = page.unread.length;
    const lost = page.originals.error;
    if (lost) say(`${handles()}; the originals could not be kept: ${lost}`, true);
    else say(unread === 0 ? handles() : `${handles()}; ${unread} of the frames could not be read: ${page.unread[0].why}`, unread > 0);
  } catch (error) {
    say(error.message, true);
  } finally {
    element('read').disabled = false;
  }
}

async function search() {
  const wanted = element('query').value.trim();
  if (wanted === query) return;
  query = wanted;
  if (!page || element('read').disabled) return;
  try {
    const answer = await ask('search', { query: wanted });
    if (wanted !== query) return;
    show(answer);
    say(wanted ? `${handles()} in what matches` : handles());
  } catch (error) {
    say(error.message, true);
  }
}

function handles() {
  return `${number.format(page.uids.length)} ${page.uids.length === 1 ? 'handle' : 'handles'}`;
}

function show(answer) {
  page = answer;
  element('title').textContent = page.title || 'Untitled page';
  element('address').textContent = page.url;
  element('address').title = page.url;
  figure('before', page.tokensBefore, page.bytesBefore);
  figure('after', page.tokensAfter, page.bytesAfter);
  element('saved').replaceChildren(percent(1 - page.tokensAfter / page.tokensBefore));
  element('figures').hidden = false;
  element('copy').disabled = false;
  // Not as arguments: of those there can be no more than some ten thousands.
  const rows = document.createDocumentFragment();
  for (const text of page.text.split('\n')) rows.append(line(text));
  view.replaceChildren(rows);
  view.scrollTop = 0;
  const first = view.querySelector('.handle');
  if (first) first.tabIndex = 0;
  originals();
}

function figure(id, tokens, bytes) {
  const small = document.createElement('small');
  small.textContent = size(bytes);
  element(id).replaceChildren(`~${number.format(tokens)} tokens`, small);
}

function percent(part) {
  return Number.isFinite(part) && part > 0 ? `${(100 * part).toFixed(part > 0.99 ? 1 : 0)} %` : 'nothing';
}

function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

// A line of the view: indented, its handles buttons.
function line(text) {
  const row = document.createElement('div');
  const level = /^ */.exec(text)[0].length;
  row.className = 'line';
  row.style.setProperty('--level', level);
  row.classList.toggle('heading', /^ *#{1,6} /.test(text));
  row.classList.toggle('notice', /^ *(…|no match )/.test(text));
  let at = level;
  for (const { 0: whole, 1: uid, index } of text.matchAll(HANDLE)) {
    row.append(...marked(text.slice(at, index)), handle(uid));
    at = index + whole.length;
  }
  row.append(...marked(text.slice(at)));
  return row;
}

// The words of the search, marked.
function marked(text) {
  const words = query.split(/\s+/).filter(Boolean).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (words.length === 0) return [text];
  return text.split(new RegExp(`(${words.join('|')})`, 'iu')).map((part, place) => {
    if (place % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function handle(uid) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'handle';
  button.dataset.uid = uid;
  button.textContent = `@${uid}`;
  button.title = 'Show it in the page';
  button.setAttribute('aria-pressed', 'false');
  // One handle is in the tab order, and arrows go from one to the next.
  button.tabIndex = -1;
  return button;
}

async function highlight(button) {
  const pressed = button.getAttribute('aria-pressed') === 'true';
  for (const other of view.querySelectorAll('[aria-pressed="true"]')) other.setAttribute('aria-pressed', 'false');
  try {
    if (pressed) {
      await ask('clear');
      say('');
      return;
    }
    button.setAttribute('aria-pressed', 'true');
    await ask('highlight', { uid: button.dataset.uid });
    say(`@${button.dataset.uid} is shown in the page`);
  } catch (error) {
    button.setAttribute('aria-pressed', 'false');
    say(error.message, true);
  }
}

function move(from, key) {
  const all = [...view.querySelectorAll('.handle[data-uid]')];
  const at = all.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[key];
  const next = all[to];
  if (!next) return false;
  from.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

function originals() {
  const { handle: whole, rows } = page.originals;
  element('originals').hidden = rows.length === 0;
  if (rows.length === 0) return;
  element('handle').textContent = whole;
  const items = rows.map((row, place) => original(place === 0 ? 'This page' : `Frame ${row.url}`, row.handle, size(row.bytes)));
  if (rows.length > 1) items.push(original('Manifest of its frames', whole, ''));
  element('list').replaceChildren(...items);
}

function original(name, handle, bytes) {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const title = document.createElement('p');
  title.textContent = bytes ? `${name}, ${bytes}` : name;
  title.title = name;
  const code = document.createElement('code');
  code.textContent = handle;
  text.append(title, code);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Download';
  button.setAttribute('aria-label', `Download the original of ${name}`);
  button.addEventListener('click', () => download(handle));
  item.append(text, button);
  return item;
}

let opened;

// The bytes that a handle names, out of the store that the service worker wrote.
async function recover(handle) {
  opened ??= axpress
    .init({
      scalar: chrome.runtime.getURL('axpress/axpress.wasm'),
      simd: chrome.runtime.getURL('axpress/axpress-simd.wasm'),
    })
    .then(() => openStore());
  return (await opened).get(handle);
}

async function download(handle) {
  try {
    const bytes = await recover(handle);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
    link.download = `${handle}.ax.json`;
    link.click();
    // The download has begun by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`${handle} downloaded, ${size(bytes.length)}`);
  } catch (error) {
    opened = undefined;
    say(error.message, true);
  }
}

async function copy() {
  try {
    await navigator.clipboard.writeText(page.text);
    say('View copied');
  } catch (error) {
    say(`The view could not be copied: ${error.message}`, true);
  }
}

element('read').addEventListener('click', read);
element('copy').addEventListener('click', copy);
let pause;
element('query').addEventListener('input', () => {
  clearTimeout(pause);
  pause = setTimeout(search, PAUSE);
});
element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});
view.addEventListener('click', ({ target }) => {
  const button = target.closest('.handle[data-uid]');
  if (button) highlight(button);
});
view.addEventListener('keydown', (event) => {
  const button = event.target.closest('.handle[data-uid]');
  if (button && move(button, event.key)) event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    element('query').focus();
  } else if (event.key === 'Escape' && tabId !== undefined) {
    for (const other of view.querySelectorAll('[aria-pressed="true"]')) other.setAttribute('aria-pressed', 'false');
    ask('clear').catch(() => {});
    if (view.querySelector('.handle[data-uid]') && element('status').textContent.endsWith('is shown in the page')) say('');
  }
});
