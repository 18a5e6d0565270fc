// Past of the client in JavaScript: any moment of a history of any kind is the server's cube at that moment.
// Usage: node past.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, Past } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

/** The history of a session, with a count of what was read from the server. */
async function pastOf(session) {
  const { revision, cube } = await session.cube();
  const asked = { pages: 0, cubes: 0 };
  const past = new Past({
    size: cube.size,
    revision,
    stickers: fromFacelets(cube.facelets),
    entries: async (after, limit) => {
      asked.pages++;
      return (await session.history({ after, limit }).first()).items;
    },
    cubeAt: async (at) => {
      asked.cubes++;
      return (await session.cube({ at })).cube.facelets;
    },
  });
  return { past, asked };
}

const session = await cubed.createSession({ size: 3 });
await session.scramble({ moves: "R U F' D2 L B2" });
await session.turn("R U R' U'");
await session.undo();
await session.redo();
await session.turn('F2');
await session.reset();
await session.turn('M E S');
const { revision: newest } = await session.cube();
const at = async (revision) => (await session.cube({ at: revision })).cube.facelets;

await check('jumps: the cube after each entry, and in the middle of one', async () => {
  const { past, asked } = await pastOf(session);
  for (const revision of [newest, 3, 0, 6, 1, newest, 5]) {
    await past.seek(revision);
    assert.equal(past.position, revision);
    assert.equal(past.facelets, await at(revision), String(revision));
  }
  await past.seekTo(1, 2);
  assert.equal(past.facelets, (await cubed.apply({ cube: { session: session.id, at: 1 }, moves: 'R U' }, { token: session.token })).cube.facelets);
  assert.equal(past.position, 1.5);
  assert.deepEqual(past.place, { revision: 2, move: 2 });
  assert.deepEqual(asked, { pages: 1, cubes: 0 }, 'all near: turned here');
});

await check('steps: every move back to the beginning, and forward again', async () => {
  const { past } = await pastOf(session);
  const seen = [];
  past.subscribe((change) => change.type === 'position' && seen.push(change.position));
  while (await past.step(-1)) if (Number.isInteger(past.position)) assert.equal(past.facelets, await at(past.position), String(past.position));
  assert.equal(past.position, 0);
  const back = seen.splice(0);
  while (await past.step(1)) if (Number.isInteger(past.position)) assert.equal(past.facelets, await at(past.position), String(past.position));
  assert.equal(past.position, newest);
  assert.deepEqual(seen, [...back.slice(0, -1).reverse(), newest]);
  assert.equal(back.length, 1 + 4 + 1 + 1 + 1 + 1 + 3, 'a scramble, undo, redo and reset are one step each, moves are single');
});

await check('turns are reported one by one; others go on meanwhile', async () => {
  const { past } = await pastOf(session);
  const changes = [];
  past.subscribe((change) => changes.push(change));
  await past.step(-1);
  assert.deepEqual(changes[0], { type: 'turned', turns: [{ face: 'F', from: 2, to: 2, turns: -1 }], by: 'here' });
  const before = past.facelets;
  const { entry } = await session.turn('U');
  past.add(entry);
  past.add(entry);
  assert.equal(past.length, newest + 1);
  assert.equal(past.facelets, before, 'what is shown stays');
  assert.deepEqual(changes.filter(({ type }) => type === 'length'), [{ type: 'length', length: newest + 1 }]);
  await past.step(1);
  await past.step(1);
  assert.equal(await past.step(1), false);
  assert.equal(past.facelets, await at(newest + 1));
});

await check('a long history is read in pages, and only where somebody looks', async () => {
  const long = await cubed.createSession({ size: 2 });
  for (let i = 0; i < 1500; i++) await long.turn('RUFDLB'[i % 6]);
  const { past, asked } = await pastOf(long);
  for (const revision of [20, 21, 1490, 700]) {
    await past.seek(revision);
    assert.equal(past.facelets, (await long.cube({ at: revision })).cube.facelets, String(revision));
    await past.step(-1);
    assert.equal(past.facelets, (await long.cube({ at: revision - 1 })).cube.facelets, `before ${revision}`);
  }
  assert.ok(asked.pages <= 4 && asked.cubes <= 2, JSON.stringify(asked));
});

await check('of two jumps the newer one is shown, whichever is read first', async () => {
  const waiting = [];
  const past = new Past({
    size: 2, revision: 900, stickers: new Uint8Array(24),
    entries: async () => [], cubeAt: (revision) => new Promise((done) => waiting.push(() => done('URFDLB'[revision % 6].repeat(24)))),
  });
  const first = past.seek(100);
  const second = past.seek(301);
  waiting[1]();
  await second;
  waiting[0]();
  await first;
  assert.equal(past.position, 301);
  assert.equal(past.facelets, 'R'.repeat(24));
});

await check('what cannot be read is reported', async () => {
  const fails = () => Promise.reject(new Error('no line'));
  const past = new Past({ size: 2, revision: 900, stickers: new Uint8Array(24), entries: fails, cubeAt: fails });
  const problems = [];
  past.subscribe((change) => change.type === 'failed' && problems.push(change.problem.message));
  await past.seek(100);
  assert.deepEqual(problems, ['no line']);
  assert.equal(past.loading, false);
});

await check('plays to the present and stops there', async () => {
  const { past } = await pastOf(session);
  await past.seek(newest - 3);
  const done = new Promise((ended) => past.subscribe(({ type, playing }) => type === 'playing' && !playing && ended()));
  past.play({ movesPerSecond: 100 });
  assert.equal(past.playing, true);
  await done;
  assert.equal(past.position, past.length);
});

await server.stop();
finish();
