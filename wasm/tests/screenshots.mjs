// Takes the README's screenshots of the extension: node tests/screenshots.mjs

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { launchWith, serve, serviceWorker } from './browser.mjs';

const root = new URL('..', import.meta.url).pathname;
const fixture = (name) => readFileSync(join(root, '../tests/fixtures', name, 'page.html'), 'utf8');
const server = await serve({ pages: { '/': fixture('table') } });

for (const colorScheme of ['light', 'dark']) {
  const { context, close } = await launchWith(join(root, 'extension'), { colorScheme, viewport: { width: 420, height: 640 } });
  const worker = await serviceWorker(context);
  const page = await context.newPage();
  await page.goto(server.at('127.0.0.1', '/'), { waitUntil: 'networkidle' });
  const [{ id }] = await worker.evaluate(() => chrome.tabs.query({ active: true }));
  const panel = await context.newPage();
  await panel.goto(`chrome-extension://${new URL(worker.url()).host}/panel.html?tab=${id}`);
  const shoot = (name) => panel.screenshot({ path: join(root, 'extension/screenshots', `${name}-${colorScheme}.png`) });
  await panel.getByRole('button', { name: 'Read page' }).click();
  await panel.getByRole('status').filter({ hasText: 'handles' }).waitFor();
  await panel.locator('.handle').nth(2).click();
  await panel.getByRole('status').filter({ hasText: 'is shown' }).waitFor();
  await panel.mouse.move(0, 0);
  await shoot('view');
  if (colorScheme === 'light') {
    await page.bringToFront();
    await page.setViewportSize({ width: 760, height: 420 });
    await page.screenshot({ path: join(root, 'extension/screenshots', 'page.png') });
    await panel.bringToFront();
  }
  await panel.getByRole('searchbox').fill('brass');
  await panel.locator('mark').first().waitFor();
  await panel.locator('summary').click();
  await shoot('search');
  await close();
}
server.close();
