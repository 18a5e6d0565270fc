// linearizable_faults.mjs: the search of linearizable.mjs finds an order for histories that are right, and none for those
// with a planted fault. Usage: node linearizable_faults.mjs [histories, 300] [seed, 1]
//
// Histories of a few operations, right and wrong, are also judged by trying every order with a plainer model; the two must
// agree. Larger ones are made by a server that is simulated: each operation takes effect at one moment between its beginning
// and its end, some are never answered, and one has the fault. A fault can be hidden by chance (an undo beside a lost turn);
// then the order that is found is replayed by the plainer model, and there may be few such histories.

import assert from 'node:assert/strict';
import { Cube } from '../api/model.mjs';
import { check, count, finish } from '../api/report.mjs';
import { numberArgument } from '../api/server.mjs';
import { search } from './linearizable.mjs';
import { generator } from './support.mjs';

const histories = numberArgument(0, 300);
const seed = numberArgument(1, 1);
const random = generator(seed);
const SMALL = 6; // operations, of which every order is tried
const LARGE = 60;

/** The plainer model: arrays of facelets, and nothing shared between states. */
class Plain {
  constructor({ cube = new Cube(3).facelets, changes = 0, done = [], undone = [] } = {}) {
    Object.assign(this, { cube, changes, done, undone });
  }

  get can() {
    return { moves: true, undo: this.done.length > 0, redo: this.undone.length > 0 };
  }

  /** The state behind a write. */
  after(call, moves) {
    const { cube, done, undone } = this;
    const changes = this.changes + 1;
    if (call === 'moves') return new Plain({ cube: new Cube(3, cube).apply(moves).facelets, changes, done: [...done, cube] });
    if (call === 'undo') return new Plain({ cube: done.at(-1), changes, done: done.slice(0, -1), undone: [...undone, cube] });
    return new Plain({ cube: undone.at(-1), changes, done: [...done, cube], undone: undone.slice(0, -1) });
  }

  /** Returns the result of the operation if it takes effect now: {outcome, cube, state}. */
  answer({ call, moves, expected }) {
    if (call === 'read') return { outcome: 'ok', cube: this.cube, state: this };
    if (expected !== undefined && expected !== this.changes) return { outcome: 'stale', cube: this.cube, state: this };
    if (!this.can[call]) return { outcome: 'nothing', cube: undefined, state: this };
    const state = this.after(call, moves);
    return { outcome: 'ok', cube: state.cube, state };
  }
}

/** Returns true if some order explains the operations, by trying all. */
function isExplained(operations, state = new Plain()) {
  if (operations.every(({ outcome }) => outcome === 'unknown')) return true;
  const firstEnd = Math.min(...operations.filter(({ outcome }) => outcome !== 'unknown').map(({ end }) => end));
  return operations.some((operation, i) => {
    if (operation.begin > firstEnd) return false;
    const rest = operations.filter((_, j) => j !== i);
    const answer = state.answer(operation);
    if (operation.outcome === 'unknown') return answer.outcome === 'ok' && isExplained(rest, answer.state);
    // With two reasons to refuse, either may be given.
    if (operation.outcome === 'nothing') return !state.can[operation.call] && [undefined, state.cube].includes(operation.cube) && isExplained(rest, state);
    if (operation.outcome !== answer.outcome) return false;
    return (operation.cube === undefined || operation.cube === answer.cube) && isExplained(rest, answer.state);
  });
}

const turn = () => 'URFDLB'[random(6)] + ['', "'", '2'][random(3)];

function draft(begin, length, changes) {
  const roll = random(100);
  const call = roll < 30 ? 'read' : roll < 75 ? 'moves' : roll < 90 ? 'undo' : 'redo';
  const end = begin + 0.01 + (random(1000) / 1000) * length;
  const operation = { key: 'k', call, begin, end, at: begin + ((end - begin) * random(1000)) / 1000 };
  if (call === 'moves') operation.moves = turn();
  if (call !== 'read' && random(4) === 0) operation.expected = Math.max(0, changes + random(3) - 1);
  return operation;
}

