// What callers pass, checked and made into what the WebAssembly takes. All of it is read before a call begins, so that
// a getter of a caller's object can do as it likes, even call axpress.

import { AxpressError } from './results.js';

const DEFAULT_LIMITS = { inputBytes: 2 ** 30, nodes: 2 ** 24, outputBytes: 2 ** 28 };
const VIEW_OPTIONS = ['query', 'maxBytes', 'viewport', 'secrets', 'clickable', 'urls', 'root', 'limits'];
const OUTLINE_OPTIONS = ['maxChars', 'dedupText', 'secrets', 'limits'];
const MOST_U32 = 2 ** 32 - 1;
const MOST_NODE = 2 ** 53;
const encoder = new TextEncoder();

export function invalid(what) {
  return new AxpressError('invalid-argument', `invalid-argument: ${what}`);
}

// Getters of the language itself: a class made of Uint8Array may have a length of its own, which says what it likes.
const getters = (prototype, names) => names.map((name) => Object.getOwnPropertyDescriptor(prototype, name).get);
const TYPED_ARRAY = getters(Object.getPrototypeOf(Uint8Array.prototype), ['buffer', 'byteOffset', 'byteLength']);
const DATA_VIEW = getters(DataView.prototype, ['buffer', 'byteOffset', 'byteLength']);
const BUFFERS = [globalThis.ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter(Boolean)
  .flatMap(({ prototype }) => getters(prototype, ['byteLength']));

// What a getter gives, or undefined where the value is of another kind or its memory was given away.
function read(getter, value) {
  try {
    return getter.call(value);
  } catch {
    return undefined;
  }
}

// A window that never follows its memory when that grows. Where the memory was given away it is empty.
function fixed(buffer, offset = 0, length = 0) {
  try {
    return new Uint8Array(buffer, offset, length);
  } catch {
    return new Uint8Array();
  }
}

// Bytes as they are now: getters that were read later may have given their memory away.
export function still(bytes) {
  return bytes.length > 0 ? bytes : new Uint8Array();
}

// Bytes as a Uint8Array over the caller's own memory; a text as UTF-8.
export function bytes(value, name, { text }) {
  if (typeof value === 'string' && text) return encoder.encode(value);
  if (ArrayBuffer.isView(value)) {
    const [buffer, offset, length] = (read(TYPED_ARRAY[0], value) ? TYPED_ARRAY : DATA_VIEW).map((getter) => read(getter, value));
    return fixed(buffer, offset, length);
  }
  for (const getter of BUFFERS) {
    const length = read(getter, value);
    if (length !== undefined) return fixed(value, 0, length);
  }
  throw invalid(`${name} must be a Uint8Array or an ArrayBuffer${text ? ', or a string' : ''}`);
}

// Never more of it than shows that it is over the limit.
export function within(bytes, most) {
  return bytes.length > most ? bytes.subarray(0, most) : bytes;
}

function known(options, names) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object') throw invalid('options must be an object');
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw invalid(`there is no option ${JSON.stringify(name)}; there are ${names.join(', ')}`);
  }
  return options;
}

function whole(value, name, most = MOST_U32) {
  if (!Number.isInteger(value) || value < 0) throw invalid(`${name} must be a whole number, 0 or more`);
  return Math.min(value, most);
}

export function limits(options) {
  const given = known(options?.limits, Object.keys(DEFAULT_LIMITS));
  const limit = (name) => (given[name] === undefined ? DEFAULT_LIMITS[name] : whole(given[name], `limits.${name}`));
  return { inputBytes: limit('inputBytes'), nodes: limit('nodes'), outputBytes: limit('outputBytes') };
}

function pair(uid, name) {
  if (Number.isInteger(uid) && uid > 0 && uid <= MOST_NODE) return [0, uid];
  const parts = typeof uid === 'string' ? /^@?(?:(\d{1,10})\.)?(\d{1,16})$/.exec(uid) : null;
  const [frame, node] = parts ? [Number(parts[1] ?? 0), Number(parts[2])] : [0, 0];
  // What is more than a number can hold is another number than the text says.
  if (frame <= MOST_U32 && node > 0 && node <= MOST_NODE && `${node}` === parts[2].replace(/^0+/, '')) return [frame, node];
  throw invalid(`${name} must be a uid: "12", "2.12" for a node of frame 2, or a whole number`);
}

function pairs(uids, name) {
  if (uids === undefined || uids === null) return [];
  if (typeof uids === 'string' || typeof uids[Symbol.iterator] !== 'function') throw invalid(`${name} must be an array of uids`);
  return Array.from(uids).flatMap((uid) => pair(uid, `each of ${name}`));
}

function document(number) {
  // One that is too large is refused: cut down to size it would be another document's.
  if (Number.isInteger(number) && number >= 0 && number <= MOST_U32) return number;
  throw invalid(`the number of a frame must be a whole number, 0 to ${MOST_U32}`);
}

function frame(given, most) {
  if (typeof given !== 'object' || given === null) throw invalid('each of frames must be an object');
  const { owner, number, payload } = given;
  return {
    owner: pair(owner, 'the owner of a frame'),
    number: number === undefined || number === null ? 0 : document(number),
    payload: within(bytes(payload, 'the payload of a frame', { text: true }), most),
  };
}

// A payload, or one with its frames: objects of the caller’s own, which may hold more.
export function page(given, { inputBytes }) {
  const plain = Object.prototype.toString.call(given) === '[object Object]';
  const { payload, frames } = plain ? given : { payload: given, frames: undefined };
  if (frames !== undefined && frames !== null && !Array.isArray(frames)) throw invalid('frames must be an array');
  return {
    payload: within(bytes(payload, 'the payload', { text: true }), inputBytes + 1),
    frames: Array.from({ length: frames?.length ?? 0 }, (_, at) => frame(frames[at], inputBytes + 1)),
  };
}

export function viewOptions(options) {
  const { query, maxBytes, viewport, secrets, clickable, urls, root } = known(options, VIEW_OPTIONS);
  if (query !== undefined && query !== null && typeof query !== 'string') throw invalid('query must be a string');
  return {
    query: query ?? undefined,
    maxBytes: maxBytes === undefined || maxBytes === null ? undefined : whole(maxBytes, 'maxBytes'),
    viewport: pairs(viewport, 'viewport'),
    secrets: pairs(secrets, 'secrets'),
    clickable: pairs(clickable, 'clickable'),
    urls: Boolean(urls),
    root: root === undefined || root === null ? [] : pair(root, 'root'),
    limits: limits(options),
  };
}

export function outlineOptions(options) {
  const { maxChars, dedupText, secrets } = known(options, OUTLINE_OPTIONS);
  return {
    maxChars: maxChars === undefined || maxChars === null ? 0 : whole(maxChars, 'maxChars'),
    dedupText: Boolean(dedupText),
    // An outline is of one document: its secrets are told by their node alone.
    secrets: pairs(secrets, 'secrets').filter((_, at) => at % 2 === 1),
    limits: limits(options),
  };
}

export function byteOptions(options) {
  known(options, ['limits']);
  return limits(options);
}
