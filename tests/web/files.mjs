// The page's files as the server gives them: all that are in web/, as they are there, with the headers that keep others out.
// HTML names the files that it loads with their version, which is the only difference.
// Usage: node files.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const WEB = new URL('../../web/', import.meta.url);
const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml', webmanifest: 'application/manifest+json' };
const PATHS = { 'index.html': '', 'embed.html': 'embed', 'manifest.webmanifest': 'manifest.webmanifest', 'service-worker.js': 'service-worker.js' };
/** The page has libcube as WebAssembly, which is compiled; no text is. */
const SCRIPTS = "script-src 'self' 'wasm-unsafe-eval'";
const BYTES_MAX = 60 * 1024; // compressed

const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
/** A file as it is in web/. */
const written = (text) => text.replaceAll(assets, '/').replace('"/pack/page.js"', '"/page.js"').replace(/<meta property[^]*<meta property.*>\n/, '<!-- link preview -->\n').replace(/^(const \[KEY, \.\.\.FILES\] = \[).*\];/m, '$1];');
/** The folders below one, and itself. */
const foldersOf = (folder) => [folder, ...readdirSync(new URL(folder, WEB), { withFileTypes: true }).filter((one) => one.isDirectory()).flatMap((one) => foldersOf(`${folder}${one.name}/`))];
const names = ['', ...foldersOf('page/'), ...foldersOf('client/'), 'library/'].flatMap((folder) => readdirSync(new URL(folder, WEB), { withFileTypes: true })
  .filter((one) => (one.isFile() || (one.isSymbolicLink() && one.name.endsWith('.js'))) && one.name !== 'package.json').map((one) => folder + one.name)); // which is for Node alone

const server = await Server.start(binaryArgument(), 'memory:');

const [assets] = (await (await fetch(server.url)).text()).match(/\/assets\/[0-9a-f]{12}\//);

/** Pages may do little, workers less; a picture that is opened as a page, nothing. */
function checkPolicy(name, header) {
  const type = name.split('.').at(-1);
  const policy = new Map(header('content-security-policy')?.split('; ').map((part) => [part.split(' ')[0], part]));
  const ofPage = [header('x-frame-options'), header('cross-origin-opener-policy')];
  if (type !== 'html') {
    const expected = { css: [], js: ["default-src 'none'", SCRIPTS, "connect-src 'self'"], svg: ["default-src 'none'", 'sandbox'], webmanifest: [] };
    return assert.deepEqual([[...policy.values()], ofPage], [expected[type], [null, null]]);
  }
  const framed = name === 'embed.html';
  assert.deepEqual(ofPage, [framed ? null : 'DENY', 'same-origin']);
  assert.equal(policy.get('frame-ancestors'), `frame-ancestors ${framed ? '*' : "'none'"}`);
  for (const kind of ['default-src', 'base-uri', 'form-action']) assert.equal(policy.get(kind), `${kind} 'none'`);
  assert.equal(policy.get('script-src'), SCRIPTS);
  for (const kind of ['style-src', 'img-src', 'connect-src']) assert.equal(policy.get(kind), `${kind} 'self'`);
}

for (const name of names) {
  await check(name, async () => {
    const path = PATHS[name] === undefined ? `${assets}${name}` : `/${PATHS[name]}`;
    const response = await fetch(server.url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal(written(await response.text()), read(name));
    const plain = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(written(await plain.text()), read(name));
    const header = (field) => response.headers.get(field);
    assert.equal(header('cache-control'), path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
    const again = await fetch(server.url + path, { headers: { 'if-none-match': header('etag') } });
    assert.equal(again.status, 304);
    assert.equal(header('content-type'), TYPES[name.split('.').at(-1)]);
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('referrer-policy'), 'no-referrer');
    checkPolicy(name, header);
  });
}

await check('libcube.wasm', async () => {
  const response = await fetch(`${server.url}${assets}libcube.wasm`);
  assert.equal(response.headers.get('content-type'), 'application/wasm');
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(readFileSync(new URL('../../build/wasm/libcube.wasm', import.meta.url))));
});

/** The modules that a module loads, and itself. */
function loadedBy(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of read(name).matchAll(/^(?:import|export) .*from '([^']+)'/gm)) loadedBy(new URL(other, `file:///${name}`).pathname.slice(1), found);
  return found;
}

