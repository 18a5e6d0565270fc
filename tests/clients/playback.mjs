// Playback of the client in JavaScript: any position of lists of any length, against the server.
// Usage: node playback.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, Playback } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { randomFrom } from './support/proxy.mjs';

const uniform = randomFrom(20261123);
const random = (below) => Math.floor(uniform() * below);
const pick = (list) => list[random(list.length)];

/** A move of layers up to the middle: every solver answers such moves. */
function randomMove(n) {
  const depth = 1 + random(Math.max(1, Math.floor(n / 2)));
  const amount = pick(['', "'", '2']);
  if (depth === 1) return pick([...'URFDLB']) + amount;
  return `${depth}${pick([...'URFDLB'])}${pick(['', 'w'])}${amount}`;
}

const randomMoves = (n, count) => Array.from({ length: count }, () => randomMove(n));

/** All changes that a playback reports, in the order in which they come. */
function recorded(playback) {
  const changes = [];
  playback.subscribe((change) => changes.push(change));
  return changes;
}

const ended = (playback) => new Promise((done) => {
  playback.subscribe(({ type, playing }) => type === 'playing' && !playing && done());
});

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

const faceletsAfter = async (size, moves) => (await cubed.apply({ size, moves: moves.join(' ') })).cube.facelets;

for (const [size, count] of [[2, 500], [3, 3000], [7, 2000], [31, 3000], [100, 4000]]) {
  await check(`${size}x${size}x${size}: any of ${count} positions is that of the server`, async () => {
    const moves = randomMoves(size, count);
    const playback = new Playback({ size, moves });
    for (const position of [count, 0, 1, count - 1, ...Array.from({ length: 6 }, () => random(count))]) {
      playback.seek(position);
      assert.equal(playback.position, position);
      assert.equal(playback.facelets, await faceletsAfter(size, moves.slice(0, position)), String(position));
    }
    playback.close();
  });
}

await check('a position is as soon at the end of a long list as at its beginning', () => {
  const size = 100;
  const playback = new Playback({ size, moves: randomMoves(size, 20000) });
  playback.seek(playback.length); // keeps what is needed
  const timeOf = (from) => {
    const times = Array.from({ length: 5 }, (_, i) => {
      const { user } = process.cpuUsage();
      for (let j = 0; j < 8; j++) playback.stickersAt(from + 61 * i + 7 * j);
      return process.cpuUsage().user - user;
    });
    return Math.min(...times);
  };
  const [early, late] = [timeOf(300), timeOf(19500)];
  assert.ok(late < 6 * early + 20000, `${early} us, ${late} us`);
  playback.close();
});

await check('steps go on and back, and are reported as turns', async () => {
  const moves = ['R', "U'", '2Fw2', 'M'];
  const { cube } = await cubed.apply({ size: 5, moves: 'F B2 3Rw' });
  const playback = new Playback({ size: 5, facelets: cube.facelets, moves });
  const changes = recorded(playback);
  assert.equal(playback.step(), true);
  assert.equal(playback.step(1), true);
  assert.equal(playback.step(-1), true);
  const move = (face, turns) => ({ face, from: 1, to: 1, turns });
  assert.deepEqual(changes, [
    { type: 'turned', turns: [move('R', 1)], by: 'here' }, { type: 'position', position: 1 },
    { type: 'turned', turns: [move('U', -1)], by: 'here' }, { type: 'position', position: 2 },
    { type: 'turned', turns: [move('U', 1)], by: 'here' }, { type: 'position', position: 1 },
  ]);
  assert.equal(playback.step(-7), true);
  assert.equal(playback.facelets, cube.facelets);
  assert.equal(playback.step(-1), false);
  assert.equal(playback.step(99), true);
  assert.equal(playback.position, 4);
  assert.equal(playback.step(), false);
});

await check('what was shown before a step is not changed by it', () => {
  const playback = new Playback({ size: 3, moves: ['R', 'U'] });
  const before = playback.stickers;
  const copy = before.slice();
  playback.step();
  playback.seek(2);
  assert.deepEqual(before, copy);
});

await check('a jump is reported as one; beyond the ends it is the end', () => {
  const playback = new Playback({ size: 3, moves: ['R', 'U', 'F'] });
  const changes = recorded(playback);
  playback.seek(2);
  playback.seek(2);
  playback.seek(99);
  playback.seek(-1);
  playback.seek(NaN);
  assert.deepEqual(changes.map(({ type, position }) => position ?? type), ['redrawn', 2, 'redrawn', 3, 'redrawn', 0]);
});

for (const [movesPerSecond, count] of [[15, 5], [4000, 800]]) {
  await check(`plays ${movesPerSecond} moves a second to the end, and then anew`, async () => {
    const moves = randomMoves(3, count);
    const playback = new Playback({ size: 3, moves });
    const changes = recorded(playback);
    for (const round of [1, 2]) {
      const end = ended(playback);
      playback.play({ movesPerSecond });
      assert.equal(playback.playing, true);
      await end;
      assert.equal(playback.playing, false);
      assert.equal(playback.position, moves.length, `round ${round}`);
      assert.equal(playback.facelets, await faceletsAfter(3, moves));
    }
    const positions = changes.flatMap(({ type, position }) => (type === 'position' ? [position] : []));
    const anew = positions.indexOf(0);
    assert.ok(positions.every((position, i) => i === anew || i === 0 || position > positions[i - 1]));
    if (movesPerSecond === 15) assert.equal(positions.length, 2 * moves.length + 1, 'each move is a step of its own');
    else assert.ok(positions.length < moves.length, 'several moves at once');
  });
}

await check('plays up to a position', async () => {
  const playback = new Playback({ size: 3, moves: randomMoves(3, 9) });
  const end = ended(playback);
  playback.play({ movesPerSecond: 60, until: 4 });
  await end;
  assert.equal(playback.position, 4);
  playback.close();
});

await check('pause() stops at a position; a list without moves does not play', async () => {
  const playback = new Playback({ size: 2, moves: randomMoves(2, 1000) });
  const changes = recorded(playback);
  playback.play({ movesPerSecond: 50 });
  await new Promise((done) => {
    playback.subscribe(({ type }) => {
      if (type !== 'position') return;
      playback.pause();
      done();
    });
  });
  const { position } = playback;
  await new Promise((done) => setTimeout(done, 100)); // bound: nothing happens
  assert.equal(playback.position, position);
  assert.deepEqual(changes.filter(({ type }) => type === 'playing').map(({ playing }) => playing), [true, false]);
  const empty = new Playback({ size: 2, moves: [] });
  empty.play();
  assert.equal(empty.playing, false);
  assert.throws(() => playback.play({ movesPerSecond: 0 }), RangeError);
});

await check('anything but single moves and complete cubes is refused', () => {
  for (const word of ['(R', 'R U', '', '4R', 'r', '3Rw']) {
    assert.throws(() => new Playback({ size: 3, moves: ['R', word] }), (error) => error instanceof SyntaxError && error.message.includes(`"${word}"`));
  }
  assert.throws(() => new Playback({ size: 3, facelets: 'UUU', moves: [] }), RangeError);
});

await server.stop();
finish();
