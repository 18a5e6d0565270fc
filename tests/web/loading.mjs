// A slow line, or a server that does not answer: the page says that it is loading, without waiting for anything, and never
// stays empty.
// Usage: node loading.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit' });
await session.turn('R');
const browser = await launch();
const page = await visitor(browser, `${server.url}/docs`);
// A browser that saves data loads no panel before it is opened.
await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));

let held = [];
/** Requests for these addresses get no answer until release(). */
const hold = (pattern) => page.route(pattern, (route) => held.push(route));
async function release() {
  await page.unrouteAll();
  await Promise.all(held.map((route) => route.continue().catch(() => {})));
  held = [];
}

const LOADING = 'Loading…';

/** Waits for a text, which must come without what is held. */
const shows = (selector, text) => until(() => page.locator(selector).first().textContent(), text);

await check('before the script is there', async () => {
  await hold(/pack\/page\.js$/);
  await page.goto(server.url, { waitUntil: 'commit' });
  await shows('#state', LOADING);
  const { x, y } = await page.locator('#state').boundingBox();
  assert.ok(x >= 0 && y > 100, 'where the cube will be');
  await release();
  await until(() => page.locator('#state').textContent(), '3×3×3');
  await page.locator('#pad button:enabled').first().waitFor();
});

await check('a session whose server does not answer', async () => {
  await hold(/\/v1\//);
  await page.goto(`${server.url}/c/${session.id}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.cubed);
  await shows('#panel-turn', LOADING);
  await shows('#state', LOADING);
  await until(() => page.locator('#notice-text').textContent(), 'The server has not answered yet. Still trying…');
  await release();
  await page.locator('#pad button:enabled').first().waitFor();
  assert.equal(await page.locator('#state').textContent(), '3×3×3');
});

await check('within a second by the clock of the page', async () => {
  const slow = await visitor(browser, `${server.url}/docs`);
  await slow.clock.install();
  await slow.route(/\/v1\//, () => {}); // no answer
  await slow.goto(`${server.url}/c/${session.id}`);
  await slow.clock.pauseAt(Date.now() + 3600000); // whatever waited so far is over
  await slow.reload();
  await slow.waitForFunction(() => globalThis.cubed);
  const notice = () => slow.locator('#notice-text').textContent();
  await until(() => slow.locator('#panel-turn').textContent(), LOADING);
  await slow.clock.runFor(1000);
  assert.equal(await notice(), 'The server has not answered yet. Still trying…');
  assert.deepEqual(slow.faults, []);
  await slow.context().close();
});

await check('panels, and what they read', async () => {
  await hold(/\/v1\/(sessions\?|sessions\/\w+\/(history|tokens)|patterns|match)|panels\.(history|ask|cubes)\.js$/);
  for (const [name, part] of [['history', '#no-entries'], ['cubes', '#panel-cubes section:last-child p'], ['ask', '#panel-ask [role=status]']]) {
    await page.evaluate((panel) => void globalThis.cubed.app.panel(panel), name);
    await shows(`#panel-${name}`, LOADING);
    const isModule = (route) => route.request().url().endsWith(`panels.${name}.js`);
    await until(() => held.some(isModule), true, 'the module is asked for');
    const [module] = held.splice(held.findIndex(isModule), 1);
    await module.continue();
    await shows(part, LOADING);
  }
  await release();
  await until(() => page.locator('#panel-ask [role=status]').textContent(), 'The cube is now:');
  await until(() => page.locator('#panel-cubes section:last-child p').textContent(), 'Nobody shows a cube to everybody at the moment.');
  await until(() => page.locator('#panel-history [data-entry]').count(), 1);
  assert.equal(await page.locator('#no-entries').getAttribute('hidden'), '');
});

/** The next request for each of these addresses fails. */
async function failOnce(pattern) {
  const failed = [];
  await page.route(pattern, (route) => {
    const { pathname } = new URL(route.request().url());
    if (failed.includes(pathname)) return route.continue();
    failed.push(pathname);
    return route.abort();
  });
  return failed;
}

const UNLOADED = 'This part of the page could not be loaded.';
const online = () => page.evaluate(() => dispatchEvent(new Event('online')));
const bar = page.locator('#timeline .bar');

await check('what does not come after the first screen comes when the network is back, or by a button', async () => {
  for (const [what, again, parts] of [[/panels\.css$/, online, 1], [/page\.timeline\.js$/, online, 1], [/page\.timeline\.js$|panels\.css$/, () => page.click('#notice-action'), 2]]) {
    const failed = await failOnce(what);
    await page.goto(server.url);
    for (let part = 1; part <= parts; part++) {
      await until(() => failed.length, part);
      await until(() => page.locator('#notice-text').textContent(), UNLOADED);
      assert.equal(await bar.count(), 0);
      await again();
    }
    await bar.waitFor();
    assert.equal(await bar.count(), 1);
    assert.equal(await page.locator('#notice').isVisible(), false);
    const before = await page.evaluate(() => globalThis.cubed.app.cube.revision);
    await page.keyboard.press('u');
    await until(() => page.evaluate(() => globalThis.cubed.app.cube.revision), before + 1, 'one turn by one key');
    await release();
  }
});

await check('a panel too: its module, its style sheet; it is then as one that came at once', async () => {
  for (const [name, what, again] of [['timer', /timer\.css$/, online], ['paint', /page\.panels\.paint\.js$/, () => page.click('#panel-paint button')]]) {
    await failOnce(what);
    await page.click(`#tab-${name}`);
    await until(() => page.locator(`#panel-${name} p`).first().textContent(), UNLOADED);
    await again();
    await page.locator(`#panel-${name} :is(.modes, .brush)`).waitFor();
    await release();
  }
  assert.equal(await page.evaluate(() => globalThis.cubed.app.shown === globalThis.cubed.app.cube), false, 'the painted cube is on the stage');
});

await check('settings and the text of the cube too', async () => {
  await failOnce(/page\.(dialogs\.settings|cube\.table)\.js$/);
  await page.locator('#adjust').evaluate((button) => (button.click(), button.click()));
  await until(() => page.locator('#notice-text').textContent(), UNLOADED);
  await page.click('#notice-action');
  await page.locator('dialog[open]').waitFor();
  await until(() => page.locator('dialog').count(), 1, 'however often it was asked for');
  await page.keyboard.press('Escape');
  await page.locator('#words > summary').press('Enter');
  await until(() => page.locator('#notice-text').textContent(), UNLOADED);
  await online();
  await page.locator('#table table').first().waitFor();
  await release();
});

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));
await browser.close();
await server.stop();
finish();
