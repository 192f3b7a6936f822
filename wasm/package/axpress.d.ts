/**
 * axpress: Chrome's accessibility payloads as a view that agents can afford, the original one handle away.
 *
 * Bytes in, plain objects out. Everything that is returned is a copy and stays as it is. No function keeps what it was
 * given. In Node the module is ready when it is imported; elsewhere `await init()` once.
 *
 * @module
 */

/**
 * Bytes. A string is taken as UTF-8; half of a surrogate pair in it becomes U+FFFD, so pass bytes where the original
 * matters. (Chrome itself escapes such halves, `\ud83d`, and those are kept.)
 */
export type Bytes = Uint8Array | ArrayBufferView | ArrayBuffer | SharedArrayBuffer | string;

/**
 * A handle on a node, as a view prints it: `"12"`, or `"2.12"` for node 12 of frame 2; an `@` before it does no harm.
 * A number is a node of the page's own process: 2.10 would be 2.1, so a fraction is refused.
 */
export type Uid = string | number;

/** Where the WebAssembly is: a URL, a response, its bytes, or a module that is compiled already. */
export type WasmSource =
  | string
  | URL
  | Request
  | Response
  | Promise<Response>
  | BufferSource
  | WebAssembly.Module;

/**
 * Loads the WebAssembly: the build with SIMD where the engine has it. By default from beside this module, found by
 * `import.meta.url`. Calls after the first do nothing.
 *
 * Fails with `wasm-not-loaded` (no answer, or another status than 200), `wasm-blocked` (the content security policy does
 * not allow WebAssembly; the message has the line that is missing) or `wasm-invalid` (these are not its bytes). It may be
 * called again after that.
 */
export function init(source?: WasmSource | { scalar: WasmSource; simd?: WasmSource }): Promise<void>;

/** As {@link init}, at once: with bytes or a compiled module. */
export function initSync(source: BufferSource | WebAssembly.Module): void;

/** How much a call may take. Reaching a limit is an error. */
export interface Limits {
  /** Most bytes of one payload, and of what one blob may unpack to. 1 GiB by default. */
  inputBytes?: number;
  /** Most nodes of one page. 16,777,216 by default. */
  nodes?: number;
  /** Most bytes of one result. 256 MiB by default. */
  outputBytes?: number;
}

/** A page: the payload of its document, and those of the frames in it. */
export interface Page {
  /** The `result` of `Accessibility.getFullAXTree`, as Chrome sent it. */
  payload: Bytes;
  /** The documents of its frames, in any order, to any depth. */
  frames?: readonly Frame[];
}

/** The payload of a frame's document. */
export interface Frame {
  /** The element that holds the frame: its backend node id, and the number of the document that it stands in. */
  owner: Uid;
  /**
   * 0, the default, where the page's own process has the document. Else the number of that document, which no other one
   * of the session ever had: its uids are `number.id`.
   */
  number?: number;
  /** As in {@link Page}. */
  payload: Bytes;
}

/** How a view is made. */
export interface ViewOptions {
  /** Only the best of what matches these words, with what it stands in, in the order of the page. */
  query?: string;
  /** Most bytes of the text, 200 at least. What is cut is counted where it stood. */
  maxBytes?: number;
  /** Nodes that a person sees without scrolling: under a budget their lines are kept before the rest of the page. */
  viewport?: Iterable<Uid>;
  /** Nodes whose value and inner text are never printed. */
  secrets?: Iterable<Uid>;
  /** Nodes that have a handle whatever their role. */
  clickable?: Iterable<Uid>;
  /** Links print their address: origin and path, cut at 80 characters. */
  urls?: boolean;
  /** Only this node and what is below it. */
  root?: Uid;
  limits?: Limits;
}

/** A view. */
export interface View {
  /** The text: lines joined by `\n`, none at the end. */
  text: string;
  /** The uids in the text, in the order in which they stand there, and no others. */
  uids: string[];
  /** Nodes of all payloads, repeats included. */
  nodes: number;
  /** Frames that no element of the page holds: they are not in the view. */
  framesLeftOut: number;
  /** What of the full view is not in this one, because of a query or a budget. */
  leftOut: LeftOut;
}

export interface LeftOut {
  /** Handles. */
  controls: number;
  /** Characters of the lines, without indentation and line breaks. */
  characters: number;
  /** Lines of which nothing is in the view. */
  lines: number;
  /** Rows, items and lines that match the query and are not shown since others match better. */
  matches: number;
}

/**
 * The view of a page: what an agent reads.
 *
 * Fails with `invalid-json`, `not-ax-payload`, `invalid-node-id`, `payload-too-large`, `too-many-nodes`,
 * `output-too-large`, `budget-too-small` or `unknown-root`.
 */
export function view(page: Bytes | Page, options?: ViewOptions): View;

