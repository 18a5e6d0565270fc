// proxy.mjs: the server behind nginx and behind haproxy, which send the requests of many clients over a few connections
// that they keep: each client gets its own answer and no other. Every answer is compared with the one that the server
// gives without a proxy.
//
//     node tests/http/proxy.mjs PATH_TO_BINARY
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens, PATIENCE_MS } from '../support/patience.mjs';
import { check, finish, start } from './support/server.mjs';
import { haproxy, nginx } from './support/proxies.mjs';

const CLIENTS = 8;
const REQUESTS = 60; // of each client, through each port

const server = await start('--rate-limit', 'off', '--trusted-proxy', '127.0.0.1');

/** One request; its status, length and body. `error` where the connection broke. */
function ask(port, agent, { method = 'GET', path, body, headers = {} }) {
  return new Promise((answered) => {
    const length = body === undefined || headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = http.request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } }, (response) => {
      const parts = [];
      response.on('data', (bytes) => parts.push(bytes));
      response.on('error', (error) => answered({ error: error.code ?? error.message }));
      response.on('end', () => answered({
        status: response.statusCode, body: Buffer.concat(parts).toString(), type: response.headers['content-type'],
        // A proxy may leave it out; where it is, it is the same.
        length: response.headers['content-length'] ?? '',
      }));
    });
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('no answer')));
    request.on('error', (error) => answered({ error: error.code ?? error.message }));
    request.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const lines = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' };
const turns = (i) => ['R', 'U', 'F', "L'", 'D2', 'B'].map((turn, j) => ((i >> j) & 1 ? turn : 'M')).join(' ');
const cubes = (count, size) => Array.from({ length: count }, (_, i) => `${JSON.stringify({ cube: { size, moves: turns(i) } })}\n`).join('');

/** The page of a session names the address under which a trusted proxy was reached. */
async function previewed(headers) {
  const created = await ask(server.port, undefined, { method: 'POST', path: '/v1/sessions', headers: json, body: '{"size":3}' });
  const { body } = await ask(server.port, undefined, { path: `/c/${JSON.parse(created.body).id}`, headers });
  return /property="og:url" content="(.*)\/c\//.exec(body)?.[1];
}
for (const [headers, expected] of [
  [{}, `http://127.0.0.1:${server.port}`],
  [{ 'x-forwarded-host': 'cubes.example.org', 'x-forwarded-proto': 'https' }, 'https://cubes.example.org'],
  [{ 'x-forwarded-host': '[2001:db8::1]:8443', 'x-forwarded-proto': 'https' }, 'https://[2001:db8::1]:8443'],
  [{ 'x-forwarded-host': '"><script>' }, undefined],
  [{ 'x-forwarded-host': 'a.example, b.example' }, undefined],
]) {
  const found = await previewed(headers);
  check(`the address in a preview, ${JSON.stringify(headers)}`, found === expected, found);
}

/** Requests that are answered the same each time, the i-th of a client. */
const kinds = [
  (i) => ({ path: `/v1/apply?size=3&moves=${encodeURIComponent(turns(i))}` }),
  (i) => ({ path: `/v1/scramble?size=${10 + (i % 7)}&count=200&seed=${i % 5}` }),
  (i) => ({ method: 'HEAD', path: `/v1/scramble?size=100&count=3&seed=${i % 5}` }),
  (i) => ({ method: 'HEAD', path: `/v1/apply?size=3&moves=${encodeURIComponent(turns(i))}` }),
  (i) => ({ method: 'POST', path: '/v1/apply', headers: json, body: JSON.stringify({ cube: { size: 3 }, moves: turns(i) }) }),
  () => ({ method: 'POST', path: '/v1/convert?as=facelets', headers: lines, body: cubes(800, 3) }),
  (i) => ({ method: 'POST', path: '/v1/convert?as=facelets', headers: { ...lines, 'transfer-encoding': 'chunked' }, body: cubes(50 + (i % 3), 4) }),
  (i) => ({ method: 'POST', path: '/v1/apply', headers: json, body: JSON.stringify({ cube: { size: 3 }, moves: `${turns(i)} `.repeat(900) }) }),
  () => ({ method: 'POST', path: '/v1/apply', headers: json, body: `{"cube":{"size":3},"moves":"${'R '.repeat(700000)}"}` }), // 413
  (i) => ({ path: `/v1/nothing/${i % 4}` }),
  (i) => ({ path: `/v1/apply?size=3&moves=R%20X${i % 4}` }),
  () => ({ path: '/openapi.json' }),
  () => ({ method: 'HEAD', path: '/openapi.json' }),
];
const requests = new Map(); // by what is asked: the request, and its answer without a proxy
for (let i = 0; i < REQUESTS * CLIENTS; i++) {
  const { headers, ...asked } = kinds[i % kinds.length](i);
  const request = { ...asked, headers: { ...headers, 'x-request-id': 'the-same' } }; // problems repeat it
  const key = JSON.stringify(request);
  if (!requests.has(key)) requests.set(key, { request, expected: await ask(server.port, false, request) });
}
const all = [...requests.values()];
check('all are answered without a proxy', all.every(({ expected }) => expected.status >= 200 && expected.status < 500),
  JSON.stringify(all.find(({ expected }) => !(expected.status < 500))?.expected)?.slice(0, 200));
