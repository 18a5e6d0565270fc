// What the page loads, counted by the browser: the first screen for somebody who is new, for somebody who was there
// before, and the page of a session. Usage: node weight.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch } from './browser.mjs';

const KIB = 1024;
/** Until the cube can be turned: HTML, CSS and modules, compressed, with their headers. */
const FIRST = { requests: 3, bytes: 40 * KIB };
/** With what comes right after it: the time line, announcements. */
const ALL = { requests: 5, bytes: 56 * KIB };

const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit' });
const browser = await launch();

/** Loads an address; what was asked for until the cube was there, and until nothing more came. */
async function load(context, address) {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const requests = new Map();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => requests.set(requestId, { url: request.url.replace(/^.*\/assets\/[0-9a-f]+/, ''), bytes: 0 }));
  cdp.on('Network.requestServedFromCache', ({ requestId }) => requests.delete(requestId));
  cdp.on('Network.responseReceived', ({ requestId, response }) => response.fromDiskCache && requests.delete(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => requests.has(requestId) && (requests.get(requestId).bytes = encodedDataLength));
  await page.goto(server.url + address);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.waitForTimeout(1500); // what comes later would be counted as well
  const all = [...requests.values()];
  await page.close();
  return all;
}

const within = (requests, most) => {
  const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
  const list = requests.map(({ url, bytes: size }) => `${url} ${size}`).join('\n');
  assert.ok(requests.length <= most.requests && bytes <= most.bytes, `${requests.length} requests, ${bytes} bytes\n${list}`);
};

const FIRST_PATHS = /(^http.*\/$)|page\.css$|pack\/page\.js$/;

await check('somebody new gets the first screen by three requests, and few more', async () => {
  const context = await browser.newContext();
  const requests = await load(context, '/');
  within(requests.filter(({ url }) => FIRST_PATHS.test(url)), FIRST);
  within(requests.filter(({ url }) => !url.endsWith('.svg')), ALL);
  const again = await load(context, '/');
  assert.ok(again.length <= 1, `one request when it is known: ${again.map(({ url }) => url).join(', ')}`);
  await context.close();
});

await check('the page of a session loads its modules at once, and each module once', async () => {
  const context = await browser.newContext();
  const requests = await load(context, `/c/${session.id}`);
  const modules = requests.map(({ url }) => url).filter((url) => url.endsWith('.js'));
  assert.equal(new Set(modules).size, modules.length);
  assert.ok(modules.includes('/pack/page.sessions.js'), modules.join(', '));
  assert.deepEqual(modules.filter((url) => !url.startsWith('/pack/')), [], 'no module is loaded a second time, as it is in web/');
  await context.close();
});

await browser.close();
await server.stop();
finish();
