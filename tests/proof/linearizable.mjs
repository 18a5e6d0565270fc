// linearizable.mjs: searches for an order of what clients did to sessions that explains what they saw. It believes nothing
// of what the server counts: cubes are replayed by the tests' own model, and only cubes are compared.
// Usage: node linearizable.mjs FILE, with an operation (JSON) a line, as a test that fails leaves it.
//
// The search is that of J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (Journal of Parallel and
// Distributed Computing 17, 1993): take any operation that began before the first pending one ended, apply it to a model, go
// on with the rest, and step back where nothing fits. As G. Lowe has it in "Testing for linearizability" (Concurrency and
// Computation 29, 2017), it never continues from the same operations taken and the same state twice. A. Horn and D. Kroening,
// "Faster linearizability checking via P-compositionality" (FORTE 2015): parts of a history that do not depend on each other
// are searched alone, here each session. Porcupine (A. Athalye, 2017) is a program that combines these three.
//
// An operation is {key, begin, end, call, moves, expected, outcome, cube}. `key` names the session, a 3x3x3 that is solved at
// first; begin and end are times on one clock. `call`: read, moves, undo or redo; `moves` is one turn. `expected`: how many
// changes the client believes that there were, and does not want to follow any other. `cube`: the facelets answered, if any.
// `outcome`:
//     ok        done, and the cube is that behind it
//     stale     not done, because there were not as many changes as `expected`; the cube is the one of that moment
//     nothing   not done, because there was nothing to undo or redo
//     unknown   never answered: done once, at any time after it began, or never; `end` does not matter
// A write that certainly was not done has no place here, unless the refusal says something about the session.

import { readFileSync } from 'node:fs';
import { Cube, parseTurn } from '../api/model.mjs';

const SIZE = 3;
const MOST_STEPS = 5_000_000; // of a search; then nothing is decided

const permutations = new Map();

/** For each facelet the one whose colour it gets by a turn. */
function permutationOf(turn) {
  if (!permutations.has(turn)) permutations.set(turn, new Cube(SIZE, Array.from({ length: 6 * SIZE * SIZE }, (_, i) => i)).turn(parseTurn(SIZE, turn)).colors);
  return permutations.get(turn);
}

/** Gives equal texts the same number, and holds a value for each. */
class Table {
  numbers = new Map();
  values = [];

  number(text, value) {
    if (!this.numbers.has(text)) this.numbers.set(text, this.values.push(value) - 1);
    return this.numbers.get(text);
  }
}

/** A session as it should be: its cube, how many changes there were, and the cubes that undo and redo bring back. Equal states
 * have the same number, and so have equal stacks. */
class Model {
  #cubes = new Table(); // facelets
  #stacks = new Table(); // {cube, below}; number 0 is the empty one
  #states = new Table(); // {cube, changes, done, undone}
  #turned = new Map();

  constructor() {
    this.#stacks.number('', undefined);
    this.first = this.#state({ cube: this.#cube(new Cube(SIZE).facelets), changes: 0, done: 0, undone: 0 });
  }

  #cube(facelets) {
    return this.#cubes.number(facelets, facelets);
  }

  #state(state) {
    return this.#states.number(`${state.cube} ${state.changes} ${state.done} ${state.undone}`, state);
  }

  #push(below, cube) {
    return this.#stacks.number(`${below} ${cube}`, { cube, below });
  }

  #turn(cube, turn) {
    const key = `${cube} ${turn}`;
    if (!this.#turned.has(key)) {
      const colors = this.#cubes.values[cube];
      this.#turned.set(key, this.#cube(permutationOf(turn).map((from) => colors[from]).join('')));
    }
    return this.#turned.get(key);
  }

  /** The state that a write makes of this one, or undefined where it is not possible. */
  #written({ cube, changes, done, undone }, { call, moves, expected }) {
    if (expected !== undefined && expected !== changes) return undefined;
    if (call === 'moves') return { cube: this.#turn(cube, moves), changes: changes + 1, done: this.#push(done, cube), undone: 0 };
    const [from, to] = call === 'undo' ? [done, undone] : [undone, done];
    if (from === 0) return undefined;
    const { cube: restored, below } = this.#stacks.values[from];
    const [rest, other] = [below, this.#push(to, cube)];
    return { cube: restored, changes: changes + 1, ...(call === 'undo' ? { done: rest, undone: other } : { done: other, undone: rest }) };
  }

  /** The number of the state after an operation that takes effect at this one, or undefined if its outcome is impossible. */
  step(number, operation) {
    const state = this.#states.values[number];
    const { call, outcome, expected, cube } = operation;
    const sees = (seen) => cube === undefined || this.#cubes.values[seen] === cube;
    if (outcome === 'stale') return expected !== state.changes && sees(state.cube) ? number : undefined;
    if (outcome === 'nothing') return (call === 'undo' ? state.done : state.undone) === 0 && sees(state.cube) ? number : undefined;
    if (call === 'read') return sees(state.cube) ? number : undefined;
    const after = this.#written(state, operation);
    return after && sees(after.cube) ? this.#state(after) : undefined;
  }
}