const found = new Set(all.map(({ expected }) => expected.status));
check('good and bad ones', [200, 404, 413, 422].every((status) => found.has(status)), [...found].join());

const same = (answer, expected) => answer.status === expected.status && answer.body === expected.body && answer.type === expected.type
  && (answer.length === '' || expected.length === '' || answer.length === expected.length);

/** Follows a session's events; the revisions that were sent, from when `begun` is kept. */
function follow(port, id) {
  const told = [];
  let began;
  const begun = new Promise((done) => (began = done));
  const request = http.get({ host: '127.0.0.1', port, path: `/v1/sessions/${id}/events`, agent: false }, (response) => {
    let rest = '';
    response.on('data', (bytes) => {
      const events = (rest + bytes).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        if (/^event: state$/m.test(event)) began();
        if (/^event: entry$/m.test(event)) told.push(JSON.parse(/^data: (.*)$/m.exec(event)[1]).revision);
      }
    });
    response.on('error', began);
  });
  request.on('error', began);
  return { told, begun, close: () => request.destroy() };
}

async function through(name, proxy, port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS });
  const made = JSON.parse((await ask(port, agent, { method: 'POST', path: '/v1/sessions', headers: json, body: '{"size":3,"access":"edit"}' })).body);
  const watchers = [follow(port, made.id), follow(port, made.id)];
  await Promise.all(watchers.map(({ begun }) => begun));
  const wrong = [];
  let writes = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = 0; i < REQUESTS; i++) {
      const { request, expected } = all[(client * 37 + i * 11) % all.length];
      // A server that refuses a body closes the connection while it is still sent: such a client may see its end before
      // the answer.
      const large = expected.status === 413;
      const answer = await ask(port, large ? false : agent, request);
      const refused = large && /^(ECONNRESET|EPIPE)$/.test(answer.error);
      if (!refused && !same(answer, expected)) wrong.push(`${request.method ?? 'GET'} ${request.path.slice(0, 50)}: ${JSON.stringify(answer).slice(0, 160)}`);
      if (i % 9 === 0) {
        const turned = await ask(port, agent, { method: 'POST', path: `/v1/sessions/${made.id}/moves`, headers: json, body: '{"moves":"R"}' });
        if (turned.status === 200) writes++;
        else wrong.push(`a turn: ${JSON.stringify(turned).slice(0, 160)}`);
      }
    }
  }));
  check(`${name}: every answer is the right one`, wrong.length === 0, `${wrong.length} of ${CLIENTS * REQUESTS}: ${wrong.slice(0, 3).join('; ')} ${proxy.log.slice(-400)}`);
  const { revision } = JSON.parse((await ask(port, agent, { path: `/v1/sessions/${made.id}` })).body);
  check(`${name}: every turn is made once`, revision === writes && writes > 0, `${revision} ${writes}`);
  await happens(() => watchers.every(({ told }) => told.length >= writes));
  for (const { told, close } of watchers) {
    check(`${name}: all events, in order`, told.length === writes && told.every((one, i) => one === i + 1), told.join().slice(0, 100));
    close();
  }
  agent.destroy();
}

const directory = mkdtempSync(join(tmpdir(), 'cubed-test-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, 'cubed.sock');
const local = await start('--listen', `unix:${path}`, '--rate-limit', 'off', '--trusted-proxy', 'unix');
for (const [begin, upstream, kind] of [
  [nginx, `127.0.0.1:${server.port}`, ''], [haproxy, `127.0.0.1:${server.port}`, ''],
  [nginx, `unix:${path}`, ' to a Unix socket'], [haproxy, path, ' to a Unix socket'],
]) {
  const proxy = await begin(upstream);
  for (const [i, port] of proxy.ports.entries()) await through(`${proxy.name} ${i}${kind}`, proxy, port);
  check(`${proxy.name}${kind} still runs`, !proxy.ended, proxy.log);
  await proxy.stop();
}
for (const one of [server, local]) {
  const stopped = await one.stop();
  check('a clean end', stopped.code === 0, one.errors());
}
finish();
