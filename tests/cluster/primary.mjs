// primary.mjs: the primary is gone (kill -9 of all its processes) and its standby is promoted, again and again, under load at
// three nodes: nothing that was answered is lost or doubled, and a write that is sent again until it is answered is done
// once. Usage: node primary.mjs [binary] [failovers, 5] [seed]
//
// Control: with a standby that the primary does not wait for, and that is behind, the run must find lost entries.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { happens, sleep } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Load } from './load.mjs';

const SESSIONS = 10;
const LOAD_MS = 1500;
const BEHIND_MS = 300;

const failovers = numberArgument(0, 5);
const seed = numberArgument(1, Date.now() % 2 ** 31);

async function answersAgain(load) {
  const before = load.tally['write 200'];
  await happens(() => load.tally['write 200'] >= before + 20 || load.stopping);
  assert.ok(load.tally['write 200'] >= before + 20, `no write is answered: ${JSON.stringify(load.tally)}`);
}

/** The standby is perhaps behind for a while; then the primary is gone, and the standby takes its place. */
async function failOver(postgres, primary, standby, behind, load) {
  if (behind) {
    await postgres.command(`silence ${primary}`);
    await sleep(BEHIND_MS);
    if (load) await answersAgain(load); // they are not waited for, and will be lost
  }
  await postgres.command(`kill ${primary}`);
  await postgres.command(`promote ${standby}`);
}

async function run(count, synchronous) {
  const postgres = await Postgres.start();
  const store = await postgres.store(['a', 'b']);
  await postgres.command('standby b a');
  if (synchronous) await postgres.command('synchronous a');
  const nodes = await Nodes.start(binaryArgument(), store, 3, { seed });
  const load = new Load(() => nodes.urls, { seed });
  await load.create(SESSIONS);
  load.start();
  try {
    for (let i = 0, [primary, standby] = ['a', 'b']; i < count; i++, [primary, standby] = [standby, primary]) {
      await sleep(LOAD_MS);
      await failOver(postgres, primary, standby, !synchronous || i % 2 === 1, synchronous ? null : load);
      await answersAgain(load);
      await postgres.command(`standby ${primary} ${standby}`);
      if (synchronous) await postgres.command(`synchronous ${standby}`);
    }
    await sleep(LOAD_MS);
  } finally {
    await load.stop();
  }
  const faults = await load.judge();
  assert.equal((await nodes.stop()).code, 0, nodes.log);
  await postgres.stop();
  console.log(`${count} failovers, ${load.done} answers, longest pause ${Math.round(load.pause)} ms: ${JSON.stringify(load.tally)}`);
  return faults;
}

await check(`nothing is lost or doubled, seed ${seed}`, async () => assert.deepEqual((await run(failovers, true)).slice(0, 5), []));
await check(`control: a standby that is not waited for loses entries, seed ${seed}`, async () => {
  const faults = await run(1, false);
  assert.ok(faults.some((fault) => /is lost|another entry is stored/.test(fault)), `no loss was found, ${faults.length} faults`);
});
finish();
