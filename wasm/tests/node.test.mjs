// The package in Node: the core's answers, its errors, what callers may do.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import * as axpress from '../package/node.js';
import { differences } from './answers.mjs';
import { copy, copyOf } from './copies.mjs';
import { cases, files, fixture, packageFolder, root, table, wasm } from './files.mjs';

const login = fixture('login/ax.json');

function thrown(make) {
  try {
    make();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('every call answers what the core answers, on every fixture, whole and damaged', () => {
  assert.ok(cases.length > 1000);
  assert.deepEqual(differences(axpress, cases, files()), []);
});

for (const name of ['axpress', 'axpress-simd']) {
  test(`${name}.wasm answers what the core answers`, async () => {
    const one = await copyOf(wasm(name));
    assert.deepEqual(differences(one.axpress, cases, files()), []);
  });
}

test('the package is found by its name, with its store and both of its builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'axpress-package-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(packageFolder, join(folder, 'node_modules', 'axpress'));
    const script = `
      import { view } from 'axpress';
      import { openStore } from 'axpress/store';
      import { readFileSync } from 'node:fs';
      const builds = ['axpress/axpress.wasm', 'axpress/axpress-simd.wasm'].map((name) => import.meta.resolve(name));
      process.stdout.write(JSON.stringify([view('[]').text, typeof openStore, builds.length]));`;
    const out = execFileSync('node', ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(out), ['', 'function', 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the types fit their use', () => {
  execFileSync('node_modules/.bin/tsc', ['--project', 'tests/tsconfig.json'], { cwd: root, stdio: 'pipe' });
});

test('an error has a code, an offset and what to do next', () => {
  const error = thrown(() => axpress.view('{"nodes": ['));
  assert.ok(error instanceof Error && error instanceof axpress.AxpressError);
  assert.equal(error.name, 'AxpressError');
  assert.equal(error.code, 'invalid-json');
  assert.equal(error.offset, 11);
  assert.equal(
    error.message,
    'invalid-json at byte 11: the payload is not JSON in UTF-8. Next: pass the bytes as Chrome sent them.',
  );
});

test('limits are reached with an error that names them as JavaScript does', () => {
  const { message, code, offset } = thrown(() => axpress.scan(login, { limits: { inputBytes: 100 } }));
  assert.deepEqual([code, offset], ['payload-too-large', 100]);
  assert.match(message, /`inputBytes`/);
  assert.equal(thrown(() => axpress.view(login, { limits: { nodes: 3 } })).code, 'too-many-nodes');
  assert.equal(thrown(() => axpress.view(login, { limits: { outputBytes: 30 } })).code, 'output-too-large');
  const { blob } = axpress.pack(login);
  assert.equal(thrown(() => axpress.unpack(blob, { limits: { inputBytes: login.length - 1 } })).code, 'blob-too-large');
  assert.equal(axpress.unpack(blob, { limits: { inputBytes: login.length } }).length, login.length);
  assert.ok(axpress.view(login).text.length > 0, 'the next call has its own limits');
});

const detached = new Uint8Array(8);
const detachedView = new DataView(detached.buffer);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const WRONG = [
  () => axpress.view(),
  () => axpress.view(null),
  () => axpress.view(17),
  () => axpress.view(['a']),
  () => axpress.view(Symbol('s')),
  () => axpress.view(detached),
  () => axpress.view(detachedView),
  () => axpress.view({ payload: login, frames: [{ owner: 3, payload: detached }] }),
  () => axpress.view(login, 5),
  () => axpress.view(login, { max_bytes: 300 }),
  () => axpress.view(login, { maxBytes: -1 }),
  () => axpress.view(login, { maxBytes: 300.5 }),
  () => axpress.view(login, { maxBytes: '300' }),
  () => axpress.view(login, { query: 7 }),
  () => axpress.view(login, { root: 2.1 }),
  () => axpress.view(login, { root: '2.1.0' }),
  () => axpress.view(login, { root: '4294967296.1' }),
  () => axpress.view(login, { root: '9007199254740993' }),
  () => axpress.view(login, { root: 0 }),
  () => axpress.view(login, { secrets: '12' }),
  () => axpress.view(login, { secrets: [NaN] }),
  () => axpress.view(login, { clickable: 12 }),
  () => axpress.view({ payload: login, frames: {} }),
  () => axpress.view({ payload: login, frames: [null] }),
  () => axpress.view({ payload: login, frames: [{ owner: '1', payload: 3 }] }),
  () => axpress.view({ payload: login, frames: [{ owner: '1', number: -1, payload: login }] }),
  () => axpress.view({ payload: login, frames: [{ owner: '1', number: 2 ** 40, payload: login }] }),
  () => axpress.view({ payload: login, frames: Array(1) }),
  () => axpress.view({ frames: [] }),
  () => axpress.view({ [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 9, length: 9 }),
  () => axpress.view(Object.create(Uint8Array.prototype)),
  () => axpress.view(new Proxy(login, {})),
  () => axpress.applyDelta('a', undefined),
  () => axpress.applyDelta(7, { changes: [], linesBefore: 0, linesAfter: 0 }),
  () => axpress.applyDelta('a', { changes: [], linesBefore: 1, linesAfter: 2 ** 40 }),
  () => axpress.view(login, { limits: { nodes: Infinity } }),
  () => axpress.view(login, { limits: { bytes: 1 } }),
  () => axpress.outline(login, { maxChars: 'a' }),
  () => axpress.delta(login),
  () => axpress.nodes(login),
  () => axpress.unpack('AXPB'),
  () => axpress.unpack(new Uint8Array()),
  () => axpress.handle(undefined),
  () => axpress.handlePrefix(12),
  () => axpress.handlePrefix('ccr_123'),
  () => axpress.handlePrefix('\ud800'),
];

test('whatever is wrong is an error with a code, and the next call works', () => {
  const expected = axpress.view(login).text;
  for (const make of WRONG) {
    const error = thrown(make);
    assert.ok(error instanceof axpress.AxpressError, `${make}: ${error}`);
    assert.match(error.code, /^[a-z]+(-[a-z]+)+$/);
    assert.notEqual(error.code, 'internal', `${make}: ${error.message}`);
    assert.equal(axpress.view(login).text, expected);
  }
});

test('a payload may be any bytes, at any place of their buffer, or a text', () => {
  const { text } = axpress.view(login);
  const shifted = new Uint8Array(login.length + 7);
  shifted.set(login, 7);
  const shared = new SharedArrayBuffer(login.length);
  new Uint8Array(shared).set(login);
  for (const payload of [
    shifted.subarray(7),
    new DataView(shifted.buffer, 7),
    login.slice().buffer,
    Buffer.from(login),
    shared,
    new TextDecoder().decode(login),
  ]) {
    assert.equal(axpress.view(payload).text, text);
  }
});

test('bytes are what their memory holds when the call begins, whatever their class or a getter does', () => {
  class Longer extends Uint8Array {
    get length() {
      return 1e6;
    }
  }
  const { text } = axpress.view(login);
  assert.equal(axpress.view(new Longer(login.slice().buffer)).text, text);
  const gone = login.slice();
  const frame = {
    owner: '1',
    get payload() {
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      return login;
    },
  };
  assert.equal(thrown(() => axpress.view({ payload: gone, frames: [frame] })).code, 'invalid-json');
  const frames = [{ owner: '2', number: 1, payload: login }];
  const expected = axpress.view({ payload: login, frames }, { query: 'password' });
  frames.map = () => assert.fail('a method of the caller is called');
  assert.deepEqual(axpress.view({ payload: login, frames }, { query: 'password' }), expected);
});

test('half of a surrogate pair in a text is lost, and in bytes it is kept', () => {
  const original = fixture('lone-surrogate/ax.json');
  assert.deepEqual(axpress.unpack(axpress.pack(original).blob), original);
  const bytes = axpress.unpack(axpress.pack('\ud83d').blob);
  assert.equal(new TextDecoder().decode(bytes), '\ufffd');
});

test('a call can be made twice, with the same options, and from within the reading of another', () => {
  const options = Object.freeze({ secrets: Object.freeze(['3']), maxBytes: 400 });
  const first = axpress.view(login, options);
  assert.deepEqual(axpress.view(login, options), first);
  let inner;
  const calling = {
    get query() {
      inner = axpress.compress(login);
      return undefined;
    },
    *[Symbol.iterator]() {},
    secrets: undefined,
  };
  delete calling[Symbol.iterator];
  assert.deepEqual(axpress.view(login, calling), axpress.view(login));
  assert.equal(inner.handle, axpress.handle(login));
  const ids = {
    *[Symbol.iterator]() {
      axpress.view(table);
      yield '3';
    },
  };
  assert.deepEqual(axpress.view(login, { secrets: ids, maxBytes: 400 }), first);
});

test('an error of the caller’s own getter comes through as it is', () => {
  const own = new RangeError('mine');
  const options = {
    get query() {
      throw own;
    },
  };
  assert.equal(thrown(() => axpress.view(login, options)), own);
});

test('handles are read with and without their mark, and by their first digits', () => {
  const handle = axpress.handle(login);
  assert.match(handle, /^ccr_[0-9a-f]{32}$/);
  assert.equal(axpress.pack(login).handle, handle);
  for (const text of [handle, handle.slice(4), handle.slice(4).toUpperCase()]) {
    assert.equal(axpress.handlePrefix(text), handle);
  }
  assert.equal(axpress.handlePrefix(handle.slice(4, 12)), handle.slice(0, 12));
});

test('a delta applied to the old view gives the new one', () => {
  let applied = 0;
  for (const { input } of cases.filter(({ call, options }) => call === 'delta' && !options.maxBytes)) {
    const [before, after] = [fixture(input.before), fixture(input.file)];
    const delta = axpress.delta(before, after);
    assert.equal(axpress.applyDelta(axpress.view(before).text, delta), axpress.view(after).text, input.file);
    applied += delta.changes.length;
  }
  assert.ok(applied > 20);
  const delta = axpress.delta(login, table);
  assert.equal(thrown(() => axpress.applyDelta('something else', delta)).code, 'invalid-argument');
});

test('before init there is an error, and init may fail and be called again', async () => {
  const one = await copy();
  assert.equal(thrown(() => one.axpress.view(login)).code, 'not-initialized');
  assert.equal(thrown(() => one.axpress.handle(login)).code, 'not-initialized');
  assert.equal(thrown(() => one.axpress.initSync(login)).code, 'wasm-invalid');
  assert.equal(thrown(() => one.axpress.initSync(undefined)).code, 'wasm-invalid');
  // A module, but another's.
  assert.equal(thrown(() => one.axpress.initSync(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))).code, 'wasm-invalid');
  await assert.rejects(one.axpress.init(login), { code: 'wasm-invalid' });
  await assert.rejects(one.axpress.init('http://127.0.0.1:9/axpress.wasm'), { code: 'wasm-not-loaded' });
  await one.axpress.init({ scalar: wasm('axpress'), simd: wasm('axpress-simd') });
  assert.equal(one.axpress.view(login).text, axpress.view(login).text);
});

test('init takes a URL, a response, bytes or a module', async () => {
  const bytes = wasm('axpress');
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/axpress.wasm' ? 200 : 404, { 'content-type': 'text/plain' });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/axpress.wasm`;
  try {
    for (const source of [url, new URL(url), new Request(url), fetch(url), bytes, new WebAssembly.Module(bytes)]) {
      const one = await copy();
      await Promise.all([one.axpress.init(source), one.axpress.init(source)]);
      assert.equal(one.axpress.scan('[]').nodes, 0);
    }
    const one = await copy();
    await assert.rejects(one.axpress.init(`${url}.gz`), { code: 'wasm-not-loaded', message: /status 404/ });
  } finally {
    server.close();
  }
});

test('an init beside one that fails has its own end', async () => {
  const one = await copy();
  const [bad, good] = await Promise.allSettled([one.axpress.init('http://127.0.0.1:9/axpress.wasm'), one.axpress.init(wasm('axpress'))]);
  assert.deepEqual([bad.reason?.code, good.status], ['wasm-not-loaded', 'fulfilled']);
  assert.equal(one.axpress.scan('[]').nodes, 0);
});

test('whatever is wrong with what init is given, its promise is what fails', async () => {
  const one = await copy();
  const used = new Response(wasm('axpress'));
  await used.arrayBuffer();
  const thrower = {
    get scalar() {
      throw new RangeError('mine');
    },
  };
  await assert.rejects(one.axpress.init(used), { code: 'wasm-not-loaded' });
  await assert.rejects(one.axpress.init(Promise.reject(new TypeError('no network'))), { code: 'wasm-not-loaded' });
  await assert.rejects(one.axpress.init(thrower), { message: 'mine' });
});

test('by default the builds beside the module are loaded', async () => {
  const one = await copy();
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = async (url) => {
    asked.push(String(url));
    return new Response(wasm('axpress-simd'));
  };
  try {
    await one.axpress.init();
  } finally {
    globalThis.fetch = fetch;
  }
  assert.deepEqual(asked, [String(pathToFileURL(join(one.folder, 'axpress-simd.wasm')))]);
});
