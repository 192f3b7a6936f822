// The core's own answers, and what holds any copy of axpress to them. Runs in Node, in a page and in a service worker.

/** Makes the calls of `cases` with the payloads in `files` (Uint8Arrays by name); gives the differences, ten at most. */
export function differences(axpress, cases, files) {
  const found = [];
  for (const one of cases) {
    const wanted = JSON.stringify(one.error ?? one.result);
    let got;
    try {
      got = JSON.stringify(plain(make(axpress, one, files)));
    } catch (error) {
      const typed = error instanceof Error && error instanceof axpress.AxpressError;
      got = typed ? JSON.stringify({ code: error.code, offset: error.offset }) : `${error?.stack ?? error}`;
    }
    if (sorted(got) !== sorted(wanted)) {
      const { input, call, options } = one;
      found.push(`${JSON.stringify({ input, call, options })}\n  wanted ${wanted.slice(0, 400)}\n  got    ${got.slice(0, 400)}`);
      if (found.length === 10) break;
    }
  }
  return found;
}

function make(axpress, { input, call, options }, files) {
  const bytes = payload(input, files);
  const frames = input.frames?.map(({ owner, number, payload }) => ({ owner, number, payload: files[payload.file] }));
  if (call === 'delta') return axpress.delta(files[input.before], bytes, options);
  return axpress[call](frames ? { payload: bytes, frames } : bytes, options);
}

function payload({ file, cut, set }, files) {
  if (cut !== undefined) return files[file].subarray(0, cut);
  if (set === undefined) return files[file];
  const changed = files[file].slice();
  changed[set[0]] = set[1];
  return changed;
}

// Bytes as the answers have them.
function plain(value) {
  if (value instanceof Uint8Array) return { hex: Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

// Objects are equal whatever the order of their names.
function sorted(text) {
  try {
    return JSON.stringify(order(JSON.parse(text)));
  } catch {
    return text;
  }
}

function order(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(order);
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, order(value[name])]));
}
