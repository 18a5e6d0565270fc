// The parts of the page about moves that need no browser: links, the meaning of moves, lessons.
// Usage: node moves.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, Playback } from '../../clients/js/src/index.js';
import { marksOf, piecesOf, placesOf, stepAt, stepsOf } from '../../web/page/solver/lesson.js';
import { pictureOf, readLink, writeLink } from '../../web/page/open/links.js';
import { meaningOf } from '../../web/page/cube/meaning.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

await check('a link is read as it was written', () => {
  const cube = `${'U'.repeat(4)}${'R'.repeat(4)}${'F'.repeat(4)}${'D'.repeat(4)}${'L'.repeat(4)}${'B'.repeat(4)}`;
  const links = [
    { alg: "R U R' U'", setup: '', size: 3, cube: null, view: '3d' },
    { alg: "[R: [U, M']] 2-3Rw2", setup: "F' // turned\nU2", size: 5, cube: null, view: 'net' },
    { alg: '', setup: 'R & U = 100 %', size: 100, cube: null, view: '3d' },
    { alg: 'R', setup: '', size: 2, cube, view: '3d' },
  ];
  for (const link of links) assert.deepEqual(readLink(writeLink(link)), { ...link, setup: link.setup.trim() });
  assert.equal(writeLink(links[0]), "alg=R+U+R'+U'");
  assert.equal(writeLink(links[1]).includes(' '), false);
});

await check('what is wrong with a link is said in words', () => {
  const cases = {
    'alg=R&sise=3': '"sise"', 'alg=R&size=1': '"1"', 'size=x&alg=R': '"x"', 'size=101': '"101"', 'alg=R&alg=U': '"alg" twice',
    'view=4d': '"4d"', 'cube=UUX': 'letters', 'cube=UUU': 'no cube has 3 stickers', 'cube=URFDLB': 'no cube has 6', [`cube=${'U'.repeat(53)}`]: 'no cube has 53', '__proto__=1': '"__proto__"', [`cube=${'U'.repeat(24)}&setup=R`]: 'both',
    [`cube=${'U'.repeat(24)}&size=3`]: '24 stickers and size 3',
  };
  for (const [fragment, words] of Object.entries(cases)) {
    const { problem } = readLink(fragment);
    assert.ok(problem?.includes(words), `${fragment}: ${problem}`);
  }
});

await check('the picture of a link is one of the server', async () => {
  const { cube } = await cubed.apply({ size: 3, moves: 'R U' });
  const answer = await fetch(pictureOf({ server: server.url, size: 3, facelets: cube.facelets }));
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /^<svg/);
});

await check('what a move means', () => {
  assert.equal(meaningOf('R', 3), 'the right side, a quarter clockwise: at the front it goes up');
  assert.equal(meaningOf("R'", 3), 'the right side, a quarter counterclockwise: at the front it comes down, towards you');
  assert.equal(meaningOf('U2', 3), 'the top, half a turn');
  assert.equal(meaningOf('M', 3), 'the middle layer, like the left side, a quarter clockwise: at the front it comes down, towards you');
  assert.equal(meaningOf("x'", 3), 'the whole cube like the right side, a quarter counterclockwise: at the front it comes down, towards you');
  assert.equal(meaningOf('3Rw', 5), '3 layers together, from the right side on, a quarter clockwise: at the front it goes up');
  assert.equal(meaningOf('3U', 5), 'layer 3, counted from the top, a quarter clockwise: its front edge goes to the left');
  assert.equal(meaningOf('Q', 3), null);
});

/** The middle sticker of an edge of a side shows which of the words is right, by where a quarter turn takes it. */
await check('the words fit what turns do', async () => {
  const edges = { U: ['UF', 'UL'], D: ['DF', 'DR'], R: ['FR', 'UR'], L: ['FL', 'DL'], F: ['UF', 'FR'], B: ['UB', 'BL'] };
  const words = { UL: 'left', DR: 'right', UR: 'up', DL: 'down', FR: 'right', BL: 'left' };
  const home = fromFacelets((await cubed.apply({ size: 3 })).cube.facelets);
  for (const [face, [from, to]] of Object.entries(edges)) {
    const playback = new Playback({ size: 3, moves: [face] });
    assert.deepEqual(placesOf(from, playback.stickersAt(1), 3), placesOf(to, home, 3), face);
    assert.ok(meaningOf(face, 3).includes(words[to]), `${face}: ${meaningOf(face, 3)}`);
  }
});

await check('pieces: their number for each size, and each facelet once', () => {
  for (const n of [2, 3, 4, 7]) {
    const pieces = piecesOf(n);
    assert.equal(pieces.length, n ** 3 - (n - 2) ** 3);
    assert.deepEqual(pieces.flat().sort((a, b) => a - b), Array.from({ length: 6 * n * n }, (_, i) => i));
  }
});

await check('a lesson: the steps are its moves; each piece comes from where it is lit to its goal', async () => {
  const { scrambles } = await cubed.scramble({ size: 3, count: 20, seed: 'lessons' });
  for (const { cube } of scrambles) {
    const answer = await cubed.solve({ cube: { facelets: cube.facelets }, method: 'beginner' });
    const steps = stepsOf(answer);
    const turned = answer.stages.flatMap(({ steps: own }) => own).flatMap(({ hold, moves }) => [hold.moves, moves]);
    assert.equal(turned.filter(Boolean).join(' '), answer.solution);
    const playback = new Playback({ size: 3, facelets: cube.facelets, moves: answer.solution.split(' ') });
    const at = (position) => playback.stickersAt(position);
    let named = 0;
    steps.forEach((step, i) => {
      assert.equal(stepAt(steps, step.start), i);
      const before = marksOf(step, at, step.start, 3);
      assert.ok(before.length > 0 && before.every(({ places }) => places.length > 1), JSON.stringify(step));
      assert.ok(step.hint && step.hold && step.text && step.aim && step.title);
      if (!step.piece) return;
      named++;
      const goal = before.find(({ kind }) => kind === 'goal')?.places ?? before[0].places;
      const after = marksOf(step, at, step.end, 3);
      assert.deepEqual(after, [{ places: goal, kind: 'piece' }], 'it has come to its goal');
    });
    assert.ok(named >= 4, String(named));
    assert.equal(stepAt(steps, playback.length), steps.length - 1);
  }
});

await server.stop();
finish();
