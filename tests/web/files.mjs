// The page's files as the server gives them: all that are in web/, as they are there, with the headers that keep others out.
// HTML names the files that it loads with their version, which is the only difference.
// Usage: node files.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const WEB = new URL('../../web/', import.meta.url);
const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };
const PATHS = { 'index.html': '', 'docs.html': 'docs', 'embed.html': 'embed' };
const BYTES_MAX = 60 * 1024; // compressed

const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
const names = ['', 'page/', 'client/', 'client/view/'].flatMap((folder) => readdirSync(new URL(folder, WEB), { withFileTypes: true })
  .filter((one) => one.isFile() && one.name !== 'package.json').map((one) => folder + one.name)); // which is for Node alone

const server = await Server.start(binaryArgument(), 'memory:');

const [assets] = (await (await fetch(server.url)).text()).match(/\/assets\/[0-9a-f]{12}\//);

for (const name of names) {
  await check(name, async () => {
    const path = PATHS[name] === undefined ? `${assets}${name}` : `/${PATHS[name]}`;
    const response = await fetch(server.url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.equal((await response.text()).replaceAll(assets, '/'), read(name));
    const plain = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal((await plain.text()).replaceAll(assets, '/'), read(name));
    const header = (field) => response.headers.get(field);
    assert.equal(header('cache-control'), path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
    const again = await fetch(server.url + path, { headers: { 'if-none-match': header('etag') } });
    assert.equal(again.status, 304);
    assert.equal(header('content-type'), TYPES[name.split('.').at(-1)]);
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('referrer-policy'), 'no-referrer');
    const framed = name === 'embed.html';
    assert.equal(header('x-frame-options'), framed ? null : 'DENY');
    const policy = new Map(header('content-security-policy').split('; ').map((part) => [part.split(' ')[0], part]));
    assert.equal(policy.get('frame-ancestors'), `frame-ancestors ${framed ? '*' : "'none'"}`);
    for (const kind of ['default-src', 'base-uri', 'form-action']) assert.equal(policy.get(kind), `${kind} 'none'`);
    for (const kind of ['script-src', 'style-src', 'img-src', 'connect-src']) assert.equal(policy.get(kind), `${kind} 'self'`);
  });
}

/** The modules that a module loads, and itself. */
function loadedBy(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of read(name).matchAll(/^(?:import|export) .*from '([^']+)'/gm)) loadedBy(new URL(other, `file:///${name}`).pathname.slice(1), found);
  return found;
}

await check('what the page loads is small, and is asked for at once', () => {
  const modules = [...loadedBy('page.js')];
  const bytes = ['index.html', 'page.css', 'page.svg', ...modules].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  assert.ok(bytes > 10000 && bytes < BYTES_MAX, `${bytes} bytes`);
  const asked = [...read('index.html').matchAll(/<(?:link rel="modulepreload" href|script type="module" src)="\/([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(asked.sort(), modules.sort());
});

await check('each part names only parts that are there', () => {
  for (const name of names.filter((one) => one.endsWith('.js'))) {
    for (const [, other] of read(name).matchAll(/from '([^']+)'/g)) {
      assert.ok(names.includes(new URL(other, `file:///${name}`).pathname.slice(1)), `${name}: ${other}`);
    }
  }
});

await check('what is not there is a problem, not a page', async () => {
  const old = '/assets/000000000000/';
  for (const path of [`${assets}page/none.js`, `${assets}page/`, assets, `${old}page.js`, `${old}page/board.js`, '/page.js', '/page/board.js', `${assets}page.css/x`, '/favicon.ico', '/index.html', '/docs.html', '/embed.html', '/c', '/c/', '/docs/', `${assets}page/..%2Fpage.js`]) {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get('content-type'), 'application/problem+json', path);
  }
});

await server.stop();
finish();
