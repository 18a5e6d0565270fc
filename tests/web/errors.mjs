// The page when something is wrong: nonsense in an address, a slow server, refused text, no clipboard, large flat cubes.
// Usage: node errors.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const stateOf = (page) => page.locator('#state').textContent();
const noticeOf = (page) => page.locator('#notice').textContent();

/** A page with a new cube of that size. */
async function withCube(size, options) {
  const page = await visitor(browser, `${server.url}/`, options);
  await page.fill('#size', String(size));
  await page.click('#create button');
  await until(() => stateOf(page), `${size}×${size}×${size} · revision 0 · solved`);
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

await check('an address that leads nowhere is reported, in the form and in the link', async () => {
  const page = await visitor(browser, `${server.url}/#not an id!`);
  await until(async () => /Not an id or a link/.test(await noticeOf(page)), true);
  assert.ok(await page.isVisible('#start'));
  await page.goto(`${server.url}/`);
  await page.reload();
  assert.ok(await page.isHidden('#notice'));
  await page.fill('#which', 'what?');
  await page.click('#open button');
  await until(async () => /Not an id or a link/.test(await noticeOf(page)), true);
  assert.equal(await page.inputValue('#which'), 'what?');
  await close(page);
});

await check('a cube that does not exist is reported too', async () => {
  const page = await visitor(browser, `${server.url}/#0000000000000000`);
  await page.locator('#notice:not([hidden])').waitFor();
  assert.ok(await page.isVisible('#start'));
  await close(page);
});

await check('a slow server is not a blank page', async () => {
  const page = await withCube(3);
  const address = page.url();
  let let_go;
  const held = new Promise((done) => (let_go = done));
  await page.route('**/events', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('about:blank');
  await page.goto(address);
  await until(() => page.locator('#opening').textContent(), 'The server has not answered yet. Still trying…');
  assert.ok(await page.isVisible('#opening'));
  let_go();
  await until(() => stateOf(page), '3×3×3 · revision 0 · solved');
  assert.ok(await page.isHidden('#opening'));
  await close(page);
});

await check('text that is refused stays in the field', async () => {
  const page = await withCube(3);
  for (const text of ['// comment R', "R U Q'"]) {
    await page.fill('#moves', text);
    await page.press('#moves', 'Enter');
    await until(async () => (await page.isVisible('#notice')) || (await page.locator('#fault').textContent()) !== '', true, text);
    await until(() => page.inputValue('#moves'), text);
  }
  await close(page);
});

await check('the layer field shows the layer that is turned', async () => {
  const page = await withCube(3);
  for (const [typed, shown] of [['9', '3'], ['-1', '1'], ['', '1'], ['2', '2']]) {
    await page.fill('#layer', typed);
    await page.press('#layer', 'Tab');
    assert.equal(await page.inputValue('#layer'), shown, typed);
  }
  await close(page);
});

await check('keys turn on a layout of other letters, by their places', async () => {
  const page = await withCube(3);
  await page.locator('#space').focus();
  await page.evaluate(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'к', code: 'KeyR', bubbles: true })));
  await until(() => stateOf(page), '3×3×3 · revision 1');
  await until(() => page.locator('#history li span').first().textContent(), 'R');
  await close(page);
});

await check('a link is copied where the page has no clipboard to write to', async () => {
  const page = await withCube(3);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.click('#share');
  await page.locator('#sharing[open]').waitFor();
  await page.click('#grant button');
  await page.locator('#made:not([hidden])').waitFor();
  await page.click('#copy');
  await until(() => page.locator('#copy').textContent(), 'Copied');
  const link = await page.inputValue('#address');
  await page.fill('#label', '');
  await page.press('#label', 'Control+v');
  assert.equal(await page.inputValue('#label'), link.slice(0, 32));
  await close(page);
});

await check('a long solution is cut between moves, and copied whole', async () => {
  const page = await withCube(20);
  await page.click('#scramble');
  await until(() => stateOf(page), '20×20×20 · revision 1');
  await page.click('#solve');
  await page.locator('#copy-solution:not([hidden])').waitFor();
  const shown = await page.locator('#found').textContent();
  const [, moves] = /: (.*) …$/.exec(shown);
  for (const move of moves.split(' ')) assert.match(move, /^(\d+-)?\d*[URFDLBxyz]w?2?'?$/);
  await page.evaluate(() => {
    window.copied = null;
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => (window.copied = text) } });
  });
  await page.click('#copy-solution');
  const copied = await page.waitForFunction(() => window.copied).then((handle) => handle.jsonValue());
  assert.ok(copied.startsWith(moves) && copied.length > moves.length);
  await close(page);
});

await check('the flat view paints a sticker only when it changes', async () => {
  const page = await withCube(50);
  await page.check('#unfold');
  await page.evaluate(() => {
    window.calls = 0;
    for (const name of ['fillRect', 'drawImage', 'fillText']) {
      const draw = CanvasRenderingContext2D.prototype[name];
      CanvasRenderingContext2D.prototype[name] = function (...all) {
        window.calls++;
        return draw.apply(this, all);
      };
    }
  });
  await page.fill('#moves', 'R U F');
  await page.press('#moves', 'Enter');
  await until(() => page.locator('#stage').getAttribute('aria-busy'), 'false');
  await until(() => stateOf(page), '50×50×50 · revision 1');
  await until(() => page.locator('#stage').getAttribute('aria-busy'), 'false');
  // For each state six faces with two lines a layer; 15,000 stickers a frame would be hundreds of thousands.
  const calls = await page.evaluate(() => window.calls);
  assert.ok(calls > 6 && calls < 10 * 6 * (2 * 51 + 1), `${calls}`);
  await close(page);
});

await browser.close();
await server.stop();
finish();