/** The beginnings and ends of all operations in a list, by time. What is unknown has no end. Where times are equal, the
 * operations count as simultaneous. */
function eventsOf(operations) {
  const events = operations.flatMap((operation, id) => {
    const begin = { id, operation, at: operation.begin, kind: 0 };
    if (operation.outcome === 'unknown') return [begin];
    const end = { id, at: operation.end, kind: 1 };
    begin.match = end;
    return [begin, end];
  });
  events.sort((a, b) => a.at - b.at || a.kind - b.kind);
  const head = { kind: -1 };
  let last = head;
  for (const event of events) {
    event.before = last;
    last = last.next = event;
  }
  last.next = undefined;
  return head;
}

function unlink(event) {
  event.before.next = event.next;
  if (event.next) event.next.before = event.before;
}

function relink(event) {
  event.before.next = event;
  if (event.next) event.next.before = event;
}

function take(event) {
  unlink(event);
  if (event.match) unlink(event.match);
}

function putBack(event) {
  if (event.match) relink(event.match);
  relink(event);
}

/** The operations that may come next. */
function pendingOf(head) {
  const pending = [];
  for (let event = head.next; event && event.kind === 0; event = event.next) pending.push(event.operation);
  return pending;
}

/** Searches the operations of one session. Answers {verdict, steps, order, pending}: verdict is linearizable, impossible or
 * undecided; `order` the longest order found, and `pending` the operations of which none can follow it. */
export function search(operations, mostSteps = MOST_STEPS) {
  const told = operations.filter(({ call, outcome }) => call !== 'read' || outcome !== 'unknown');
  const model = new Model();
  const head = eventsOf(told);
  const seen = new Set();
  const taken = []; // {event, state before it}
  let left = told.filter(({ outcome }) => outcome !== 'unknown').length;
  let [set, state, steps] = [0n, model.first, 0];
  let longest = { order: [], pending: pendingOf(head) };
  for (let event = head.next; left > 0; ) {
    if (steps++ >= mostSteps) return { verdict: 'undecided', steps, ...longest };
    const after = event.kind === 0 ? model.step(state, event.operation) : undefined;
    const larger = event.kind === 0 ? set | (1n << BigInt(event.id)) : set;
    const key = after === undefined ? undefined : `${after} ${larger.toString(36)}`;
    if (key !== undefined && !seen.has(key)) {
      seen.add(key);
      taken.push({ event, state });
      take(event);
      if (event.match) left--;
      [set, state, event] = [larger, after, head.next];
    } else if (event.kind === 0) {
      event = event.next; // there is one: an operation is left, and its end is in the list
    } else {
      // An operation ended that is not taken: the newest choice was wrong.
      if (taken.length > longest.order.length) longest = { order: taken.map((one) => one.event.operation), pending: pendingOf(head) };
      if (taken.length === 0) return { verdict: 'impossible', steps, ...longest };
      const wrong = taken.pop();
      putBack(wrong.event);
      if (wrong.event.match) left++;
      set ^= 1n << BigInt(wrong.event.id);
      [state, event] = [wrong.state, wrong.event.next];
    }
  }
  return { verdict: 'linearizable', steps, order: taken.map((one) => one.event.operation), pending: [] };
}

/** The operations of each session. */
export function byKey(operations) {
  const keys = new Map();
  for (const operation of operations) {
    if (!keys.has(operation.key)) keys.set(operation.key, []);
    keys.get(operation.key).push(operation);
  }
  return keys;
}

const describe = ({ call, moves, expected, outcome, cube, begin, end }) =>
  `${[call, moves, expected !== undefined && `at ${expected}`].filter(Boolean).join(' ')}: ${outcome}${cube ? ` ${cube}` : ''}, ${begin.toFixed(3)} to ${outcome === 'unknown' ? '?' : end.toFixed(3)}`;

/** Describes what is wrong with a session, for a person; undefined if nothing is. */
export function faultOf(key, operations, { verdict, steps, order, pending }) {
  if (verdict === 'linearizable') return undefined;
  const found = [`${key}: ${verdict} after ${steps} steps: ${order.length} of ${operations.length} operations in order, the last of them`];
  return [...found, ...order.slice(-3).map(describe), 'and then none of', ...pending.map(describe)].join('\n  ');
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const operations = readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const keys = byKey(operations);
  const faults = [...keys].map(([key, all]) => faultOf(key, all, search(all))).filter(Boolean);
  faults.forEach((fault) => console.log(fault));
  console.log(`${operations.length} operations on ${keys.size} sessions, ${faults.length} of these not linearizable`);
  process.exit(faults.length > 0 ? 1 : 0);
}
