// hung.mjs: a node behind docker/cluster/haproxy.cfg that hangs (SIGSTOP): what it has is answered by the others, and only
// its own streams are cut.
//
//     node tests/cluster/hung.mjs [PATH_TO_BINARY] [SEED] [as-is]
//
// as-is: with the times of the file, to measure the slowest request on a machine with nothing else to do; without, a node
// has so long to answer a probe that a slow machine does not count as hung.
import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument } from '../api/server.mjs';
import { happens, sleep } from '../support/patience.mjs';
import { Audience, Balanced } from './balanced.mjs';
import { Load } from './load.mjs';

const SESSIONS = 24;
const CLIENTS = 16;
const EACH_ANSWERS = 300;

const asIs = process.argv.includes('as-is');
process.argv = process.argv.filter((argument) => argument !== 'as-is');
const seed = numberArgument(0, Date.now() % 2 ** 31);
const variables = asIs ? { INTERVAL: '1s', CHECK_TIMEOUT: '1s' } : { CHECK_TIMEOUT: '8s' };

const all = await Balanced.start(binaryArgument(), { variables });
// All writes have a key: haproxy or the client sends them again.
const load = new Load(() => [all.url], { seed, clients: CLIENTS, keys: 100 });
await load.create(SESSIONS);
const audience = new Audience(all.url, load.sessions.map(({ path }) => path), 1);
await audience.here();
load.start();
const work = async () => {
  const before = load.done;
  await happens(() => load.done >= before + EACH_ANSWERS || load.stopping);
};
await work();

const [hung, ...healthy] = all.nodes.keys();
let there = 0;
for (const index of healthy) there += await all.metric(index, 'cubed_watchers');
const own = await all.metric(hung, 'cubed_watchers');
await check('each node has streams', () => assert.ok(own > 0 && there > 0 && own + there === SESSIONS, `${own} and ${there}`));
const before = load.slowest;
all.nodes[hung].child.kill('SIGSTOP');
const begin = performance.now();
await all.becomes(hung, 'DOWN');
const noticed_ms = performance.now() - begin;
await work();
await happens(() => audience.watchers.every((watcher) => !watcher.ended) && audience.watchers.filter(({ connects }) => connects > 1).length >= own);
await work();
await check('each request ends while the node hangs', () => load.stop());
const stayed = audience.watchers.filter(({ connects }) => connects === 1).length;
await check('only streams of the node that hangs are cut', () => assert.equal(stayed, there));
await check('every read is answered', () => assert.deepEqual(Object.keys(load.tally).filter((name) => /^read (?!200)/.test(name)), [], JSON.stringify(load.tally)));
await check('every write is answered at last', () => {
  const unanswered = load.sessions.flatMap(({ operations }) => operations).filter(({ kind, status }) => kind === 'write' && ![200, 409].includes(status));
  assert.deepEqual(unanswered, [], JSON.stringify(load.tally));
});
await check('every stream that was opened was there', () => assert.ok(audience.opened.every((status) => status === 200), `${audience.opened}`));
const faults = [...(await load.judge()), ...(await audience.faults(load.sessions))];
await check('what all saw is one history, and watchers saw each entry once', () => assert.deepEqual(faults.slice(0, 5), []));

all.nodes[hung].child.kill('SIGCONT');
await check('it is used again', () => all.becomes(hung, 'UP'));
await audience.end();
const ends = await all.stop();
await check('the nodes end well', () => assert.deepEqual(ends.map(({ code }) => code), [0, 0, 0], all.log));
console.log(`seed ${seed}, slowest before ${Math.round(before)} ms, noticed after ${Math.round(noticed_ms)} ms, slowest ${Math.round(load.slowest)} ms: ${JSON.stringify(load.tally)}, polls ${JSON.stringify(audience.polls)}`);
finish();
