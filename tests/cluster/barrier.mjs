// barrier.mjs: what no standby has yet is neither answered nor shown, also where PostgreSQL shows it: after the wait for the
// standby was cancelled, and after the primary crashed and started again. Usage: node barrier.mjs [binary]
//
// Control: with CUBED_PLANT=no-barrier (build/cluster/cubed-planted) a node shows it, which must be found; the run then ends
// with 0.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';
import { ask, session } from '../live/support.mjs';
import { happens, sleep, until } from '../support/patience.mjs';
import { Nodes } from '../support/nodes.mjs';
import { Postgres } from '../support/postgres.mjs';

const QUIET_MS = 1500; // bound: nothing comes; the control waits until it does

const plant = process.env.CUBED_PLANT;

const postgres = await Postgres.start();
const database = await postgres.database();
await postgres.command('standby b a');
await postgres.command('synchronous a');
const nodes = await Nodes.start(binaryArgument(), `postgresql:${postgres.conninfo(database)}`, 2);
const [a, b] = nodes.servers;
const path = await session(a.port);

/** A request, and whether and how it was answered so far. */
function begin(...request) {
  const asked = { answer: undefined };
  asked.ended = ask(...request).then((answer) => { asked.answer = answer; });
  return asked;
}

const waiting = () => postgres.sql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query ~ '^WITH done'");
const stored = async () => Number(await postgres.sql("SET synchronous_commit = off; SELECT coalesce(max(revision), 0) FROM cubed.session", database));
/** A read that shows the revision while the standby stands still. */
const shows = (asked, revision) => asked.answer?.status === 200 && asked.answer.json.revision >= revision;

/** A write that waits for the frozen standby, and its revision. A node confirms now and then that its server is the
 * primary; if it does so first, the write waits for that, and another one is tried. */
async function waitingWrite() {
  return until(async () => {
    const revision = (await stored()) + 1;
    await postgres.command('freeze b');
    const write = begin(a.port, 'POST', `${path}/moves`, { moves: 'R' });
    for (let i = 0; i < 50 && !write.answer; i++) { // bound: else another one is tried
      if ((await waiting()) !== '') return { write, revision };
      await sleep(20);
    }
    await postgres.command('thaw b');
    await write.ended;
    return null;
  }, 'a write waits for the standby');
}

async function run(make_visible) {
  const { write, revision } = await waitingWrite();
  await make_visible();
  await until(async () => (await stored()) >= revision, 'the entry is visible in the database');
  const reads = [begin(a.port, 'GET', path), begin(b.port, 'GET', path)];
  // If only a wait was cancelled, trusted connections already see the entry.
  const shown = () => (make_visible === cancel ? 0 : reads.filter((asked) => shows(asked, revision)).length);
  const seen = () => shown() + (write.answer?.status === 200 ? 1 : 0);
  if (plant && make_visible !== cancel) await happens(seen);
  else await sleep(QUIET_MS);
  const early = seen();
  await postgres.command('thaw b');
  await Promise.all([write, ...reads].map(({ ended }) => ended));
  return { early, revision, write: write.answer, reads: reads.map(({ answer }) => answer) };
}

const cancel = async () => {
  for (const pid of (await waiting()).split('\n')) await postgres.sql(`SELECT pg_cancel_backend(${pid})`);
};
const crash = async () => {
  await postgres.command('kill a');
  await postgres.command('start a');
};

let found = 0;
for (const [name, make_visible] of [['its wait was cancelled', cancel], ['the primary crashed', crash]]) {
  await check(`an entry that no standby has is not shown after ${name}`, async () => {
    const { early, revision, write, reads } = await run(make_visible);
    found += early;
    if (plant) return;
    assert.equal(early, 0, 'shown or answered before the standby had it');
    assert.equal(write?.status, 200, write?.text);
    for (const answer of reads) assert.equal(answer?.status, 200, answer?.text);
    assert.equal((await ask(b.port, 'GET', path)).json.revision, revision);
  });
}
if (plant) await check(`control: with ${plant} it is found`, () => assert.ok(found > 0));
await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
