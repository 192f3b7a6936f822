// Copies of the package, each with modules and an instance of its own.

import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { packageFolder } from './files.mjs';

const folders = [];
process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A copy's modules: `axpress.js`, not initialised, and `glue.js`. */
export async function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'axpress-copy-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of readdirSync(packageFolder)) {
    if (file.endsWith('.js') || file.endsWith('.wasm')) cpSync(join(packageFolder, file), join(folder, file));
  }
  const load = (file) => import(pathToFileURL(join(folder, file)));
  return { folder, axpress: await load('axpress.js'), glue: await load('glue.js') };
}

/** A copy with an instance of these bytes. */
export async function copyOf(bytes) {
  const made = await copy();
  made.axpress.initSync(bytes);
  return made;
}
