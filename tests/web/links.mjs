// Links to an algorithm, without any session: opened, played, copied; and what is wrong with one, in words.
// Usage: node links.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const facelets = async (size, moves) => (await (await fetch(`${server.url}/v1/apply`, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ size, moves }),
})).json()).cube.facelets;
const shown = (page) => page.evaluate(() => globalThis.cubed?.app.shown && Array.from(globalThis.cubed.app.shown.stickers, (face) => 'URFDLB'[face]).join(''));
const words = (page) => page.getAttribute('#moment', 'aria-valuetext');

await check('a link opens its cube and its moves in the time line', async () => {
  const page = await visitor(browser, `${server.url}/#alg=R+U+R'+U'&setup=F+R2`);
  await until(() => shown(page), await facelets(3, 'F R2'));
  await page.waitForSelector('#timeline .bar:visible');
  assert.equal(await words(page), '0 of 4 moves');
  await page.click('#timeline .forward');
  await until(() => shown(page), await facelets(3, 'F R2 R'));
  assert.match(await words(page), /^1 of 4 moves: R, the right side/);
  await page.selectOption('#timeline select', '8');
  await page.click('#timeline .play');
  await until(() => shown(page), await facelets(3, "F R2 R U R' U'"));
  assert.deepEqual(page.faults, []);
});

await check('groups and other notation are read by the server; sizes and the net', async () => {
  const written = await visitor(browser, `${server.url}/#alg=R_U_R-_U-&setup=F-`);
  await until(() => written.evaluate(() => globalThis.cubed?.app.shown?.moves?.join(' ')), "R U R' U'", 'as some sites write addresses');
  await written.context().close();
  const page = await visitor(browser, `${server.url}/#alg=[R,+U]2&size=4&view=net`);
  await until(() => shown(page), await facelets(4, ''));
  await page.waitForSelector('#timeline .bar:visible');
  assert.equal(await words(page), '0 of 8 moves');
  assert.equal(await page.evaluate(() => globalThis.cubed.app.view.settings.unfolded), true);
  await page.click('#timeline .last');
  await until(() => shown(page), await facelets(4, '[R, U]2'));
  assert.deepEqual(page.faults, []);
});

