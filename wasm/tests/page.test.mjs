// The package in a page of Chromium: the core's answers, the store, and a policy that forbids WebAssembly.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { cases, files, root } from './files.mjs';
import { launch, serve } from './browser.mjs';

let browser;
let site;
let strict;

before(async () => {
  browser = await launch();
  const pages = { '/': '<!doctype html><title>axpress</title>' };
  site = await serve({ pages, folder: root });
  strict = await serve({ pages, folder: root, headers: { 'content-security-policy': "script-src 'self' 'unsafe-inline'" } });
});

after(async () => {
  await browser?.close();
  site?.close();
  strict?.close();
});

async function open(server = site, context = undefined) {
  const page = await (context ?? (await browser.newContext())).newPage();
  await page.goto(server.at('127.0.0.1', '/'));
  return page;
}

// Bytes cross to the page as Base64.
const base64 = (byName) =>
  Object.fromEntries(Object.entries(byName).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));

for (const name of ['axpress', 'axpress-simd', undefined]) {
  test(`in a page ${name ? `${name}.wasm` : 'what init loads by itself'} answers what the core answers`, async () => {
    const page = await open();
    const found = await page.evaluate(
      async ({ cases, encoded, name }) => {
        const axpress = await import('/package/axpress.js');
        const { differences } = await import('/tests/answers.mjs');
        await axpress.init(name && `/package/${name}.wasm`);
        const files = {};
        for (const [file, text] of Object.entries(encoded)) {
          files[file] = new Uint8Array(await (await fetch(`data:;base64,${text}`)).arrayBuffer());
        }
        return differences(axpress, cases, files);
      },
      { cases, encoded: base64(files()), name },
    );
    assert.deepEqual(found, []);
    await page.context().close();
  });
}

test('the build is chosen by what the engine has', async () => {
  const page = await open();
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(async () => (await import('/package/axpress.js')).init());
  assert.deepEqual(asked.filter((path) => path.endsWith('.wasm')), ['/package/axpress-simd.wasm']);
  const scalar = await open();
  const chosen = [];
  scalar.on('request', (request) => chosen.push(new URL(request.url()).pathname));
  await scalar.evaluate(async () => {
    WebAssembly.validate = () => false;
    await (await import('/package/axpress.js')).init();
  });
  assert.deepEqual(chosen.filter((path) => path.endsWith('.wasm')), ['/package/axpress.wasm']);
});

test('where the policy of a page forbids WebAssembly, the error says what it lacks', async () => {
  const page = await open(strict);
  const error = await page.evaluate(async () => {
    const axpress = await import('/package/axpress.js');
    return axpress.init().catch(({ name, code, message }) => ({ name, code, message }));
  });
  assert.equal(error.name, 'AxpressError');
  assert.equal(error.code, 'wasm-blocked');
  assert.match(error.message, /'wasm-unsafe-eval' to script-src in the Content-Security-Policy/);
});

// Runs in a page with the store's module at hand; each test has a database of its own.
async function withStore(work, argument, context) {
  const page = await open(site, context);
  const result = await page.evaluate(
    async ([source, given]) => {
      const axpress = await import('/package/axpress.js');
      await axpress.init();
      const { openStore, StoreError } = await import('/package/store.js');
      const code = async (promise) => {
        try {
          await promise;
          return 'nothing was thrown';
        } catch (error) {
          if (!(error instanceof StoreError) && !(error instanceof axpress.AxpressError)) return String(error.stack);
          return error.code;
        }
      };
      const noise = (seed, length) => {
        let state = seed * 2654435761 + 1;
        return Uint8Array.from({ length }, () => {
          state = Math.imul(state ^ (state >>> 15), 2246822519) + seed;
          return state >>> 24;
        });
      };
      const equal = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);
      const run = new Function('tools', 'given', `return (${source})(tools, given)`);
      return run({ axpress, openStore, StoreError, code, noise, equal }, given);
    },
    [work.toString(), argument],
  );
  if (!context) await page.context().close();
  return result;
}

