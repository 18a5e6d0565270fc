// linearizable.mjs: what clients of three nodes on PostgreSQL see has one order, which is searched without believing the
// server's revisions (tests/proof/linearizable.mjs), while nodes and the database stand still (SIGSTOP) and nodes are killed.
// Usage: node linearizable.mjs [binary] [operations, 5000] [seed]
//
// Controls: with CUBED_PLANT (build/cluster/cubed-planted, see planted_faults.c) a session without an order must be found. A race
// may stay hidden by chance, so rounds are repeated until it is found, ROUNDS at most. slow-answers and no-hints are not faults.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { assertOrdered, assertVaried, report, searchBursts } from '../proof/bursts.mjs';
import { Nodes } from '../support/nodes.mjs';
import { sleep } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';

const NODES = 3;
const ROUNDS = 20;
const STILL_MS = 600; // at most
const STORE_WAIT_MS = 400; // less than that, so that some writes are answered "made or not"
const HARMLESS = ['slow-answers', 'no-hints'];

const operations = numberArgument(0, 5000);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const plant = process.env.CUBED_PLANT;
const isFault = plant && !HARMLESS.includes(plant);

const postgres = await Postgres.start();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), NODES, { seed, flags: ['--store-wait-ms', String(STORE_WAIT_MS)] });

const disturbances = {
  async 'a node stood still'(random) {
    const { child } = nodes.servers[random(NODES)];
    child.kill('SIGSTOP');
    await sleep(random(STILL_MS));
    child.kill('SIGCONT');
  },
  async 'the database stood still'(random) {
    await postgres.command('freeze a');
    await sleep(random(STILL_MS));
    await postgres.command('thaw a');
  },
  async 'a node was killed'(random) {
    await nodes.restart(random(NODES), 'kill');
  },
};
const plan = ['a node stood still', 'the database stood still', 'a node stood still', 'the database stood still', 'a node was killed'];

const begin = performance.now();
const round = (number) => searchBursts({ urls: () => nodes.urls, seed: seed + 1000 * number, operations, disturbances, plan });
const isFound = ({ faults }) => faults.some((fault) => fault.includes('impossible'));
let total = await round(0);
for (let number = 1; isFault && !isFound(total) && number < ROUNDS; number++) total = await round(number);
if (isFault) {
  await check(`control: with ${plant} a session without an order is found, seed ${seed}`, () => assert.ok(isFound(total)));
} else {
  await check(`every session has an order, seed ${seed}`, () => assertOrdered(total, seed));
  await check('there was something to see', () => assertVaried(total));
}
await check('the nodes end well', async () => {
  const { code } = await nodes.stop();
  assert.equal(code, 0, nodes.log);
});
await postgres.stop();
report(total, begin);
finish();