/** A right history of operations that overlap; `fault(operation, state, history)` may answer another {outcome, cube, state}
 * than the right one, once. Some writes are never answered: of these some happen when they should, some later, some never. */
function simulate(size, length, unknowns, fault = () => undefined) {
  const drafts = Array.from({ length: size }, (_, i) => draft(i + random(100) / 100, length, Math.floor(i / 2)));
  const history = { operations: [], states: [new Plain()], planted: false };
  for (const operation of drafts) {
    operation.lost = operation.call !== 'read' && random(100) < unknowns;
    if (operation.lost) operation.at += random(3) * length;
  }
  let state = history.states[0];
  for (const { at, lost, ...operation } of drafts.sort((a, b) => a.at - b.at)) {
    if (lost && random(3) === 0) {
      history.operations.push({ ...operation, outcome: 'unknown' });
      continue;
    }
    const wrong = history.planted || lost ? undefined : fault({ ...operation, at }, state, history);
    if (wrong) history.planted = true;
    const answer = wrong ?? state.answer(operation);
    state = answer.state;
    history.states.push(state);
    history.operations.push(lost ? { ...operation, outcome: 'unknown' } : { ...operation, outcome: answer.outcome, cube: answer.cube });
  }
  const begin = size + 10 * length;
  history.operations.push({ key: 'k', call: 'read', begin, end: begin + 1, outcome: 'ok', cube: state.cube });
  return history;
}

const verdict = (operations) => search(operations).verdict;
const isWrite = ({ call }) => call !== 'read';

/** The cubes that were there before anything that overlaps the operation. */
const oldCubes = ({ begin }, { states, operations }) => {
  const over = operations.findIndex(({ end, outcome }) => end >= begin || outcome === 'unknown');
  return states.slice(0, over < 0 ? states.length : over).map(({ cube }) => cube);
};
const cubesSince = ({ begin }, history) => history.states.slice(oldCubes({ begin }, history).length).map(({ cube }) => cube);

/** In a simulated server, from the middle of its life on: what it does wrong. */
const FAULTS = {
  'a stale read': (operation, state, history) => {
    const old = oldCubes(operation, history).filter((cube) => !cubesSince(operation, history).includes(cube));
    return !isWrite(operation) && old.length > 0 ? { outcome: 'ok', cube: old[random(old.length)], state } : undefined;
  },
  'a lost write': (operation, state) => {
    const answer = state.answer(operation);
    return answer.state !== state && answer.cube !== state.cube ? { ...answer, state } : undefined;
  },
  'a doubled write': (operation, state) => {
    const answer = state.answer(operation);
    if (operation.call !== 'moves' || operation.moves.endsWith('2') || answer.outcome !== 'ok') return undefined;
    return { ...answer, state: answer.state.after('moves', operation.moves) };
  },
  'a doubled write that is shown': (operation, state) => {
    if (operation.call !== 'moves' || operation.expected !== undefined || operation.moves.endsWith('2')) return undefined;
    const twice = state.after('moves', operation.moves).after('moves', operation.moves);
    return { outcome: 'ok', cube: twice.cube, state: twice };
  },
  'a refused write that is made': (operation, state) => {
    const answer = state.answer(operation);
    if (answer.outcome !== 'stale' || operation.call !== 'moves') return undefined;
    return { ...answer, state: state.after('moves', operation.moves) };
  },
  'a write past what it expected': (operation, state) => {
    if (operation.call !== 'moves' || state.answer(operation).outcome !== 'stale') return undefined;
    const made = state.after('moves', operation.moves);
    return { outcome: 'ok', cube: made.cube, state: made };
  },
  'an undo of two': (operation, state) => {
    if (operation.call !== 'undo' || operation.expected !== undefined || state.done.length < 2) return undefined;
    const made = state.after('undo').after('undo');
    return made.cube === state.cube ? undefined : { outcome: 'ok', cube: made.cube, state: made };
  },
  'a cube of nobody': (operation, state) => ({ ...state.answer(operation), outcome: 'ok', cube: new Cube(3, state.cube).apply("U R' F D' L2 B U' R F2").facelets }),
};

