// Measures what the page loads, counted by the browser: the first screen for somebody who is new, for somebody who was
// there before, and the page of a session. Files count as a release has them, compressed by zopfli (tools/make-site), whatever
// build it is. Usage: node weight.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { launch } from './browser.mjs';

const KIB = 1024;
/** Until the cube can be turned by hand and by the pad: all requests, compressed, with the headers of their answers. */
const FIRST = { requests: 3, bytes: 32 * KIB };
/** With what comes when the browser is idle: the time line, keys, announcements, the typeface; and the icon. */
const ALL = { requests: 7, bytes: 70 * KIB };
/** Both in another language: its table, and what writes it to the HTML. */
const TRANSLATION = { requests: 2, bytes: 8 * KIB };
/** With what comes once the cube was turned: libcube, and the panels that work with it without a network. */
const INDEPENDENT = { requests: 80, bytes: 344 * KIB };

/** All that the service worker keeps then, and that part of it which is not there before. */
const KEPT = { requests: 100, bytes: 350 * KIB };
const KEPT_MORE = { requests: 30, bytes: 48 * KIB };

const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit' });
const browser = await launch();

/** A file as it is sent, compressed. */
const bytesOf = (url) => new Promise((done, failed) => http.get(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
  const parts = [];
  answer.on('data', (part) => parts.push(part)).on('end', () => done({ bytes: Buffer.concat(parts), isGzip: answer.headers['content-encoding'] === 'gzip' }));
}).on('error', failed));

const saved = new Map();
const folder = temporaryDirectory();

/** Returns the number of bytes of a file that a release saves. */
async function savedOf(url) {
  if (saved.has(url)) return saved.get(url);
  const { bytes, isGzip } = await bytesOf(url);
  if (isGzip) {
    const file = join(folder, 'file'); // zopfli wants to know its length
    writeFileSync(file, gunzipSync(bytes));
    const { status, stdout, error } = spawnSync('zopfli', ['--i50', '-c', file], { maxBuffer: 1 << 26 });
    assert.equal(status, 0, `zopfli: ${error}`);
    assert.ok(stdout.length > 0, `zopfli makes nothing of ${url}`);
    saved.set(url, bytes.length - stdout.length);
  }
  return saved.get(url) ?? 0;
}

/** Loads an address, and uses the page; what was asked for until nothing more came. */
async function load(context, address, use = () => {}) {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const requests = new Map();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => requests.set(requestId, { whole: request.url, url: request.url.replace(/^.*\/assets\/[0-9a-f]+/, ''), bytes: 0 }));
  cdp.on('Network.requestServedFromCache', ({ requestId }) => requests.delete(requestId));
  cdp.on('Network.responseReceived', ({ requestId, response }) => response.fromDiskCache && requests.delete(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => requests.has(requestId) && (requests.get(requestId).bytes = encodedDataLength));
  await page.goto(server.url + address);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await use(page);
  await page.waitForTimeout(1500); // later requests would be counted as well
  const all = [...requests.values()];
  for (const one of all) one.bytes -= await savedOf(one.whole);
  await page.close();
  return all;
}

