// rolling.mjs: three nodes behind docker/cluster/haproxy.cfg are restarted one after the other under load, as
// docs/guide/run-several-nodes.md says. Nobody notices: no answer 503, no request or long poll that is cut; watchers go on
// and see each entry once.
//
//     node tests/cluster/rolling.mjs [PATH_TO_BINARY] [SEED]
import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { happens, sleep } from '../support/patience.mjs';
import { Audience, Balanced } from './balanced.mjs';
import { Load } from './load.mjs';

const SESSIONS = 12;
const CLIENTS = 16;
const WATCHERS = 2; // of each session
const EACH_MS = 1000;
const EACH_ANSWERS = 300;
const DRAIN_MS = 5000;
const DRAIN_MOST_MS = 80000;

const binary = binaryArgument();
const seed = numberArgument(0, Date.now() % 2 ** 31);

/** One restart of each node. Answers null if haproxy noticed a drain too late: then the machine was too slow for it. */
async function attempt(drain_ms) {
  const all = await Balanced.start(binary, { flags: ['--drain-ms', String(drain_ms)] });
  const load = new Load(() => [all.url], { seed, clients: CLIENTS, keys: 30 });
  await load.create(SESSIONS);
  const audience = new Audience(all.url, load.sessions.map(({ path }) => path), WATCHERS);
  await audience.here();
  load.start();
  const work = async () => {
    const before = load.done;
    await sleep(EACH_MS);
    await happens(() => load.done >= before + EACH_ANSWERS || load.stopping);
  };
  const codes = [];
  let late = false;
  for (const index of all.nodes.keys()) {
    await work();
    const begin = performance.now();
    all.nodes[index].child.kill('SIGTERM');
    await Promise.race([all.becomes(index, 'NOLB'), all.nodes[index].exited]);
    late ||= performance.now() - begin > drain_ms / 2;
    codes.push((await all.nodes[index].exited).code);
    await work();
    await all.startNode(index);
    await all.becomes(index, 'UP');
  }
  await work();
  const error = await load.stop().then(() => null, (fault) => fault);
  const faults = [...(await load.judge()), ...(await audience.faults(load.sessions))];
  await audience.end();
  const ends = await all.stop();
  const { tally, wrong } = load;
  const connects = audience.watchers.reduce((sum, watcher) => sum + watcher.connects, 0);
  return { late, codes, error, faults, tally, wrong, ends, connects, slowest: load.slowest, polls: audience.polls, opened: audience.opened, log: all.log };
}

let found;
for (let drain_ms = DRAIN_MS; drain_ms <= DRAIN_MOST_MS; drain_ms *= 2) {
  found = await attempt(drain_ms);
  if (!found.late) break;
}
await check('haproxy notices each node that drains', () => assert.ok(!found.late, found.log));
await check('nodes that are restarted end well', () => assert.deepEqual(found.codes, [0, 0, 0], found.log));
await check('the load went on', () => assert.equal(found.error, null));
await check('every request was answered, none with an error of the server', () => assert.deepEqual(found.wrong, []));
await check('every long poll was answered', () => assert.deepEqual(Object.keys(found.polls), ['200'], JSON.stringify(found.polls)));
await check('every stream that was opened was there', () => assert.ok(found.opened.every((status) => status === 200), `${found.opened}`));
await check('what all saw is one history, and watchers saw each entry once', () => assert.deepEqual(found.faults.slice(0, 5), []));
await check('streams went on at other nodes', () => assert.ok(found.connects > SESSIONS * WATCHERS, `${found.connects}`));
await check('the nodes end well', () => assert.deepEqual(found.ends.map(({ code }) => code), [0, 0, 0], found.log));
console.log(`seed ${seed}, slowest ${Math.round(found.slowest)} ms, ${found.connects} streams: ${JSON.stringify(found.tally)}, polls ${JSON.stringify(found.polls)}`);
finish();
