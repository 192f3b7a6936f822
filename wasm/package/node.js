// axpress for Node: the WebAssembly is read from its file and ready when this is imported.

import { readFileSync } from 'node:fs';
import { initSync } from './axpress.js';
import { hasSimd } from './load.js';

initSync(readFileSync(new URL(hasSimd() ? './axpress-simd.wasm' : './axpress.wasm', import.meta.url)));

export * from './axpress.js';