await check('the page can be installed: its icons are pictures of their sizes, and one may be cut into any shape', async () => {
  const html = await (await fetch(server.url)).text();
  const linked = (rel) => new RegExp(`<link rel="${rel}" href="([^"]+)">`).exec(html)[1];
  const manifest = await (await fetch(server.url + linked('manifest'))).json();
  assert.equal(manifest.display, 'standalone');
  assert.equal(new URL(manifest.start_url, `${server.url}${linked('manifest')}`).href, `${server.url}/`);
  const icons = [...manifest.icons, { src: linked('apple-touch-icon'), sizes: '180x180' }, { src: 'favicon.ico', sizes: '48x48' }];
  for (const { src, sizes } of icons) {
    const response = await fetch(new URL(src, `${server.url}/`));
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.headers.get('content-type'), 'image/png', src);
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  assert.deepEqual(manifest.icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`), ['192x192 any', '512x512 any', '512x512 maskable']);
});

await check('what the page loads at first is small, and is asked for at once', async () => {
  const html = await (await fetch(server.url)).text();
  const asked = [...html.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)" href|script type="module" src)="([^"]+)"/g)].map(([, path]) => path);
  const texts = await Promise.all(asked.map(async (path) => (await fetch(server.url + path)).text()));
  const bytes = [html, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(bytes > 10000 && bytes < BYTES_MAX, `${bytes} bytes`);
  assert.ok(asked.length > 1 && asked.length < 4, asked.join());
});

await check('the documents wait for one style sheet only, and ask for their modules at once, behind the text', async () => {
  const calls = await (await fetch(`${server.url}/docs`)).text();
  const guide = await (await fetch(`${server.url}/docs/guide`)).text();
  assert.deepEqual([...calls.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href), [`${assets}docs.css`]);
  assert.ok(gzipSync(await (await fetch(`${server.url}${assets}docs.css`)).text()).length < 7000);
  const text = calls.slice(0, calls.indexOf('id="moves"'));
  assert.ok(text.includes('<h1>') && !text.includes('<script') && gzipSync(text).length < 8000, `${gzipSync(text).length} bytes before the first screen is there`);
  assert.ok(gzipSync(calls).length < 80000, `${gzipSync(calls).length}`);
  const asked = (html) => [...html.matchAll(/<(?:link rel="modulepreload" href|script type="module" src)="([^"]+)"/g)].map(([, name]) => name.replace(assets, '')).sort();
  const start = [...loadedBy('page/docs/docs.js')];
  assert.deepEqual(asked(guide), start.sort());
  assert.deepEqual(asked(calls), [...new Set([...start, ...loadedBy('page/docs/reference.js'), ...loadedBy('page/docs/examples.js')])].sort());
});

await check('each part names only parts that are there', () => {
  for (const name of names.filter((one) => one.endsWith('.js'))) {
    for (const [, other] of read(name).matchAll(/^(?:import|export|\}).* from '([^']+)'/gm)) {
      assert.ok(names.includes(new URL(other, `file:///${name}`).pathname.slice(1)), `${name}: ${other}`);
    }
  }
});

await check('what is not there is a problem, not a page', async () => {
  const old = '/assets/000000000000/';
  for (const path of [`${assets}page/none.js`, `${assets}page/`, assets, `${old}page.js`, `${old}page/board.js`, '/page.js', '/page/board.js', `${assets}page.css/x`, '/robots.txt', '/cubed-0.0.0.js', '/index.html', '/embed.html', '/c', '/c/', '/docs/none', '/docs/guide/none', `${assets}page/..%2Fpage.js`]) {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get('content-type'), 'application/problem+json', path);
  }
});

