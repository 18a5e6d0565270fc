// The client's own cube against the server's: random turns of every kind, on cubes of many sizes.
// Usage: node turns.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, isSolved, parseMoves, toFacelets, turnedAll } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { randomFrom } from './support/proxy.mjs';

const MOVES = 60;
const MOVES_LARGE = 10;

const uniform = randomFrom(20260301);
const random = (below) => Math.floor(uniform() * below);
const pick = (list) => list[random(list.length)];

function randomMove(n) {
  const amount = pick(['', "'", '2', "2'", '3', "3'", '5']);
  const face = pick([...'URFDLB']);
  const [low, high] = [1 + random(n), 1 + random(n)].sort((a, b) => a - b);
  const kinds = [() => face, () => `${1 + random(n)}${face}`, () => pick([...'xyz'])];
  if (n > 2) kinds.push(() => `${2 + random(n - 2)}${face}w`, () => pick([...'mes']));
  if (n % 2 === 1) kinds.push(() => pick([...'MES']));
  if (low > 1 || high < n) kinds.push(() => `${low}-${high}${face}`);
  return pick(kinds)() + amount;
}

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

for (const size of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 17, 31, 50, 100]) {
  await check(`${size}x${size}x${size}`, async () => {
    const moves = Array.from({ length: size < 20 ? MOVES : MOVES_LARGE }, () => randomMove(size)).join(' ');
    const { cube: solved } = await cubed.apply({ size });
    const { cube, moves: canonical } = await cubed.apply({ size, moves });
    for (const text of [moves, canonical]) {
      const turns = parseMoves(text, size);
      assert.ok(turns, text);
      assert.equal(toFacelets(turnedAll(fromFacelets(solved.facelets), size, turns)), cube.facelets, text);
    }
    assert.ok(isSolved(fromFacelets(solved.facelets), size));
    assert.equal(isSolved(fromFacelets(cube.facelets), size), cube.solved);
  });
}

await check('primes as people and programs write them, as the server reads them', async () => {
  for (const prime of "'’‘‛ʼʹˋ′´`＇") {
    assert.deepEqual(parseMoves(`U${prime} R2${prime}`, 3), parseMoves("U' R2'", 3), prime);
    assert.equal((await cubed.algorithm({ moves: `U${prime} R2${prime}`, size: 3 })).canonical, "U' R2'", prime);
  }
});

await check('what it does not read is left to the server', async () => {
  const unread = ['(R U)', '[R, U]', "R'2", 'RU', 'r', 'T', '0R', '4R', '1-3R', '3-1R', '2M', "R // comment", '3Rw', 'Q'];
  for (const text of unread) assert.equal(parseMoves(text, 3), null, text);
  for (const text of ['M', 'S2', "E'"]) assert.equal(parseMoves(text, 4), null, text);
  for (const text of ['Rw', 'm']) assert.equal(parseMoves(text, 2), null, text);
  assert.deepEqual(parseMoves(" R@0  U2'@15 ", 3), [{ face: 'R', from: 1, to: 1, turns: 1 }, { face: 'U', from: 1, to: 1, turns: -2 }]);
  assert.deepEqual(parseMoves('', 3), []);
});

await server.stop();
finish();