test('any bytes come back from the store, by their handle and by its first digits', async () => {
  const result = await withStore(async ({ axpress, openStore, noise, equal }) => {
    const store = await openStore();
    const found = [];
    for (const original of [new Uint8Array(), Uint8Array.of(0xff, 0xfe), noise(1, 100_000), new Uint8Array(3_000_000)]) {
      const handle = await store.put(original);
      for (const text of [handle, handle.slice(4), handle.slice(4, 12).toUpperCase()]) {
        found.push(equal(await store.get(text), original) && (await store.has(text)));
      }
      found.push(handle === axpress.handle(original));
    }
    return { found, usage: await store.usage() };
  });
  assert.ok(result.found.length === 16 && result.found.every(Boolean), JSON.stringify(result.found));
  assert.equal(result.usage.count, 4);
  assert.ok(result.usage.bytes > 100_000 && result.usage.bytes < 120_000);
});

test('the same bytes are stored once', async () => {
  const usage = await withStore(async ({ openStore, noise }) => {
    const store = await openStore();
    const handles = await Promise.all(Array.from({ length: 20 }, () => store.put(noise(1, 5000))));
    return { ...(await store.usage()), handles: new Set(handles).size };
  });
  assert.deepEqual([usage.count, usage.handles], [1, 1]);
  assert.ok(usage.bytes <= 5048);
});

test('what was stored is there when the store is opened again', async () => {
  const context = await browser.newContext();
  const handle = await withStore(
    async ({ openStore, noise }) => {
      const store = await openStore();
      const handle = await store.put(noise(7, 9000));
      store.close();
      return handle;
    },
    undefined,
    context,
  );
  const same = await withStore(
    async ({ openStore, noise, equal }, given) => equal(await (await openStore()).get(given), noise(7, 9000)),
    handle,
    context,
  );
  assert.equal(same, true);
  await context.close();
});

test('each miss says what became of it', async () => {
  const codes = await withStore(async ({ openStore, code, noise }) => {
    const store = await openStore();
    const handle = await store.put(noise(1, 500));
    await store.delete(handle);
    const damaged = await store.put(noise(2, 500));
    const other = await store.put(noise(3, 500));
    const database = await new Promise((resolve) => {
      const request = indexedDB.open('axpress');
      request.onsuccess = () => resolve(request.result);
    });
    const change = (work) =>
      new Promise((resolve) => {
        const transaction = database.transaction(['entries', 'blobs'], 'readwrite');
        transaction.oncomplete = resolve;
        work(transaction.objectStore('blobs'), transaction.objectStore('entries'));
      });
    const keys = await new Promise((resolve) => {
      const request = database.transaction('blobs').objectStore('blobs').getAllKeys();
      request.onsuccess = () => resolve(request.result);
    });
    const keyOf = (handle) => keys.find((key) => key.startsWith(handle.slice(4)));
    await change((blobs) => {
      const request = blobs.get(keyOf(damaged));
      request.onsuccess = () => {
        request.result[60] ^= 1;
        blobs.put(request.result, keyOf(damaged));
      };
    });
    const codes = {
      pruned: await code(store.get(handle)),
      prunedPrefix: await code(store.get(handle.slice(4, 14))),
      unknown: await code(store.get('ccr_00000000000000000000000000000000')),
      damaged: await code(store.get(damaged)),
      invalid: await code(store.get('ccr_123')),
      notHex: await code(store.get('not a handle')),
      healed: (await store.put(noise(2, 500))) === damaged && (await store.get(damaged)).length,
      again: (await store.put(noise(1, 500))) === handle && (await store.get(handle)).length,
    };
    // Another blob under a handle is not what the handle names.
    await change((blobs) => {
      const request = blobs.get(keyOf(other));
      request.onsuccess = () => blobs.put(request.result, keyOf(damaged));
    });
    codes.swapped = await code(store.get(damaged));
    // Two that begin alike.
    const key = keyOf(other);
    const twin = key.slice(0, 12) + (key[12] === '0' ? '1' : '0') + key.slice(13);
    await change((blobs, entries) => entries.put({ key: twin, bytes: 1, stored: 1, used: 1 }));
    codes.ambiguous = await code(store.get(key.slice(0, 12)));
    codes.one = (await store.find(key.slice(0, 13))).length;
    codes.two = (await store.find(key.slice(0, 12))).length;
    return codes;
  });
  assert.deepEqual(codes, {
    pruned: 'handle-pruned',
    prunedPrefix: 'handle-pruned',
    unknown: 'unknown-handle',
    damaged: 'handle-unreadable',
    healed: 500,
    invalid: 'invalid-handle',
    notHex: 'invalid-handle',
    again: 500,
    swapped: 'handle-unreadable',
    ambiguous: 'ambiguous-handle',
    one: 1,
    two: 2,
  });
});