await check('a browser gets a page for what is not there, and everybody else the problem', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const path of ['/nowhere', '/docs/none', '/docs/guide/none', '/docs/problems/none', '/robots.txt?x=1']) {
    const response = await fetch(server.url + path, { headers: { accept: browser } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    assert.match(response.headers.get('content-security-policy'), /^default-src 'none';/);
    const text = await response.text();
    assert.match(text, /<h1>Nothing is here<\/h1>[^]*href="\/docs"/);
    const head = await fetch(server.url + path, { method: 'HEAD', headers: { accept: browser } });
    assert.deepEqual([head.status, head.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    for (const accept of path.startsWith('/docs/') ? ['*/*'] : ['*/*', 'application/json', 'text/html;q=0.5,application/json', 'image/avif,image/*;q=0.8']) {
      const other = await fetch(server.url + path, { headers: { accept } });
      assert.deepEqual([other.status, (await other.json()).type], [404, 'urn:cubed:problem:no-such-route'], `${path} ${accept}`);
    }
    const post = await fetch(server.url + path, { method: 'POST', headers: { accept: browser } });
    assert.equal(post.headers.get('content-type'), 'application/problem+json', path);
  }
  for (const path of ['/v1/nowhere', '/v1/apply/x', `${assets}none.js`]) {
    const response = await fetch(server.url + path, { headers: { accept: browser } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [404, 'application/problem+json'], path);
  }
});

/** The addresses to which a page leads, and the ids in it. */
const linksOf = (html) => [...html.matchAll(/<a[^>]* href="([^"]+)"/g)].map(([, link]) => link.replaceAll('&amp;', '&'));
const idsOf = (html) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id.replaceAll('&quot;', '"'));

await check('every document is a page, and every link in it leads somewhere', async () => {
  const pages = new Map();
  const wanted = ['/docs/'];
  while (wanted.length > 0) {
    const path = wanted.pop();
    if (pages.has(path)) continue;
    const response = await fetch(server.url + path, { headers: { accept: 'text/html, */*;q=0.1' } });
    assert.equal(response.status, 200, path);
    const html = response.headers.get('content-type').startsWith('text/html') ? await response.text() : '';
    pages.set(path, html);
    if (path === '/') continue;
    wanted.push(...linksOf(html).filter((link) => link.startsWith('/')).map((link) => link.split('#')[0]));
    assert.match(html || '<meta name="description" content="x', /<meta name="description" content="[^"]{1,}/, path);
  }
  const documents = ['guide', 'reference', 'internals'].flatMap((folder) => readdirSync(new URL(`../docs/${folder}`, WEB)).map((name) => `/docs/${folder}/${name.replace('.md', '')}`));
  for (const path of documents) assert.ok(pages.has(path) || path === '/docs/reference/problems', path);
  for (const [path, html] of pages) {
    const ids = idsOf(html);
    assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], `ids of ${path}`);
    for (const link of linksOf(html)) {
      const [, page, anchor] = link.match(/^(\/[^#]*)?(?:#(.*))?$/) ?? [];
      const target = pages.get(page ?? path);
      if (anchor && target && page !== '/') assert.ok(target.includes(` id="${anchor}"`), `${path}: ${link}`);
    }
  }
});

await check('each hit of the search is there', async () => {
  const rows = await (await fetch(`${server.url}/docs/search.json`)).json();
  const pages = new Map();
  assert.ok(rows.length > 1000);
  for (const [kind, name, , address] of rows) {
    const [path, anchor] = address.split('#');
    if (!pages.has(path)) pages.set(path, await (await fetch(server.url + path)).text());
    if (anchor) assert.ok(pages.get(path).includes(` id="${anchor}"`), `${kind} ${name}: ${address}`);
  }
  assert.deepEqual([...new Set(rows.map(([kind]) => kind))].sort(), ['call', 'document', 'heading', 'member', 'parameter', 'problem', 'schema']);
});

await server.stop();
finish();
