// Originals on IndexedDB: put bytes in, get them back by handle or by the first digits of one. Types are in store.d.ts.
//
// Two object stores, so that finding and counting never read a blob: `entries` has a row for each original that is or was
// here, by the whole SHA-256, and `blobs` the blobs. All that one change does is one transaction: other tabs and workers
// of the same origin may use the same store at the same time, and one that is killed leaves it whole.

import { handlePrefix, pack, unpack } from './axpress.js';

const VERSION = 1;
const DEFAULT_BUDGET = 512 * 2 ** 20;
// Entries of pruned originals are kept so that a miss says what became of them: the newest so many.
const TOMBSTONES = 10_000;
const DIGITS_OF_HANDLE = 32;

export class StoreError extends Error {
  constructor(code, what, next, { cause, handles } = {}) {
    super(`${code}: ${what}. Next: ${next}.`, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
    this.nextStep = next;
    this.handles = handles;
  }
}

export async function openStore({ name = 'axpress', budget = DEFAULT_BUDGET, indexedDB = globalThis.indexedDB } = {}) {
  if (!Number.isSafeInteger(budget) || budget < 0) throw new TypeError('budget must be a whole number of bytes');
  if (!indexedDB) throw unavailable(new Error('there is no IndexedDB here'));
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => {
    const entries = request.result.createObjectStore('entries', { keyPath: 'key' });
    // Only what is stored has a time of being stored, and only a tombstone one of being pruned.
    entries.createIndex('used', 'used');
    entries.createIndex('pruned', 'pruned');
    request.result.createObjectStore('blobs');
    request.result.createObjectStore('totals');
  };
  try {
    return new Store(await done(request), budget);
  } catch (cause) {
    throw unavailable(cause);
  }
}

class Store {
  #database;
  #budget;
  // What this store has handed out or taken in: it is not pruned while the store is open.
  #given = new Set();

  constructor(database, budget) {
    this.#database = database;
    this.#budget = budget;
    // Another version of the store waits for this one to let go.
    database.onversionchange = () => database.close();
  }

