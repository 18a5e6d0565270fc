// The server below a path of a site, --base-path: behind an nginx that removes the path and one that passes it on, as
// operations.md configures them. Nothing is asked of the site outside of the path. Usage: node subpath.mjs [path of the binary]

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import jsQR from 'jsqr';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { nginxSites } from '../http/support/proxies.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { launch, until, visitor } from './browser.mjs';

const BASE = '/cubes';
const placesIn = (path) => [...readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8').matchAll(/^ +location \/cubes\/ \{\n[^}]*\}/gm)].map(([place]) => place);
const places = placesIn('reference/operations.md');
assert.equal(places.length, 2);
const short = placesIn('guide/run-it-for-others.md');
assert.equal(short.length, 1);

const server = await Server.start(binaryArgument(), 'memory:', ['--base-path', BASE, '--trusted-proxy', '127.0.0.1']);
const proxy = await nginxSites(`127.0.0.1:${server.port}`, [...places, short[0].replace('127.0.0.1:8080', `127.0.0.1:${server.port}`)]);
const browser = await launch();

const json = async (url, options) => (await fetch(url, options)).json();
const post = (url, body) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
/** Reads the code in an element as a camera would. */
async function scanned(page, selector) {
  const png = (await page.locator(selector).screenshot()).toString('base64');
  const blank = await page.context().newPage();
  const { lights, width, height } = await blank.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    return { lights: Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i + 1] > 127 ? 1 : 0)).join(''), width: image.width, height: image.height };
  }, png);
  await blank.close();
  return jsQR(Uint8ClampedArray.from({ length: 4 * lights.length }, (_, i) => (i % 4 === 3 ? 255 : 255 * lights[i >> 2])), width, height)?.data ?? null;
}

const stickers = (page) => page.evaluate(() => globalThis.cubed.app.cube.facelets);

