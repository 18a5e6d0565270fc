// A phone at home: `cubed --lan` in one network namespace, a browser on a phone in another, joined by a cable. Needs root.
// Usage: node lan.mjs [path of the binary]

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, temporaryDirectory } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const binary = binaryArgument();
const START_MS = 60000;
const MINE = `cubed-${process.pid}`;
const HOME = `${MINE}-home`;
const PHONE = `${MINE}-phone`;
const V4 = 'http://10.77.0.1:8080';
const V6 = 'http://[fd77::1]:8080';
const SCREEN = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

// ---- two machines and a cable ----

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
const within = (space, ...args) => ip('-n', space, ...args);
/** Returns true if packets go through the cable; the kernel says so up to a second after it was set up. */
const isConnected = () => execFileSync('ip', ['-n', HOME, 'link', 'show', 'wifi0'], { encoding: 'utf8' }).includes('state UP');

function removeNetwork() {
  for (const space of [HOME, PHONE]) {
    try {
      ip('netns', 'del', space);
    } catch {
      // it was not made
    }
  }
}

function makeNetwork() {
  process.on('exit', removeNetwork);
  for (const space of [HOME, PHONE]) ip('netns', 'add', space);
  ip('link', 'add', 'wifi0', 'netns', HOME, 'type', 'veth', 'peer', 'name', 'wifi0', 'netns', PHONE);
  for (const [space, number] of [[HOME, 1], [PHONE, 2]]) {
    within(space, 'address', 'add', `10.77.0.${number}/24`, 'dev', 'wifi0');
    within(space, '-6', 'address', 'add', `fd77::${number}/64`, 'dev', 'wifi0', 'nodad');
    for (const device of ['lo', 'wifi0']) within(space, 'link', 'set', device, 'up');
  }
  within(HOME, 'route', 'add', 'default', 'via', '10.77.0.2');
  // A bridge to containers, which no phone can reach.
  within(HOME, 'link', 'add', 'docker0', 'type', 'bridge');
  within(HOME, 'address', 'add', '172.17.0.1/16', 'dev', 'docker0');
  within(HOME, 'link', 'set', 'docker0', 'up');
}

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts the server on the machine at home. Answers what it printed, and its end. */
function serve(...flags) {
  const child = spawn('ip', ['netns', 'exec', HOME, binary, '--store', `sqlite:${join(folder, 'cubed.db')}`, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(child);
  const server = { out: '' };
  const exited = new Promise((done) => child.once('exit', done)).then(() => running.delete(child));
  server.stop = () => (child.kill('SIGTERM'), exited);
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`the server did not start: ${server.out}`)), START_MS);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (bytes) => {
      server.out += bytes;
      if (!(flags.includes('--lan') ? /(█+\n){2}$/ : /ready at/).test(server.out)) return;
      clearTimeout(timer);
      done(server);
    });
  });
}

/** A browser on one of the machines. */
async function browserOn(space, args = []) {
  const path = join(folder, space);
  writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${space} ${process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'} "$@"\n`);
  chmodSync(path, 0o755);
  const before = process.env.CHROMIUM;
  process.env.CHROMIUM = path;
  try {
    return await launch({ args });
  } finally {
    if (before === undefined) delete process.env.CHROMIUM;
    else process.env.CHROMIUM = before;
  }
}

/** Reads a code of half blocks as a camera would. */
function readCode(text) {
  const rows = text.split('\n').filter((line) => /^[ ▀▄█]{20,}$/.test(line));
  const light = rows.flatMap((line) => [[...line].map((one) => '▀█'.includes(one)), [...line].map((one) => '▄█'.includes(one))]);
  const [scale, width] = [4, light[0].length];
  const pixels = new Uint8ClampedArray(width * light.length * scale * scale * 4).fill(255);
  for (let y = 0; y < light.length * scale; y++) {
    for (let x = 0; x < width * scale; x++) if (!light[Math.floor(y / scale)][Math.floor(x / scale)]) pixels.fill(0, 4 * (y * width * scale + x), 4 * (y * width * scale + x) + 3);
  }
  return jsQR(pixels, width * scale, light.length * scale)?.data ?? null;
}

const open = async (browser, url, options) => {
  const page = await visitor(browser, url, options);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  return page;
};
const stickers = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);
const showLink = async (page) => {
  await page.click('#tab-friends');
  await page.click('#play');
};
/** A page over plain HTTP and with an address: what a browser says about that. */
const faultsOf = (page) => page.faults.filter((fault) => !/Cross-Origin-Opener-Policy|events\?ticket=/.test(fault));

const folder = temporaryDirectory();
const made = await check('two network namespaces can be made (as root, with iproute2)', () => {
  assert.equal(process.getuid(), 0, 'this test needs root: it makes network namespaces');
  makeNetwork();
});
if (!made) finish();

const name = `${hostname()}.local`;
const desktop = await browserOn(HOME);
const phone = await browserOn(PHONE, [`--host-resolver-rules=MAP evil.example 10.77.0.1,MAP ${name} 10.77.0.1`]);
let server = await serve('--lan');

