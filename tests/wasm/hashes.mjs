// The package answers what native code answers: the same hash of every kind of output, for many random states. Usage:
// node hashes.mjs [--all], after `make wasm build/tests/wasm/native`. With --all: 10,000 states for each kind that takes less
// than a millisecond, and 100 for the others.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';

const BUILD = new URL('../../build/', import.meta.url);
const { load } = await import(new URL('wasm/package/src/node.js', BUILD));
const [count, slow] = process.argv.includes('--all') ? [10000, 100] : [100, 3];

const encoder = new TextEncoder();
let hash = 2166136261;
let answers = [];

function add(data) {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
}

function report(name) {
  answers.push(`${name} ${(hash >>> 0).toString(16).padStart(8, '0')}`);
  hash = 2166136261;
}

const library = await load();
const letters = (colors) => Array.from(colors, (color) => 'URFDLB'[color]).join('');

const { numbers } = library.rows(count, { seed: 7, walk: null });
const states = Array.from({ length: count }, (_, i) => letters(numbers.subarray(54 * i, 54 * i + 54)));

for (const kind of ['colors', 'one_hot', 'features']) {
  const data = library.rows(count, { seed: 3n, first: 5, kind });
  for (const part of [data.numbers, data.lengths, data.last]) add(part);
}
report('rows');

for (const size of [2, 3]) {
  for (let more = 0; more < 8; more++) {
    for (const kind of ['colors', 'one_hot']) {
      for (const walk of [null, [0, 12]]) {
        const data = library.rows(count, { size, seed: 5, first: 9, kind, walk, symmetry: more & 1 ? 'random' : 'none', children: (more & 2) > 0, bound: (more & 4) > 0 });
        for (const part of [data.numbers, data.lengths, data.last, data.bounds]) add(part);
      }
    }
  }
  report(`families-${size}`);
}

for (const state of states) add(library.read(state).turn("[R, U2] (F' M)3 x 2R").facelets);
report('turned');

const rowOf = ({ kind, amount, place, piece, letters: shown, repair }) => `${[kind, amount, place, piece, shown, repair].join('\t')}\n`;
states.forEach((state, i) => {
  const wrong = state.slice(0, i % 54) + 'URFDLB'[i % 6] + state.slice((i % 54) + 1);
  add(library.diagnose(wrong).map(rowOf).join(''));
});
report('diagnosed');

for (const state of states) add(library.solve(library.read(state)).moves);
report('solutions');

for (const state of states) {
  const { moves, steps } = library.lesson(library.read(state));
  const stepRow = ({ stage, moves: turns, rotations, hold, hint, text }) => `\n${[stage, turns, rotations, hold, hint, text].join('\t')}`;
  add(moves + steps.map(stepRow).join(''));
}
report('lessons');

states.forEach((state, i) => add(library.picture(library.read(state), { view: ['iso', 'net', 'plan', 'trans'][i % 4] })));
report('pictures');

const cross = library.pattern('cross');
for (const colors of [numbers, library.rows(count, { seed: 11, walk: [0, 3] }).numbers]) add(new Uint8Array(cross.matchAll(colors).buffer));
report('matched');

for (const [size, times] of [[2, count], [3, slow], [4, slow], [7, count]]) {
  for (let i = 0; i < times; i++) add(library.scramble(size, `seed ${i}`));
  report(`scrambles-${size}`);
}

const AIMS = [['pll-t', 0], ['oll', 0], ['cll-h-1', 0], ['cross U', 5], ['eo rl', 3]];
for (let i = 0; i < slow * AIMS.length; i++) {
  const [name, distance] = AIMS[Math.floor(i / slow)];
  add(library.scrambleTo(name, { distance, seed: `seed ${i}` }).moves);
}
report('aimed');

for (const state of states.slice(0, slow)) add(library.solve(library.read(state), { enough: 20 }).moves);
report('shorter');

const { status, stdout } = spawnSync(fileURLToPath(new URL('tests/wasm/native', BUILD)), [count, slow], { encoding: 'utf8' });
assert.equal(status, 0);
const native = stdout.trim().split('\n');
for (const [i, answer] of answers.entries()) await check(`the hash of ${answer.split(' ')[0]} is that of native code`, () => assert.equal(answer, native[i]));
await check('every line was compared', () => assert.equal(native.length, answers.length));
finish();
