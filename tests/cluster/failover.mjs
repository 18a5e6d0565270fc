// failover.mjs: docker/compose-cluster.yaml without containers (stack.mjs) under load, while a node or its database fails in
// seven ways. What clients saw at three nodes and through haproxy must be one history, the one that is stored afterwards;
// watchers get each event once, in order, over streams that stay; and the incarnation stays.
//
//     node tests/cluster/failover.mjs [PATH_TO_BINARY] [TRIES of each kind, 10] [SEED] [KIND]...
//
// Control: without a synchronous standby (Patroni's synchronous_mode off) a lost machine must lose something that was
// acknowledged, the same checks must find it, and the nodes must notice: another incarnation.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { Watcher } from '../live/support.mjs';
import { generator } from '../proof/support.mjs';
import { happens, sleep } from '../support/patience.mjs';
import { Load } from './load.mjs';
import { Stack } from './stack.mjs';

const SESSIONS = 20;
const CLIENTS = 48;
const WATCHERS = 6;
const BEFORE_MS = 2500; // of load, before the failure
const AFTER_MS = 2500; // after changes are accepted again
const UNSENT_MS = 300; // the time that the primary sends nothing to its standby before its machine is lost
const DOWN_MS = 1500; // the time that a node is down
const FROZEN_MS = 40000; // longer than Patroni's ttl: another one is the primary by then

/** The kinds of failures; each returns what has to be done afterwards, if anything. */
const KINDS = {
  /** One of the three nodes is killed. */
  async node(stack) {
    const node = stack.nodes[random(stack.nodes.length)];
    node.signal('SIGKILL');
    await sleep(DOWN_MS);
    node.start();
    await happens(() => stack.answers(`http://${node.address}:8080/readyz`), 50);
  },
  /** The primary ends connections, many times. */
  async backend(stack, primary) {
    for (let i = 0; i < 20; i++) {
      stack.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'cubed' AND random() < 0.4", primary);
      await sleep(200);
    }
  },
  /** An operator lets the standby take over. */
  async switch(stack, primary) {
    const body = JSON.stringify({ leader: primary.name });
    const answer = await fetch(`http://${primary.address}:8008/switchover`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  },
  /** The first process of PostgreSQL is killed: Patroni starts it again, or the standby takes over. */
  async crash(stack, primary) {
    process.kill(primary.postmaster(), 'SIGKILL');
  },
  /** The primary's machine is lost, after it sent nothing to its standby for a moment. */
  async machine(stack, primary) {
    const sender = primary.pids().find((pid) => commandOf(pid).includes('walsender'));
    process.kill(sender, 'SIGSTOP');
    await sleep(UNSENT_MS);
    primary.kill();
    return () => primary.start();
  },
  /** The primary's machine stands still, and goes on when another one is the primary. */
  async freeze(stack, primary) {
    primary.signal('SIGSTOP');
    await sleep(FROZEN_MS);
    primary.signal('SIGCONT');
  },
  /** It stands still, and its watchdog resets it before another one can be the primary. */
  async watchdog(stack, primary) {
    const { resets } = primary.watchdog;
    primary.signal('SIGSTOP');
    const reset = await happens(() => primary.watchdog.resets > resets);
    assert.ok(reset, 'the watchdog resets the machine');
    assert.ok(!(await stack.primary()), 'before another one is the primary');
    return () => primary.start();
  },
};

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const tries = numberArgument(0, 10);
let seed = numberArgument(1, Date.now() % 2 ** 31);
const random = generator(seed);
const chosen = process.argv.slice(2).filter((argument) => argument in KINDS || argument === 'control');
const binary = binaryArgument();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(130));

const incarnation = async (stack) => stack.sql('SELECT incarnation FROM cubed.meta', await stack.primary(), 'cubed');

/** Opens it again when its stream ends, as an EventSource does, until `over()`. */
async function keep(watcher, stack, over) {
  const { hostname, port } = new URL(stack.url);
  while (!over()) {
    if (watcher.ended) await watcher.open(Number(port), { host: hostname });
    await sleep(50);
  }
}

