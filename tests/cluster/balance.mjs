// balance.mjs: docker/cluster/haproxy.cfg. All requests of a session go to one node; a node that is gone moves only its
// own sessions; a request that must not be done twice is sent once; streams last; addresses are limited over all nodes.
//
//     node tests/cluster/balance.mjs PATH_TO_BINARY
//
// The nodes are stand-ins that say who they are; the real server is used where it matters: streams of its events.

import assert from 'node:assert/strict';
import http from 'node:http';
import http2 from 'node:http2';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { ask, session, Watcher } from '../live/support.mjs';
import { happens, PATIENCE_MS, sleep } from '../support/patience.mjs';
import { freePort, startHaproxy } from './haproxy.mjs';

const SESSIONS = 300;

/** A node that answers its name. `mode`: "answer", "cut" (closes without an answer), "away" (answers, but is not ready). */
class Node {
  mode = 'answer';
  seen = []; // requests other than probes: "METHOD PATH"
  probes = 0;
  sockets = new Set();

  constructor(name, port) {
    Object.assign(this, { name, port });
  }

  start() {
    this.server = http.createServer((request, response) => this.#take(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    return new Promise((done) => this.server.listen(this.port, '127.0.0.1', done));
  }

  stop() {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((done) => this.server.close(done));
  }

  #take(request, response) {
    if (request.url === '/readyz' && ++this.probes) return response.writeHead(this.mode === 'away' ? 503 : 200).end();
    if (request.url === '/healthz') return response.end();
    this.seen.push(`${request.method} ${request.url}`);
    if (this.mode === 'cut') return request.socket.destroy();
    if (request.url.startsWith('/stream')) return this.#stream(request, response);
    const { host, 'x-forwarded-for': address, 'x-forwarded-host': name } = request.headers;
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ node: this.name, host, address, name }));
  }

  /** A byte at once, and then one each ?every= ms; silent without it. */
  #stream(request, response) {
    const every = Number(new URL(request.url, 'http://x').searchParams.get('every'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('.');
    const timer = every && setInterval(() => response.write('.'), every);
    response.on('close', () => clearInterval(timer));
  }
}

const nodes = [];
for (const name of ['a', 'b', 'c']) nodes.push(new Node(name, await freePort()));
await Promise.all(nodes.map((node) => node.start()));
const ports = nodes.map(({ port }) => port);
const balancer = await startHaproxy(ports);

const send = (path, method = 'GET', headers = {}, to = balancer) => ask(to.port, method, path, method === 'POST' ? {} : undefined, headers);
const nodeOf = async (path, method) => (await send(path, method))?.json?.node;
const ids = Array.from({ length: SESSIONS }, (_, i) => (i * 2654435761 % 2 ** 32).toString(36).padStart(16, 'q'));
const homes = async () => {
  const all = new Map();
  for (const id of ids) all.set(id, await nodeOf(`/v1/sessions/${id}`));
  return all;
};
const total = () => nodes.reduce((sum, { seen }) => sum + seen.length, 0);

await happens(async () => (await Promise.all([1, 2, 3, 4, 5, 6].map((i) => nodeOf(`/v1/formats?${i}`)))).every(Boolean));
const home = await homes();

await check('all requests of a session go to one node', async () => {
  for (const id of ids.slice(0, 60)) {
    for (const rest of ['', '?as=moves', '/moves', '/events?after=3', '/tokens/7', '/image.svg?view=net', '/history?after=/x/y']) {
      for (const method of ['GET', 'POST', 'DELETE']) assert.equal(await nodeOf(`/v1/sessions/${id}${rest}`, method), home.get(id), `${method} ${id}${rest}`);
    }
  }
});

await check('over HTTP/2 to the same one', async () => {
  const client = http2.connect(balancer.url);
  for (const id of ids.slice(0, 60)) {
    const text = await new Promise((done, fail) => {
      let all = '';
      const stream = client.request({ ':path': `/v1/sessions/${id}/moves` });
      stream.on('data', (bytes) => (all += bytes)).on('end', () => done(all)).on('error', fail).end();
    });
    assert.equal(JSON.parse(text).node, home.get(id));
  }
  client.close();
});

await check('each node has its share', () => {
  for (const { name } of nodes) {
    const count = [...home.values()].filter((node) => node === name).length;
    assert.ok(count > SESSIONS / 5 && count < SESSIONS / 2, `${name} has ${count} of ${SESSIONS}`);
  }
});

await check('other requests are spread', async () => {
  const seen = new Set();
  await happens(async () => {
    for (const name of await Promise.all(Array.from({ length: 9 }, () => nodeOf('/v1/formats')))) seen.add(name);
    return seen.size === 3;
  });
  assert.deepEqual([...seen].sort(), ['a', 'b', 'c']);
});

await check('a node learns the address and the name that were used', async () => {
  const { json } = await send('/v1/formats', 'GET', { 'x-forwarded-for': '192.0.2.1', host: 'cubes.example.org' });
  assert.deepEqual([json.host, json.address, json.name], ['localhost', '127.0.0.1', 'cubes.example.org']);
});

await check('figures of one node are not shown as those of all', async () => assert.equal((await send('/metrics')).status, 404));

/** An id whose home is the node, without its own traffic in the way. */
const idOf = (name) => ids.find((id) => home.get(id) === name);

await check('a node that closes without an answer: GET goes to another one', async () => {
  nodes[1].mode = 'cut';
  const answer = await send(`/v1/sessions/${idOf('b')}`);
  assert.equal(answer?.status, 200);
  assert.notEqual(answer.json.node, 'b');
});

