// Memory: results are copies, calls do not add up, and a call without memory is an error.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as axpress from '../package/node.js';
import { linear_memory as linearMemory } from '../package/glue.js';
import { copyOf } from './copies.mjs';
import { fixture, wasm } from './files.mjs';
import { withMost } from './memory.mjs';

const login = fixture('login/ax.json');
// 50 MB, a table of thousands of rows.
const large = new Uint8Array(readFileSync(`${process.env.AXPRESS_ANSWERS}/large.ax.json`));
const bytes = () => linearMemory().buffer.byteLength;

test('results are as they were after the memory has grown and moved', () => {
  assert.ok(large.length > 50_000_000);
  const before = bytes();
  const view = axpress.view(login);
  const pressed = axpress.compress(login);
  const kept = structuredClone({ view, pressed });
  const first = axpress.compress(large);
  assert.ok(bytes() > before, 'the memory has grown');
  const firstBlob = first.blob.slice();
  const second = axpress.compress(large);
  axpress.pack(login);
  assert.deepEqual({ view, pressed }, kept);
  assert.deepEqual(first.blob, firstBlob);
  assert.deepEqual(second, first);
  assert.deepEqual(axpress.unpack(first.blob), large);
  assert.notEqual(first.blob.buffer, linearMemory().buffer);
});

test('200 calls with 50 MB each take no more memory than the first few', () => {
  const calls = [
    () => axpress.view(large),
    () => axpress.outline(large, { maxChars: 1000 }),
    () => axpress.scan(large),
    () => axpress.pack(large),
    () => axpress.view(large, { query: 'check', maxBytes: 2000 }),
  ];
  calls.forEach((call) => call());
  calls.forEach((call) => call());
  globalThis.gc?.();
  const [linear, resident] = [bytes(), process.memoryUsage().rss];
  for (let call = 0; call < 200; call += 1) calls[call % calls.length]();
  globalThis.gc?.();
  const grown = process.memoryUsage().rss - resident;
  assert.equal(bytes(), linear);
  assert.ok(grown < 50_000_000, `resident memory grew by ${grown}`);
  console.log(`  linear memory ${linear} bytes before and after 200 calls; resident memory grew by ${grown}`);
});

test('memory is given back when it is asked for', () => {
  axpress.view(large);
  const before = bytes();
  axpress.releaseMemory();
  assert.ok(bytes() < 4_000_000 && bytes() < before);
  assert.ok(axpress.view(login).text.length > 0);
});

for (const name of ['axpress', 'axpress-simd']) {
  test(`${name}.wasm outlives calls for which there is no memory`, async () => {
    const { axpress: small, glue } = await copyOf(withMost(wasm(name), 24 * 2 ** 20));
    const { text } = axpress.view(login);
    for (const make of [
      () => small.view(large),
      () => small.compress(large.subarray(0, 20_000_000)),
      () => small.pack(large.subarray(0, 18_000_000)),
      () => small.view({ payload: login, frames: Array(9).fill({ owner: '3', payload: large.subarray(0, 5_000_000) }) }),
      () => small.handle(large),
      () => small.unpack(axpress.pack(new Uint8Array(25_000_000)).blob),
    ]) {
      assert.throws(make, (error) => {
        assert.ok(error instanceof small.AxpressError);
        assert.ok(['out-of-memory', 'payload-too-large', 'blob-too-large', 'invalid-json'].includes(error.code), error.message);
        return true;
      });
      assert.equal(small.view(login).text, text);
      assert.ok(glue.linear_memory().buffer.byteLength <= 24 * 2 ** 20);
    }
    assert.throws(() => small.view(large), { code: 'out-of-memory' });
  });
}
