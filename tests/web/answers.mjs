// The library in the page answers what the server answers: moves and their faults, diagnoses, scrambles, solutions and lessons,
// for the same questions. Usage: node answers.mjs [path of the binary]; needs build/wasm/libcube.wasm, which `make` builds.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import '../../bindings/js/src/node-random.js';
import { Library } from '../../bindings/js/src/cube.js';
import { Cubed, Problem } from '../../clients/js/src/index.js';
import { canAnswer, QUICK, SLOW } from '../../web/page/offline/forms.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const library = new Library(new WebAssembly.Module(readFileSync(new URL('../../build/wasm/libcube.wasm', import.meta.url))));

/** Numbers below `below` that look random, the same in each run. */
let state = 1;
function number(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
}
const pick = (list) => list[number(list.length)];

/** Members of a problem that are only in an answer of the server. */
const OF_SERVER = ['request_id', 'help', 'instance'];
const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** The answer, or the members of the problem. */
async function answerOf(ask) {
  try {
    return await ask();
  } catch (error) {
    assert.ok(error instanceof Problem, error.stack);
    return { problem: without(error.details, OF_SERVER) };
  }
}

const only = (object, names) => (object.problem ? object : Object.fromEntries(names.map((name) => [name, object[name]])));

const TEXTS = [
  '', ' ', "R U R' U'", "[R, U] [F: D]2", "(R U R' U')6", 'R U Q', 'R U2\' F3', "Rw r 2-3Rw M E S x y z'", 'R U (F', 'R) U', '[R U]', 'R /* no end', '// only a comment',
  "R’ U′ F´", 'ÄÖ', 'R 😀 U', '😀', 'R@100 U@200', 'RU2F', "R3'", 'R99999999999999', '7R', '3-2Rw', '1-3Rw', 'Mw', 'm', '((((R))))', '(((((R)5)9)9)9)9', '(R U)x6', '(R U x6', "(M' U)3 (M' U')3",
  'R1 U2 F3', 'u ur u2', 'turn R', 'Ruuu', "R U R'U'R'FR2U'R'U'R U R'F'", 'R\nU // comment\nF', 'R U"', 'R U`', '1R', '0R', '-R', 'R--', "F R' (U x y", '100x', 'f2 d\' b',
];
const PARTS = [...'URFDLBxyzMESurfdlb', "'", '2', '3', ' ', ' ', ' ', 'w', '(', ')', '[', ']', ',', ':', '-', '5', '’', 'é', '@', '/', '*', '😀', '\n', '{', '^'];
const anyText = () => Array.from({ length: 1 + number(24) }, () => pick(PARTS)).join('');

async function compareMoves(question) {
  if (!canAnswer('algorithm', question)) return;
  const [here, there] = await Promise.all([answerOf(async () => QUICK.algorithm(library, question)), answerOf(() => cubed.algorithm(question))]);
  assert.deepEqual(here, only(there, ['size', 'canonical', 'expanded']), JSON.stringify(question));
}

await check('moves, and what is wrong with them', async () => {
  for (const moves of TEXTS) for (const size of [2, 3, 4, 7]) await compareMoves({ moves, size });
  for (let i = 0; i < 400; i++) await compareMoves({ moves: anyText(), size: 2 + number(6) });
});

await check('moves of each dialect', async () => {
  const { dialects } = await cubed.formats();
  assert.deepEqual(QUICK.dialects(library), dialects);
  for (const { name } of dialects) for (const moves of TEXTS) await compareMoves({ moves, size: 3, notation: name });
});

await check('cubes by moves and by facelets', async () => {
  const cubes = [...TEXTS.flatMap((moves) => [{ size: 3, moves }, { size: 4, moves }]), { facelets: 'U'.repeat(54) }, { facelets: library.cube(4, "Rw U2 F'").facelets }];
  for (const cube of cubes) {
    assert.ok(canAnswer('convert', { cube }));
    const [here, there] = await Promise.all([answerOf(async () => QUICK.convert(library, { cube })), answerOf(() => cubed.convert({ cube }))]);
    assert.deepEqual(here, there.problem ? there : { cube: only(there.cube, ['size', 'facelets']) }, JSON.stringify(cube));
  }
  for (const cube of [{ net: 'U' }, { facelets: 'WWWW' }, { facelets: 'UUUU', size: 3 }, { moves: 'https://alg.cubing.net/?alg=R', size: 3 }]) assert.ok(!canAnswer('convert', { cube }));
});

const letters = (size) => SLOW.scramble(library, { size, seed: `painted ${number(1000)}` }).moves;
const scrambled = (size) => library.cube(size, letters(size)).facelets;

/** Some stickers of a cube with other colours, or in each other's place. */
function spoiled(facelets) {
  const stickers = [...facelets];
  for (let i = pick([1, 1, 2, 4]); i > 0; i--) {
    const [a, b] = [number(stickers.length), number(stickers.length)];
    if (number(2)) [stickers[a], stickers[b]] = [stickers[b], stickers[a]];
    else stickers[a] = pick('URFDLB');
  }
  return stickers.join('');
}

