// What the WebAssembly calls to make results and errors. Each argument that is an array is a window on its memory, good
// only until this returns: everything is copied here, and nothing that leaves this file points into that memory.

/** An error of axpress. See axpress.d.ts. */
export class AxpressError extends Error {
  constructor(code, message, { offset, nextStep, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AxpressError';
    this.code = code;
    this.offset = offset;
    this.nextStep = nextStep;
  }
}

// The limits have JavaScript's names here.
const NAMES = { input_bytes: 'inputBytes', output_bytes: 'outputBytes' };

export function failure(code, message, nextStep, offset) {
  const next = nextStep.replace(/input_bytes|output_bytes/g, (name) => NAMES[name]);
  return new AxpressError(code, `${code} at byte ${offset}: ${message}. Next: ${next}.`, { offset, nextStep: next });
}

function uidTexts(pairs) {
  const uids = new Array(pairs.length / 2);
  for (let at = 0; at < uids.length; at += 1) {
    const frame = pairs[2 * at];
    const node = pairs[2 * at + 1];
    uids[at] = frame === 0 ? `${node}` : `${frame}.${node}`;
  }
  return uids;
}

export function view(text, pairs, nodes, framesLeftOut, [controls, characters, lines, matches]) {
  return { text, uids: uidTexts(pairs), nodes, framesLeftOut, leftOut: { controls, characters, lines, matches } };
}

const CHANGES = ['came', 'went', 'changed', 'moved', 'indented'];

export function delta(kind, text, pairs, numbers, joined, linesBefore, linesAfter, framesLeftOut) {
  const lines = joined.split('\n');
  const changes = new Array(numbers.length / 3);
  const position = (number) => (number < 0 ? null : number);
  for (let at = 0; at < changes.length; at += 1) {
    const [change, before, after] = numbers.subarray(3 * at, 3 * at + 3);
    changes[at] = { kind: CHANGES[change], before: position(before), after: position(after), line: lines[at] };
  }
  return { kind, text, uids: uidTexts(pairs), changes, linesBefore, linesAfter, framesLeftOut };
}

export function compressed(view, handle, blob, originalBytes, uncompressed) {
  return { view, handle, blob: blob.slice(), originalBytes, uncompressed };
}

export function outline(text, nodes, unreached, tooDeep) {
  return { text, nodes, unreached, tooDeep };
}

export function statistics(nodes, repeats, roots) {
  return { nodes, repeats, roots };
}

export function packed(handle, blob) {
  return { handle, blob: blob.slice() };
}

export function bytes(bytes) {
  return bytes.slice();
}

export function ranges(places) {
  const ranges = new Array(places.length / 2);
  for (let at = 0; at < ranges.length; at += 1) ranges[at] = { start: places[2 * at], end: places[2 * at + 1] };
  return ranges;
}
