// linearizable_kills.mjs: what clients of one server on SQLite see has one order, which is searched without believing its
// revisions (linearizable.mjs), while it is killed (kill -9) and started again, and stands still.
// Usage: node linearizable_kills.mjs [binary] [operations, 5000] [seed]
//
// Control: of histories that have an order, most have none any more if one answered turn is taken out of the record.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { assertOrdered, assertVaried, report, searchBursts } from './bursts.mjs';
import { search } from './linearizable.mjs';
import { sleep } from './support.mjs';

const STILL_MS = 200; // at most

const operations = numberArgument(0, 5000);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const store = `sqlite:${join(temporaryDirectory(), 'kills.db')}`;
const start = () => Server.start(binaryArgument(), store);
let server = await start();
let urls = [server.url];

const disturbances = {
  async 'it was killed'() {
    await server.kill();
    urls = [];
    server = await start();
    urls = [server.url];
  },
  async 'it stood still'(random) {
    server.child.kill('SIGSTOP');
    await sleep(random(STILL_MS));
    server.child.kill('SIGCONT');
  },
};

const begin = performance.now();
const total = await searchBursts({ urls: () => urls, seed, operations, disturbances, plan: Object.keys(disturbances) });
await check(`every session has an order, seed ${seed}`, () => assertOrdered(total, seed));
await check('there was something to see', () => assertVaried(total));
await check('control: without one answered turn there is no order', () => {
  const histories = total.histories.slice(0, 50);
  const wrong = histories.filter((history) => {
    const turns = history.filter(({ call, outcome }) => call === 'moves' && outcome === 'ok');
    const taken = turns[Math.floor(turns.length / 2)];
    return search(history.filter((operation) => operation !== taken)).verdict !== 'linearizable';
  });
  assert.ok(wrong.length > histories.length / 2, `${wrong.length} of ${histories.length}`);
});
await check('it ends well', async () => assert.equal((await server.stop()).code, 0, server.log));
report(total, begin);
finish();
