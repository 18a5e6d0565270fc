// The documents at /docs in a browser: every operation is there, is found, is explained to its last member, and can be sent.
// Usage: node docs.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const api = await (await fetch(`${server.url}/openapi.json`)).json();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.values(api.paths).flatMap((item) => METHODS.filter((method) => item[method]).map((method) => item[method].operationId));

const browser = await launch();
const page = await visitor(browser, `${server.url}/docs#validateCube`, { viewport: { width: 1000, height: 800 } });
await page.waitForSelector('section[data-words]');
const shownIds = () => page.$$eval('section[data-words]', (all) => all.filter((one) => !one.hidden).map((one) => one.id));

await check('each operation is told once, and is in the index', async () => {
  assert.deepEqual((await shownIds()).sort(), [...operations].sort());
  assert.deepEqual((await page.$$eval('#index a', (all) => all.map((one) => one.hash.slice(1)))).sort(), [...operations].sort());
});

await check('the address leads to its operation', async () => {
  await until(() => page.$eval('#validateCube', (one) => Math.abs(one.getBoundingClientRect().top) < 40), true);
});

await check('descriptions are text, not marks', async () => {
  const text = await page.$eval('#about', (one) => one.innerText);
  assert.match(text, /Every error is application\/problem\+json/);
  assert.doesNotMatch(text, /`|##/);
  assert.equal(await page.locator('#streamSessionEvents table').count() > 0, true);
});

await check('words find operations', async () => {
  await page.fill('#find', 'post /v1/sessions/{id}/undo');
  assert.deepEqual(await shownIds(), ['undoEntries']);
  await page.fill('#find', '');
  assert.equal((await shownIds()).length, operations.length);
});

await check('members open, and what they are made of', async () => {
  const apply = page.locator('#applyMoves');
  await apply.locator('.answer > summary').first().click();
  await apply.locator('.answer').first().locator('summary', { hasText: 'AppliedMoves' }).click();
  const cube = apply.locator('dd', { has: page.locator('summary') }).first();
  await cube.locator('summary').first().click();
  await until(() => cube.locator('dt').allInnerTexts().then((all) => all.some((one) => one.startsWith('facelets'))), true);
});

await check('a request is sent as it is written, and shown for curl', async () => {
  const apply = page.locator('#applyMoves');
  await apply.locator('summary', { hasText: 'Try it' }).click();
  await apply.locator('textarea').fill(`{"size": 2, "moves": "F'"}`);
  assert.match(await apply.locator('form pre').first().innerText(), /^curl .*--data-binary '\{"size": 2, "moves": "F'\\''"\}' 'http.*\/v1\/apply'$/);
  await apply.locator('form button').click();
  const answer = await (await fetch(`${server.url}/v1/apply?size=2&moves=F'`)).json();
  await until(() => apply.locator('form pre').last().innerText().then((text) => text.split('\n')[0]), '200 application/json');
  assert.deepEqual(JSON.parse((await apply.locator('form pre').last().innerText()).replace(/^.*\n/, '')), answer);
});

await check('a problem is shown as any answer', async () => {
  const apply = page.locator('#applyMoves');
  await apply.locator('textarea').fill('{"moves": "Q"}');
  await apply.locator('form button').click();
  await until(() => apply.locator('form pre').last().innerText().then((text) => text.split('\n')[0]), '422 application/problem+json');
});

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));

await browser.close();
await server.stop();
finish();
