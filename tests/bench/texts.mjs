// The move texts of the core section: the same for both sides, the same in every run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOVES = 1000;

function generator(state) {
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** 1,000 moves for a cube of that size: outer, inner and wide ones, notation that both sides read. */
function moves(size, random) {
  const prefixes = size > 3 ? ['', '', '2', '3', 'w', '3w'] : ['', '', '', 'w'];
  return Array.from({ length: MOVES }, () => {
    const prefix = prefixes[random(prefixes.length)];
    const wide = prefix.endsWith('w') ? 'w' : '';
    return prefix.replace('w', '') + 'URFDLB'[random(6)] + wide + ['', "'", '2'][random(3)];
  }).join(' ');
}

/** Commutators, conjugates and groups, about as long. */
function brackets(random) {
  const turn = () => 'URFDLB'[random(6)] + ['', "'", '2'][random(3)];
  const unit = () => `[${turn()} ${turn()}: [${turn()}, ${turn()} ${turn()}]] (${turn()} ${turn()})3`;
  return Array.from({ length: 60 }, unit).join(' ');
}

export function makeTexts(directory) {
  const random = generator(1);
  const texts = { 3: moves(3, random), 7: moves(7, random), brackets: brackets(random) };
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(directory, `${name}.txt`), text);
  return texts;
}