await check('a link with ? is the same, and what other sites add to links is no matter', async () => {
  const page = await visitor(browser, `${server.url}/?alg=R+U&setup=F&utm_source=x&fbclid=%zz`);
  await until(() => shown(page), await facelets(3, 'F'));
  await page.waitForSelector('#timeline .bar:visible');
  assert.equal(await words(page), '0 of 2 moves');
  assert.equal(await page.evaluate(() => location.pathname + location.search + location.hash), '/#alg=R+U&setup=F');
  await page.goto(`${server.url}/?fbclid=1`);
  await until(() => page.evaluate(() => location.pathname + location.search + location.hash), '/');
  await until(async () => typeof (await shown(page)), 'string');
  await page.goto(`${server.url}/embed?alg=R+U&setup=F`);
  await until(() => page.getAttribute('cubed-cube', 'alg'), 'R U');
  assert.equal(await page.getAttribute('a.open', 'href'), '/#alg=R+U&setup=F');
  await page.goto(`${server.url}/embed#alg=R_U_R-_U-`);
  await until(() => page.getAttribute('cubed-cube', 'alg'), "R U R' U'");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('the moves of a link are listed; each can be chosen', async () => {
  const page = await visitor(browser, `${server.url}/#alg=R+U+R'+U'`);
  const list = page.locator('#panel-history .played button');
  await until(() => list.allTextContents(), ['R', 'U', 'R′', 'U′']);
  assert.equal(await page.locator('#state').textContent(), '3×3×3', 'what is shown is no longer the solved cube');
  await list.nth(2).click();
  await until(() => shown(page), await facelets(3, "R U R'"));
  await until(() => page.locator('#panel-history .played [aria-current]').textContent(), 'R′');
  await page.evaluate(() => globalThis.cubed.app.turn('F'));
  await until(() => shown(page), await facelets(3, 'F'), 'turning leaves the algorithm');
  await until(() => page.locator('#panel-history .played h2').textContent(), 'Of the link');
  await list.nth(1).click();
  await until(() => shown(page), await facelets(3, 'R U'), 'which can be watched again');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a tab that is chosen while a link is being opened stays chosen', async () => {
  const page = await visitor(browser, 'about:blank');
  const held = [];
  await page.route('**/page.open.links.js', (route) => held.push(route));
  await page.goto(`${server.url}/#alg=R&setup=F`, { waitUntil: 'commit' });
  await until(() => held.length, 1);
  await page.click('#tab-solver');
  await held[0].continue();
  await until(() => shown(page), await facelets(3, 'F'));
  await page.waitForSelector('#solve:visible');
  assert.equal(await page.isVisible('#panel-history'), false);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('the cube of the first screen is kept', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await until(async () => typeof (await shown(page)), 'string');
  await page.evaluate(() => globalThis.cubed.app.turn('R'));
  const own = await shown(page);
  await page.goto(`${server.url}/#alg=U`);
  await page.reload();
  await until(() => shown(page), await facelets(3, ''));
  await page.evaluate(() => globalThis.cubed.app.turn('F'));
  await until(() => shown(page), await facelets(3, 'F'));
  await page.goto(`${server.url}/`);
  await page.reload();
  await until(() => shown(page), own);
});

await check('nonsense is answered in words, and there is a cube all the same', async () => {
  const cases = { 'alg=R+Q': /Q|alg/, 'alg=R&size=1000': /size must be a number from 2 to 100/, 'alg=R&color=red': /"color"/, 'alg=3Rw&size=2': /alg/ };
  for (const [fragment, what] of Object.entries(cases)) {
    const page = await visitor(browser, `${server.url}/#${fragment}`);
    await page.waitForSelector('#notice:visible');
    assert.match(await page.innerText('#notice-text'), what);
    await until(async () => typeof (await shown(page)), 'string');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

await check('another link in the same page', async () => {
  const page = await visitor(browser, `${server.url}/#alg=R`);
  await until(() => shown(page), await facelets(3, ''));
  await page.evaluate(() => (location.hash = '#alg=U&setup=R'));
  await until(() => shown(page), await facelets(3, 'R'));
  assert.deepEqual(page.faults, []);
});

await check('a link to a shared cube that is put into the address bar keeps its token', async () => {
  const made = await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"size": 2, "access": "none"}' });
  const { id, token } = await made.json();
  const page = await visitor(browser, `${server.url}/`);
  await until(async () => typeof (await shown(page)), 'string');
  await page.evaluate((hash) => (location.hash = hash), `#${id}.${token}`);
  await until(() => page.evaluate(() => globalThis.cubed.app.session?.id), id);
  assert.deepEqual(await page.evaluate(() => [globalThis.cubed.app.may.own, location.pathname + location.hash]), [true, `/c/${id}`]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('another cube in place of that of a link: the address and the view are no longer those of the link', async () => {
  const page = await visitor(browser, `${server.url}/#alg=R&view=net`);
  const state = () => page.evaluate(() => [globalThis.cubed?.app.view.settings.unfolded, location.pathname + location.hash]);
  await until(state, [true, '/#alg=R&view=net']);
  await page.click('#cubes');
  await page.click('#new-cube');
  await until(state, [false, '/']);
  await page.click('#notice-action');
  await until(state, [false, '/#alg=R&view=net']);
  await until(() => page.locator('#panel-history .played h2').textContent(), 'Of the link');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a solution is copied as a link that shows the same, and as a picture', async () => {
  const page = await visitor(browser, `${server.url}/`);
  await page.waitForSelector('#timeline .bar:visible');
  const cube = await shown(page);
  await page.click('#tab-solver');
  await page.click('#solve');
  await page.waitForSelector('#way .moves button');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } }));
  await page.click('button >> text="Copy link"');
  const link = await page.evaluate(() => globalThis.copied);
  const other = await visitor(browser, link);
  await until(() => shown(other), cube);
  await other.waitForSelector('#timeline .bar:visible');
  await other.click('#timeline .last');
  await until(async () => new Set((await shown(other)).slice(0, 9)).size, 1);
  await page.click('button >> text="Copy picture"');
  const picture = await fetch(await page.evaluate(() => globalThis.copied));
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/svg+xml']);
  assert.deepEqual([...page.faults, ...other.faults], []);
});

await browser.close();
await server.stop();
finish();
