// hints.mjs: a node asks at once for changes of sessions that are watched there, or that a long poll waits for, and lets hints
// about other sessions pass. Usage: node hints.mjs [binary]
//
// Control: with CUBED_PLANT=other-hints (build/cluster/cubed-planted) hints name other sessions, and the run must find it; it
// then ends with 0. Events come even so, since no answer depends on a hint.

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';
import { ask, session, Watcher } from '../live/support.mjs';
import { Nodes } from '../support/nodes.mjs';
import { PATIENCE_MS, until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';

const OTHERS = 5;
const planted = process.env.CUBED_PLANT === 'other-hints';

const postgres = await Postgres.shared();
const nodes = await Nodes.start(binaryArgument(), await postgres.store(), 2);
const [a, b] = nodes.servers.map(({ port }) => port);

/** The hints that b has heard, and those that it asked for. */
async function hints() {
  const { text } = await ask(b, 'GET', '/metrics');
  const [heard, followed] = ['hints', 'hints_followed'].map((name) => Number(new RegExp(`^cubed_gate_${name}_total (\\d+)$`, 'm').exec(text)[1]));
  return { heard, followed };
}

/** Turns the cube at a; answers whether b followed the hint. */
async function followsTurn(path) {
  const before = await hints();
  const { status, text } = await ask(a, 'POST', `${path}/moves`, { moves: 'R' });
  assert.equal(status, 200, text);
  const after = await until(async () => {
    const now = await hints();
    return now.heard > before.heard && now;
  }, 'no hint');
  return after.followed > before.followed;
}

await until(async () => (await hints()).heard > 0, 'b does not listen'); // it asks once when it begins to
const others = [];
for (let i = 0; i < OTHERS; i++) others.push(await session(a));
const watched = await session(a);
const polled = await session(a);

await check('where nobody watches, no hint is followed', async () => {
  for (const path of [watched, ...others]) assert.equal(await followsTurn(path), false);
});

const watcher = new Watcher(watched);
assert.equal(await watcher.open(b), 200);
await until(() => watcher.states > 0, 'no state');

await check('hints about sessions that are not watched are not followed', async () => {
  for (const path of [...others, polled]) assert.equal(await followsTurn(path), false);
});

await check(planted ? 'control: a hint with another session is not followed' : 'a hint about a watched session is followed', async () => {
  assert.equal(await followsTurn(watched), !planted);
});

await check('those who watch see the entry', async () => assert.ok(await watcher.at(2), watcher.fault));

await check(planted ? 'control: nor is one for a long poll' : 'a hint about a session that a long poll waits for is followed', async () => {
  const polls = async () => /^cubed_long_polls 1$/m.test((await ask(b, 'GET', '/metrics')).text);
  const poll = ask(b, 'GET', `${polled}/history?after=1&wait_ms=60000`);
  await until(polls, 'nobody waits');
  assert.equal(await followsTurn(polled), !planted);
  assert.equal((await poll).json.items.length, 1);
  assert.equal(await followsTurn(polled), false, 'it is not followed when the poll has ended');
});

await check('a hint is not followed when nobody watches any more', async () => {
  watcher.close();
  // The session stays a topic for the grace of a watcher that left.
  for (const end = performance.now() + PATIENCE_MS; await followsTurn(watched); ) assert.ok(performance.now() < end, 'it is still followed');
});

await check('the nodes end well', async () => assert.equal((await nodes.stop()).code, 0, nodes.log));
await postgres.stop();
finish();
