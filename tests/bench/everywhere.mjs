// everywhere.mjs: what a program in JavaScript gets of libcube as WebAssembly, for the section everywhere.
//
//     node everywhere.mjs STATES     a file of facelet strings, one a line
//
// Prints lines "name value", in units a second of this process's processor time: labelled rows (a walk of 1..26 turns, its length
// and its colours), and solutions of at most 21 turns of a tenth of the states. The package steps no arrays of cubes. The peer (the
// name that ends in .javascript) is JavaScript alone: a cube is 54 colours, turned by a table of permutations, and each walk has 13
// turns, the mean; before it is measured, both must turn alike. The peer for solutions is cubing (`.cubing`), which searches in
// threads; some of its solutions are longer. All are measured in turn, ROUNDS times; the best counts.

import { readFileSync } from 'node:fs';
import { Alg } from 'cubing/alg';
import { cube3x3x3 } from 'cubing/puzzles';
import { experimentalSolve3x3x3IgnoringCenters as solveByCubing } from 'cubing/search';

const { load } = await import(new URL('../../build/wasm/package/src/node.js', import.meta.url));

const BATCH = 4096, PEER_BATCH = 1024, ROUNDS = 7, STRIDE = 10, WALK = 13, FACELETS = 54, COMPARED = 40, PEER_SOLUTIONS = 8;
const ACTIONS = [...'URFDLB'].flatMap((face) => ['', '2', "'"].map((amount) => face + amount));

const library = await load();
const states = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n').filter((_, i) => i % STRIDE === 0);

/** Finds, for each action and facelet, the facelet whose colours come there: that with the same colours in many cubes. */
function permutations() {
  const cubes = states.slice(0, COMPARED).map((state) => library.read(state));
  const columns = (all) => Array.from({ length: FACELETS }, (_, i) => all.map(({ facelets }) => facelets[i]).join(''));
  const before = columns(cubes);
  return ACTIONS.map((action) => Uint8Array.from(columns(states.slice(0, COMPARED).map((state) => library.read(state).turn(action))), (column) => before.indexOf(column)));
}

const table = permutations();
const solved = Uint8Array.from({ length: FACELETS }, (_, i) => Math.floor(i / 9));

/** Turns colours by so many random actions, none of the face that was turned just before. Returns the actions. */
function walk(colors, next) {
  const actions = [];
  let from = Uint8Array.from(solved), face = -1;
  for (let i = 0; i < WALK; i++) {
    let action;
    do action = Math.floor(Math.random() * ACTIONS.length);
    while (Math.floor(action / 3) === face);
    face = Math.floor(action / 3);
    const permutation = table[action];
    for (let j = 0; j < FACELETS; j++) next[j] = from[permutation[j]];
    [from, next] = [next, from];
    actions.push(action);
  }
  colors.set(from);
  return actions;
}

/** Demands that both turn alike. */
function compare() {
  const colors = new Uint8Array(FACELETS), home = [...solved].map((color) => 'URFDLB'[color]).join('');
  for (let i = 0; i < COMPARED; i++) {
    const actions = walk(colors, new Uint8Array(FACELETS));
    const { facelets } = library.read(home).turn(actions.map((action) => ACTIONS[action]).join(' '));
    if (facelets !== Array.from(colors, (color) => 'URFDLB'[color]).join('')) throw new Error('the peer turns in another way');
  }
}

/** The first states as cubing has them. */
const solvedPattern = (await cube3x3x3.kpuzzle()).defaultPattern();
const patterns = states.slice(0, PEER_SOLUTIONS).map((state) => solvedPattern.applyAlg(new Alg(library.solve(library.read(state)).moves).invert()));

let made = 0;
const figures = {
  rows() {
    library.rows(BATCH, { seed: 1, first: made, walk: [1, 26] });
    made += BATCH;
    return BATCH;
  },
  'rows.javascript'() {
    const numbers = new Uint8Array(PEER_BATCH * FACELETS), next = new Uint8Array(FACELETS);
    for (let i = 0; i < PEER_BATCH; i++) walk(numbers.subarray(FACELETS * i, FACELETS * (i + 1)), next);
    return PEER_BATCH;
  },
  solve() {
    for (const state of states) library.solve(library.read(state));
    return states.length;
  },
  async 'solve.cubing'() {
    for (const pattern of patterns) {
      const solution = await solveByCubing(pattern);
      if (!pattern.applyAlg(solution).isIdentical(solvedPattern)) throw new Error('the peer solves another cube');
    }
    return patterns.length;
  },
};

compare();
library.solve(library.read(states[0])); // makes the tables
await solveByCubing(patterns[0]); // and its own
const best = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, measured] of Object.entries(figures)) {
    const before = process.cpuUsage();
    const count = await measured();
    const { user, system } = process.cpuUsage(before);
    best[name] = Math.max(best[name] ?? 0, (count * 1e6) / (user + system));
  }
}
for (const [name, value] of Object.entries(best)) console.log(name, value);
process.exit(); // its threads wait for more