/** One try; answers what was found. */
async function attempt(stack, kind, watched) {
  const load = new Load(() => [...stack.urls, stack.url], { seed: seed++, clients: CLIENTS });
  await load.create(SESSIONS);
  const before = await incarnation(stack);
  let over = false;
  const watchers = load.sessions.slice(0, watched).map(({ path }) => new Watcher(path));
  const kept = watchers.map((watcher) => keep(watcher, stack, () => over));
  load.start();
  await sleep(BEFORE_MS);
  const begin = performance.now();
  const repair = await KINDS[kind](stack, await stack.primary());
  const back = await happens(() => load.answeredAt > begin && performance.now() - load.answeredAt < 500 /* bound: changes are answered just now */ && load.pause > 0);
  // A frozen or lost machine stops answers only after a moment: wait for the one that takes its place.
  if (!['backend', 'node'].includes(kind)) await happens(() => stack.primary(), 200);
  await happens(() => performance.now() - load.answeredAt < 200); // bound: changes are answered just now
  await sleep(AFTER_MS);
  await load.stop();
  const faults = await load.judge();
  await Promise.all(watchers.map((watcher, i) => watcher.at(load.sessions[i].newest, 10000)));
  over = true;
  await Promise.all(kept);
  for (const watcher of watchers) watcher.close();
  const after = await incarnation(stack);
  if (repair) repair();
  const replicated = await happens(() => stack.replicated(), 500);
  return { load, faults, watchers, back, replicated, kept: before === after, pause: load.pause };
}

function judgeWatchers({ load, watchers }) {
  watchers.forEach((watcher, i) => {
    assert.equal(watcher.fault, null);
    assert.equal(watcher.resyncs, 0);
    assert.equal(watcher.revision, load.sessions[i].newest, 'it has seen all');
  });
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const sum = (list) => list.reduce((a, b) => a + b, 0);
const unsure = ({ load }) => sum(load.sessions.map(({ operations }) => operations.filter(({ kind, status }) => kind === 'write' && status === 0).length));
/** Counts the faults that match. */
const ofKind = (all, pattern) => sum(all.map(({ faults }) => faults.filter((fault) => pattern.test(fault)).length));

/** Returns the results of a kind as a row of the table in docs/internals/proofs.md. */
function row(kind, all) {
  const pauses = all.map(({ pause }) => pause).sort((a, b) => a - b);
  const answered = (what) => sum(all.map(({ load }) => load.tally[`${what} 200`] ?? 0));
  const lost = ofKind(all, /is lost|another entry is stored|is missing|are stored$/);
  const doubled = ofKind(all, /answered twice|nobody was answered/);
  const stale = ofKind(all, /had been answered/);
  const other = sum(all.map(({ faults }) => faults.length)) - lost - doubled - stale;
  const counts = [all.length, answered('write'), answered('read'), sum(all.map(unsure)), lost, doubled, stale, other];
  return `| ${kind} | ${counts.join(' | ')} | ${seconds(pauses[0])} to ${seconds(pauses.at(-1))} |`;
}

const rows = [];

/** All tries of one kind. */
async function prove(stack, kind) {
  const all = [];
  const begin = performance.now();
  for (let i = 1; i <= tries; i++) {
    await check(`${kind}, ${i} of ${tries}, seed ${seed}`, async () => {
      const result = await attempt(stack, kind, WATCHERS);
      all.push(result);
      assert.deepEqual(result.faults.slice(0, 5), []);
      assert.ok(result.back, 'changes are accepted again');
      assert.ok(result.replicated, 'there is a standby again');
      assert.ok(result.kept, 'the incarnation stays');
      assert.ok(result.load.tally['write 200'] > 200 && result.load.tally['read 200'] > 200, JSON.stringify(result.load.tally));
      judgeWatchers(result);
    });
  }
  console.log(`${kind}: ${tries} tries in ${seconds(performance.now() - begin)}`);
  if (all.length > 0) rows.push(row(kind, all));
}

const wanted = (kind) => chosen.length === 0 || chosen.includes(kind);
const flags = ['--rate-limit', 'off', '--loops', '1'];
for (const watchdog of [false, true]) {
  const kinds = Object.keys(KINDS).filter((kind) => wanted(kind) && (kind === 'watchdog') === watchdog);
  if (kinds.length === 0) continue;
  const stack = await Stack.start(binary, { flags, watchdog });
  for (const kind of kinds) await prove(stack, kind);
  await check('the nodes end well', async () => {
    await Promise.all(stack.nodes.map((node) => node.stop()));
    for (const node of stack.nodes) assert.equal(node.child.exitCode, 0, node.tail());
  });
  await stack.stop();
}
if (rows.length > 0) {
  console.log('| kind | tries | writes acknowledged | reads | unknown | lost | doubled | stale | other | no change for |');
  console.log(rows.join('\n'));
}
if (wanted('control')) {
  const stack = await Stack.start(binary, { flags, patroni: (text) => text.replace('synchronous_mode: true', 'synchronous_mode: false'), asynchronous: true });
  await check(`control: asynchronous, a lost machine, seed ${seed}`, async () => {
    const { faults, kept } = await attempt(stack, 'machine', 0);
    console.log(`control: ${faults.length} faults found`);
    assert.ok(faults.some((fault) => /is lost|another entry is stored/.test(fault)), faults.slice(0, 5).join('\n'));
    assert.ok(!kept, 'another incarnation');
  });
  await stack.stop();
}
finish();
