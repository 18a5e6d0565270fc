// Tests the JavaScript client on a bad network, and when the server asks it to wait. Usage: node retries.mjs [path of
// the binary]

import assert from 'node:assert/strict';
import { Cubed, NoAnswer, Problem } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { Clock } from './support/clock.mjs';
import { Proxy } from './support/proxy.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const proxy = await Proxy.start(server.url);
const cubed = new Cubed(proxy.url);
const session = await cubed.createSession({ size: 3 });

/** Runs with the first requests going wrong in these ways; answers what the proxy saw. */
async function during(faults, run) {
  const rest = [...faults];
  proxy.fault = () => rest.shift();
  proxy.log.length = 0;
  try {
    await run();
  } finally {
    proxy.fault = () => undefined;
  }
  return proxy.log.slice();
}

const keysOf = (log) => log.map(({ headers }) => headers['idempotency-key']);

await check('a change whose answers are lost is made once', async () => {
  const before = (await session.read()).revision;
  const log = await during(['cut', 'lose', 'lose'], async () => assert.equal((await session.turn('R')).revision, before + 1));
  assert.equal(log.length, 4);
  assert.equal(new Set(keysOf(log)).size, 1);
  assert.equal((await session.read()).revision, before + 1);
  const again = await during([], () => session.turn('R'));
  assert.notEqual(keysOf(again)[0], keysOf(log)[0]);
});

await check('so is the creation of a session, and its token comes', async () => {
  let made;
  const log = await during(['lose'], async () => (made = await cubed.createSession({ size: 2, access: 'none' })));
  assert.equal(log.length, 2);
  assert.equal((await made.read()).size, 2);
});

await check('every change has a key, no question has one', async () => {
  const log = await during([], async () => {
    await session.configure({ name: 'X' });
    await session.scramble();
    const { id } = await session.tokens.create({ role: 'viewer' });
    await session.tokens.revoke(id);
    await cubed.solves.add({ time_ms: 1000 });
    await session.read();
    await cubed.apply({ moves: 'R' });
  });
  assert.deepEqual(keysOf(log).map(Boolean), [true, true, true, true, true, false, false]);
});

await check('a long answer may take longer than the time limit as long as it goes on, but not stop', async () => {
  const clock = new Clock();
  try {
    let body;
    const fetch = async (url, { signal }) => new Response(new ReadableStream({
      start(controller) {
        body = controller;
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    }));
    // bound: on the clock of this test
    const slow = new Cubed('http://localhost', { fetch, attempts: 1, timeoutMs: 20000 });
    const send = async (...texts) => {
      for (const text of texts) {
        body.enqueue(new TextEncoder().encode(text));
        await clock.pass(15000);
      }
    };
    const answer = slow.scramble({ count: 1000 });
    await clock.pass(15000);
    await send('{"scrambles"', ':', '[]', '}');
    body.close();
    assert.deepEqual(await answer, { scrambles: [] });

    const cut = assert.rejects(slow.scramble({ count: 1000 }), /Nothing came for 20000 ms/);
    await clock.pass(15000);
    await send('{"scrambles"', ':');
    await clock.pass(5000);
    await cut;
  } finally {
    clock.restore();
  }
});

await check('429 and 503 are waited for, as long as Retry-After says', async () => {
  const begin = performance.now();
  const log = await during([{ status: 429, headers: { 'Retry-After': '1' } }, { status: 503 }], () => cubed.limits());
  assert.equal(log.length, 3);
  assert.ok(performance.now() - begin >= 1000);
});

await check('what waiting does not help against is not repeated', async () => {
  for (const fault of [{ status: 400 }, { status: 404 }, { status: 500 }, { status: 503, type: 'urn:cubed:problem:no-tables' }, { status: 429, headers: { 'Retry-After': '86400' } }]) {
    const log = await during([fault], () => assert.rejects(cubed.limits(), Problem));
    assert.equal(log.length, 1, JSON.stringify(fault));
  }
});

await check('attempts are bounded, and the last failure is told', async () => {
  const few = new Cubed(proxy.url, { attempts: 3 });
  const log = await during(Array(9).fill('cut'), () => assert.rejects(few.limits(), NoAnswer));
  assert.equal(log.length, 3);
  await during(Array(9).fill({ status: 503 }), () => assert.rejects(few.limits(), { name: 'Problem', status: 503, kind: 'busy' }));
});

await check('an answer that does not come in time is asked for again', async () => {
  const hasty = new Cubed(proxy.url, { timeoutMs: 300, attempts: 2 }); // bound: it must run out
  proxy.latencyMs = 1000;
  const log = await during([], () => assert.rejects(hasty.limits(), NoAnswer));
  proxy.latencyMs = 0;
  assert.equal(log.length, 2);
  assert.ok(await cubed.limits());
});

await check('an abort ends it at once, also in a pause', async () => {
  const log = await during(Array(9).fill({ status: 503, headers: { 'Retry-After': '30' } }), () =>
    assert.rejects(cubed.limits({ signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' })); // bound: it must run out
  assert.ok(log.length <= 1, log.length);
  await assert.rejects(cubed.limits({ signal: AbortSignal.abort() }), { name: 'AbortError' });
});

await check('an answer that is no problem of the server is one all the same', async () => {
  await during([{ status: 404, headers: { 'Content-Type': 'text/html' } }], () => assert.rejects(cubed.limits(), { name: 'Problem', kind: 'about:blank', status: 404 }));
});

await check('a page is asked for again where it was lost', async () => {
  const long = await cubed.createSession({ size: 3 });
  for (let i = 0; i < 6; i++) await long.turn('R');
  const log = await during([undefined, 'lose', 'cut'], async () => {
    assert.deepEqual((await long.history({ limit: 2 }).all()).map(({ revision }) => revision), [1, 2, 3, 4, 5, 6]);
  });
  assert.ok(log.length >= 5);
});

await proxy.stop();
await server.stop();
finish();
