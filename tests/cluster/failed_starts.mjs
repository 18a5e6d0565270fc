// failed_starts.mjs: starts that fail, and processes that never write, leave nothing behind that other nodes would have to
// look at with each read: no row of cubed.lane, and no more rows to visit for the question of the gate.
// Usage: node failed_starts.mjs [binary] [starts, 60]. With 1000 it also prints how long a GET takes, before and after.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';

const TOGETHER = 4; // as many starts at once
const GETS = 2000;

const starts = numberArgument(0, 60);
const binary = binaryArgument();
const postgres = await Postgres.shared();
const database = await postgres.database();
const store = `postgresql:${postgres.conninfo(database)}`;
const sql = (statement) => postgres.sql(`SET search_path = cubed; ${statement}`, database);
const lanes = async () => Number(await sql('SELECT count(*) FROM lane'));
const processes = async () => Number(await sql('SELECT count(*) FROM process'));

/** Runs a server that ends by itself; answers its exit status and what it printed. */
function startAndFail(flags) {
  const child = spawn(binary, ['--store', store, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => { log += bytes; });
  return new Promise((done) => { child.once('close', (code) => done({ code, log })); });
}

async function times(count, one) {
  let left = count;
  await Promise.all(Array.from({ length: TOGETHER }, async () => {
    while (left-- > 0) await one();
  }));
}

/** Returns the cost of the gate's question for a reader that has seen nothing: rows of `lane`, and the number of looks
 * into `change`. */
async function visited() {
  const text = await until(async () => {
    await ask(node.port, 'GET', path);
    return sql("SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT m.incarnation%' LIMIT 1");
  }, 'a question of the gate');
  const plan = await sql(`PREPARE question AS ${text}; EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE question ('{}', '{}')`);
  const costs = { lane: (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], change: (node) => node['Actual Loops'] };
  const sum = (node) => (costs[node['Relation Name']]?.(node) ?? 0) + (node.Plans ?? []).reduce((all, part) => all + sum(part), 0);
  return sum(JSON.parse(plan)[0].Plan);
}

/** The fastest and the middle of many GETs, in ms. */
async function measure(port, path) {
  const all = [];
  for (let i = 0; i < GETS; i++) {
    const begin = performance.now();
    await ask(port, 'GET', path);
    all.push(performance.now() - begin);
  }
  all.sort((a, b) => a - b);
  return `${all[0].toFixed(3)} ms at least, ${all[GETS / 2].toFixed(3)} ms in the middle`;
}

const node = await Server.start(binary, store);
const path = await session(node.port);
await ask(node.port, 'POST', `${path}/moves`, { moves: 'R' });
const before = { lanes: await lanes(), processes: await processes(), visited: await visited() };
if (starts >= 1000) console.log(`GET before: ${await measure(node.port, path)}`);

await check('a node that has written has one lane', () => assert.equal(before.lanes, 1));

const garbage = join(temporaryDirectory(), 'cert.pem');
writeFileSync(garbage, 'no certificate');
const failures = [
  ['a port in use', () => ['--listen', `127.0.0.1:${node.port}`], /in use/],
  ['a bad certificate', () => ['--listen', '127.0.0.1:0', '--tls-cert', garbage, '--tls-key', garbage], /certificate|cert\.pem/],
];
for (const [what, flags, reason] of failures)
  await check(`${starts / 2} starts fail: ${what}`, async () => {
    await times(starts / 2, async () => {
      const { code, log } = await startAndFail(flags());
      assert.equal(code, 1, log);
      assert.match(log, reason);
    });
    assert.equal(await lanes(), before.lanes);
    assert.equal(await processes(), before.processes);
  });

await check('stopped and killed without a write', async () => {
  for (const how of ['stop', 'kill', 'stop', 'kill']) {
    const other = await Server.start(binary, store);
    assert.equal((await ask(other.port, 'GET', path)).status, 200);
    await other[how]();
  }
  assert.equal(await lanes(), before.lanes);
});

await check('a GET is as cheap as before', async () => {
  assert.equal(await visited(), before.visited);
});
if (starts >= 1000) console.log(`GET after:  ${await measure(node.port, path)}`);

// The control: each lane that is there costs a row, and a look.
await check('what the question costs is measured', async () => {
  await sql("INSERT INTO lane (lane, node) SELECT -n, 'x' FROM generate_series(1, 50) n");
  assert.equal(await visited(), before.visited + 100);
  await sql('DELETE FROM lane WHERE lane < 0');
});

await check('the gauge counts lanes', async () => {
  const gauge = async () => Number(/^cubed_store_lanes (\d+)$/m.exec((await ask(node.port, 'GET', '/metrics')).text)?.[1]);
  await until(async () => (await gauge()) === 1, async () => `${await gauge()} lanes`, 200);
  const second = await Server.start(binary, store);
  await session(second.port);
  assert.equal(await lanes(), 2);
  await until(async () => (await gauge()) === 2, async () => `${await gauge()} lanes`, 200);
  assert.equal((await second.stop()).code, 0, second.log);
});

await check('lanes with batches stay: others may not have read them', async () => assert.equal(await lanes(), 2));

await node.stop();
await postgres.stop();
finish();
