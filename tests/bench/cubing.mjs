// Measures cubing.js for what core.c measures. Prints the same lines "name value". Usage: node cubing.mjs DIRECTORY

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Alg, Move } from 'cubing/alg';
import { KPuzzle } from 'cubing/kpuzzle';
import { ExperimentalPGNotation, getPuzzleGeometryByDesc } from 'cubing/puzzle-geometry';
import { cube3x3x3 } from 'cubing/puzzles';

const SIZES = [3, 5, 7, 20, 50]; // at 100 it does not get ready in a sensible time
const KINDS = ['inner', 'outer', 'half', 'wide', 'rotation'];
const ROUNDS = 10;
const SAMPLE_MS = 15;
const TURNS = 64;

async function puzzle(size) {
  if (size === 3) return cube3x3x3.kpuzzle();
  const cuts = Array.from({ length: Math.floor(size / 2) }, (_, i) => `f ${(size - 2 * (i + 1)) / size}`);
  const geometry = getPuzzleGeometryByDesc(`c ${cuts.join(' ')}`, { allMoves: true, addRotations: true });
  const notation = new ExperimentalPGNotation(geometry, geometry.getOrbitsDef(true));
  return new KPuzzle(geometry.getKPuzzleDefinition(true), { experimentalPGNotation: notation });
}

let state = 7;
function random(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

function turn(kind, size) {
  const prime = random(2) ? "'" : '';
  const face = 'URFDLB'[random(6)];
  const layer = 2 + random(size - 2);
  if (kind === 'inner') return new Move((size === 3 ? 'MES'[random(3)] : layer + face) + prime);
  if (kind === 'outer') return new Move(face + prime);
  if (kind === 'half') return new Move(`${face}2`);
  if (kind === 'wide') return new Move(`${layer > 2 ? layer : ''}${face}w${prime}`);
  return new Move('xyz'[random(3)] + prime);
}

/** ns for one call. */
function time(call) {
  const begin = performance.now();
  let count = 0;
  let now;
  do {
    call();
    count++;
    now = performance.now();
  } while (now - begin < SAMPLE_MS);
  return ((now - begin) * 1e6) / count;
}

/** The least of some rounds, as core.c takes it. */
function leastTime(call) {
  for (let i = 0; i < ROUNDS; i++) time(call); // fills its caches, and has it compiled
  return Math.min(...Array.from({ length: ROUNDS }, () => time(call)));
}

const puzzles = new Map();
for (const size of SIZES) puzzles.set(size, await puzzle(size));

for (const [size, kpuzzle] of puzzles) {
  for (const kind of KINDS) {
    const moves = Array.from({ length: TURNS }, () => turn(kind, size));
    let pattern = kpuzzle.defaultPattern();
    const ns = leastTime(() => {
      for (const move of moves) pattern = pattern.applyMove(move);
    });
    console.log(`turn.${size}.${kind} ${(ns / TURNS).toFixed(1)}`);
  }
}

for (const [name, size] of [['3', 3], ['7', 7], ['brackets', 3]]) {
  const text = readFileSync(join(process.argv[2], `${name}.txt`), 'utf8');
  const solved = puzzles.get(size).defaultPattern();
  const alg = new Alg(text);
  console.log(`parse.${name} ${((text.length * 1e3) / leastTime(() => new Alg(text))).toFixed(3)}`);
  console.log(`apply.${name} ${leastTime(() => solved.applyAlg(alg)).toFixed(0)}`);
  console.log(`both.${name} ${leastTime(() => solved.applyAlg(new Alg(text))).toFixed(0)}`);
}
