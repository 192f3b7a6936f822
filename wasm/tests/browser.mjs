// Chromium for tests: a page's browser, one with an extension, and servers of test pages.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

import { chromium } from 'playwright-core';

const executablePath = process.env.AXPRESS_CHROME ?? '/usr/bin/chromium';
assert.ok(existsSync(executablePath), `${executablePath} is missing: install chromium, or set AXPRESS_CHROME`);

// Root may not use the sandbox.
const args = process.getuid() === 0 ? ['--no-sandbox'] : [];

export function launch() {
  return chromium.launch({ executablePath, args });
}

/** Chromium with the extension in a folder, and a profile that goes away with it. */
export async function launchWith(folder, { colorScheme = 'light', viewport = { width: 900, height: 700 } } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'axpress-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: false,
    args: ['--headless=new', ...args, '--site-per-process', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
    colorScheme,
    viewport,
  });
  const close = async () => {
    await context.close();
    // Chromium may still be writing when it says that it is closed.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  return { context, close };
}

export async function serviceWorker(context) {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };

/** Serves texts by path, and files below a folder; on 127.0.0.1, which is also localhost: two sites. */
export async function serve({ pages = {}, folder, headers = {} }) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://test').pathname;
    const file = folder && join(folder, normalize(path));
    if (pages[path] !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
      response.end(pages[path]);
    } else if (file && existsSync(file)) {
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
      response.end(readFileSync(file));
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { port, at: (host, path) => `http://${host}:${port}${path}`, close: () => server.closeAllConnections() ?? server.close() };
}