await check('the diagnosis of painted cubes', async () => {
  let impossible = 0;
  let several = 0;
  for (let i = 0; i < 150; i++) {
    const size = pick([2, 3, 3, 3, 4, 5]);
    const cube = i % 10 === 0 ? library.cube(size).facelets : i % 10 === 1 ? scrambled(size) : spoiled(i % 3 ? scrambled(size) : library.cube(size).facelets);
    const there = await cubed.validate({ cube });
    const here = QUICK.validate(library, { cube });
    const names = ['possible', 'problems', 'problem_count', ...('candidates' in there ? ['candidates'] : [])];
    assert.deepEqual(without(here, ['cube']), only(there, names), cube);
    if (there.possible) assert.equal(here.cube.solved, there.cube.solved);
    impossible += Number(!there.possible);
    several += Number('candidates' in there);
  }
  assert.ok(impossible > 75 && several > 2, `${impossible} ${several}`);
});

await check('scrambles to cases of sets, and to distances from goals', async () => {
  // PLL and OLL are patterns as well, which the server draws on any face.
  const cases = ['coll-pi-4', 'cmll-o-2', 'zbll-u-40', 'ollcp-27-2', 'f2l-up-3', 'zbls-up-3-2', 'wv-5', 'cll-h-1', 'eg1-o-1', 'eg2-h-1', 'pbl-diag-adj'];
  const goals = [['cross', 'U', 5], ['cross', 'L', 8], ['2x2x2', 'UFR', 4], ['eo', 'rl', 0], ['eo', 'ud', 6]];
  for (const question of [...cases.map((until) => ({ until })), ...goals.map(([goal, place, distance]) => ({ goal, place, distance }))]) {
    const asked = { ...question, seed: 'train' };
    assert.ok(canAnswer('scramble', asked), JSON.stringify(question));
    const { size, scrambles: [{ moves }] } = await cubed.scramble({ ...asked, count: 1, as: 'none' });
    assert.deepEqual(SLOW.scramble(library, asked), { size, moves }, JSON.stringify(question));
  }
  for (const other of [{ until: 'cross' }, { until: { name: 'pll-t' } }, { goal: 'f2l', place: 'D', distance: 3 }, { goal: 'cross', distance: 3 }, { until: 'pll-t', size: 3, count: 2 }]) assert.ok(!canAnswer('scramble', other), JSON.stringify(other));
});

await check('scrambles of a seed', async () => {
  for (const [size, variant] of [[2], [3], [3, 'bld'], [3, 'fmc'], [4], [5, 'bld'], [6], [7]]) {
    for (const seed of ['a', 'b']) {
      const question = { size, variant, seed };
      assert.ok(canAnswer('scramble', question));
      const { scrambles: [{ moves }] } = await cubed.scramble({ ...question, count: 1 });
      assert.equal(SLOW.scramble(library, question).moves, moves, JSON.stringify(question));
    }
  }
});

/** Leaves out the times, which only the server measures, and the pictures, which only it draws. */
function comparable(answer) {
  const stages = answer.stages?.map((stage) => ({ ...without(stage, ['picture']), steps: stage.steps.map((step) => without(step, ['picture'])) }));
  return { ...without(answer, ['nodes', 'time_ms']), stages };
}

await check('lessons, word for word', async () => {
  for (const [size, count] of [[2, 3], [3, 12], [4, 2], [5, 1]]) {
    for (let i = 0; i < count; i++) {
      const question = { method: 'beginner', ...(i % 2 ? { first: pick([...'URFDLB', 'any']), colors: 'snow,rose,moss,sun,clay,sky' } : {}) };
      const cube = { size, facelets: scrambled(size) };
      assert.ok(canAnswer('solve', { cube, ...question }));
      assert.deepEqual(comparable(SLOW.solve(library, { cube, ...question })), comparable(await cubed.solve({ cube, ...question })), JSON.stringify({ cube, question }));
    }
  }
  const cube = { size: 3, facelets: library.cube(3).facelets };
  assert.deepEqual(comparable(SLOW.solve(library, { cube, method: 'beginner' })), comparable(await cubed.solve({ cube, method: 'beginner' })));
});

await check('solutions by the same method, which solve the cube and are as short', async () => {
  for (const [size, count, method] of [[2, 4], [3, 5], [3, 1, 'two_phase'], [4, 1]]) {
    for (let i = 0; i < count; i++) {
      const cube = { size, facelets: scrambled(size) };
      const question = { cube, ...(method ? { method } : {}) };
      const [here, there] = [SLOW.solve(library, question), await cubed.solve(question)];
      assert.ok(library.read(cube.facelets).turn(here.solution).solved);
      for (const name of ['method', 'metric', 'from_history']) assert.equal(here[name], there[name], name);
      assert.deepEqual(Object.keys(here.metrics), Object.keys(there.metrics));
      assert.equal(here.metrics.htm, here.length);
      assert.deepEqual(here.stages?.map(({ name }) => name), there.stages?.map(({ name }) => name));
      if (size === 2) assert.deepEqual([here.length, here.optimal, here.bound], [there.length, there.optimal, there.bound]);
      if (size === 3) assert.ok(here.length <= 20 && there.length <= 21, `${here.length} ${there.length}`);
    }
  }
});

await server.stop();
finish();
