// Anything at all through the boundary: a result, or an error with a code; never a dead instance.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as axpress from '../package/node.js';
import { cases, files, fixture } from './files.mjs';

const SECONDS = Number(process.env.AXPRESS_FUZZ_SECONDS ?? 5);
const SEED = Number(process.env.AXPRESS_FUZZ_SEED ?? Date.now() % 2 ** 31);
const CODES = new Set([
  'invalid-json', 'not-ax-payload', 'invalid-node-id', 'payload-too-large', 'too-many-nodes', 'output-too-large',
  'corrupt-blob', 'unsupported-blob', 'blob-too-large', 'invalid-handle', 'budget-too-small', 'unknown-root',
  'invalid-argument',
]);

// xorshift: a run is told by its seed.
let state = SEED || 1;
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}
const pick = (list) => list[random(list.length)];

const payloads = Object.values(files()).filter(({ length }) => length < 60_000);
const blobs = payloads.map((payload) => axpress.pack(payload).blob);
const PARTS = ['"', '\\', '{', '}', '[', ']', ',', ':', '\\ud800', '\ufeff', '\u0000', 'null', '-', '1e999', '"nodeId":"-1"', '"value":{"value":', '@12', '\n'];
const encoder = new TextEncoder();

function mutated(bytes) {
  let out = bytes.slice();
  for (let change = random(6); change >= 0; change -= 1) {
    const at = random(out.length + 1);
    const kind = random(5);
    if (kind === 0 && out.length > 0) out[at % out.length] = random(256);
    else if (kind === 1) out = out.subarray(0, at);
    else {
      const part = kind === 2 ? encoder.encode(pick(PARTS)) : kind === 3 ? out.subarray(random(at + 1), at) : Uint8Array.of(random(256));
      const joined = new Uint8Array(out.length + part.length);
      joined.set(out.subarray(0, at));
      joined.set(part, at);
      joined.set(out.subarray(at), at + part.length);
      out = joined;
    }
  }
  return out;
}

const ODD = [undefined, null, 0, -1, 1.5, NaN, 2 ** 53, '', 'x', '\ud800', '12', '@2.12', [], ['1'], {}, () => 1, true, 10n, Symbol.iterator, new Date(), new Proxy({}, {})];

function odd() {
  return random(3) === 0 ? pick(ODD) : undefined;
}

function options() {
  if (random(2) === 0) return pick([undefined, {}, null]);
  const uid = () => pick([random(60), `${random(60)}`, `${random(3)}.${random(60)}`, pick(ODD)]);
  const uids = () => pick([undefined, [uid(), uid()], new Set([uid()]), pick(ODD)]);
  return {
    query: pick([undefined, 'button', 'save  \ud800 @12', 'x'.repeat(random(300)), odd()]),
    maxBytes: pick([undefined, 200, random(2000), 2 ** 32 + 5, odd()]),
    secrets: uids(),
    clickable: uids(),
    viewport: uids(),
    urls: odd(),
    root: pick([undefined, undefined, uid()]),
    limits: pick([undefined, { nodes: random(50) }, { outputBytes: random(500) }, { inputBytes: random(60_000) }, odd()]),
  };
}

function payload() {
  const bytes = random(4) === 0 ? pick(payloads) : mutated(pick(payloads));
  return pick([bytes, bytes, bytes, bytes.slice().buffer, new TextDecoder().decode(bytes), odd()]);
}

function page() {
  if (random(3) > 0) return payload();
  const frames = Array.from({ length: random(4) }, () => ({ owner: pick([random(60) + 1, '1.9', odd()]), number: pick([undefined, random(4), odd()]), payload: payload() }));
  return { payload: payload(), frames };
}

const CALLS = [
  () => axpress.view(page(), options()),
  () => axpress.view(page(), options()),
  () => axpress.compress(page(), options()),
  () => axpress.delta(page(), page(), options()),
  () => axpress.outline(payload(), { maxChars: pick([undefined, random(500), odd()]), dedupText: odd(), secrets: pick([undefined, [random(60)], odd()]) }),
  () => axpress.scan(payload(), pick([undefined, { limits: { nodes: random(100) } }])),
  () => axpress.nodes(payload(), pick(['button', 'save', '', '\ud800', odd()])),
  () => axpress.pack(payload()),
  () => axpress.unpack(pick([mutated(pick(blobs)), pick(blobs), mutated(pick(payloads)), odd()])),
  () => axpress.handle(payload()),
  () => axpress.handlePrefix(pick([axpress.handle('x').slice(0, random(40)), 'ccr_5891b5b5', '\ud800', odd()])),
  () => axpress.releaseMemory(),
];

test(`anything through the boundary for ${SECONDS} s, seed ${SEED}`, () => {
  const login = fixture('login/ax.json');
  const { text } = axpress.view(login);
  const end = Date.now() + SECONDS * 1000;
  const codes = {};
  let calls = 0;
  while (Date.now() < end) {
    calls += 1;
    try {
      pick(CALLS)();
      codes.ok = (codes.ok ?? 0) + 1;
    } catch (error) {
      assert.ok(error instanceof axpress.AxpressError && CODES.has(error.code), `call ${calls}: ${error?.stack ?? String(error)}`);
      codes[error.code] = (codes[error.code] ?? 0) + 1;
    }
    if (calls % 500 === 0) assert.equal(axpress.view(login).text, text);
  }
  assert.equal(axpress.view(login).text, text);
  assert.ok(cases.length > 0 && codes.ok > 0 && Object.keys(codes).length > 3);
  console.log(`  ${calls} calls`, codes);
});
