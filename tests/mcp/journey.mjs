// What each client in JavaScript does: lists the tools and calls all of them. `call` gives a tool's result.
import assert from 'node:assert/strict';

const PAGE =
  `data:text/html,<title>Pier</title><h1>Pier</h1><button onclick="this.textContent='Moored'">Moor</button>` +
  `<p>${'Boats lie here. '.repeat(40)}</p>`;
const NAMES = ['snapshot', 'act', 'eval', 'recover', 'screenshot'].map(name => `browser_${name}`);

export async function journey(list, call) {
  assert.deepEqual((await list()).tools.map(tool => tool.name), NAMES);
  const text = result => result.content[0].text;
  const view = await call('browser_snapshot', { url: PAGE });
  assert.ok(!view.isError, text(view));
  const uid = text(view).match(/button Moor @(\d+)/)[1];
  const handle = view._meta.recovery_handle;
  assert.ok(handle.startsWith(text(view).match(/recover (ccr_\w+);/)[1]));
  const acted = await call('browser_act', { action: 'click', uid });
  assert.match(text(acted), /^changed[^]*Moored/);
  assert.equal(text(await call('browser_eval', { expression: 'document.title' })), '"Pier"');
  assert.match(text(await call('browser_recover', { recovery_handle: handle })), /^\{"nodes":\[\{"nodeId":/);
  const [picture] = (await call('browser_screenshot', {})).content;
  assert.deepEqual([picture.type, picture.mimeType, picture.data.slice(0, 5)], ['image', 'image/png', 'iVBOR']);
  const failed = await call('browser_act', { action: 'click', uid: '999999' });
  assert.ok(failed.isError && text(failed).startsWith('cave_unknown_uid: '), text(failed));
}
