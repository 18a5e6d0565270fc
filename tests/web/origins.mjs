// Front ends on other origins: a page on another loopback port uses the server without a flag; a page of a foreign site, or
// of a name that was rebound to this address, can do nothing, and the client says why. Usage: node origins.mjs [binary]

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { launch } from './browser.mjs';

const binary = binaryArgument();
const FLAGS = ['--listen', '127.0.0.1:0', '--store', 'memory:'];
const WAIT_MS = 60000;
const SOURCES = new URL('../../clients/js/src/', import.meta.url);
const FRONT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A front end</title><link rel="icon" href="data:,"><script type="module">
import { Cubed } from '/client/index.js';
globalThis.Cubed = Cubed;
</script></html>`;

// ---- a front end's own server, with HTTP and HTTPS ----

function answer({ url }, response) {
  const path = new URL(url, 'http://localhost').pathname;
  const script = /^\/client\/([a-z/]+\.js)$/.exec(path)?.[1];
  response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' });
  response.end(script ? readFileSync(new URL(script, SOURCES)) : FRONT);
}

const folder = temporaryDirectory();
const [key, cert] = ['key', 'crt'].map((name) => join(folder, name));
execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=evil.example'], { stdio: 'ignore' });
const listen = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));
const plain = await listen(createServer(answer));
const secure = await listen(createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer));

const browser = await launch({ args: ['--host-resolver-rules=MAP evil.example 127.0.0.1'] });
const server = await Server.startPlain(binary, FLAGS);
const { port } = server;

/** A page of an origin. `asked` gathers what it asks the server for. */
async function frontEnd(address, html = null) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.asked = [];
  page.on('request', (request) => new URL(request.url()).port === port.toString() && page.asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  if (html) await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(address);
  if (!html) await page.waitForFunction(() => globalThis.Cubed);
  return page;
}

// ---- pages on loopback ----

for (const origin of [`http://localhost:${plain}`, `http://127.0.0.1:${plain}`, `https://localhost:${secure}`]) {
  await check(`a page of ${origin.replace(/\d+$/, 'PORT')} creates a session, turns it and follows it`, async () => {
    const page = await frontEnd(`${origin}/`);
    const found = await page.evaluate(async (url) => {
      const cubed = new globalThis.Cubed(url);
      const session = await cubed.createSession({ size: 3, access: 'edit' });
      const events = session.watch();
      const first = (await events.next()).value.event;
      await session.turn("R U R' U'");
      let heard = await events.next();
      while (heard.value.event !== 'entry') heard = await events.next();
      await events.return();
      const source = new EventSource(`${url}/v1/sessions/${session.id}/events`);
      const state = await new Promise((come) => source.addEventListener('state', ({ data }) => come(JSON.parse(data).revision)));
      source.close();
      const problem = await session.turn('nonsense').catch(({ kind }) => kind);
      const own = await fetch(`${url}/v1/sessions/${session.id}`, { headers: { 'X-Own': 'yes', baggage: 'a=b' } });
      return { first, moves: heard.value.data.moves, state, problem, own: own.status, etag: own.headers.has('etag') };
    }, server.url);
    assert.deepEqual(found, { first: 'state', moves: "R U R' U'", state: 1, problem: 'bad-notation', own: 200, etag: true });
    await page.context().close();
  });
}

await check('a server that is not there is not taken for one that refuses', async () => {
  const gone = await Server.startPlain(binary, FLAGS);
  await gone.stop();
  const page = await frontEnd(`http://localhost:${plain}/`);
  const { name, message } = await page.evaluate((url) => new globalThis.Cubed(url, { attempts: 2 }).apply({ moves: 'R' }).catch(({ name, message }) => ({ name, message })), gone.url);
  assert.equal(name, 'NoAnswer');
  assert.doesNotMatch(message, /allow-origin/);
  await page.context().close();
});

// ---- foreign pages ----

