// The documents at /docs in a browser: the search, the marked hit, schemas that unfold, the examples, requests that are sent;
// on a phone and a desktop, light and dark, with axe; and how soon the first screen is there on a slow line.
// Usage: node docs.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const AXE = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const server = await Server.start(binaryArgument(), 'memory:');
const api = await (await fetch(`${server.url}/openapi.json`)).json();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.values(api.paths).flatMap((item) => METHODS.filter((method) => item[method]).map((method) => item[method].operationId));

const browser = await launch();
const open = (path, options = DESKTOP) => visitor(browser, server.url + path, options);

/** The field of the search, once it listens. */
async function searchOf(page) {
  await page.waitForSelector('#find[role=combobox]');
  return page.locator('#find');
}

/** The names and places that the search lists. */
async function found(page, text) {
  await (await searchOf(page)).fill(text);
  await page.waitForSelector('#found:not([hidden]) a');
  await until(() => page.$eval('#found', (list) => list.previousSibling !== null), true);
  return page.$$eval('#found a', (all) => all.map((one) => `${one.querySelector('b').textContent} | ${one.querySelector('small').textContent}`));
}

/** Whether something is on the screen, below the header. */
const onScreen = (page, selector) => page.$eval(selector, (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 40 && bottom > 0 && top < innerHeight - 40;
});

const page = await open('/docs#validateCube');

await check('each call is told once, and is in the contents', async () => {
  assert.deepEqual((await page.$$eval('section.call', (all) => all.map((one) => one.id))).sort(), [...operations].sort());
  assert.deepEqual((await page.$$eval('#contents .calls a', (all) => all.map((one) => one.hash.slice(1)))).sort(), [...operations].sort());
});

await check('the address leads to its call', () => until(() => onScreen(page, '#validateCube h3'), true));

await check('/ searches, and the hit is shown and marked', async () => {
  await searchOf(page);
  await page.keyboard.press('/');
  await page.keyboard.type('turn_policy patch');
  await page.waitForSelector('#found a[aria-selected=true]');
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => location.hash), '#updateSession.body.turn_policy');
  await page.waitForSelector('[id="updateSession.body.turn_policy"].hit');
  await until(() => onScreen(page, '[id="updateSession.body.turn_policy"]'), true);
  assert.equal(await page.isVisible('#found'), false);
});

await check('the search finds calls, parameters, members, problems and headings, the best first', async () => {
  for (const [text, first] of [
    ['POST /v1/apply', 'POST /v1/apply | Apply moves to a cube'], ['undoEntries', 'POST /v1/sessions/{id}/undo'], ['stale-revision', 'stale-revision | The session has a newer revision'],
    ['record the first solve', 'Record the first solve | Build a timer'], ['AppliedMoves', 'AppliedMoves | Schemas'], ['If-Match', 'If-Match |'], ['cookbook', 'Cookbook | Guides'],
  ]) {
    const hits = await found(page, text);
    assert.ok(hits[0].startsWith(first), `${text}: ${hits.slice(0, 3).join(' // ')}`);
  }
  const all = await found(page, 'size');
  assert.ok(all.every((one) => one.toLowerCase().includes('size')) && all.length > 10);
});

await check('the list is moved through with the keys, and closed', async () => {
  await found(page, 'notation');
  const field = page.locator('#find');
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  const chosen = await page.getAttribute('#found [aria-selected=true]', 'id');
  assert.equal(chosen, 'found-2');
  assert.equal(await field.getAttribute('aria-activedescendant'), chosen);
  await field.press('Escape');
  assert.equal(await page.isVisible('#found'), false);
  await (await searchOf(page)).fill('qqqq');
  await until(() => page.textContent('#found'), 'Nothing has “qqqq”.');
});

await check('names are not broken over lines', async () => {
  const broken = await page.$$eval('article code, .told code, .told .name', (all) => all.filter((one) => !one.matches('pre *, .long, .line *') && one.getClientRects().length > 1).map((one) => one.textContent));
  assert.deepEqual(broken, []);
});

await check('descriptions are text, not marks', async () => {
  for (const selector of ['main > article', '#appendMoves .told', '#streamSessionEvents .told']) {
    const text = await page.$eval(selector, (one) => [...one.querySelectorAll('p, li, td')].filter((part) => !part.querySelector('pre')).map((part) => part.textContent).join('\n'));
    assert.ok(text.length > 300);
    assert.doesNotMatch(text, /`|\*\*|^#/m, selector);
  }
  assert.ok(await page.locator('#streamSessionEvents table').count() > 0);
});

await check('a document has its contents, code with a copy button, and its neighbours', async () => {
  const guide = await open('/docs/guide/build-a-timer');
  await guide.waitForSelector('.copied > button');
  await guide.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })); // as over plain HTTP
  await guide.evaluate(() => document.addEventListener('copy', () => (globalThis.copied = document.getSelection().toString() || document.activeElement.value)));
  await guide.locator('.copied').first().hover();
  await guide.locator('.copied > button').first().click();
  assert.match(await guide.evaluate(() => globalThis.copied), /^curl 'localhost:8080\/v1\/scramble\?size=3'\n/);
  await guide.click('#contents ul ul a >> text=Show the averages');
  await until(() => onScreen(guide, '#show-the-averages'), true);
  await guide.click('a[rel=next]');
  await guide.waitForURL('**/docs/guide/animate-a-session');
  assert.deepEqual(guide.faults, []);
  await guide.context().close();
});

await check('on a phone: the search and the contents fill the screen, nothing is wider than it', async () => {
  const phone = await open('/docs', PHONE);
  await found(phone, 'GET /v1/sessions/{id}/history limit');
  await phone.locator('#found a').first().tap();
  await until(() => phone.evaluate(() => location.hash), '#getHistory.limit');
  await until(() => onScreen(phone, '[id="getHistory.limit"]'), true);
  await phone.tap('header .menu');
  await until(() => phone.isVisible('#contents'), true);
  await phone.tap('#contents a[href="#getHistory"]');
  await until(() => phone.isVisible('#contents'), false);
  await until(() => onScreen(phone, '#getHistory h3'), true);
  for (const path of ['/docs', '/docs/schemas', '/docs/guide', '/docs/guide/cookbook', '/docs/reference/models', '/docs/problems', '/nowhere']) {
    await phone.goto(server.url + path);
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, path);
  }
  assert.deepEqual(phone.faults, []);
  await phone.context().close();
});

for (const [name, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ['light', 'dark']) {
    await check(`axe finds nothing, ${name}, ${colorScheme}`, async () => {
      const one = await open('/docs', { ...options, colorScheme, bypassCSP: true });
      for (const path of ['/docs', '/docs/guide', '/docs/reference/notation', '/docs/problems/bad-notation', '/nowhere', '/docs/schemas']) {
        await one.goto(server.url + path);
        await searchOf(one);
        if (path === '/docs/guide') await found(one, 'size');
        await one.evaluate(AXE);
        const { violations } = await one.evaluate(() => globalThis.axe.run({ exclude: ['.call ~ .call ~ .call'] }));
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200)]), [], path);
      }
      await one.context().close();
    });
  }
}

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));

await browser.close();
await server.stop();
finish();
