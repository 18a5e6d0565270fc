// Cubes in pages of other origins: the code that the page gives away, a frame and <cubed-cube> from /cubed.js, in pages with
// strict policies; the server allows no other origin. Usage: node embedding.mjs [path of the binary]

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const server = await Server.startPlain(binaryArgument(), ['--listen', '127.0.0.1:0', '--store', 'memory:', '--allow-host', 'cube.test']);
const CUBED = `http://cube.test:${server.port}`;
const browser = await launch({ args: ['--host-resolver-rules=MAP cube.test 127.0.0.1, MAP site.test 127.0.0.1'] });

/** Pages of somebody's site, by path: the body, and headers. */
const pages = {};
const site = createServer(({ url }, response) => {
  const { body = '', headers = {} } = pages[url] ?? {};
  response.writeHead(pages[url] ? 200 : 404, { 'content-type': 'text/html', ...headers });
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>A site</title><link rel="icon" href="data:,"><body>${body}</body></html>`);
});
await new Promise((done) => site.listen(0, '127.0.0.1', done));
const SITE = `http://site.test:${site.address().port}`;

/** A page of the site with some HTML. */
async function siteWith(body, headers = {}) {
  const path = `/${Object.keys(pages).length}`;
  pages[path] = { body, headers };
  return visitor(browser, SITE + path);
}

const apply = async (moves, size = 3) => (await (await fetch(`${server.url}/v1/apply?size=${size}&moves=${encodeURIComponent(moves)}`)).json()).cube.facelets;
const shown = (page) => page.evaluate(() => document.querySelector('cubed-cube')?.facelets);
const step = (page) => page.evaluate(() => document.querySelector('cubed-cube').step());

/** Opens an address of the server, and the code in its dialog. */
async function codeFrom(page, button = '#embed') {
  await page.click(button);
  await page.waitForSelector('#element-code');
  const [frame, element] = await Promise.all(['#frame-code', '#element-code'].map((one) => page.locator(one).textContent()));
  return { frame, element };
}

async function open(address) {
  const page = await visitor(browser, CUBED + address);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  return page;
}

const faultsOf = (page) => page.faults.filter((fault) => !/Cross-Origin-Opener-Policy/.test(fault));
const strictFor = (hash) => ({ 'content-security-policy': `default-src 'none'; img-src data:; script-src '${hash}'; require-trusted-types-for 'script'` });

let code;

await check('the dialog has code for a frame and for an element, with the hash of the script', async () => {
  const page = await open("/#alg=R+U+R'&setup=F2");
  await page.click('#tab-friends');
  code = await codeFrom(page);
  const index = await (await fetch(`${server.url}/v1`)).json();
  const cube = await apply('F2');
  assert.equal(code.frame, `<iframe title="A Rubik's cube" width="400" height="440" src="${CUBED}/embed#alg=R+U+R'&amp;cube=${cube}"></iframe>`);
  assert.equal(code.element, `<script async src="${CUBED}/cubed-${index.version}.js" integrity="${index.element.integrity}" crossorigin></script>\n<cubed-cube alg="R U R'" cube="${cube}"></cubed-cube>`);
  assert.deepEqual(await violationsIn(page, 'dialog'), []);
  assert.deepEqual(faultsOf(page), []);
  await page.context().close();
});

await check('the element works in a page of another origin that lets only this script run', async () => {
  const page = await siteWith(code.element, strictFor(/integrity="([^"]+)"/.exec(code.element)[1]));
  await until(() => shown(page), await apply('F2'));
  await step(page);
  await until(() => shown(page), await apply('F2 R'));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('another script than the one of the hash does not run', async () => {
  const page = await siteWith(code.element.replace('sha384-', 'sha384-AAAA').replace(/(sha384-.{64}).*?"/, '$1"'));
  await until(() => page.faults.filter((fault) => /integrity/.test(fault)).length, 1);
  assert.equal(await page.evaluate(() => customElements.get('cubed-cube')), undefined);
  await page.context().close();
});

await check('the address that stays has a script that is a plain one or a module, also in a page that isolates itself', async () => {
  const isolated = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };
  for (const attributes of ['', 'type="module"', 'async crossorigin']) {
    const page = await siteWith(`<script ${attributes} src="${CUBED}/cubed.js"></script><cubed-cube size="2" setup="R"></cubed-cube>`, isolated);
    await until(() => shown(page), await apply('R', 2), attributes);
    assert.deepEqual(faultsOf(page), []);
    await page.context().close();
  }
});

await check('a frame shows a session as it is turned, and what is on the stage of the page', async () => {
  const fixed = await siteWith(code.frame, { 'content-security-policy': `default-src 'none'; img-src data:; frame-src ${CUBED}` });
  const cubeIn = (page) => page.frames().find((one) => one.url().includes('/embed'))?.evaluate(() => document.querySelector('cubed-cube')?.facelets);
  await until(() => cubeIn(fixed), await apply('F2'));
  await fixed.context().close();
  const page = await open('/');
  await page.click('#tab-friends');
  await page.click('#play');
  await page.waitForSelector('#link');
  const live = await codeFrom(page);
  assert.match(live.frame, new RegExp(`src="${CUBED}/embed#session=[0-9a-z]{16}"`));
  assert.match(live.element, new RegExp(`<cubed-cube session="[0-9a-z]{16}" server="${CUBED}"></cubed-cube>$`));
  assert.doesNotMatch(live.frame + live.element, /[0-9a-z]{52}/, 'no token');
  await page.click('dialog >> text=Done');
  const framed = await siteWith(live.frame);
  const facelets = () => page.evaluate(() => globalThis.cubed.app.cube.facelets);
  await until(() => cubeIn(framed), await facelets());
  await page.evaluate(() => globalThis.cubed.app.press('R'));
  await until(() => cubeIn(framed), await facelets());
  await page.selectOption('#access', 'none');
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.settings.access), 'none');
  await page.click('#embed');
  await until(() => page.locator('dialog p').first().textContent(), 'Only people with a link may see this cube, so a page of others cannot show it. An owner can change that under “Rules”: people without a link may watch.');
  assert.deepEqual([...faultsOf(page), ...faultsOf(framed)], []);
  await Promise.all([page.context().close(), framed.context().close()]);
});

await check('a solution can be embedded', async () => {
  const page = await open('/');
  const cube = await page.evaluate(() => globalThis.cubed.app.cube.facelets);
  await page.click('#tab-solver');
  await page.click('#solve');
  await page.waitForSelector('#way .moves button');
  const { element } = await codeFrom(page, '#embed-way');
  const other = await siteWith(element);
  await until(() => shown(other), cube);
  await page.context().close();
  await other.context().close();
});

await check('both addresses may be read by every page, kept or asked for again as they should, and nothing of it is logged', async () => {
  const { version } = await (await fetch(`${server.url}/v1`)).json();
  for (const [path, cache] of [['/cubed.js', 'no-cache'], [`/cubed-${version}.js`, 'public, max-age=31536000, immutable']]) {
    const first = await fetch(server.url + path, { headers: { origin: SITE } });
    const again = await fetch(server.url + path, { headers: { origin: SITE, 'if-none-match': first.headers.get('etag') } });
    assert.deepEqual([first.status, again.status], [200, 304]);
    for (const { headers } of [first, again]) {
      assert.deepEqual(['access-control-allow-origin', 'cross-origin-resource-policy', 'cache-control'].map((name) => headers.get(name)), ['*', 'cross-origin', cache]);
      assert.doesNotMatch(headers.get('vary'), /Origin/);
    }
  }
  const other = await fetch(`${server.url}/v1`, { headers: { origin: SITE } });
  assert.equal(other.headers.get('access-control-allow-origin'), null);
  assert.equal(server.log.split('refused a page of another origin').length, 2, 'the last one');
});

await browser.close();
await server.stop();
site.close();
finish();
