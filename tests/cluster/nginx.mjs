// nginx.mjs: docker/cluster/nginx.conf. All requests of a session go to one node; a node that is gone, or that hangs, is left
// out after the first request; POST is not sent twice; streams pass at once.
//
//     node tests/cluster/nginx.mjs
//
// The nodes are stand-ins that say who they are.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';
import { ask } from '../live/support.mjs';
import { until } from '../support/patience.mjs';
import { freePort, installed, listens } from './haproxy.mjs';

const SESSIONS = 90;
const NAMES = ['a', 'b', 'c'];

/** A node that answers its name; `hangs`: it takes requests and does not answer. */
class Node {
  hangs = false;
  seen = 0;

  constructor(name, port) {
    Object.assign(this, { name, port });
    this.server = http.createServer((request, response) => {
      this.seen++;
      if (this.hangs) return;
      const { host, 'x-forwarded-for': address, 'x-forwarded-host': place } = request.headers;
      if (!request.url.includes('/events')) return response.end(JSON.stringify({ node: name, host, address, place }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
    });
  }

  start() {
    return new Promise((done) => this.server.listen(this.port, '127.0.0.1', done));
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}

const nodes = [];
for (const name of NAMES) nodes.push(new Node(name, await freePort()));
await Promise.all(nodes.map((node) => node.start()));

const port = await freePort();
const folder = temporaryDirectory();
const file = join(folder, 'nginx.conf');
const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
const original = readFileSync(new URL('../../docker/cluster/nginx.conf', import.meta.url), 'utf8');
const text = nodes.reduce((changed, node, i) => changed.replace(`10.0.0.${i + 1}:8080`, `127.0.0.1:${node.port}`), original)
  .replace('listen 8080', `listen 127.0.0.1:${port}`)
  .replace('http {', `http { ${paths.join(' ')}`);
writeFileSync(file, `daemon off; master_process off; pid ${folder}/pid;\n${text}`);
const child = spawn(installed('nginx'), ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
let log = '';
child.stderr.on('data', (bytes) => (log += bytes));
process.on('exit', () => child.kill('SIGKILL'));
await until(async () => {
  if (child.exitCode !== null) throw new Error(`nginx did not start: ${log}`);
  return listens(port);
}, () => `nginx listens: ${log}`);

const send = (path, method = 'GET', headers = {}) => ask(port, method, path, method === 'POST' ? {} : undefined, headers);
const ids = Array.from({ length: SESSIONS }, (_, i) => (i * 2654435761 % 2 ** 32).toString(36).padStart(16, 'q'));
const home = new Map();
const nodeOf = async (id, rest = '') => {
  const answer = await send(`/v1/sessions/${id}${rest}`);
  assert.equal(answer?.status, 200, `${id}${rest}`);
  return JSON.parse(answer.text).node;
};
for (const id of ids) home.set(id, await nodeOf(id));
const idsOf = (name) => ids.filter((id) => home.get(id) === name);

await check('all requests of a session go to one node', async () => {
  for (const id of ids.slice(0, 20)) for (const rest of ['?as=moves', '/cube', '/history?after=3']) assert.equal(await nodeOf(id, rest), home.get(id));
});
await check('each node has its share', () => {
  for (const name of NAMES) assert.ok(idsOf(name).length > SESSIONS / 6, `${name}: ${idsOf(name).length}`);
});
await check('a node learns the address and the name that were used', async () => {
  const { host, address, place } = JSON.parse((await send('/v1/formats', 'GET', { host: 'cubes.example.org' })).text);
  assert.deepEqual([host, address, place], ['localhost', '127.0.0.1', 'cubes.example.org']);
});
await check('figures of one node are not shown as those of all', async () => assert.equal((await send('/metrics')).status, 404));
await check('events pass at once', async () => {
  for (const path of [`/v1/sessions/${ids[0]}/events`, '/v1/events?ticket=x']) {
    await new Promise((done, failed) => {
      const request = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => response.once('data', () => (request.destroy(), done())));
      request.on('error', failed);
    });
  }
});

let hung;
await check('a node that hangs: a GET is answered by another one, a POST by 504, each once', async () => {
  const [node] = nodes;
  const [first, second] = idsOf('a');
  node.hangs = true;
  hung = performance.now();
  const before = nodes.reduce((sum, { seen }) => sum + seen, 0);
  const [read, written] = await Promise.all([send(`/v1/sessions/${first}`), send(`/v1/sessions/${second}/moves`, 'POST')]);
  assert.deepEqual([read?.status, written?.status], [200, 504]);
  assert.equal(nodes.reduce((sum, { seen }) => sum + seen, 0) - before, 3);
});
await check('then it is left out', async () => {
  const { seen } = nodes[0];
  for (const id of idsOf('a').slice(2, 12)) assert.notEqual(await nodeOf(id), 'a');
  const late = performance.now() - hung > 30000; // bound: then it is tried again
  assert.ok(late || nodes[0].seen === seen, `${nodes[0].seen - seen} requests`);
});
await check('a node that is gone: nothing fails, POST neither', async () => {
  await nodes[1].stop();
  for (const id of idsOf('b').slice(0, 5)) assert.equal((await send(`/v1/sessions/${id}/moves`, 'POST'))?.status, 200);
});
await Promise.all([nodes[0].stop(), nodes[2].stop()]);
finish();
