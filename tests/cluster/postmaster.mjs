// postmaster.mjs: the first process of the primary (the postmaster) is killed alone, while commits wait for the standby. The
// other processes show these commits for a moment before they end, and the standby, which takes over, does not have them. A
// read or a refusal of that moment may show them; nothing that is answered later does, at any of three nodes.
// Usage: node postmaster.mjs [binary] [failovers, 3] [seed]
//
// Control: with CUBED_PLANT=keep-cache (build/cluster/cubed-planted) a wrong answer must be found after some failovers, about
// one in seven; the run then ends with 0.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { exchange } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const SESSIONS = 10;
const READERS = 12; // connections that only read: those that write wait for the standby as well
const LOAD_MS = 700;
const UNSENT_MS = 200; // the time that the primary sends nothing to its standby
const ENDING_MS = 300; // the longest time that its other processes last
const AFTER_MS = 1000;

const failovers = numberArgument(0, 3);
let seed = numberArgument(1, Date.now() % 2 ** 31);
const plant = process.env.CUBED_PLANT;

const postgres = await Postgres.start();
const store = await postgres.store(['a', 'b']);
await postgres.command('standby b a');
await postgres.command('synchronous a');
const nodes = await Nodes.start(binaryArgument(), store, 3, { seed });

/** Reads all sessions at all nodes in turn, until `over()`, as fast as it can. */
async function read(load, first, over) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = first; !over(); i++) {
    const session = load.sessions[i % SESSIONS];
    const begin = performance.now();
    const { status, text } = await exchange(nodes.urls[i % 3], agent, 'GET', session.path);
    const { revision, cube } = JSON.parse(text);
    if (status === 200) session.operations.push({ kind: 'read', begin, end: performance.now(), status, revision, state: cube.facelets });
    else await sleep(20);
  }
  agent.destroy();
}

/** Kills the first process, and the rest when they are done; answers when. */
async function killFirst(primary) {
  const first = Number(readFileSync(`${postgres.folder}/${primary}/data/postmaster.pid`, 'utf8').split('\n')[0]);
  const [, sender] = /^(\d+) .*walsender/m.exec(execFileSync('pgrep', ['-aP', String(first)], { encoding: 'utf8' }));
  process.kill(Number(sender), 'SIGSTOP');
  await sleep(UNSENT_MS);
  const begin = performance.now();
  process.kill(first, 'SIGKILL');
  await sleep(ENDING_MS);
  process.kill(Number(sender), 'SIGKILL');
  await postgres.command(`kill ${primary}`);
  return { begin, end: performance.now() };
}

async function failOver(primary, standby) {
  const load = new Load(() => nodes.urls, { seed: seed++ });
  let over = false;
  await load.create(SESSIONS);
  load.start();
  const readers = Array.from({ length: READERS }, (_, i) => read(load, i, () => over));
  await sleep(LOAD_MS);
  const moment = await killFirst(primary);
  await postgres.command(`promote ${standby}`);
  await sleep(AFTER_MS);
  over = true;
  await Promise.all(readers);
  await load.stop();
  const counts = ({ kind, status, begin, end }) => (kind === 'write' && status !== 409) || end < moment.begin || begin > moment.end;
  for (const session of load.sessions) session.operations = session.operations.filter(counts);
  const faults = await load.judge();
  await postgres.command(`standby ${primary} ${standby}`);
  await postgres.command(`synchronous ${standby}`);
  return faults;
}

let found = 0;
for (let i = 0, [primary, standby] = ['a', 'b']; i < failovers && found === 0; i++, [primary, standby] = [standby, primary]) {
  await check(`nothing wrong stays, ${i + 1} of ${failovers}, seed ${seed}`, async () => {
    const faults = await failOver(primary, standby);
    if (plant) found += faults.length;
    else assert.deepEqual(faults.slice(0, 5), []);
  });
}
if (plant) await check(`control: with ${plant} a wrong answer is found`, () => assert.ok(found > 0));
await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
