// Compiled, never run: what callers write must be allowed, and what is wrong must not.

import { AxpressError, applyDelta, compress, delta, handle, handlePrefix, init, initSync, nodes, outline, pack, releaseMemory, scan, unpack, view } from 'axpress';
import type { Delta, Frame, Page, View } from 'axpress';
import { StoreError, openStore } from 'axpress/store';

export async function use(bytes: Uint8Array, module: WebAssembly.Module): Promise<void> {
  await init();
  await init(new URL('https://example.com/axpress.wasm'));
  await init({ scalar: 'a.wasm', simd: fetch('b.wasm') });
  initSync(module);
  const listed: readonly Frame[] = [{ owner: '1.7', payload: bytes }];
  view({ payload: bytes, frames: listed });
  const page: Page = { payload: bytes, frames: [{ owner: '1.7', number: 2, payload: 'text' }] };
  const seen: View = view(page, { query: 'save', maxBytes: 4000, secrets: new Set([12, '2.7']), root: '12' });
  const uids: string[] = seen.uids;
  const { handle: name, blob, view: small } = compress(bytes);
  const changed: Delta = delta(bytes, page, { urls: true });
  const text: string = applyDelta(small.text, changed) + outline(bytes, { dedupText: true }).text;
  const original: Uint8Array = unpack(pack(text).blob);
  new Blob([original.slice(), unpack(blob), compress(bytes).blob]);
  const [first] = nodes(bytes, 'save');
  const places: [number, number] = [first.start, first.end];
  const digits: string = handlePrefix(handle(bytes)) + name + uids.length + places.length + scan(bytes).nodes;
  releaseMemory();
  const store = await openStore({ name: 'pages', budget: 1 << 20 });
  const stored: string = await store.put(bytes);
  const back: Uint8Array = await store.get(stored.slice(0, 12));
  const found: string[] = await store.find(digits);
  await store.delete(stored);
  store.close();
  try {
    view(back.subarray(found.length, original.length + blob.length));
  } catch (error) {
    if (error instanceof AxpressError) console.log(error.code, error.offset?.toFixed(), error.nextStep);
    if (error instanceof StoreError) console.log(error.code, error.handles);
  }
  // @ts-expect-error a blob is bytes
  unpack('AXPB');
  // @ts-expect-error there is no such option
  view(bytes, { max_bytes: 300 });
  // @ts-expect-error a payload is not a number
  view(12);
}