// Puts so many originals of 10,000 bytes, one after the other: their handles.
function filled(context, count, budget) {
  const work = async ({ openStore, noise }, { count, budget }) => {
    const store = await openStore({ budget });
    const handles = [];
    for (let seed = 1; seed <= count; seed += 1) {
      handles.push(await store.put(noise(seed, 10_000)));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return handles;
  };
  return withStore(work, { count, budget }, context);
}

test('within its budget the store lets go what was used longest ago, and nothing that it handed out', async () => {
  const context = await browser.newContext();
  const early = await filled(context, 9, 100_000);
  const result = await withStore(
    async ({ openStore, code, noise }, early) => {
      const store = await openStore({ budget: 100_000 });
      await store.get(early[0]);
      await store.put(noise(20, 10_000));
      await store.put(noise(21, 10_000));
      const kept = [];
      for (const handle of early) kept.push(await store.has(handle));
      // Now all of the room is asked for.
      const mine = await store.put(noise(22, 60_000));
      const full = await code(store.put(noise(23, 60_000)));
      const usage = await store.usage();
      return { kept, full, usage, mine: await store.has(mine), first: await store.has(early[0]), second: await code(store.get(early[1])) };
    },
    early,
    context,
  );
  assert.deepEqual(result.kept, [true, false, false, true, true, true, true, true, true]);
  assert.equal(result.full, 'store-full');
  assert.equal(result.second, 'handle-pruned');
  assert.ok(result.mine && result.first, 'what was handed out stays');
  assert.ok(result.usage.bytes <= 100_000, JSON.stringify(result.usage));
  await context.close();
});

test('what was got last stays longest', async () => {
  const context = await browser.newContext();
  const early = await filled(context, 4, 50_000);
  await withStore(async ({ openStore }, early) => (await (await openStore({ budget: 50_000 })).get(early[0])).length, early, context);
  const kept = await withStore(
    async ({ openStore, noise }, early) => {
      const store = await openStore({ budget: 50_000 });
      await store.put(noise(20, 10_000));
      const kept = [];
      for (const handle of early) kept.push(await store.has(handle));
      return kept;
    },
    early,
    context,
  );
  assert.deepEqual(kept, [true, false, true, true]);
  await context.close();
});

test('a store whose count of bytes was lost counts them anew', async () => {
  const result = await withStore(async ({ openStore, code, noise }) => {
    const store = await openStore({ budget: 50_000 });
    const handles = [await store.put(noise(1, 10_000)), await store.put(noise(2, 10_000))];
    const database = await new Promise((resolve) => {
      const request = indexedDB.open('axpress');
      request.onsuccess = () => resolve(request.result);
    });
    const note = (work) =>
      new Promise((resolve) => {
        const transaction = database.transaction(['totals'], 'readwrite');
        transaction.oncomplete = resolve;
        work(transaction.objectStore('totals'));
      });
    const found = [];
    for (const damage of [(totals) => totals.delete('bytes'), (totals) => totals.put(NaN, 'bytes'), (totals) => totals.put('many', 'bytes')]) {
      await note(damage);
      found.push(await code(store.put(noise(3 + found.length, 1000))));
    }
    await note((totals) => totals.delete('bytes'));
    await store.delete(handles[0]);
    found.push(await code(store.put(noise(9, 1000))));
    const wrong = await store.prune(NaN).catch(({ name }) => name);
    return { found, wrong, usage: await store.usage() };
  });
  assert.equal(result.wrong, 'TypeError');
  assert.equal(result.usage.count, 5);
  assert.ok(result.usage.bytes > 14_000 && result.usage.bytes < 15_000, JSON.stringify(result));
  assert.deepEqual(new Set(result.found), new Set(['nothing was thrown']));
});

test('a put that fails leaves the store as it was', async () => {
  const result = await withStore(async ({ openStore, code, noise }) => {
    const store = await openStore({ budget: 20_000 });
    const handle = await store.put(noise(1, 10_000));
    const before = await store.usage();
    const codes = [await code(store.put(noise(2, 15_000))), await code(store.put(noise(3, 30_000)))];
    return { codes, same: JSON.stringify(before) === JSON.stringify(await store.usage()), there: await store.has(handle) };
  });
  assert.deepEqual(result, { codes: ['store-full', 'store-full'], same: true, there: true });
});

test('two tabs use one store at the same time, and its count is right', async () => {
  const context = await browser.newContext();
  const work = async ({ openStore, noise }, first) => {
    const store = await openStore({ budget: 10_000_000 });
    await Promise.all(Array.from({ length: 40 }, (_, at) => store.put(noise(first + at, 2000))));
    return 40;
  };
  await Promise.all([withStore(work, 1, context), withStore(work, 21, context)]);
  const { count, bytes, real } = await withStore(
    async ({ openStore }) => {
      const { count, bytes } = await (await openStore()).usage();
      const database = await new Promise((resolve) => {
        const request = indexedDB.open('axpress');
        request.onsuccess = () => resolve(request.result);
      });
      const real = await new Promise((resolve) => {
        const request = database.transaction('blobs').objectStore('blobs').getAll();
        request.onsuccess = () => resolve(request.result.reduce((sum, blob) => sum + blob.length, 0));
      });
      return { count, bytes, real };
    },
    undefined,
    context,
  );
  assert.equal(count, 60);
  assert.equal(bytes, real);
  await context.close();
});

test('putting and getting take as long with many originals as with few', async () => {
  const times = await withStore(async ({ openStore, noise }) => {
    const store = await openStore({ budget: 2 ** 30 });
    const timed = async () => {
      const start = performance.now();
      for (let at = 0; at < 40; at += 1) {
        const handle = await store.put(noise(1_000_000 + Math.random() * 1e6, 300));
        await store.get(handle.slice(4, 20));
      }
      return performance.now() - start;
    };
    await timed();
    const few = await timed();
    const database = await new Promise((resolve) => {
      const request = indexedDB.open('axpress');
      request.onsuccess = () => resolve(request.result);
    });
    await new Promise((resolve, reject) => {
      const transaction = database.transaction(['entries', 'blobs'], 'readwrite');
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
      for (let at = 0; at < 20_000; at += 1) {
        const key = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
        transaction.objectStore('entries').put({ key, bytes: 60, stored: at, used: at });
        transaction.objectStore('blobs').put(new Uint8Array(60), key);
      }
    });
    return { few, many: await timed() };
  });
  console.log(`  80 acts: ${times.few.toFixed(0)} ms with few originals, ${times.many.toFixed(0)} ms with 20,000`);
  assert.ok(times.many < 3 * times.few + 200, JSON.stringify(times));
});

test('a store that can’t be opened says so', async () => {
  const codes = await withStore(async ({ openStore, code }) => {
    const failing = {
      open() {
        const request = {};
        setTimeout(() => {
          request.error = new DOMException('no room', 'UnknownError');
          request.onerror();
        });
        return request;
      },
    };
    const store = await openStore();
    store.close();
    return [await code(openStore({ indexedDB: failing })), await code(openStore({ indexedDB: null })), await code(store.put('x'))];
  });
  assert.deepEqual(codes, ['store-unavailable', 'store-unavailable', 'store-unavailable']);
});