/** Counts the deliveries of one POST to any node, and returns its answer. */
async function deliveries(to, headers = {}) {
  const before = total();
  const answer = await send(`/v1/sessions/${idOf('b')}/moves`, 'POST', headers, to);
  return { count: total() - before, status: answer?.status ?? null };
}

await check('POST is not sent again', async () => {
  for (let i = 0; i < 5; i++) {
    const { count, status } = await deliveries(balancer);
    assert.equal(count, 1);
    assert.ok(status === 502 || status === null, status);
  }
});

await check('POST with an Idempotency-Key is', async () => {
  const { count, status } = await deliveries(balancer, { 'idempotency-key': 'one' });
  assert.deepEqual([count, status], [2, 200]);
});

await check('control: without the rule POST is sent twice', async () => {
  const careless = await startHaproxy(ports, {}, (text) => text.replaceAll(/^.*disable-l7-retry.*$/gm, ''));
  const { count, status } = await deliveries(careless);
  await careless.stop();
  assert.deepEqual([count, status], [2, 200]);
});
nodes[1].mode = 'answer';

await check('a node that is gone: nothing fails, and only its sessions move', async () => {
  await nodes[2].stop();
  // At once, before a probe: the connection is refused, nothing was sent, so POST goes to another node.
  const before = total();
  assert.equal((await send(`/v1/sessions/${idOf('c')}/moves`, 'POST')).status, 200);
  assert.equal(total() - before, 1);
  let now;
  await happens(async () => { // until probes have marked it as gone, and the others, whose probes may be late, as there
    now = await homes();
    return [...home].every(([id, node]) => (node === 'c' ? ['a', 'b'].includes(now.get(id)) : now.get(id) === node));
  });
  for (const [id, node] of home) {
    if (node === 'c') assert.ok(['a', 'b'].includes(now.get(id)), `${id} is at ${now.get(id)}`);
    else assert.equal(now.get(id), node, id);
  }
});

await check('back again: they return', async () => {
  await nodes[2].start();
  await happens(async () => (await nodeOf(`/v1/sessions/${idOf('c')}`)) === 'c');
  assert.deepEqual(await homes(), home);
});

await check('a node that is not ready gets nothing', async () => {
  nodes[0].mode = 'away';
  assert.ok(await happens(async () => (await nodeOf(`/v1/sessions/${idOf('a')}`)) !== 'a'));
  const before = nodes[0].seen.length;
  for (const id of ids.slice(0, 60)) assert.ok(await nodeOf(`/v1/sessions/${id}`));
  assert.equal(nodes[0].seen.length, before);
});

await check('if no node is ready, requests wait at the nodes', async () => {
  for (const node of nodes) Object.assign(node, { mode: 'away', probes: 0 });
  await happens(() => nodes.every(({ probes }) => probes >= 10));
  for (const id of ids.slice(0, 20)) assert.ok(await happens(async () => (await nodeOf(`/v1/sessions/${id}`)) === home.get(id)), id);
  for (const node of nodes) node.mode = 'answer';
});

/** Measures how long a stream lasts, up to `ms`, if connections may be silent for a second: longer only on a slow
 * machine. */
const short = await startHaproxy(ports, { SILENT: '1s' });
const lasts = (query, ms) => new Promise((done) => {
  const begin = performance.now();
  const request = http.get(`${short.url}/stream?${query}`, (response) => {
    response.resume();
    response.on('close', () => done(performance.now() - begin)).on('error', () => {});
  });
  setTimeout(() => request.destroy(), ms);
});

await check('a stream with pings lasts beyond the longest silence', async () =>
  assert.ok(await happens(async () => (await lasts('every=200', 4000)) >= 3990)));
await check('control: a silent one is closed', async () => {
  const ms = await lasts('', PATIENCE_MS);
  assert.ok(ms < PATIENCE_MS - 1000, `it lasted ${ms} ms`);
});

await check('an address has a limit over all nodes', async () => {
  const narrow = await startHaproxy(ports, { ADDRESS_REQUESTS: 30 });
  const begin = performance.now();
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => send(`/v1/sessions/${ids[i]}`, 'GET', {}, narrow)));
  const late = performance.now() - begin > 10000; // bound: then it is another window of ten seconds
  await narrow.stop();
  const refused = answers.find(({ status }) => status === 429);
  const served = answers.filter(({ status }) => status === 200).length;
  assert.ok(late ? served >= 30 : served === 30, `${served}`);
  assert.equal(refused.headers['retry-after'], '10');
  assert.equal(refused.json.type, 'urn:cubed:problem:rate-limited');
});
await Promise.all([...nodes.map((node) => node.stop()), short.stop()]);

await check('events of the server come through at once, and the stream lasts', async () => {
  const server = await Server.start(binaryArgument(), 'memory:', ['--ping-interval-ms', '300', '--trusted-proxy', '127.0.0.1']);
  const through = await startHaproxy([server.port, server.port, server.port], { SILENT: '1s' });
  assert.ok(await happens(async () => (await send('/readyz', 'GET', {}, through))?.status === 200));
  const path = await session(through.port);
  // It lasts longer than it may be silent. On a slow machine a ping may come too late: then there is another one.
  const watcher = await happens(async () => {
    const one = new Watcher(path, '?cube=true');
    assert.equal(await one.open(through.port), 200);
    await sleep(3000); // bound: three times the longest silence
    return !one.ended && one;
  });
  for (let i = 1; i <= 20; i++) {
    const answer = await ask(through.port, 'POST', `${path}/moves`, { moves: 'R' });
    assert.equal(answer.status, 200);
    assert.ok(await watcher.at(i), `event ${i} did not come`);
  }
  assert.deepEqual([watcher.fault, watcher.connects, watcher.ended], [null, 1, false]);
  watcher.close();
  await through.stop();
  await server.stop();
});
await balancer.stop();
finish();