/** Turns the first screen by the pad, by hand and by a key, while nothing that comes later is answered; then it is. */
async function turnFirst(context) {
  const page = await context.newPage();
  const held = [];
  let isHeld = true;
  const asked = [];
  page.on('request', (request) => asked.push(request.url().replace(/^.*\/assets\/[0-9a-f]+/, '')));
  await page.route(LATER, (route) => (isHeld ? held.push(route) : route.continue()));
  await page.goto(server.url);
  const state = () => page.evaluate(() => globalThis.cubed.app.cube.revision);
  await page.locator('#pad button:enabled').first().click();
  const before = await state();
  const { x, y } = await page.evaluate(() => {
    const { view } = globalThis.cubed.app;
    const box = view.canvas.getBoundingClientRect();
    const [left, top] = view.placeOnScreen(2 * view.model.size ** 2); // the first sticker of the front
    return { x: box.left + left, y: box.top + top };
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 15, { steps: 5 });
  await page.mouse.move(x + 120, y + 30, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((revision) => globalThis.cubed.app.cube.revision === revision + 1, before);
  await page.keyboard.press('u');
  const early = await state() - before;
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await page.waitForFunction((revision) => globalThis.cubed.app.cube.revision === revision + 2, before);
  await page.close();
  return { before, early, asked };
}

/** The files that the service worker keeps, with the bytes of each, without headers. */
async function keptFiles() {
  const script = await (await fetch(`${server.url}/service-worker.js`)).text();
  const [, ...files] = /^const \[KEY, \.\.\.FILES\] = \[(.*)\];/m.exec(script)[1].split(', ').map((name) => new URL(name.slice(1, -1), server.url).href);
  const kept = []; // without the texts of other languages
  for (const url of files.filter((one) => !/\/page\.words\.(?!js$)/.test(one))) kept.push({ whole: url, url, bytes: (await bytesOf(url)).bytes.length - await savedOf(url) });
  return kept;
}

const within = (requests, most) => {
  const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
  const list = requests.map(({ url, bytes: size }) => `${url} ${size}`).join('\n');
  assert.ok(requests.length <= most.requests && bytes <= most.bytes, `${requests.length} requests, ${bytes} bytes\n${list}`);
};

/** The files that come after the first screen, which can be turned without them, as is seen below. The icon is the
 * browser's own. */
const LATER = /page\.timeline\.js$|panels\.css$|page\.svg$|cubed\.woff2$/;

await check('somebody new gets the first screen by three requests, and few more', async () => {
  const context = await browser.newContext();
  const requests = await load(context, '/');
  within(requests.filter(({ url }) => !LATER.test(url)), FIRST);
  within(requests, ALL);
  const again = await load(context, '/');
  assert.ok(again.length <= 1, `one request when it is known: ${again.map(({ url }) => url).join(', ')}`);
  await context.close();
});

await check('in another language there are two more requests, and English is loaded once', async () => {
  const context = await browser.newContext({ locale: 'de' });
  const requests = await load(context, '/');
  const translated = ({ requests: most, bytes }) => ({ requests: most + TRANSLATION.requests, bytes: bytes + TRANSLATION.bytes });
  within(requests.filter(({ url }) => !LATER.test(url)), translated(FIRST));
  within(requests, translated(ALL));
  assert.deepEqual(requests.map(({ url }) => url).filter((url) => /words/.test(url)), ['/pack/page.words.de.js']);
  await context.close();
});

await check('the pad and a hand turn the cube before anything else is there, and no key is lost', async () => {
  const context = await browser.newContext();
  const { before, early, asked } = await turnFirst(context);
  assert.equal(before, 2, 'a scramble and the turn of the pad');
  assert.equal(early, 1, 'the turn by hand; that of the key follows');
  assert.equal(asked.filter((url) => !LATER.test(url)).length, FIRST.requests, asked.join(', '));
  await context.close();
});

await check('a turn brings the library, and what works with it', async () => {
  const context = await browser.newContext();
  const requests = await load(context, '/', async (page) => {
    await page.locator('#moment').waitFor();
    await page.locator('#pad button:enabled').first().click();
    await page.waitForFunction(() => globalThis.cubed.app.independent);
  });
  assert.equal(requests.filter(({ url }) => url === '/libcube.wasm').length, 1);
  within(requests, INDEPENDENT);
  const kept = await keptFiles();
  within(kept, KEPT);
  const known = new Set(requests.map(({ whole }) => whole));
  within(kept.filter(({ whole }) => !known.has(whole)), KEPT_MORE);
  await context.close();
});

await check('the page of a session loads its modules at once, and each module once', async () => {
  const context = await browser.newContext();
  const requests = await load(context, `/c/${session.id}`);
  const modules = requests.map(({ url }) => url).filter((url) => url.endsWith('.js'));
  assert.equal(new Set(modules).size, modules.length);
  assert.ok(modules.includes('/pack/page.session.sessions.js'), modules.join(', '));
  assert.deepEqual(modules.filter((url) => !url.startsWith('/pack/')), [], 'no module is loaded a second time, as it is in web/');
  await context.close();
});

await browser.close();
await server.stop();
finish();
