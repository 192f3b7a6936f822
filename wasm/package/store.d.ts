/**
 * Originals on IndexedDB, for extensions and pages. `axpress` must be ready: `await init()` first.
 *
 * @module
 */

import type { Bytes } from './axpress.js';

export interface StoreOptions {
  /** The database's name: `axpress` by default. */
  name?: string;
  /** Most bytes of all blobs: 512 MiB by default. */
  budget?: number;
  /** Another IndexedDB than the one that is there. */
  indexedDB?: IDBFactory;
}

/** Opens the store, and makes it where there is none. Fails with `store-unavailable`. */
export function openStore(options?: StoreOptions): Promise<Store>;

/**
 * A store. Wherever a handle is taken it may come with or without `ccr_`, and its first 8 digits will do. Where it names
 * nothing that is here, that is final and says why: `unknown-handle` was never stored, `handle-pruned` was and had to make
 * room, `handle-unreadable` is there but damaged, `ambiguous-handle` names several, `invalid-handle` (an `AxpressError`)
 * none.
 */
export interface Store {
  /**
   * Stores bytes; gives their handle. The same bytes are stored once. Where there is no room, what was used longest ago
   * goes, but nothing that this store took in or handed out while it was open: then it fails with `store-full`, and
   * everything stays as it was.
   */
  put(original: Bytes): Promise<string>;
  /** The bytes that a handle names, as they were put. */
  get(handle: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether anything stored begins so. */
  has(handle: string): Promise<boolean>;
  /** All stored handles that begin so, 100 at most. */
  find(handle: string): Promise<string[]>;
  /** Deletes what a handle names. Its handle is `handle-pruned` from then on. */
  delete(handle: string): Promise<void>;
  /** Deletes what was used longest ago and not handed out here, until no more than so many bytes are left: 0 by default. */
  prune(most?: number): Promise<void>;
  /** Bytes and number of the blobs, and the budget. */
  usage(): Promise<{ bytes: number; count: number; budget: number }>;
  /** Lets the database go. */
  close(): void;
}

/** What a store throws. */
export class StoreError extends Error {
  name: 'StoreError';
  code:
    | 'unknown-handle'
    | 'handle-pruned'
    | 'handle-unreadable'
    | 'ambiguous-handle'
    | 'store-full'
    | 'store-unavailable';
  /** What to do next. */
  nextStep: string;
  /** Of `ambiguous-handle`: the handles. */
  handles?: string[];
}