for (const [i, kind] of ['removes the path', 'passes it on'].entries()) {
  const site = `http://127.0.0.1:${proxy.ports[i]}`;
  const root = site + BASE;

  /** A page of somebody's own; what it asks of the site outside of the path, and what is not there, is a fault. */
  const open = async (url, options) => {
    const page = await visitor(browser, 'about:blank', options);
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === site && pathname !== BASE && !pathname.startsWith(`${BASE}/`)) page.faults.push(`outside: ${pathname}`);
    });
    page.on('response', (response) => response.status() >= 400 && page.faults.push(`${response.status()}: ${response.url()}`));
    await page.goto(url);
    return page;
  };
  const openCube = async (url, options) => {
    const page = await open(url, options);
    await page.waitForFunction(() => globalThis.cubed?.app.room);
    return page;
  };
  /** Tickets are for URLs. */
  const faultsOf = (page) => page.faults.filter((fault) => !/events\?ticket=/.test(fault));

  await check(`nginx ${kind}: the first screen, and a turn`, async () => {
    const page = await openCube(`${root}/`);
    assert.equal(page.url(), `${root}/`);
    assert.equal(await page.evaluate(() => document.getElementById('view').childElementCount > 0), true);
    const before = await stickers(page);
    await page.locator('#pad').getByText('R', { exact: true }).click();
    await until(async () => (await stickers(page)) !== before, true);
    assert.equal(await page.locator('#home').evaluate((link) => link.href), `${root}/`);
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  });

  await check(`nginx ${kind}: the page without a slash, and a link to an algorithm`, async () => {
    for (const [path, alg] of [['', null], ['/#alg=R+U', 'R U'], ['/?alg=R+U', 'R U']]) {
      const page = await openCube(root + path);
      if (alg) assert.equal(await page.evaluate(() => globalThis.cubed.app.shown.length), 2);
      assert.ok(page.url().startsWith(`${root}/`), page.url());
      assert.deepEqual(faultsOf(page), []);
      await page.context().close();
    }
  });

  await check(`nginx ${kind}: a shared cube, its link and its picture to scan`, async () => {
    const ann = await openCube(`${root}/`, { deviceScaleFactor: 1 });
    // At an address of loopback the page asks for one that others reach: here there is this one.
    await ann.route('**/v1', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), lan: true, addresses: [site] } });
    });
    await ann.click('#tab-friends');
    await ann.click('#play');
    await ann.waitForSelector('#link');
    const link = await ann.inputValue('#link');
    assert.match(link, new RegExp(`^${root}/c/[0-9a-z]{16}#[0-9a-z]{52}$`));
    await ann.click('#code');
    assert.equal(await scanned(ann, 'dialog svg.qr'), link);
    await ann.click('dialog >> text=Done');
    assert.match(ann.url(), new RegExp(`^${root}/c/[0-9a-z]{16}$`));
    const bo = await openCube(link);
    await until(() => bo.evaluate(() => globalThis.cubed.app.may.turn), true);
    assert.equal(bo.url(), ann.url());
    const before = await stickers(ann);
    await bo.evaluate(() => globalThis.cubed.app.cube.turn('R'));
    await until(async () => (await stickers(ann)) !== before && (await stickers(ann)) === (await stickers(bo)), true);
    // The cube that was opened before is there after the page is loaded again, and in the list with its picture.
    await ann.reload();
    await ann.waitForFunction(() => globalThis.cubed?.app.session);
    await ann.click('#cubes');
    await ann.waitForFunction((base) => document.querySelector('#my-cubes img')?.src.includes(`${base}/v1/image.svg`), BASE);
    assert.deepEqual([...faultsOf(ann), ...faultsOf(bo)], []);
    await ann.context().close();
    await bo.context().close();
  });

  await check(`nginx ${kind}: the pictures of a lesson and of a set of cases are there`, async () => {
    const { items: [pll] } = await json(`${root}/v1/sets`);
    const { cases } = await json(`${root}/v1/sets/${pll.name}`);
    const lesson = await json(`${root}/v1/solve?moves=R+U2&method=beginner`);
    const named = [cases[0].picture, cases[0].address, ...JSON.stringify(lesson).match(/\/[^"]*image\.svg[^"]*/g)];
    for (const path of named) {
      assert.ok(path.startsWith(`${BASE}/v1/`), path);
      assert.equal((await fetch(site + path)).status, 200, path);
    }
  });

  await check(`nginx ${kind}: the documents: search, examples, schemas, a request that is sent`, async () => {
    const page = await open(`${root}/docs#applyMoves`);
    const section = page.locator('#applyMoves');
    await section.locator('[role=tab]').first().waitFor();
    assert.ok((await section.locator('.samples pre').first().innerText()).includes(`${root}/v1/apply`));
    await section.locator('.below .main').click();
    await section.locator('form.try .main').click();
    await until(() => section.locator('.reply .status').allInnerTexts(), ['200']);
    await section.locator('a.schema[aria-expanded]').first().click();
    await section.locator('.unfolded').first().waitFor();
    await page.waitForSelector('#find[role=combobox]');
    await page.fill('#find', 'operations');
    await page.waitForSelector('#found:not([hidden]) a');
    assert.ok(await page.$$eval('#found a', (all, base) => all.every((one) => one.getAttribute('href').startsWith(`${base}/docs`)), BASE));
    const links = await page.$$eval('#contents a', (all) => all.map((one) => one.href));
    await page.goto(links.find((link) => link.includes('/docs/guide/')));
    await page.waitForSelector('#find[role=combobox]');
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  });

  await check(`nginx ${kind}: /embed, also with a session`, async () => {
    const created = await (await post(`${root}/v1/sessions`, { size: 3, access: 'view', scramble: true })).json();
    for (const [fragment, target] of [['alg=[R,+U]', '/#alg='], [`session=${created.id}`, `/c/${created.id}`]]) {
      const page = await open(`${root}/embed#${fragment}`);
      await page.waitForFunction(() => document.querySelector('cubed-cube')?.model);
      if (fragment.startsWith('session')) assert.equal(await page.evaluate(() => document.querySelector('cubed-cube').facelets), created.cube.facelets);
      assert.ok((await page.locator('a.open').evaluate((link) => link.href)).startsWith(root + target));
      assert.deepEqual(faultsOf(page), []);
      await page.context().close();
    }
  });

  await check(`nginx ${kind}: what answers name is below the path`, async () => {
    const created = await post(`${root}/v1/sessions`, { size: 3, access: 'view', listed: true });
    const { id } = await created.json();
    await post(`${root}/v1/sessions`, { size: 3, access: 'view', listed: true });
    assert.equal(created.headers.get('location'), `${BASE}/v1/sessions/${id}`);
    const list = await fetch(`${root}/v1/sessions?limit=1`);
    assert.match(list.headers.get('link'), /^<\/cubes\/v1\/sessions\?limit=1&cursor=\w+>; rel="next"$/);
    const lost = await json(`${root}/v1/aply`);
    assert.deepEqual([lost.help, lost.suggestion], [`${BASE}/docs/problems/no-such-route`, `${BASE}/v1/apply`]);
    assert.equal((await fetch(site + lost.help)).status, 200);
    assert.deepEqual((await json(`${root}/openapi.json`)).servers.map(({ url }) => url), [BASE]);
    assert.match(await (await fetch(`${root}/openapi.yaml`)).text(), /\nservers: \[\{ url: \/cubes, /);
    const { links, element } = await json(`${root}/v1`);
    assert.deepEqual([links.self, links.docs, links.apply], [`${BASE}/v1`, `${BASE}/docs`, `${BASE}/v1/apply`]);
    const script = Buffer.from(await (await fetch(site + element.script)).arrayBuffer());
    assert.equal(`sha384-${createHash('sha384').update(script).digest('base64')}`, element.integrity);
    const manifest = await json(`${root}/manifest.webmanifest`);
    for (const { src } of [...manifest.icons, { src: manifest.start_url }]) assert.equal((await fetch(new URL(src, `${root}/manifest.webmanifest`))).status, 200, src);
    const page = await (await fetch(`${root}/c/${id}`)).text();
    assert.ok(page.includes(`property="og:url" content="${root}/c/${id}"`), page);
    assert.ok(page.includes(`content="${root}/v1/sessions/${id}/image.png?`), page);
    for (const path of ['/', '/embed', '/docs', '/docs/schemas', '/docs/guide', '/docs/problems', '/none', `/c/${id}`]) {
      const answer = await fetch(root + path, { headers: { Accept: 'text/html' } });
      const all = [...(await answer.text()).matchAll(/ (?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link);
      assert.ok(all.length > 0, path);
      assert.deepEqual(all.filter((link) => !link.startsWith(`${BASE}/`)), [], path);
      assert.equal((await fetch(root + path, { headers: { Accept: 'text/html', 'If-None-Match': answer.headers.get('etag') ?? 'none' } })).status, answer.headers.get('etag') ? 304 : answer.status);
    }
  });

  await check(`nginx ${kind}: an answer that is given again names the same path`, async () => {
    const options = { method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `again-${i}` }, body: '{"size": 2}' };
    const [first, again] = [await fetch(`${root}/v1/sessions`, options), await fetch(`${root}/v1/sessions`, options)];
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('location'), `${BASE}/v1/sessions/${(await first.json()).id}`);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
  });

  await check(`nginx ${kind}: the client in JavaScript`, async () => {
    const cubed = new Cubed(`${root}/`);
    const session = await cubed.createSession({ size: 3, access: 'edit' });
    const cube = await session.live();
    await cube.turn('R U');
    assert.equal(cube.facelets, (await cubed.apply({ size: 3, moves: 'R U' })).cube.facelets);
    assert.equal((await fetch(cubed.pictureUrl({ size: 3, moves: 'R' }))).status, 200);
    await cube.close();
    await assert.rejects(cubed.apply({ size: 3, moves: 'R U Q' }), ({ help }) => help === `${BASE}/docs/problems/bad-notation`);
  });

  await check(`nginx ${kind}: the client in Python`, async () => {
    const program = `
from cubed_client import Cubed
cubed = Cubed("${root}")
session = cubed.create_session(size=3, access="edit")
print(session.turn("R U")["cube"]["facelets"] == cubed.apply(size=3, moves="R U")["cube"]["facelets"])
`;
    const env = { ...process.env, PYTHONPATH: fileURLToPath(new URL('../../clients/python', import.meta.url)), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout, stderr } = spawnSync('python3', ['-c', program], { env, encoding: 'utf8' });
    assert.equal(stdout, 'True\n', stderr);
  });
}

await check('the configuration in the guide', async () => {
  const root = `http://127.0.0.1:${proxy.ports[places.length]}${BASE}`;
  const page = await visitor(browser, `${root}/`);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  assert.equal(page.url(), `${root}/`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('without a proxy the page works with the path and without it', async () => {
  for (const path of ['/', BASE, `${BASE}/`]) {
    const page = await visitor(browser, server.url + path);
    await page.waitForFunction(() => globalThis.cubed?.app.room);
    assert.equal(page.url(), `${server.url}${BASE}/`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

await check('a path that is none, or one of the server’s own, is refused at the start', () => {
  for (const path of ['/', 'cubes', '/cubes/', '//cubes', '/a//b', '/a/../b', '/.well-known', '/a b', '/v1', '/docs/x', `/${'a'.repeat(128)}`]) {
    const { status, stderr } = spawnSync(binaryArgument(), ['--base-path', path, '--store', 'memory:', '--listen', '127.0.0.1:0'], { encoding: 'utf8', timeout: PATIENCE_MS });
    assert.equal(status, 2, path);
    assert.match(stderr, /--base-path: ".*" is not valid; expected a path such as \/cubes/);
  }
});

await browser.close();
await proxy.stop();
await server.stop?.();
finish();
