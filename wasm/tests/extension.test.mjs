// The extension in Chromium, loaded as people load it: from its folder.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { launchWith, serve, serviceWorker } from './browser.mjs';
import { cases, files, root } from './files.mjs';

const extension = join(root, 'extension');
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

// A copy of the extension with other parts.
function changed(parts, manifest = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'axpress-extension-'));
  folders.push(folder);
  cpSync(extension, folder, { recursive: true });
  for (const [file, text] of Object.entries(parts)) writeFileSync(join(folder, file), text);
  const whole = { ...JSON.parse(readFileSync(join(extension, 'manifest.json'), 'utf8')), ...manifest };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(whole));
  return folder;
}

test('the manifest asks for no more than it needs', () => {
  const manifest = JSON.parse(readFileSync(join(extension, 'manifest.json'), 'utf8'));
  assert.deepEqual(manifest.permissions, ['debugger', 'sidePanel']);
  for (const more of ['host_permissions', 'optional_permissions', 'content_scripts', 'web_accessible_resources', 'externally_connectable']) {
    assert.equal(manifest[more], undefined);
  }
  assert.deepEqual(manifest.content_security_policy, { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" });
  const worker = readFileSync(join(extension, 'sw.js'), 'utf8');
  assert.doesNotMatch(worker, /\bimport\(|importScripts/);
});

for (const name of ['axpress', 'axpress-simd']) {
  test(`in a service worker ${name}.wasm answers what the core answers`, async () => {
    const folder = changed({
      'answers.mjs': readFileSync(join(root, 'tests/answers.mjs')),
      'under-test.js': `
        import * as axpress from './axpress/axpress.js';
        import { differences } from './answers.mjs';
        self.ready = axpress.init(chrome.runtime.getURL('axpress/${name}.wasm'));
        self.check = (cases, files) => differences(axpress, cases, files);`,
    }, { background: { service_worker: 'under-test.js', type: 'module' } });
    const { context, close } = await launchWith(folder);
    try {
      const worker = await serviceWorker(context);
      const encoded = Object.entries(files()).map(([file, bytes]) => [file, Buffer.from(bytes).toString('base64')]);
      const found = await worker.evaluate(
        async ({ cases, encoded }) => {
          await self.ready;
          const decode = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
          return self.check(cases, Object.fromEntries(encoded.map(([file, text]) => [file, decode(text)])));
        },
        { cases, encoded },
      );
      assert.deepEqual(found, []);
    } finally {
      await close();
    }
  });
}

test('without its word in the policy, loading fails with the manifest line that is missing', async () => {
  const folder = changed(
    {
      'under-test.js': `
        import * as axpress from './axpress/axpress.js';
        const told = ({ name, code, message }) => ({ name, code, message });
        self.failed = axpress.init(chrome.runtime.getURL('axpress/axpress.wasm')).catch(told);
        try { axpress.initSync(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); } catch (error) { self.atOnce = told(error); }`,
    },
    {
      background: { service_worker: 'under-test.js', type: 'module' },
      content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
    },
  );
  const { context, close } = await launchWith(folder);
  try {
    const worker = await serviceWorker(context);
    for (const error of [await worker.evaluate(() => self.failed), await worker.evaluate(() => self.atOnce)]) {
      assert.equal(error.name, 'AxpressError');
      assert.equal(error.code, 'wasm-blocked');
      assert.ok(
        error.message.endsWith(
          'Next: add this line to manifest.json: "content_security_policy": ' +
            "{ \"extension_pages\": \"script-src 'self' 'wasm-unsafe-eval'; object-src 'self'\" }",
        ),
        error.message,
      );
    }
    // The panel says it too.
    const panel = await context.newPage();
    await panel.goto(`chrome-extension://${new URL(worker.url()).host}/panel.html`);
    const told = await panel.evaluate(async () => {
      const axpress = await import('./axpress/axpress.js');
      return axpress.init().catch(({ message }) => message);
    });
    assert.match(told, /add this line to manifest\.json/);
  } finally {
    await close();
  }
});

const PAGES = (port) => ({
  '/': `<!doctype html><html lang="en"><title>Ferry tickets</title>
    <style>body { margin: 20px; background: #fff } iframe { display: block; width: 500px; height: 160px; border: 3px solid #888 }</style>
    <h1>Ferry tickets</h1><p>Crossings to the islands.</p>
    <button style="width: 200px; height: 60px">Find a crossing</button> <input aria-label="Name on the ticket">
    <iframe title="Help" src="/help"></iframe>
    <iframe title="Payment" src="http://localhost:${port}/payment"></iframe>`,
  '/help': '<!doctype html><title>Help</title><button>Ask the harbour master</button>',
  '/payment': `<!doctype html><title>Payment</title><style>body { background: #fff }</style>
    <button style="width: 200px; height: 60px">Pay 12 euros</button>
    <iframe title="Receipt" src="http://127.0.0.1:${port}/receipt"></iframe>`,
  '/receipt': '<!doctype html><title>Receipt</title><a href="#again">Send it again \u{1f6a2}</a>',
});

// Of each place of a page: its colour.
async function colours(context, page, places) {
  const shot = await page.screenshot();
  const reader = await context.newPage();
  const found = await reader.evaluate(
    async ({ image, places }) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
      const drawn = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      drawn.drawImage(bitmap, 0, 0);
      return places.map(([x, y]) => [...drawn.getImageData(x, y, 1, 1).data].slice(0, 3));
    },
    { image: shot.toString('base64'), places },
  );
  await reader.close();
  return found;
}

// Orange, as the highlight is, where the page is grey or white.
const isHighlighted = ([red, green, blue]) => red - blue > 60 && red > green;

test('end to end: a page with frames of other sites is read, searched, pointed at and recovered', async () => {
  const pages = {};
  const server = await serve({ pages });
  Object.assign(pages, PAGES(server.port));
  const { context, close } = await launchWith(extension);
  try {
    const worker = await serviceWorker(context);
    const page = await context.newPage();
    await page.goto(server.at('127.0.0.1', '/'), { waitUntil: 'networkidle' });
    const [{ id: tabId }] = await worker.evaluate(() => chrome.tabs.query({ active: true }));
    // What chrome.debugger gave is noted beside the extension, which is as it is shipped.
    await worker.evaluate(() => {
      self.given = [];
      const send = chrome.debugger.sendCommand.bind(chrome.debugger);
      chrome.debugger.sendCommand = async (target, method, parameters) => {
        const result = await send(target, method, parameters);
        if (method === 'Accessibility.getFullAXTree') self.given.push(JSON.stringify(result));
        return result;
      };
    });

    const panel = await context.newPage();
    const errors = [];
    panel.on('pageerror', (error) => errors.push(error));
    await panel.goto(`chrome-extension://${new URL(worker.url()).host}/panel.html?tab=${tabId}`);
    await panel.getByRole('button', { name: 'Read page' }).click();
    await panel.getByRole('status').filter({ hasText: 'handles' }).waitFor();
    const text = await panel.locator('main').innerText();
    assert.equal(await panel.locator('h1').innerText(), 'Ferry tickets');
    for (const part of ['Crossings to the islands.', 'button Find a crossing @', 'button Ask the harbour master @', 'frame Payment']) {
      assert.ok(text.includes(part), `${part}\n${text}`);
    }
    const payment = /button Pay 12 euros @(\d+\.\d+)/.exec(text);
    const receipt = /Send it again \u{1f6a2} @(\d+\.\d+)/u.exec(text);
    assert.ok(payment && receipt, text);
    assert.notEqual(payment[1].split('.')[0], receipt[1].split('.')[0]);
    assert.doesNotMatch(text, /unread/);
    assert.match(await panel.locator('#before').innerText(), /^~[\d,]+ tokens/);
    assert.match(await panel.locator('#saved').innerText(), /^9\d(\.\d)? %$/);

    // Found, and shown in the page: in its own document, and in the frame of another site.
    await panel.getByRole('searchbox').fill('euros');
    await panel.locator('mark', { hasText: 'euros' }).waitFor();
    assert.doesNotMatch(await panel.locator('main').innerText(), /Find a crossing/);
    await panel.locator('.handle', { hasText: `@${payment[1]}` }).click();
    await panel.getByRole('status').filter({ hasText: 'is shown in the page' }).waitFor();
    await page.bringToFront();
    const own = await page.getByRole('button', { name: 'Find a crossing' }).boundingBox();
    const inFrame = await page.frameLocator('[title=Payment]').getByRole('button').boundingBox();
    const places = [own, inFrame].map(({ x, y, height }) => [Math.round(x + 12), Math.round(y + height / 2)]);
    let seen = await colours(context, page, places);
    assert.ok(isHighlighted(seen[1]) && !isHighlighted(seen[0]), JSON.stringify(seen));
    await panel.getByRole('searchbox').fill('');
    await panel.locator('.handle').first().waitFor();
    await panel.locator('.line', { hasText: 'Find a crossing' }).locator('.handle').first().click();
    await panel.getByRole('status').filter({ hasText: 'is shown in the page' }).waitFor();
    seen = await colours(context, page, places);
    assert.ok(isHighlighted(seen[0]) && !isHighlighted(seen[1]), JSON.stringify(seen));
    await panel.keyboard.press('Escape');
    await assert.doesNotReject(async () => {
      for (let tries = 0; isHighlighted((await colours(context, page, places))[0]); tries += 1) assert.ok(tries < 20);
    });

    // Every original comes back, byte for byte what was made of what chrome.debugger gave.
    const given = (await worker.evaluate(() => self.given)).slice(0, 4).map((json) => Buffer.from(json));
    await panel.locator('summary').click();
    const items = panel.locator('#list li');
    assert.equal(await items.count(), 5);
    const originals = [];
    for (const item of await items.all()) {
      const [download] = await Promise.all([panel.waitForEvent('download'), item.getByRole('button').click()]);
      const bytes = readFileSync(await download.path());
      assert.equal(download.suggestedFilename(), `${await item.locator('code').innerText()}.ax.json`);
      originals.push(bytes);
    }
    const manifest = originals.pop().toString().trim().split('\n').map((line) => JSON.parse(line));
    assert.equal(manifest.length, 4);
    assert.equal(manifest[0].owner, null);
    assert.deepEqual(new Set(originals.map(String)), new Set(given.map(String)));
    assert.ok(originals[0].equals(given[0]), 'the page comes first');
    const { handle } = await import('../package/node.js');
    assert.deepEqual(manifest.map((row) => row.handle), originals.map((bytes) => handle(bytes)));
    // And the view is the core's view of them.
    const { view } = await import('../package/node.js');
    const frames = manifest.slice(1).map(({ owner, number }, at) => ({ owner, number, payload: originals[at + 1] }));
    assert.equal(text.replace(/^\s+/gm, ''), view({ payload: originals[0], frames }).text.replace(/^\s+/gm, ''));

    // A page that has changed is not pointed at.
    await page.reload({ waitUntil: 'networkidle' });
    await panel.locator('.handle').first().click();
    await panel.locator('#status.bad').filter({ hasText: 'has changed' }).waitFor();
    assert.deepEqual(errors, []);

    // The tab is let go when the panel is closed.
    await panel.close();
    for (let tries = 0; ; tries += 1) {
      const attached = await worker.evaluate(async (id) => (await chrome.debugger.getTargets()).some((target) => target.tabId === id && target.attached && target.extensionId === undefined), tabId);
      const mine = await worker.evaluate((id) => chrome.debugger.sendCommand({ tabId: id }, 'Page.getFrameTree').then(() => true, () => false), tabId);
      if (!mine) break;
      assert.ok(tries < 50, `still attached: ${attached}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await close();
    server.close();
  }
});

// A page in front, and the panel that is of it.
async function panelOn(html, work) {
  const server = await serve({ pages: { '/': html } });
  const { context, close } = await launchWith(extension);
  try {
    const worker = await serviceWorker(context);
    const page = await context.newPage();
    await page.goto(server.at('127.0.0.1', '/'));
    const [{ id }] = await worker.evaluate(() => chrome.tabs.query({ active: true }));
    const origin = `chrome-extension://${new URL(worker.url()).host}`;
    const panel = await context.newPage();
    const errors = [];
    panel.on('pageerror', (error) => errors.push(error));
    await panel.goto(`${origin}/panel.html?tab=${id}`);
    const read = async () => {
      await panel.getByRole('button', { name: 'Read page' }).click();
      await panel.locator('#read:enabled').waitFor();
      return panel.getByRole('status').innerText();
    };
    const isAttached = () =>
      worker.evaluate((id) => chrome.debugger.sendCommand({ tabId: id }, 'Page.getFrameTree').then(() => true, () => false), id);
    await work({ context, worker, page, origin, panel, read, isAttached });
    assert.deepEqual(errors, []);
  } finally {
    await close();
    server.close();
  }
}

test('the keyboard is enough', () =>
  panelOn('<!doctype html><title>Keys</title><button>One</button><p>and</p><button>Two</button><a href="#x">Three</a>', async ({ panel }) => {
    await panel.keyboard.press('Tab');
    assert.equal(await panel.evaluate(() => document.activeElement.id), 'read');
    await panel.keyboard.press('Enter');
    await panel.getByRole('status').filter({ hasText: '3 handles' }).waitFor();
    await panel.keyboard.press('/');
    assert.equal(await panel.evaluate(() => document.activeElement.id), 'query');
    await panel.keyboard.press('Tab');
    await panel.keyboard.press('Tab');
    const handles = await panel.locator('.handle').allInnerTexts();
    const focused = () => panel.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), handles[0]);
    await panel.keyboard.press('ArrowDown');
    assert.equal(await focused(), handles[1]);
    await panel.keyboard.press('End');
    assert.equal(await focused(), handles[2]);
    await panel.keyboard.press('Enter');
    await panel.getByRole('status').filter({ hasText: 'is shown in the page' }).waitFor();
    assert.equal(await panel.locator('[aria-pressed=true]').innerText(), handles[2]);
    await panel.keyboard.press('Enter');
    await panel.locator('[aria-pressed=true]').waitFor({ state: 'detached' });
    await panel.keyboard.press('Tab');
    assert.equal(await focused(), await panel.locator('summary').innerText());
  }));

test('whatever is typed is searched for', () =>
  panelOn('<!doctype html><title>Search</title><p>Your e-mail, it\'s €12 (send "now") at [a_b] & ~c # \u{1f6a2}</p><button>Go</button>', async ({ panel, read }) => {
    assert.match(await read(), /^1 handle/);
    for (const query of ['e-mail', "it's", 'mail,', '€12', '#', '"send"', '(send', '[a_b]', '& ~', '\u{1f6a2}', '@2', '\\d+', 'a.*b']) {
      const before = await panel.locator('.line').first().elementHandle();
      await panel.getByRole('searchbox').fill(query);
      // Every search makes its lines anew; one that fails says so.
      await panel.waitForFunction((line) => !line.isConnected || document.querySelector('#status.bad'), before);
      assert.equal(await panel.locator('#status.bad').count(), 0, `${query}: ${await panel.getByRole('status').innerText()}`);
    }
    await panel.getByRole('searchbox').fill('e-mail');
    await panel.locator('mark', { hasText: 'e-mail' }).waitFor();
  }));

test('where Chrome ended the reading, nothing but reading begins it again', () =>
  panelOn('<!doctype html><title>Ended</title><button>One</button>', async ({ page, panel, read, isAttached }) => {
    assert.match(await read(), /^1 handle/);
    const address = page.url();
    await page.goto('chrome://version');
    await page.goto(address);
    assert.equal(await isAttached(), false);
    await panel.locator('.handle').click();
    await panel.locator('#status.bad').filter({ hasText: 'read the page again' }).waitFor();
    await panel.getByRole('searchbox').fill('one');
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await isAttached(), false);
    assert.match(await read(), /handle/);
    assert.equal(await isAttached(), true);
  }));

test('a page that never answers is let go, and one may take longer than its frames', () =>
  panelOn('<!doctype html><title>Slow</title><button>One</button>', async ({ worker, panel, read, isAttached }) => {
    await worker.evaluate(() => {
      const send = chrome.debugger.sendCommand.bind(chrome.debugger);
      self.silent = true;
      chrome.debugger.sendCommand = async (target, method, parameters) => {
        if (self.silent) return new Promise(() => {});
        if (method === 'Accessibility.getFullAXTree') await new Promise((resolve) => setTimeout(resolve, 6000));
        return send(target, method, parameters);
      };
    });
    const silent = (is) =>
      worker.evaluate((is) => {
        self.silent = is;
      }, is);
    assert.match(await read(), /no answer in 5 s/);
    await silent(false);
    assert.equal(await isAttached(), false);
    assert.match(await read(), /^1 handle/);
    assert.equal(await isAttached(), true);
    await silent(true);
    assert.match(await read(), /no answer in 5 s/);
    await silent(false);
    assert.match(await read(), /^1 handle/);
    assert.equal(await panel.locator('#status.bad').count(), 0);
  }));

test('originals are kept again after the store was cleared, and without room there is a view all the same', () =>
  panelOn('<!doctype html><title>Store</title><button>One</button>', async ({ context, origin, panel, read }) => {
    const page = await context.newCDPSession(panel);
    await page.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100 });
    assert.match(await read(), /originals could not be kept/);
    assert.match(await panel.locator('main').innerText(), /button One/);
    assert.equal(await panel.locator('#originals').isHidden(), true);
    await page.send('Storage.overrideQuotaForOrigin', { origin });
    assert.match(await read(), /^1 handle/);
    assert.equal(await panel.locator('#originals').isHidden(), false);
    await page.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    assert.match(await read(), /^1 handle/);
    assert.equal(await panel.locator('#originals').isHidden(), false);
  }));

test('a narrow panel shows all of it', () =>
  panelOn(`<!doctype html><title>${'A title that has no end '.repeat(9)}</title><button>One</button>`, async ({ panel, read }) => {
    for (const [width, height] of [[400, 700], [320, 600], [280, 400]]) {
      await panel.setViewportSize({ width, height });
      await read();
      for (const name of ['Read page', 'Copy view']) {
        const box = await panel.getByRole('button', { name }).boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} in ${width}: ${JSON.stringify(box)}`);
      }
      assert.ok((await panel.evaluate(() => document.scrollingElement.scrollWidth)) <= width);
    }
  }));

test('a tab that may not be read says so', async () => {
  const { context, close } = await launchWith(extension);
  try {
    const worker = await serviceWorker(context);
    const page = await context.newPage();
    await page.goto('chrome://version');
    const [{ id }] = await worker.evaluate(() => chrome.tabs.query({ active: true }));
    const panel = await context.newPage();
    await panel.goto(`chrome-extension://${new URL(worker.url()).host}/panel.html?tab=${id}`);
    await panel.getByRole('button', { name: 'Read page' }).click();
    await panel.locator('#status.bad').filter({ hasText: 'can’t be read' }).waitFor();
  } finally {
    await close();
  }
});
