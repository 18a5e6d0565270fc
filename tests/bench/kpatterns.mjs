// Writes tests/data/kpatterns.json: states as cubing.js has them, for the conversations about formats. Usage: node kpatterns.mjs
// (with the packages of this folder). `moves` from solved, then the data of the pattern; without `orientationMod` the
// orientation of centres is counted.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KPattern } from 'cubing/kpuzzle';
import { cube2x2x2, cube3x3x3 } from 'cubing/puzzles';
import { repository } from './lib.mjs';

const FAMILIES = { 2: [...'URFDLBxyz'], 3: [...'URFDLBMESxyz', 'Rw', 'Uw', 'Fw', 'Dw', 'Lw', 'Bw', 'r', 'u'] };
const puzzles = { 2: await cube2x2x2.kpuzzle(), 3: await cube3x3x3.kpuzzle() };

let state = 1;
const below = (most) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};

function pattern(size, counted) {
  const data = structuredClone(puzzles[size].defaultPattern().patternData);
  if (counted) delete data.CENTERS.orientationMod;
  return new KPattern(puzzles[size], data);
}

const lines = Array.from({ length: 300 }, (_, i) => {
  const size = i % 3 === 0 ? 2 : 3;
  const moves = Array.from({ length: 1 + (i % 25) }, () => FAMILIES[size][below(FAMILIES[size].length)] + ['', '2', "'"][below(3)]).join(' ');
  return JSON.stringify({ size, moves, kpattern: pattern(size, i % 3 === 2).applyAlg(moves).patternData });
});
writeFileSync(join(repository, 'tests/data/kpatterns.json'), `[\n${lines.join(',\n')}\n]\n`);
