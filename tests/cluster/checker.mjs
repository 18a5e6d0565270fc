// checker.mjs: the judge of what clients of several nodes saw (tests/proof/history_check.mjs) finds no fault in histories
// that are right, and each fault that is planted in one. Usage: node checker.mjs [seed]
//
// A history that is right is made by a model: each operation takes effect at one moment between its beginning and its end;
// some writes are never answered, and some of those are done.

import assert from 'node:assert/strict';
import { Cube } from '../api/model.mjs';
import { check, finish } from '../api/report.mjs';
import { numberArgument } from '../api/server.mjs';
import { faultsOf, storedFaultsOf } from '../proof/history_check.mjs';
import { generator } from '../proof/support.mjs';

const OPERATIONS = 400;
const HISTORIES = 20;

const seed = numberArgument(0, Date.now() % 2 ** 31);
const random = generator(seed);

function makeHistory() {
  const drafts = Array.from({ length: OPERATIONS }, (_, i) => {
    const begin = i + random(100) / 100;
    const end = begin + 0.01 + random(1000) / 100;
    return { begin, end, at: begin + ((end - begin) * random(1000)) / 1000, kind: random(100) < 40 ? 'read' : 'write' };
  });
  const cube = new Cube(3);
  const items = [];
  const operations = drafts.sort((a, b) => a.at - b.at).map(({ begin, end, kind }) => take({ begin, end, kind }, cube, items));
  return { operations, items };
}

/** The operation takes effect now. */
function take(operation, cube, items) {
  const roll = random(100);
  const expected = roll < 20 ? Math.max(0, items.length - random(3)) : undefined;
  if (operation.kind === 'read') return { ...operation, status: 200, revision: items.length, state: cube.facelets };
  if (roll > 95) return { ...operation, status: 503 };
  if (roll > 92) return { ...operation, status: 0 }; // not done, which nobody knows
  if (expected !== undefined && expected !== items.length) return { ...operation, status: 409, expected, revision: items.length };
  const entry = { moves: 'URFDLB'[random(6)], time: `${items.length}-${random(1e9)}` };
  items.push({ revision: items.length + 1, ...entry });
  cube.apply(entry.moves);
  if (roll > 89) return { ...operation, status: 0 };
  return { ...operation, status: 200, expected, revision: items.length, state: cube.facelets, entry };
}

const judge = ({ operations, items }) => [...faultsOf(operations), ...storedFaultsOf(operations, items)];

/** Plants a fault at the operation that `pick` finds, from the middle on: in a copy. */
function planted({ operations, items }, pick, change) {
  const copy = { operations: operations.map((operation) => ({ ...operation })), items: items.map((item) => ({ ...item })) };
  const from = Math.floor(operations.length / 2);
  const found = copy.operations.slice(from).find((operation) => pick(operation, copy));
  assert.ok(found, 'there is such an operation');
  change(found, copy);
  return copy;
}

const written = ({ kind, status }) => kind === 'write' && status === 200;
const read = ({ kind }) => kind === 'read';
const renumber = (items) => items.forEach((item, i) => { item.revision = i + 1; });
const unknowns = ({ operations }) => operations.filter(({ kind, status }) => kind === 'write' && status === 0).length;
/** A revision that was answered well before the operation began. */
const older = (operation, { operations }) => Math.min(...operations.filter(({ end, revision }) => end < operation.begin && revision !== undefined).map(({ revision }) => revision), operation.revision - 40);

const FAULTS = {
  'an answered entry is lost': [written, ({ revision }, { items }) => { items.splice(revision - 1, 1); renumber(items); }],
  'the last answered entries are lost': [written, ({ revision }, { items }) => { items.length = revision - 1; }],
  'another entry is stored in its place': [written, ({ revision }, { items }) => { items[revision - 1].time = 'another'; }],
  'entries are stored twice': [written, ({ revision }, history) => { for (let i = 0; i <= unknowns(history); i++) history.items.push({ ...history.items[revision - 1] }); renumber(history.items); }],
  'a hole in what is stored': [written, ({ revision }, { items }) => { items.splice(revision - 1, 1); }],
  'one revision for two writes': [written, (operation) => { operation.revision -= 1; }],
  'a read from the past': [read, (operation, history) => { operation.revision = older(operation, history); operation.state = undefined; }],
  'a read from the future': [read, (operation) => { operation.revision += 40; operation.state = undefined; }],
  'a read of what was never stored': [read, (operation, { items }) => { operation.revision = items.length + 1; operation.state = undefined; }],
  'a read of another cube': [(operation, { operations }) => read(operation) && operations.some(({ revision, state }) => state && revision === operation.revision && operation.state !== undefined) && operations.filter(({ revision, state }) => state && revision === operation.revision).length > 1, (operation) => { operation.state = 'another'; }],
  'a write past the revision that it insisted on': [(o) => written(o) && o.expected !== undefined, (operation) => { operation.expected -= 1; }],
  'a refusal at the revision that it insisted on': [({ status }) => status === 409, (operation) => { operation.expected = operation.revision; }],
  'a refusal from the past': [({ status }) => status === 409, (operation, history) => { operation.revision = older(operation, history); }],
  'a write that took effect after its answer': [written, (operation) => { operation.begin -= 60; operation.end = operation.begin + 0.001; }],
  'writes that were refused are stored': [written, (operation, history) => { const refused = history.operations.filter(({ status }) => status === 503).length; assert.ok(refused > 0); for (let i = 0; i <= unknowns(history); i++) history.items.push({ revision: 0, moves: 'U', time: `refused ${i}` }); renumber(history.items); }],
};

for (let i = 0; i < HISTORIES; i++) {
  const history = makeHistory();
  await check(`history ${i} of seed ${seed} is right`, () => assert.deepEqual(judge(history), []));
  for (const [name, [pick, change]] of Object.entries(FAULTS)) {
    await check(`history ${i} of seed ${seed}: ${name} is found`, () => assert.notDeepEqual(judge(planted(history, pick, change)), []));
  }
}
finish();
