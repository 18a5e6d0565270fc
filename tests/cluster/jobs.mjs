// jobs.mjs: a search runs at one of three nodes, and every node answers for it: its state, its progress, its result, its end.
// Usage: node jobs.mjs [binary]
//
// Control: an id that no node knows is 404 at each.

import assert from 'node:assert/strict';
import http from 'node:http';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';
import { ask } from '../live/support.mjs';
import { until as waitUntil } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const STEP_MS = 100;
// Takes hours: 20 moves from solved, with the shortest solution asked for.
const LONG = { cube: { size: 3, moves: "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2" }, method: 'optimal', wait_ms: 0, timeout_ms: 300000 };
const SHORT = { cube: { size: 3, moves: "R U F' L2 D" }, wait_ms: 0 };

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3);
const [a, b, c] = nodes.servers.map(({ port }) => port);

async function begin(port, body) {
  const { status, json, text } = await ask(port, 'POST', '/v1/solve', body);
  assert.equal(status, 202, text);
  return `/v1/jobs/${json.id}`;
}

async function until(port, path, good) {
  return waitUntil(async () => {
    const { status, json, text } = await ask(port, 'GET', path);
    assert.equal(status, 200, text);
    return good(json) && json;
  }, path, STEP_MS);
}

/** The events of a job until its end: their names, and what the last one says. */
const events = (port, path) =>
  new Promise((done, failed) => {
    http.get({ host: '127.0.0.1', port, path: `${path}/events`, headers: { accept: 'application/x-ndjson' } }, (response) => {
      let text = '';
      response.on('data', (bytes) => (text += bytes));
      response.on('end', () => {
        const lines = text.trim().split('\n').map((line) => JSON.parse(line));
        done({ names: lines.map(({ event }) => event), last: lines.at(-1).data });
      });
    }).on('error', failed);
  });

await check('every node knows a job at once, and its result', async () => {
  for (let i = 0; i < 10; i++) {
    const path = await begin(a, SHORT);
    const first = await Promise.all([a, b, c].map((port) => ask(port, 'GET', path)));
    assert.deepEqual(first.map(({ status }) => status), [200, 200, 200]);
    const ends = await Promise.all([a, b, c].map((port) => until(port, path, ({ status }) => status === 'done')));
    assert.ok(ends[0].result.solution);
    for (const end of ends) assert.deepEqual(end, ends[0]);
  }
});

await check('progress is streamed by another node, and a third one cancels', async () => {
  const path = await begin(a, LONG);
  const stream = events(b, path);
  const before = await until(c, path, ({ status, progress }) => status === 'running' && progress.elapsed_ms > 0);
  await until(c, path, ({ progress }) => progress.elapsed_ms > before.progress.elapsed_ms);
  const { status, json } = await ask(c, 'DELETE', path);
  assert.deepEqual([status, json.status], [200, 'cancelled']);
  const { names, last } = await stream;
  assert.ok(names.includes('progress'), names.join());
  assert.deepEqual([names.at(-1), last.status], ['end', 'cancelled']);
  for (const port of [a, b, c]) assert.deepEqual((await ask(port, 'GET', path)).json, json);
  assert.equal((await ask(b, 'DELETE', path)).json.status, 'cancelled');
});

await check('an end that one node has told is what the others say', async () => {
  for (let i = 0; i < 20; i++) {
    const path = await begin(a, { ...SHORT, cube: { size: 3, moves: `R U F' L2 D B${i % 2 ? 2 : ''}` } });
    const { last } = await events(a, path);
    assert.equal(last.status, 'done');
    for (const port of [b, c]) {
      assert.deepEqual((await ask(port, 'GET', path)).json, last);
      assert.deepEqual((await events(port, path)).names, ['end']);
    }
  }
});

await check('control: no node knows another id', async () => {
  for (const port of [a, b, c]) {
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(port, method, `/v1/jobs/${'0'.repeat(26)}`)).status, 404);
    assert.equal((await ask(port, 'GET', `/v1/jobs/${'0'.repeat(26)}/events`)).status, 404);
  }
});

await check('the jobs of a node that is killed have failed soon', async () => {
  const path = await begin(a, LONG);
  nodes.servers[0].child.kill('SIGKILL');
  const job = await until(b, path, ({ status }) => status === 'failed');
  assert.match(job.problem.detail, /stopped/);
  assert.equal((await ask(c, 'GET', path)).json.status, 'failed');
});

await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
