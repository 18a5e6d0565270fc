// linear.mjs: what clients of three nodes see of the same sessions is one history: no entry lost or doubled, each answer at
// least as new as all that ended before it was asked for. Usage: node linear.mjs [binary] [answers, 30000] [seed]
//
// Controls: with CUBED_PLANT (build/cluster/cubed-planted, see planted_faults.c) the run must find what that fault does, and
// ends with 0 then. A race may stay hidden by chance, so rounds are repeated until it is found, ROUNDS at most. Without hints
// there must not be a fault.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const NODES = 3;
const SESSIONS = 20;
const ROUNDS = 20;
const PAST = /after \d+ had been answered/;
const FOUND = { 'open-gate': PAST, 'own-lanes': PAST, 'skip-rows': PAST, numbers: /another cube/ };

const answers = numberArgument(0, 30000);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const plant = process.env.CUBED_PLANT;

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), NODES, { seed });
const isFound = (faults) => faults.some((fault) => FOUND[plant].test(fault));

/** New sessions under load until there are enough answers, and what was wrong with these. */
async function round(number) {
  const load = new Load(() => nodes.urls, { seed: seed + number });
  await load.create(SESSIONS);
  load.start();
  while (load.done < answers && !load.stopping) await sleep(20);
  await check(`load, seed ${seed + number}`, () => load.stop());
  return { load, faults: await load.judge() };
}

const begin = performance.now();
let { load, faults } = await round(0);
for (let number = 1; FOUND[plant] && !isFound(faults) && number < ROUNDS; number++) ({ load, faults } = await round(number));
if (FOUND[plant]) {
  await check(`control: what ${plant} does is found, seed ${seed}`, () => assert.ok(isFound(faults), `${faults.length} faults, none of that kind: ${faults[0]}`));
  console.log(`${faults.length} faults, as it should be`);
} else {
  await check('what all saw is one history, and the one that is stored', () => assert.deepEqual(faults.slice(0, 5), []));
  await check('every request was answered', () => assert.deepEqual(load.wrong, []));
}
await check('there was something to see', () => {
  const { tally } = load;
  assert.ok(tally['write 200'] > answers / 5 && tally['read 200'] > answers / 5 && tally['write 409'] > answers / 100, JSON.stringify(tally));
});
await check('the nodes end well, and no race was reported', async () => {
  const { code } = await nodes.stop();
  assert.equal(code, 0, nodes.log);
  assert.doesNotMatch(nodes.log, /ThreadSanitizer|AddressSanitizer|runtime error/);
});
await postgres.stop();
console.log(`${load.done} answers in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${JSON.stringify(load.tally)}`);
finish();
