// follow.mjs: the cost, for a node where ten sessions are watched, of changes that other nodes make to other sessions.
// Usage: node follow.mjs [binary] [entries a second, 2000] [seconds of each row, 10]
//
// One process writes to the database (tests/bench/cluster.c), as the lanes of a node do. CPU times are those of the scheduler:
// of all threads of the node, and of the database's processes for its connections.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { binaryArgument, numberArgument, Server } from '../api/server.mjs';
import { ask, session, Watcher } from '../live/support.mjs';
import { sleep } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { program } from './lib.mjs';

const WATCHED = 10;
const NAME = 'follower'; // of the node's connections
const rate = numberArgument(0, 2000);
const seconds = numberArgument(1, 10);

const postgres = await Postgres.shared();
const database = await postgres.database();
const conninfo = postgres.conninfo(database);
const node = await Server.start(binaryArgument(), `postgresql:${conninfo} application_name=${NAME}`);
const watchers = [];
for (let i = 0; i < WATCHED; i++) {
  const watcher = new Watcher(await session(node.port));
  await watcher.open(node.port);
  watchers.push(watcher);
}

const cpuMs = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);

async function look() {
  const metrics = (await ask(node.port, 'GET', '/metrics')).text;
  const pids = (await postgres.sql(`SELECT pid FROM pg_stat_activity WHERE application_name = '${NAME}'`)).split('\n');
  return {
    questions: Number(/^cubed_gate_rounds_total (\d+)$/m.exec(metrics)[1]),
    batches: Number(await postgres.sql('SELECT coalesce(sum(n), 0) FROM (SELECT max(batch) AS n FROM cubed.change GROUP BY lane) c', database)),
    node: cpuMs(node.child.pid),
    database: pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
    at: performance.now(),
  };
}

/** Writes at that rate in batches of that size while `seconds` pass; answers what each second took. */
async function measure(size) {
  const writer = size > 0 ? spawn(program('cluster'), ['write', `postgresql:${conninfo}`, rate, size, seconds + 2].map(String), { stdio: ['ignore', 'pipe', 'inherit'] }) : null;
  const lines = [];
  const ended = writer && new Promise((done) => writer.once('close', done));
  if (writer) await Promise.race([new Promise((ready) => { createInterface({ input: writer.stdout }).on('line', (line) => (line === 'ready' ? ready() : lines.push(line))); }), ended]);
  await sleep(1000);
  const before = await look();
  await sleep(seconds * 1000);
  const after = await look();
  await ended;
  const per = (key) => (after[key] - before[key]) / ((after.at - before.at) / 1000);
  return { size, entries: Number(lines[0]?.split(' ')[1] ?? 0), batches: per('batches'), questions: per('questions'), node: per('node'), database: per('database') };
}

console.log('| size | entries/s | batches/s | questions/s | node, ms/s | database, ms/s |\n|--:|--:|--:|--:|--:|--:|');
for (const size of [0, 1, 8, 64]) {
  const { entries, batches, questions, node: ours, database: theirs } = await measure(size);
  console.log(`| ${size} | ${entries.toFixed(0)} | ${batches.toFixed(0)} | ${questions.toFixed(0)} | ${ours.toFixed(1)} | ${theirs.toFixed(1)} |`);
}
watchers.forEach((watcher) => watcher.close());
await node.stop();
await postgres.stop();
