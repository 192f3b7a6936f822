// Gets the WebAssembly and compiles it; says why where that fails.

import { AxpressError } from './results.js';

// A function that returns a vector of zeros: valid only where the engine has SIMD.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
// The smallest module that there is. Where it does not compile, none may.
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

// What every build of axpress exports.
const NEEDED = ['memory', '__wbindgen_start', '__wbindgen_malloc', 'view', 'unpack'];

const MANIFEST_LINE =
  '"content_security_policy": { "extension_pages": "script-src \'self\' \'wasm-unsafe-eval\'; object-src \'self\'" }';

export function hasSimd() {
  return WebAssembly.validate(SIMD);
}

function isBlocked() {
  try {
    return !new WebAssembly.Module(EMPTY);
  } catch {
    return true;
  }
}

function whyNot(cause) {
  if (!isBlocked()) {
    return new AxpressError('wasm-invalid', `wasm-invalid: what was loaded is not axpress: ${cause.message}`, { cause });
  }
  const where = globalThis.location?.protocol ?? '';
  let next = "add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy of the page";
  if (where.endsWith('-extension:')) {
    next = `add this line to manifest.json: ${MANIFEST_LINE}`;
  } else if (globalThis.chrome?.runtime?.id) {
    next = 'load axpress in the service worker or in a page of the extension: content scripts are bound to the policy of the page';
  }
  const message = `wasm-blocked: the content security policy does not allow WebAssembly here. Next: ${next}`;
  return new AxpressError('wasm-blocked', message, { nextStep: next, cause });
}

function notLoaded(url, why, cause) {
  return new AxpressError('wasm-not-loaded', `wasm-not-loaded: ${url}: ${why}`, { cause });
}

async function fetched(source) {
  const response = await source;
  if (!response.ok) throw notLoaded(response.url, `status ${response.status}`);
  return response.arrayBuffer();
}

async function bytesOf(source) {
  if (typeof source === 'string' || source instanceof URL || isA(source, 'Request')) {
    const url = source.url ?? String(source);
    try {
      return await fetched(fetch(source));
    } catch (cause) {
      throw cause instanceof AxpressError ? cause : notLoaded(url, cause.message, cause);
    }
  }
  try {
    const given = await source;
    return isA(given, 'Response') ? await fetched(given) : given;
  } catch (cause) {
    throw cause instanceof AxpressError ? cause : notLoaded('what was passed', cause?.message, cause);
  }
}

function isA(value, type) {
  return typeof globalThis[type] === 'function' && value instanceof globalThis[type];
}

export async function compiled(source) {
  const given = await bytesOf(source);
  if (given instanceof WebAssembly.Module) return given;
  try {
    return await WebAssembly.compile(given);
  } catch (cause) {
    throw whyNot(cause);
  }
}

export function compiledNow(source) {
  if (source instanceof WebAssembly.Module) return source;
  try {
    return new WebAssembly.Module(source);
  } catch (cause) {
    throw whyNot(cause);
  }
}

// Runs what makes an instance of a module, if it is one of ours: the glue can be begun with one module only.
export function instantiated(module, make) {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  try {
    if (!NEEDED.every((name) => names.includes(name))) throw new Error('it lacks what axpress has');
    return make();
  } catch (cause) {
    throw whyNot(cause);
  }
}
