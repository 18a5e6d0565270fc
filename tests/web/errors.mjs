// The page when something is wrong: nonsense in an address, a slow server, refused text, keys of another layout.
// Usage: node errors.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const stateOf = (page) => page.locator('#state').textContent();
const noticeOf = (page) => page.locator('#notice-text').textContent();
const facelets = (page) => page.evaluate(() => globalThis.cubed.app.cube?.facelets);

/** A page at a path, when its cube is there and its pad can be used. */
async function opened(path = '/', options = {}) {
  const page = await visitor(browser, `${server.url}${path}`, options);
  await page.waitForLoadState('networkidle'); // keys are loaded after the first screen
  await page.locator('#pad button').first().waitFor();
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

await check('an address that leads nowhere is reported, and a cube is there all the same', async () => {
  for (const path of ['/#not an id!', '/c/what', '/c/0000000000000000']) {
    const page = await opened(path);
    await page.locator('#notice:not([hidden])').waitFor();
    assert.notEqual(await noticeOf(page), '');
    await until(() => stateOf(page), '3×3×3');
    await page.reload();
    await page.locator('#pad button').first().waitFor();
    if (path.startsWith('/c/')) assert.equal(new URL(page.url()).pathname, '/', 'the address is that of the cube that is shown');
    await close(page);
  }
});

await check('a slow server is not a blank page: within a second it is said', async () => {
  const response = await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"size": 3, "access": "edit"}' });
  const { id } = await response.json();
  let release;
  const held = new Promise((done) => (release = done));
  const page = await (await browser.newContext({ viewport: { width: 720, height: 560 } })).newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.stack));
  await page.addInitScript(() => delete globalThis.SharedWorker); // whose requests cannot be held back
  await page.route(/\/(events|tickets)/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/c/${id}`);
  await until(async () => /has not answered yet/.test(await noticeOf(page)), true);
  release();
  await until(() => stateOf(page), '3×3×3 · solved');
  await until(() => page.isHidden('#notice'), true);
  await close(page);
});

await check('text that is refused stays in the field', async () => {
  const page = await opened();
  for (const text of ['// comment R', "R U Q'"]) {
    const before = await facelets(page);
    await page.fill('#moves', text);
    await page.press('#moves', 'Enter');
    await until(async () => (await page.isVisible('#notice')) || (await page.locator('#fault').textContent()) !== '', true, text);
    await until(() => page.inputValue('#moves'), text);
    assert.equal(await facelets(page), before);
    await page.fill('#moves', '');
  }
  await close(page);
});

await check('the layer field shows the layer that is turned', async () => {
  const page = await opened('/#size=6&alg=');
  await page.click('#kinds button >> text="Inner"');
  for (const [typed, shown] of [['9', '5'], ['-1', '2'], ['', '2'], ['3', '3']]) {
    await page.fill('#layer', typed);
    await page.press('#layer', 'Tab');
    assert.equal(await page.inputValue('#layer'), shown, typed);
  }
  assert.equal(await page.locator('#pad button').first().textContent(), '3U');
  await close(page);
});

await check('keys turn on a layout of other letters, by their places', async () => {
  const page = await opened();
  const before = await facelets(page);
  await page.locator('#moment').waitFor(); // it comes with the keys, after the first screen
  await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'к', code: 'KeyR', bubbles: true })));
  await until(async () => (await facelets(page)) !== before, true);
  await page.keyboard.press('Shift+r');
  await until(() => facelets(page), before);
  await close(page);
});

await browser.close();
await server.stop();
finish();