/** Two writes, one after the other, that took effect the other way round. */
function reordered() {
  const cube = (moves) => new Cube(3).apply(moves).facelets;
  const write = (moves, begin, seen) => ({ key: 'k', call: 'moves', moves, begin, end: begin + 1, outcome: 'ok', cube: seen });
  const read = (begin, seen) => ({ key: 'k', call: 'read', begin, end: begin + 1, outcome: 'ok', cube: seen });
  return {
    wrong: [write('R', 0, undefined), write('U', 2, undefined), read(4, cube('U R'))],
    right: [write('R', 0, undefined), write('U', 0.5, undefined), read(4, cube('U R'))],
  };
}

// ---- by hand ----

const R = new Cube(3).apply('R').facelets;
const solved = new Cube(3).facelets;
const op = (call, begin, end, outcome, rest = {}) => ({ key: 'k', call, begin, end, outcome, ...rest });
const turnOf = (moves, begin, end, outcome, rest) => op('moves', begin, end, outcome, { moves, ...rest });

const BY_HAND = [
  ['nothing', true, []],
  ['a read of the first cube', true, [op('read', 0, 1, 'ok', { cube: solved })]],
  ['a write is seen by a read after it', false, [turnOf('R', 0, 1, 'ok', { cube: R }), op('read', 2, 3, 'ok', { cube: solved })]],
  ['a read beside a write sees either', true, [turnOf('R', 0, 9, 'ok'), op('read', 1, 2, 'ok', { cube: solved }), op('read', 3, 4, 'ok', { cube: R })]],
  ['but not the newer one first', false, [turnOf('R', 0, 9, 'ok'), op('read', 1, 2, 'ok', { cube: R }), op('read', 3, 4, 'ok', { cube: solved })]],
  ['what is unknown may be made late', true, [turnOf('R', 0, 1, 'unknown'), op('read', 5, 6, 'ok', { cube: solved }), op('read', 7, 8, 'ok', { cube: R })]],
  ['or never', true, [turnOf('R', 0, 1, 'unknown'), op('read', 5, 6, 'ok', { cube: solved })]],
  ['but not before it began', false, [turnOf('R', 4, 5, 'unknown'), op('read', 0, 1, 'ok', { cube: R })]],
  ['nor twice', false, [turnOf('R', 0, 1, 'unknown'), op('read', 2, 3, 'ok', { cube: R }), op('read', 4, 5, 'ok', { cube: new Cube(3).apply('R2').facelets })]],
  ['nor be taken back', false, [turnOf('R', 0, 1, 'unknown'), op('read', 2, 3, 'ok', { cube: R }), op('read', 4, 5, 'ok', { cube: solved })]],
  ['a refusal at the number expected', false, [turnOf('R', 0, 1, 'stale', { expected: 0, cube: solved })]],
  ['a refusal that shows an old cube', false, [turnOf('R', 0, 1, 'ok'), turnOf('U', 2, 3, 'stale', { expected: 0, cube: solved })]],
  ['two of two that expect the same', false, [turnOf('R', 0, 9, 'ok', { expected: 0 }), turnOf('U', 0, 9, 'ok', { expected: 0 })]],
  ['one of two that expect the same', true, [turnOf('R', 0, 9, 'ok', { expected: 0 }), turnOf('U', 0, 9, 'stale', { expected: 0, cube: R })]],
  ['nothing to undo although there is', false, [turnOf('R', 0, 1, 'ok'), op('undo', 2, 3, 'nothing')]],
  ['an undo and a redo', true, [turnOf('R', 0, 1, 'ok'), op('undo', 2, 3, 'ok', { cube: solved }), op('redo', 4, 5, 'ok', { cube: R })]],
  ['a redo after another turn', false, [turnOf('R', 0, 1, 'ok'), op('undo', 2, 3, 'ok'), turnOf('U', 4, 5, 'ok'), op('redo', 6, 7, 'ok')]],
];
for (const [name, right, operations] of BY_HAND)
  await check(name, () => {
    assert.equal(verdict(operations), right ? 'linearizable' : 'impossible');
    assert.equal(isExplained(operations), right);
  });