/** Runs in a page: all ways in which a page can ask another server. Answers what it could read. */
async function attack([url, id]) {
  const read = [];
  const json = { 'content-type': 'application/json' };
  const attempt = (name, options, path) => fetch(url + path, options).then((answer) => read.push(`${name} ${answer.type} ${answer.status}`), () => {});
  const body = '{"size": 3, "moves": "R"}';
  await attempt('get', {}, `/v1/sessions/${id}`);
  await attempt('list', {}, '/v1/sessions');
  await attempt('json', { method: 'POST', headers: json, body }, '/v1/sessions');
  await attempt('json', { method: 'POST', headers: json, body: '{"moves": "R"}' }, `/v1/sessions/${id}/moves`);
  await attempt('delete', { method: 'DELETE' }, `/v1/sessions/${id}`);
  for (const path of ['/v1/sessions', `/v1/sessions/${id}/moves`, `/v1/sessions/${id}/undo`, '/v1/solve', '/v1/solves/import']) await fetch(url + path, { method: 'POST', mode: 'no-cors', body }).catch(() => {});
  for (const path of ['/v1/sessions', `/v1/sessions/${id}/moves`]) {
    await fetch(url + path, { method: 'POST', mode: 'no-cors', body: new Blob(['R'], { type: 'text/plain' }) }).catch(() => {});
    navigator.sendBeacon(url + path, new Blob(['R'], { type: 'text/plain' }));
    const frame = document.createElement('iframe');
    frame.name = 'frame';
    const form = Object.assign(document.createElement('form'), { method: 'POST', action: url + path, enctype: 'text/plain', target: 'frame' });
    document.body.append(frame, form);
    const loaded = new Promise((come) => (frame.onload = come));
    form.submit();
    await loaded;
    form.remove();
    frame.remove();
  }
  const image = new Image();
  await new Promise((come) => {
    image.onload = image.onerror = come;
    image.src = `${url}/v1/solve?moves=R+U+F+B+L+D`;
  });
  const source = new EventSource(`${url}/v1/sessions/${id}/events`);
  await new Promise((come) => {
    source.onopen = () => (read.push('events'), come());
    source.onerror = come;
  });
  source.close();
  return read;
}

const sessionOf = async () => (await (await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size": 3, "access": "edit"}' })).json()).id;
/** A session, and how many changes and searches the server has made. */
async function state(id) {
  const answer = await fetch(`${server.url}/v1/sessions/${id}`);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const made = text.match(/^cubed_http_requests_total\{(method="(POST|PUT|PATCH|DELETE)"|.*solve).*status="2.*/gm);
  return { status: answer.status, revision: (await answer.json()).revision, made };
}

const EMPTY = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A trap</title><link rel="icon" href="data:,"></html>';
for (const [what, address, html] of [
  ['a page of a foreign site', `http://evil.example:${plain}/`, null],
  ['the same over HTTPS', `https://evil.example:${secure}/`, null],
  ['a page whose name was rebound to the server', `http://evil.example:${port}/trap`, EMPTY],
]) {
  await check(`${what} can do nothing`, async () => {
    const id = await sessionOf();
    const before = await state(id);
    const page = await frontEnd(address, html);
    const url = html ? new URL(address).origin : server.url;
    const read = await page.evaluate(attack, [url, id]);
    // A rebound page is of the server's own origin for the browser: it can read that it is refused.
    for (const one of read) assert.match(one, html ? /^(get|list|json|delete) basic 403$/ : /^never$/);
    assert.ok(page.asked.length > 8, `it did ask: ${page.asked}`);
    assert.deepEqual(await state(id), before);
    await page.context().close();
  });
}

await check('the client says at once which flag is missing, and the log says it once', async () => {
  const origin = `http://evil.example:${plain}`;
  const page = await frontEnd(`${origin}/`);
  page.asked.length = 0;
  const found = await page.evaluate(async (url) => {
    const cubed = new globalThis.Cubed(url);
    const all = [];
    for (const call of [() => cubed.createSession({ size: 3 }), () => cubed.session('0000000000000000').watch().next()]) all.push(await call().then(() => null, ({ name, kind, message, suggestion }) => ({ name, kind, message, suggestion })));
    return all;
  }, server.url);
  const flag = `--allow-origin ${origin}`;
  for (const error of found) assert.deepEqual(error, { name: 'Problem', kind: 'origin-not-allowed', suggestion: flag, message: `The server at ${server.url} is running, but does not allow pages of ${origin}: start it with ${flag}.` });
  assert.ok(page.asked.length <= 10, `it does not try again and again: ${page.asked}`);
  assert.equal(server.log.split(`allowed_by="${flag}"`).length, 2);
  await page.context().close();
});

await check('with that flag the page may do what its own page may', async () => {
  const origin = `http://evil.example:${plain}`;
  const open = await Server.startPlain(binary, [...FLAGS, '--allow-origin', origin]);
  const page = await frontEnd(`${origin}/`);
  const revision = await page.evaluate(async (url) => {
    const session = await new globalThis.Cubed(url).createSession({ size: 3 });
    await session.turn('R');
    return (await session.read()).revision;
  }, open.url);
  assert.equal(revision, 1);
  await page.context().close();
  await open.stop();
});

await browser.close();
await server.stop();
finish();
