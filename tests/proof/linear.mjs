// Thirty-two writers on one session, some insisting on a revision, some not, undo and redo among them, and readers beside
// them: what all of them saw is checked to be one history. Usage: node linear.mjs [binary] [writes, 2000] [seed]
//
// Controls: the same recorded history with one answer changed must be refused by the checker.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Cube } from '../api/model.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, numberArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { faultsOf } from './history_check.mjs';
import { Caller, generator } from './support.mjs';

const WRITERS = 32;
const READERS = 4;

const writes = numberArgument(0, 2000);
const seed = numberArgument(1, Date.now() % 2 ** 31);
const random = generator(seed);

const FACES = 'URFDLB';
const turn = () => FACES[random(6)] + ['', "'", '2'][random(3)];

const operations = [];
const tally = {};
let left = writes;
let newest = 0; // as far as any writer has heard

async function record(caller, kind, method, path, json) {
  const begin = performance.now();
  const { status, json: answer } = await caller.call(method, path, json);
  const end = performance.now();
  tally[`${kind} ${status}`] = (tally[`${kind} ${status}`] ?? 0) + 1;
  if (![200, 409].includes(status)) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  const operation = { kind, begin, end, status, revision: answer.revision, expected: json?.revision, state: answer.cube?.facelets };
  // An answer that there is nothing to undo is about a revision that it does not name.
  if (answer.revision === undefined) return;
  operations.push(operation);
  newest = Math.max(newest, answer.revision);
}

async function write(url, path) {
  const caller = new Caller(url);
  while (left > 0) {
    left--;
    const roll = random(100);
    const call = roll < 70 ? 'moves' : roll < 85 ? 'undo' : 'redo';
    const json = call === 'moves' ? { moves: turn() } : {};
    // Sometimes the newest that is known, sometimes one that is likely to be stale.
    if (random(3) === 0) json.revision = Math.max(0, newest - (random(8) === 0 ? 1 : 0));
    await record(caller, 'write', 'POST', `${path}/${call}`, json);
  }
  caller.close();
}

async function read(url, path) {
  const caller = new Caller(url);
  while (left > 0) await record(caller, 'read', 'GET', path);
  caller.close();
}

/** The history that is stored, replayed by a model of the test's own, against what everybody saw. */
function compare(items) {
  const cube = new Cube(3);
  const states = [cube.facelets];
  for (const [i, item] of items.entries()) {
    assert.equal(item.revision, i + 1);
    states.push(cube.apply(item.moves).facelets);
    if (item.restores !== undefined) assert.equal(states[i + 1], states[item.restores]);
  }
  for (const { revision, state, kind } of operations)
    if (state !== undefined) assert.equal(state, states[revision], `a ${kind} saw the cube of ${revision}`);
}

/** A copy of the record with one operation changed must have faults. */
function control(name, pick, change) {
  return check(`control: ${name}`, () => {
    const index = operations.findIndex(pick);
    assert.ok(index >= 0, 'there is such an operation');
    const changed = operations.map((operation, i) => (i === index ? { ...operation, ...change(operation) } : operation));
    assert.notEqual(faultsOf(changed).length, 0, 'the checker sees it');
  });
}

const server = await Server.start(binaryArgument(), `sqlite:${join(temporaryDirectory(), 'linear.db')}`);
const first = new Caller(server.url);
const { json: session } = await first.call('POST', '/v1/sessions', { size: 3, access: 'edit' });
const path = `/v1/sessions/${session.id}`;
const begin = performance.now();
await check(`load, seed ${seed}`, () => Promise.all([
  ...Array.from({ length: WRITERS }, () => write(server.url, path)),
  ...Array.from({ length: READERS }, () => read(server.url, path)),
]));
const seconds = (performance.now() - begin) / 1000;

await check('what all saw is one history', () => assert.deepEqual(faultsOf(operations).slice(0, 5), []));
await check('it is the one that is stored', async () => compare(await first.history(path)));
await check('there was something to see', () => {
  assert.ok(tally['write 200'] > writes / 5 && tally['write 409'] > writes / 50 && tally['read 200'] > 20, JSON.stringify(tally));
});
const middle = (operation) => operation.kind === 'write' && operation.status === 200 && operation.revision > tally['write 200'] / 2;
await control('a revision twice', middle, ({ revision }) => ({ revision: revision - 1 }));
await control('an answer from the past', (o) => o.kind === 'read' && o.revision > 50, ({ revision }) => ({ revision: revision - 50, state: undefined }));
await control('a revision from the future', (o) => o.kind === 'read' && o.revision < tally['write 200'] / 2, ({ revision }) => ({ revision: revision + 200, state: undefined }));
await control('another cube', (o) => o.kind === 'read' && o.revision > 10, () => ({ state: 'x' }));
await control('a write past what it insisted on', middle, ({ revision }) => ({ expected: revision }));
await control('a refusal at the revision insisted on', (o) => o.status === 409, ({ revision }) => ({ expected: revision }));
first.close();
const { code } = await server.stop();
await check('a clean end, and no race was reported', () => {
  assert.equal(code, 0, server.log);
  assert.doesNotMatch(server.log, /ThreadSanitizer|AddressSanitizer|runtime error/);
});
console.log(`${writes} writes and their readers in ${seconds.toFixed(1)} s: ${JSON.stringify(tally)}`);
finish();