await check('two writes, one after the other, made the other way round', () => assert.equal(verdict(reordered().wrong), 'impossible'));
await check('the same beside each other', () => assert.equal(verdict(reordered().right), 'linearizable'));
await check('a search that is too long is undecided', () => assert.equal(search(simulate(LARGE, 8, 0).operations, 5).verdict, 'undecided'));

// ---- every order of a few, against the search ----

/** A history with some answers replaced by others of it. */
function shuffled({ operations }) {
  const copy = operations.map((operation) => ({ ...operation }));
  for (let i = random(3); i > 0; i--) {
    const [one, other] = [copy[random(copy.length)], copy[random(copy.length)]];
    if (random(2)) [one.cube, other.cube] = [other.cube, one.cube];
    else if (isWrite(one)) one.outcome = ['ok', 'unknown', 'nothing'][random(one.call === 'moves' ? 2 : 3)];
  }
  return copy.map(({ cube, ...operation }) => (operation.outcome === 'unknown' ? operation : { ...operation, cube }));
}

const tally = { right: 0, wrong: 0 };
await check(`${10 * histories} histories of ${SMALL}, as by every order, seed ${seed}`, () => {
  for (let i = 0; i < 10 * histories; i++) {
    const operations = shuffled(simulate(SMALL, 4, 15));
    const right = isExplained(operations);
    assert.equal(verdict(operations), right ? 'linearizable' : 'impossible', JSON.stringify(operations));
    tally[right ? 'right' : 'wrong']++;
  }
  assert.ok(tally.right > histories && tally.wrong > histories, JSON.stringify(tally));
  count(10 * histories);
});

// ---- larger ones, with and without a fault ----

/** Checks an order that was found: each operation once, none before one that ended before it began, all as in the plain
 * model. */
function follow(operations, { order }) {
  assert.equal(new Set(order).size, order.length);
  for (const operation of operations) assert.ok(operation.outcome === 'unknown' || order.includes(operation), 'all that were answered are there');
  let state = new Plain();
  let latest = -Infinity;
  for (const operation of order) {
    latest = Math.max(latest, operation.begin);
    assert.ok(operation.outcome === 'unknown' || operation.end >= latest, 'in time');
    const answer = state.answer(operation);
    if (operation.outcome !== 'unknown') assert.ok(answer.outcome === operation.outcome || operation.outcome === 'nothing');
    if (operation.cube !== undefined) assert.equal(answer.cube, operation.cube);
    state = answer.state;
  }
}

let steps = 0;
await check(`${histories} right histories of ${LARGE}, seed ${seed}`, () => {
  for (let i = 0; i < histories; i++) {
    const { operations } = simulate(LARGE, 8, 10);
    const found = search(operations);
    assert.equal(found.verdict, 'linearizable', JSON.stringify(operations));
    follow(operations, found);
    steps = Math.max(steps, found.steps);
  }
  count(histories);
});
for (const [name, fault] of Object.entries(FAULTS))
  await check(`${name} is found in ${histories} histories of ${LARGE}, seed ${seed}`, () => {
    let hidden = 0;
    for (let found = 0; found < histories; ) {
      const half = LARGE / 2;
      const { operations, planted } = simulate(LARGE, 4, 0, (operation, ...rest) => (operation.begin > half ? fault(operation, ...rest) : undefined));
      if (!planted) continue;
      const result = search(operations);
      if (result.verdict === 'impossible') {
        found++;
        continue;
      }
      follow(operations, result);
      hidden++;
      assert.ok(hidden <= 5 + found / 10, `${found} found, ${hidden} hidden by chance`);
    }
    if (hidden > 0) console.log(`${name}: ${hidden} more histories have an order all the same`);
    count(histories);
  });
console.log(`every order: ${JSON.stringify(tally)}; at most ${steps} steps for ${LARGE} operations`);
finish();