  async put(original) {
    const { handle, blob } = pack(original);
    const key = keyOf(blob);
    await this.#change(async ({ entries, blobs, totals }) => {
      const known = await done(entries.get(key));
      const now = Date.now();
      if (known && known.pruned === undefined) {
        await done(entries.put({ ...known, used: now }));
        // It is the same, or else mends what was damaged.
        await done(blobs.put(blob, key));
        return;
      }
      const before = await total(totals, entries);
      const freed = await this.#makeRoom(entries, blobs, before + blob.length - this.#budget);
      await done(blobs.put(blob, key));
      await done(entries.put({ key, bytes: blob.length, stored: now, used: now }));
      await done(totals.put(before - freed + blob.length, 'bytes'));
      if (freed > 0) await this.#forgetTombstones(entries);
    });
    this.#given.add(key);
    return handle;
  }

  async get(text) {
    const key = await this.#keyFor(text);
    let blob;
    try {
      blob = await this.#read('blobs', (blobs) => done(blobs.get(key)));
      if (!(blob instanceof Uint8Array)) throw new Error('there is no blob');
      const original = unpack(blob);
      // The blob is sound, but is it this one's?
      if (keyOf(blob) !== key) throw new Error('it is another blob');
      this.#given.add(key);
      await this.#used(key);
      return original;
    } catch (cause) {
      throw new StoreError('handle-unreadable', `${written(key)} is stored, but can’t be read: ${cause.message}`, 'read the page again', { cause });
    }
  }

  // Notes that it was used now. What was got is got, even where that can't be written.
  async #used(key) {
    await this.#within(['entries'], 'readwrite', async ({ entries }) => {
      const known = await done(entries.get(key));
      if (known && known.pruned === undefined) await done(entries.put({ ...known, used: Date.now() }));
    }).catch(() => {});
  }

  async has(text) {
    return (await this.find(text)).length > 0;
  }

  async find(text) {
    const entries = await this.#entriesOf(text);
    return entries.filter(({ pruned }) => pruned === undefined).map(({ key }) => written(key));
  }

  async delete(text) {
    const key = await this.#keyFor(text);
    await this.#change(async ({ entries, blobs, totals }) => {
      const known = await done(entries.get(key));
      if (!known || known.pruned !== undefined) return;
      const before = await total(totals, entries);
      await bury(entries, blobs, known);
      await done(totals.put(before - known.bytes, 'bytes'));
    });
    this.#given.delete(key);
  }

  async prune(most = 0) {
    if (!Number.isSafeInteger(most) || most < 0) throw new TypeError('most must be a whole number of bytes');
    await this.#change(async ({ entries, blobs, totals }) => {
      const before = await total(totals, entries);
      const freed = await this.#free(entries, blobs, before - most);
      await done(totals.put(before - freed, 'bytes'));
      await this.#forgetTombstones(entries);
    });
  }

  async usage() {
    const bytes = await this.#read('totals', (totals) => done(totals.get('bytes')));
    const count = await this.#read('entries', (entries) => done(entries.index('used').count()));
    return { bytes: bytes ?? 0, count, budget: this.#budget };
  }

  close() {
    this.#database.close();
  }

  // Frees that many bytes, or fails and leaves everything as it was.
  async #makeRoom(entries, blobs, needed) {
    if (needed <= 0) return 0;
    const freed = await this.#free(entries, blobs, needed);
    if (freed >= needed) return freed;
    throw new StoreError('store-full', `the store has ${this.#budget} bytes, and all that is in it was handed out`, 'raise the budget, or delete what is done with');
  }

  // Buries what was used longest ago and not handed out here, until so many bytes are free; gives how many are.
  async #free(entries, blobs, needed) {
    let freed = 0;
    const oldest = entries.index('used').openCursor();
    for (let cursor = await done(oldest); cursor && freed < needed; cursor = await next(oldest, cursor)) {
      if (this.#given.has(cursor.value.key)) continue;
      freed += cursor.value.bytes;
      await bury(entries, blobs, cursor.value);
    }
    return freed;
  }

  async #forgetTombstones(entries) {
    let extra = (await done(entries.index('pruned').count())) - TOMBSTONES;
    const oldest = entries.index('pruned').openCursor();
    for (let cursor = await done(oldest); cursor && extra > 0; cursor = await next(oldest, cursor)) {
      await done(cursor.delete());
      extra -= 1;
    }
  }

  async #keyFor(text) {
    const entries = await this.#entriesOf(text);
    const stored = entries.filter(({ pruned }) => pruned === undefined);
    if (stored.length === 1) return stored[0].key;
    if (stored.length > 1) {
      const handles = stored.map(({ key }) => written(key));
      throw new StoreError('ambiguous-handle', `${handles.length} handles begin so`, `pass more digits: ${handles.slice(0, 3).join(', ')}`, { handles });
    }
    if (entries.length > 0) {
      throw new StoreError('handle-pruned', `${written(entries[0].key)} was here and was deleted to make room`, 'read the page again');
    }
    throw new StoreError('unknown-handle', `${handlePrefix(text)} was never stored here`, 'pass a handle that this store gave');
  }

  // Those whose handle begins so: the core reads handles, of any case and with or without their mark.
  async #entriesOf(text) {
    const digits = handlePrefix(text).slice('ccr_'.length);
    const range = IDBKeyRange.bound(digits, `${digits}g`, false, true);
    return this.#read('entries', (entries) => done(entries.getAll(range, 100)));
  }

  #read(name, work) {
    return this.#within([name], 'readonly', (stores) => work(stores[name]));
  }

  #change(work) {
    return this.#within(['entries', 'blobs', 'totals'], 'readwrite', work);
  }

  // One transaction: done when it is on the disk, or nothing of it happened.
  async #within(names, mode, work) {
    try {
      const transaction = this.#database.transaction(names, mode);
      const finished = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was given up'));
      });
      finished.catch(() => {});
      let result;
      try {
        result = await work(Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)])));
      } catch (error) {
        abort(transaction);
        throw error;
      }
      await finished;
      return result;
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      if (cause?.name === 'QuotaExceededError') {
        throw new StoreError('store-full', 'the browser gives no more room', 'prune the store, or lower its budget', { cause });
      }
      throw unavailable(cause);
    }
  }
}

function unavailable(cause) {
  return new StoreError('store-unavailable', `the store can’t be used: ${cause?.message ?? cause}`, 'open it again', { cause });
}

// Bytes of all blobs: as noted, or counted where the note is not a count.
async function total(totals, entries) {
  const noted = await done(totals.get('bytes'));
  if (Number.isSafeInteger(noted) && noted >= 0) return noted;
  const stored = await done(entries.index('used').getAll());
  return stored.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function bury(entries, blobs, { key, bytes, stored }) {
  await done(blobs.delete(key));
  await done(entries.put({ key, bytes, stored, pruned: Date.now() }));
}

function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // It was over already.
  }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function next(request, cursor) {
  const moved = done(request);
  cursor.continue();
  return moved;
}

// The whole SHA-256, which stands in the blob's header.
function keyOf(blob) {
  return Array.from(blob.subarray(16, 48), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function written(key) {
  return `ccr_${key.slice(0, DIGITS_OF_HANDLE)}`;
}

