// What a browser has to load.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { packageFolder, wasm } from './files.mjs';

// Bytes of each build, as it is and gzipped. The aim is 150,000 and 65,000; these are what it comes to now, and no more.
const MOST = { axpress: [166_200, 79_400], 'axpress-simd': [181_700, 85_100] };

// A toolchain that has no source of the standard library takes it as it is: fast, larger, and it says where it panics.
const path = readFileSync(`${process.env.AXPRESS_ANSWERS}/path`, 'utf8').trim();

for (const [name, [most, mostPacked]] of Object.entries(MOST)) {
  test(`${name}.wasm is at most ${most} bytes, ${mostPacked} gzipped`, { skip: path !== 'debian' && `built by ${path}` }, () => {
    const bytes = wasm(name);
    const packed = gzipSync(bytes, { level: 9 }).length;
    console.log(`  ${name}.wasm: ${bytes.length} bytes, ${packed} gzipped, ${brotliCompressSync(bytes).length} with Brotli`);
    assert.ok(bytes.length <= most && packed <= mostPacked, `${bytes.length} bytes, ${packed} gzipped`);
  });

  test(`${name}.wasm has nothing of the machine that built it, and no texts of panics where they can be left out`, () => {
    const text = wasm(name).toString('latin1');
    const texts = ['panicked', 'unwrap', '.rs', '/cargo', '/axpress/', 'library/'];
    for (const part of ['/home', '/root', ...(path === 'debian' ? texts : [])]) {
      assert.ok(!text.includes(part), part);
    }
  });
}

test('the modules beside it are small', () => {
  const sizes = ['axpress.js', 'arguments.js', 'load.js', 'results.js', 'glue.js'].map(
    (file) => gzipSync(readFileSync(packageFolder + file), { level: 9 }).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`  modules: ${total} bytes, each gzipped`);
  assert.ok(total <= 12_000, `${total}`);
});