await check('the terminal shows the addresses that a phone can open, and a code of the first', () => {
  const [first, heading, ...rest] = server.out.split('\n');
  assert.match(first, /is ready at http:\/\/127\.0\.0\.1:8080 and all other addresses of this machine$/);
  assert.equal(heading, 'Open it on another device in your network:');
  assert.deepEqual(rest.slice(0, 3), [`  ${V4}`, `  ${V6}`, '']);
  assert.equal(readCode(server.out), V4);
});

await check('a phone opens the page from that code, and from the other address and the name of the machine', async () => {
  for (const address of [readCode(server.out), V6, `http://${name}:8080`]) {
    const page = await open(phone, address, SCREEN);
    const { addresses } = await page.evaluate(async () => (await fetch('/v1')).json());
    assert.deepEqual(addresses, [V4, V6]);
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  }
});

await check('the page at home shows a link for the phone, and both turn one cube', async () => {
  const ann = await open(desktop, 'http://127.0.0.1:8080/', DESKTOP);
  await showLink(ann);
  await ann.waitForSelector('#link');
  const link = await ann.inputValue('#link');
  assert.match(link, new RegExp(`^${V4}/c/[0-9a-z]{16}#[0-9a-z]{52}$`));
  assert.equal(await ann.locator('svg.qr').count(), 1);
  const bo = await open(phone, link, SCREEN);
  await until(() => bo.evaluate(() => globalThis.cubed.app.may.turn), true);
  for (const [one, other, move] of [[bo, ann, 'R'], [ann, bo, 'U']]) {
    const before = await stickers(other);
    await one.evaluate((moves) => globalThis.cubed.app.cube.turn(moves), move);
    await until(async () => (await stickers(other)) !== before, true, `${move} is seen`);
    await until(async () => (await stickers(one)) === (await stickers(other)), true);
  }
  assert.deepEqual([...faultsOf(ann), ...faultsOf(bo)], []);
  await ann.click('#cubes');
  await ann.click('#my-cubes [aria-label^="More"]');
  await ann.click('#other-device');
  await until(() => ann.locator('dialog svg.qr').count(), 1);
  await ann.context().close();
  await bo.context().close();
});

await check('a name that is not the machine’s opens nothing', async () => {
  const page = await (await phone.newContext()).newPage();
  const answer = await page.goto('http://evil.example:8080/');
  assert.equal(answer.status(), 403);
  await page.context().close();
});

await server.stop();
server = await serve();

await check('without --lan no phone comes in, and the page says so instead of showing a link', async () => {
  const page = await (await phone.newContext()).newPage();
  await assert.rejects(page.goto(V4), /ERR_CONNECTION_REFUSED/);
  await page.context().close();
  const ann = await open(desktop, 'http://127.0.0.1:8080/', DESKTOP);
  await showLink(ann);
  await until(() => ann.locator('#invitation h2').textContent(), 'Only this device can open it');
  assert.deepEqual([await ann.locator('#link').count(), await ann.locator('svg.qr').count()], [0, 0]);
  assert.equal(await ann.textContent('#invitation .command'), 'cubed --lan');
  await ann.click('#cubes');
  await ann.click('#my-cubes [aria-label^="More"]');
  await ann.click('#other-device');
  await until(() => ann.locator('dialog .command').count(), 1);
  assert.equal(await ann.locator('dialog svg.qr').count(), 0);
  await ann.click('dialog >> text=Done');

  await server.stop();
  server = await serve('--lan');
  await ann.click('#tab-friends');
  await ann.getByText('Try again').click();
  await ann.waitForSelector('#link');
  assert.ok((await ann.inputValue('#link')).startsWith(`${V4}/c/`));
  await ann.context().close();
});

await check('with --lan but no network, the page says that, and has a link once there is one', async () => {
  within(HOME, 'link', 'set', 'wifi0', 'down');
  const ann = await open(desktop, 'http://127.0.0.1:8080/', DESKTOP);
  await showLink(ann);
  await until(() => ann.locator('#invitation h2').textContent(), 'Only this device can open it');
  assert.match(await ann.textContent('#invitation'), /This device has no address in a network at present\./);
  assert.deepEqual([await ann.locator('#link').count(), await ann.locator('.command').count()], [0, 0]);
  await ann.click('#cubes');
  await ann.locator('#my-cubes [aria-label^="More"]').first().click();
  await ann.click('#other-device');
  await until(() => ann.locator('dialog .unreached').count(), 1);
  assert.equal(await ann.locator('dialog .command').count(), 0);
  await ann.click('dialog >> text=Done');
  within(HOME, 'link', 'set', 'wifi0', 'up');
  await until(isConnected, true, 'the cable');
  await ann.click('#tab-friends');
  await ann.getByRole('button', { name: 'Try again' }).click();
  await ann.waitForSelector('#link');
  assert.ok((await ann.inputValue('#link')).startsWith(`${V4}/c/`));
  await ann.context().close();
});

await desktop.close();
await phone.close();
await server.stop();
finish();
