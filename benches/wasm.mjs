// The package in Node beside the core itself, on the same payload in one run.
//
//     node benches/wasm.mjs PAYLOAD RATIOS [ROUNDS]
//
// RATIOS is the program `ratios` of this package. Both are measured twice, in turns, and the best round of each counts:
// what else the machine does meets both alike. `make wasm-bench` runs it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { initSync, compress, outline, pack, scan, unpack, view } from '../wasm/package/axpress.js';

const [file, ratios, rounds = '200'] = process.argv.slice(2);
const payload = new Uint8Array(readFileSync(file));
const name = process.env.AXPRESS_WASM_BUILD ?? 'axpress-simd';
initSync(readFileSync(new URL(`../wasm/package/${name}.wasm`, import.meta.url)));

// What is timed gives what it should.
assert.deepEqual(unpack(pack(payload).blob), payload);
assert.equal(compress(payload).view.text, view(payload).text);

const STAGES = {
  'node table': () => scan(payload),
  outline: () => outline(payload),
  view: () => view(payload),
  pack: () => pack(payload),
  compress: () => compress(payload),
};

function native() {
  const out = execFileSync(ratios, [file, String(Math.ceil(rounds / 4)), '0'], { encoding: 'utf8' }).split('\n');
  assert.match(out[0], / bytes +node table +outline +view .* pack +compress +simd-json tape +serde_json typed +SHA-256 +LZ4 +SHA-256 \+ LZ4/);
  // Bytes and the first stages at the start; five peers and three ratios after the last ones.
  const [, table, outline, view, ...rest] = out[1].trim().split(/ +/).map(Number);
  const [pack, compress] = rest.slice(-10);
  return { 'node table': table, outline, view, pack, compress };
}

function node() {
  return Object.fromEntries(
    Object.entries(STAGES).map(([stage, call]) => {
      let best = Infinity;
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        call();
        best = Math.min(best, performance.now() - start);
      }
      return [stage, payload.length / best / 1000];
    }),
  );
}

const turns = [native(), node(), native(), node()];
const best = (from, stage) => Math.max(turns[from][stage], turns[from + 2][stage]);
console.log(`${name}.wasm, ${payload.length} bytes, MB/s: the best of ${2 * rounds} rounds`);
console.log('| stage | core | Node | times |\n| --- | ---: | ---: | ---: |');
for (const stage of Object.keys(STAGES)) {
  const [own, there] = [best(0, stage), best(1, stage)];
  console.log(`| ${stage} | ${own.toFixed(0)} | ${there.toFixed(0)} | ${(own / there).toFixed(1)} |`);
}
