// What the tests read: the core's answers, the fixtures that they are about, and where the package is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const packageFolder = `${root}package/`;
const fixtures = fileURLToPath(new URL('../../tests/fixtures/', import.meta.url));

const folder = process.env.AXPRESS_ANSWERS;
assert.ok(folder, 'AXPRESS_ANSWERS must name the folder with answers.json and table.ax.json: run make wasm-test');

export const cases = JSON.parse(readFileSync(`${folder}/answers.json`, 'utf8'));
export const table = new Uint8Array(readFileSync(`${folder}/table.ax.json`));

export function fixture(name) {
  return new Uint8Array(readFileSync(fixtures + name));
}

/** All fixtures that the answers are about, by name. */
export function files() {
  const names = new Set();
  for (const { input } of cases) {
    names.add(input.file);
    if (input.before) names.add(input.before);
    for (const { payload } of input.frames ?? []) names.add(payload.file);
  }
  return Object.fromEntries([...names].map((name) => [name, fixture(name)]));
}

/** The package's bytes, of either build. */
export function wasm(name) {
  return readFileSync(`${packageFolder}${name}.wasm`);
}
