// axpress for JavaScript: bytes in, plain objects out. The types and their documentation are in axpress.d.ts.
//
// The core is WebAssembly. All calls share one instance and none depends on an earlier one. A call for which there is no
// memory leaves its instance in any state: it is thrown away, the next call has a new one, and the caller gets an error.

import * as glue from './glue.js';
import * as take from './arguments.js';
import * as load from './load.js';
import { AxpressError } from './results.js';

export { AxpressError };

// What the instance's limits are, and whether it can be used. None before `init`.
let applied;
let usable = false;
let loading;

export async function init(source) {
  if (applied !== undefined) return;
  // One at a time. Where an earlier one fails, that is its caller's to know, and this one tries what it was given.
  const earlier = loading;
  loading = (async () => {
    await earlier?.catch(() => {});
    if (applied === undefined) start(await load.compiled(chosen(source)));
  })();
  await loading;
}

export function initSync(source) {
  if (applied === undefined) start(load.compiledNow(source));
}

function chosen(source) {
  const builds = source ?? {
    scalar: new URL('./axpress.wasm', import.meta.url),
    simd: new URL('./axpress-simd.wasm', import.meta.url),
  };
  if (builds.scalar === undefined && builds.simd === undefined) return builds;
  return (load.hasSimd() ? builds.simd : builds.scalar) ?? builds.scalar;
}

function start(module) {
  if (applied !== undefined) return;
  load.instantiated(module, () => glue.initSync({ module }));
  applied = take.limits();
  usable = true;
}

function renew() {
  glue.__wbg_reset_state();
  applied = take.limits();
  usable = true;
}

// Makes a call under these limits.
function call(limits, make) {
  if (applied === undefined) {
    throw new AxpressError('not-initialized', 'not-initialized: await init() first, or call initSync');
  }
  try {
    if (!usable) renew();
    const { inputBytes, nodes, outputBytes } = limits;
    if (inputBytes !== applied.inputBytes || nodes !== applied.nodes || outputBytes !== applied.outputBytes) {
      glue.limits(inputBytes, nodes, outputBytes);
      applied = limits;
    }
    return make();
  } catch (error) {
    throw error instanceof AxpressError ? error : givenUp(error);
  }
}

// The error for what no call should throw, with the instance given up.
function givenUp(cause) {
  // An instance that is unusable by now could not be made, and that takes memory alone.
  const full = !usable || isFull();
  usable = false;
  try {
    renew();
  } catch {
    // The next call tries again.
  }
  return full
    ? new AxpressError('out-of-memory', 'out-of-memory: there is no memory for this call. Next: pass less', { cause })
    : new AxpressError('internal', `internal: this should not happen: ${cause?.message}. Next: report it`, { cause });
}

// Whether the instance's memory can't grow by what it has and the largest input: the most that is asked for at once.
function isFull() {
  try {
    const memory = glue.linear_memory();
    memory.grow(Math.ceil((memory.buffer.byteLength + applied.inputBytes) / 65536));
    return false;
  } catch {
    return true;
  }
}

export function releaseMemory() {
  if (applied !== undefined) call(applied, renew);
}

function payloadWithin(payload, { inputBytes }) {
  return take.within(take.bytes(payload, 'the payload', { text: true }), inputBytes + 1);
}

function begin({ query, maxBytes, viewport, secrets, clickable, urls, root }, page, before) {
  glue.options(query, maxBytes, viewport, secrets, clickable, urls, root);
  for (const { owner, number, payload } of page.frames) glue.frame(owner[0], owner[1], number, take.still(payload), false);
  for (const { owner, number, payload } of before?.frames ?? []) glue.frame(owner[0], owner[1], number, take.still(payload), true);
}

export function view(page, options) {
  const taken = take.viewOptions(options);
  const given = take.page(page, taken.limits);
  return call(taken.limits, () => {
    begin(taken, given);
    return glue.view(take.still(given.payload));
  });
}

export function compress(page, options) {
  const taken = take.viewOptions(options);
  const given = take.page(page, taken.limits);
  return call(taken.limits, () => {
    begin(taken, given);
    return glue.compress(take.still(given.payload));
  });
}

export function delta(before, after, options) {
  const taken = take.viewOptions(options);
  const old = take.page(before, taken.limits);
  const now = take.page(after, taken.limits);
  return call(taken.limits, () => {
    begin(taken, now, old);
    return glue.delta(take.still(old.payload), take.still(now.payload));
  });
}

export function applyDelta(text, delta) {
  const { changes, linesBefore, linesAfter } = delta ?? {};
  if (typeof text !== 'string' || !Array.isArray(changes) || !(linesAfter <= linesBefore + changes.length)) {
    throw take.invalid('applyDelta takes the text of a view and a delta');
  }
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length !== linesBefore) throw take.invalid('the text is not the view that the delta was made from');
  const named = new Set(changes.map(({ before }) => before));
  const kept = lines.filter((_, at) => !named.has(at));
  const made = new Array(linesAfter);
  for (const { after, line } of changes) if (after !== null) made[after] = line;
  let next = 0;
  for (let at = 0; at < linesAfter; at += 1) made[at] ??= kept[next++];
  return made.join('\n');
}

export function nodes(payload, query, options) {
  const limits = take.byteOptions(options);
  if (typeof query !== 'string') throw take.invalid('query must be a string');
  const bytes = payloadWithin(payload, limits);
  return call(limits, () => glue.nodes(bytes, query));
}

export function outline(payload, options) {
  const { maxChars, dedupText, secrets, limits } = take.outlineOptions(options);
  const bytes = payloadWithin(payload, limits);
  return call(limits, () => glue.outline(bytes, maxChars, dedupText, secrets));
}

export function scan(payload, options) {
  const limits = take.byteOptions(options);
  const bytes = payloadWithin(payload, limits);
  return call(limits, () => glue.scan(bytes));
}

export function pack(original, options) {
  const limits = take.byteOptions(options);
  const bytes = take.within(take.bytes(original, 'the original', { text: true }), limits.inputBytes + 1);
  return call(limits, () => glue.pack(bytes));
}

export function unpack(blob, options) {
  const limits = take.byteOptions(options);
  // A blob is its original and 48 bytes at most.
  const bytes = take.within(take.bytes(blob, 'the blob', { text: false }), limits.inputBytes + 49);
  return call(limits, () => glue.unpack(bytes));
}

export function handle(original) {
  const bytes = take.bytes(original, 'the original', { text: true });
  return call(applied, () => glue.handle(bytes));
}

export function handlePrefix(text) {
  if (typeof text !== 'string') throw take.invalid('a handle must be a string');
  return call(applied, () => glue.handle_prefix(text));
}
