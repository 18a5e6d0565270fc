// The page's own cube against the server's: random turns of every kind, on cubes of many sizes.
// Usage: node turns.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { fromFacelets, isSolved, parseMoves, toFacelets, turned } from '../../web/page/cube.js';
import { textNet } from '../../web/page/net.js';

const MOVES = 60;

let seed = 20260301;
const random = (below) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];

function randomMove(n) {
  const amount = pick(['', "'", '2', "2'"]);
  const face = pick([...'URFDLB']);
  const [low, high] = [1 + random(n), 1 + random(n)].sort((a, b) => a - b);
  const kinds = [() => face, () => `${1 + random(n)}${face}`, () => pick([...'xyz'])];
  if (n > 2) kinds.push(() => `${2 + random(n - 2)}${face}w`, () => pick([...'mes']));
  if (n % 2 === 1) kinds.push(() => pick([...'MES']));
  if (low > 1 || high < n) kinds.push(() => `${low}-${high}${face}`);
  return pick(kinds)() + amount;
}

const server = await Server.start(binaryArgument(), 'memory:');

async function apply(size, moves) {
  const response = await fetch(`${server.url}/v1/apply`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cube: { size }, moves }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

for (const size of [2, 3, 4, 5, 6, 7, 10, 31]) {
  await check(`${size}x${size}x${size}`, async () => {
    const moves = Array.from({ length: MOVES }, () => randomMove(size)).join(' ');
    const solved = (await apply(size, '')).cube.facelets;
    const answer = await apply(size, moves);
    const turns = parseMoves(answer.moves, size);
    assert.equal(turns.length, MOVES);
    const stickers = turns.reduce((now, turn) => turned(now, size, turn), fromFacelets(solved));
    assert.equal(toFacelets(stickers), answer.cube.facelets, answer.moves);
    assert.ok(isSolved(fromFacelets(solved), size));
    assert.ok(!isSolved(stickers, size));
  });
}

await check('the text is the server’s', async () => {
  const response = await fetch(`${server.url}/v1/apply?size=4&moves=Rw+U`, { headers: { Accept: 'text/plain' } });
  const { cube } = await apply(4, 'Rw U');
  assert.equal(textNet(fromFacelets(cube.facelets), 4).trimEnd(), (await response.text()).trimEnd());
});

await server.stop();
finish();