/** A view and what it stands for. */
export interface Compressed {
  view: View;
  /** The handle of the page's own payload: `ccr_` and 32 hex digits. */
  handle: string;
  /** The blob that gives that payload back, see {@link unpack}. */
  blob: Uint8Array<ArrayBuffer>;
  /** Bytes of the payload. */
  originalBytes: number;
  /** The view is no smaller than the payload: pass the payload on instead. */
  uncompressed: boolean;
}

/** View, handle and blob of a page from one call; handle and blob are those of its own payload, without frames. */
export function compress(page: Bytes | Page, options?: ViewOptions): Compressed;

/** What changed from one page to the next. */
export interface Delta {
  /** `rewritten`: the text is the new view, below a line that says so, since little is left of the old one. */
  kind: 'unchanged' | 'changed' | 'rewritten';
  /** The text, for agents: `+ line` came, `~ line` now reads so, `x line` went, `> line` moved; or `no change`. */
  text: string;
  /** The uids in the text, in their order: all live in the new view. */
  uids: string[];
  /** All changes, for programs: see {@link applyDelta}. */
  changes: Change[];
  /** Lines of the old view. */
  linesBefore: number;
  /** Lines of the new view. */
  linesAfter: number;
  /** As in {@link View}, of the new page. */
  framesLeftOut: number;
}

/** One change, by the positions of lines from 0. */
export interface Change {
  /** `indented`: it reads as before, deeper or less deep; that is not in the text. */
  kind: 'came' | 'went' | 'changed' | 'moved' | 'indented';
  /** Position in the old view; null where the line came. */
  before: number | null;
  /** Position in the new view; null where the line went. */
  after: number | null;
  /** The line as it stands in the new view; empty where it went. */
  line: string;
}

/** What changed from one page to the next, two payloads of one document. Fails as two views do. */
export function delta(before: Bytes | Page, after: Bytes | Page, options?: ViewOptions): Delta;

/** The new view's text, made of the old one's and a delta: both without a budget. */
export function applyDelta(before: string, delta: Delta): string;

/** Where in a payload the nodes are that match a query: their places in bytes, the best first. */
export function nodes(payload: Bytes, query: string, options?: { limits?: Limits }): { start: number; end: number }[];

/** How an outline is made. */
export interface OutlineOptions {
  /** Cut the text at that many characters and say so; 0, the default, for no end. */
  maxChars?: number;
  /** Leave out texts that the node they stand in says already. */
  dedupText?: boolean;
  /** Nodes whose value and inner text are never printed. */
  secrets?: Iterable<Uid>;
  limits?: Limits;
}

/** An outline. */
export interface Outline {
  /** The text: a line a node, joined by `\n`. */
  text: string;
  /** Nodes of the payload, without repeats. */
  nodes: number;
  /** Nodes that no root reaches: not printed. */
  unreached: number;
  /** Nodes below level 59: not printed. */
  tooDeep: number;
}

/** The outline of a payload: a line a node, nothing left out but what says nothing. */
export function outline(payload: Bytes, options?: OutlineOptions): Outline;

/** Counts of a payload. */
export interface Statistics {
  /** Nodes, without repeats. */
  nodes: number;
  /** Nodes that repeat an earlier node's id. */
  repeats: number;
  /** Nodes whose parent is absent or not in the payload. */
  roots: number;
}

/** Reads a payload, validates all of it and counts what it holds. */
export function scan(payload: Bytes, options?: { limits?: Limits }): Statistics;

/** The blob of any bytes, and their handle. */
export function pack(original: Bytes, options?: { limits?: Limits }): { handle: string; blob: Uint8Array<ArrayBuffer> };

/**
 * The original of a blob, checked against the hash in it. Fails with `corrupt-blob`, `unsupported-blob` or
 * `blob-too-large`.
 */
export function unpack(blob: Exclude<Bytes, string>, options?: { limits?: Limits }): Uint8Array<ArrayBuffer>;

/** The handle of any bytes: `ccr_` and the first 32 hex digits of their SHA-256. */
export function handle(original: Bytes): string;

/**
 * A handle, or the first 8 digits of one or more, with or without `ccr_` and in either case, as handles are written:
 * `handlePrefix("5891B5B5")` is `"ccr_5891b5b5"`. Fails with `invalid-handle`, at the first character that does not belong.
 */
export function handlePrefix(text: string): string;

/**
 * Gives the memory of the largest call so far back. WebAssembly's memory only ever grows; the next call begins in new
 * memory.
 */
export function releaseMemory(): void;

/** What every function throws. */
export class AxpressError extends Error {
  name: 'AxpressError';
  /**
   * The core's codes as they are, and `invalid-argument`, `not-initialized`, `wasm-not-loaded`, `wasm-blocked`,
   * `wasm-invalid`, `out-of-memory`, `internal`.
   */
  code: string;
  /** Of the core's errors: the byte of the input at which it shows. */
  offset?: number;
  /** What to do next, where there is something. */
  nextStep?: string;
}
