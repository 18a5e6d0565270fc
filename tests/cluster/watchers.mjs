// watchers.mjs: watchers at three nodes see each entry once and in order, while nodes are killed and stopped and
// started again, and go on at another node where they were; what is written and read meanwhile is one history. A write that
// is sent again until it is answered is done once. Usage: node watchers.mjs [binary] [ends of nodes, 8] [seed]
//
// Control: with CUBED_PLANT=skip-changes (build/cluster/cubed-planted) some of the others' changes are not reported to a node,
// and the run must find it; it then ends with 0. With no-hints there must not be a fault.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { Watcher } from '../live/support.mjs';
import { generator } from '../proof/support.mjs';
import { happens, sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const SESSIONS = 6;
const WATCHERS = 3; // of each session
const EACH_MS = 2000;
const EACH_ANSWERS = 500;
const CATCH_UP_MS = 20000; // bound: of a control, in which not all catch up

const ends = numberArgument(0, 8);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const plant = process.env.CUBED_PLANT;
const random = generator(seed + 1);

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 3, { seed, flags: ['--ping-interval-ms', '300'] });
const load = new Load(() => nodes.urls, { seed, clients: 12, keys: 80 });
await load.create(SESSIONS);
const watchers = load.sessions.flatMap(({ path }) => Array.from({ length: WATCHERS }, () => new Watcher(path, '?cube=true')));

let done = false;
/** A watcher that was cut off goes on at any node, like an EventSource. */
async function keep(watcher) {
  while (!done) {
    const { there } = nodes;
    if (watcher.ended && there.length > 0) await watcher.open(there[random(there.length)].port);
    await sleep(10);
  }
}

/** For a while, and until so many requests were answered. */
async function work() {
  const before = load.done;
  await sleep(EACH_MS);
  await happens(() => load.done >= before + EACH_ANSWERS || load.stopping);
}

const kept = watchers.map(keep);
while (watchers.some(({ states }) => states === 0)) await sleep(10);
load.start();
const first = random(3);
for (let i = 0; i < ends; i++) {
  await work();
  const how = i % 3 === 2 ? 'stop' : 'kill';
  // In turn: after its restart a node has no watchers, until another one ends.
  const { code } = (await nodes.restart((first + i + Math.floor(i / 3)) % 3, how)) ?? {};
  if (how === 'stop') await check(`a node that is stopped under load ends well, seed ${seed}`, () => assert.equal(code, 0));
}
await work();
await check(`load, seed ${seed}`, () => load.stop());
const faults = await load.judge();

const catchUp = sleep(CATCH_UP_MS);
for (const { path, operations } of load.sessions) {
  const newest = Math.max(...operations.filter(({ kind, status }) => kind === 'write' && status === 200).map(({ revision }) => revision));
  for (const watcher of watchers.filter((one) => one.path === path)) {
    if (!(await Promise.race([watcher.at(newest), ...(plant && plant !== 'no-hints' ? [catchUp] : [])])) && !(watcher.revision >= newest)) faults.push(`${path}: a watcher is at ${watcher.revision}, not ${newest}`);
    if (watcher.fault !== null) faults.push(`${path}: a watcher saw ${watcher.fault}`);
    if (watcher.resyncs > 0 || watcher.states !== 1) faults.push(`${path}: a watcher had ${watcher.resyncs} resyncs and ${watcher.states} states`);
  }
}
done = true;
await Promise.all(kept);
if (plant && plant !== 'no-hints') {
  await check(`control: with ${plant} faults are found`, () => assert.ok(faults.length > 0));
  console.log(`${faults.length} faults, as it should be`);
} else {
  await check('what all saw is one history, and watchers saw each entry once', () => assert.deepEqual(faults.slice(0, 5), []));
  await check('every write with a key was answered', () => assert.ok(Object.keys(load.tally).every((name) => / (0|200|409|503)/.test(name)), JSON.stringify(load.tally)));
}
await check('watchers went on at other nodes', () => assert.ok(watchers.reduce((sum, { connects }) => sum + connects, 0) > watchers.length + ends));
watchers.forEach((watcher) => watcher.close());
await check('the nodes end well', async () => {
  assert.equal((await nodes.stop()).code, 0, nodes.log);
  assert.doesNotMatch(nodes.log, /ThreadSanitizer|AddressSanitizer|runtime error/);
});
await postgres.stop();
console.log(`${load.done} answers, ${watchers.reduce((sum, { entries }) => sum + entries, 0)} events: ${JSON.stringify(load.tally)}`);
finish();
