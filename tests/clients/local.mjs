// The local cube of the JavaScript client against a session of the server: the same calls make the same entries, cubes
// and refusals. Usage: node local.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, LocalCube } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { randomFrom } from './support/proxy.mjs';

const CALLS = 150;
const SIZES = [2, 3, 4, 7];

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

/** Gathers the events of a cube, by type. */
function follow(cube) {
  const changes = [];
  cube.subscribe((change) => changes.push(change));
  return { changes, of: (type) => changes.filter((change) => change.type === type) };
}

/** Some call, as [name, argument]. */
function randomCall(size, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const faces = ['U', 'R', 'F', 'D', 'L', 'B', 'x', "y'", 'z2', `${size}R`, '3F', 'B5', "U2'", 'R0', `1-${size}L`];
  if (size > 2) faces.push('Rw', '2F', 'm', `${size - 1}Dw'`);
  if (size % 2 === 1) faces.push('M', "S'", 'E2');
  if (size > 4) faces.push("2-4B'", '3Uw');
  const moves = (count) => Array.from({ length: count }, () => pick(faces)).join(' ');
  return pick([
    ...Array(8).fill(() => ['turn', moves(1 + Math.floor(random() * 3))]),
    ...Array(3).fill(() => ['turn', moves(2).replaceAll(/(?<=[^ ])(?= |$)/g, '@250')]),
    ...Array(5).fill(() => ['undo', 1 + Math.floor(random() * 2)]),
    ...Array(4).fill(() => ['redo', 1 + Math.floor(random() * 2)]),
    () => ['reset'],
    () => ['scramble', { moves: moves(5) }],
  ])();
}

/** An entry without who and when. */
const plain = ({ actor, time, ...entry }) => entry;

for (const size of SIZES) {
  await check(`the same as a session of size ${size}`, async () => {
    const random = randomFrom(size);
    const session = await cubed.createSession({ size });
    const { facelets } = (await session.cube()).cube;
    const cube = new LocalCube({ size, facelets });
    const seen = follow(cube);
    let refused = 0;
    for (let i = 0; i < CALLS; i++) {
      const [name, argument] = randomCall(size, random);
      const [there, here] = await Promise.allSettled([session[name](argument), cube[name](argument)]);
      const what = `${i}: ${name} ${JSON.stringify(argument)}`;
      assert.equal(here.status, there.status, `${what}: ${here.reason ?? there.reason}`);
      if (here.status === 'rejected') {
        refused++;
        const members = ['kind', 'status', 'title', 'offset', 'length', 'column', ...(name === 'turn' || name === 'scramble' ? [] : ['detail'])];
        for (const member of members) assert.equal(here.reason[member], there.reason[member], `${what}: ${member}`);
        continue;
      }
      assert.deepEqual(plain(here.value.entry), plain(there.value.entry), what);
      assert.equal(cube.facelets, there.value.cube.facelets, what);
      assert.equal(cube.solved, there.value.cube.solved, what);
    }
    assert.deepEqual(cube.entries.map(plain), (await session.history({ limit: 1000 }).all()).map(plain));
    assert.equal(cube.revision, cube.entries.length);
    assert.ok(refused > 3 && cube.revision > CALLS / 2, `${refused} refused`);
    assert.deepEqual(seen.of('entry').map(({ entry }) => entry), cube.entries);
    assert.equal(seen.of('saved').length, cube.revision);
    assert.equal(seen.of('refused').length, refused);
  });
}

await check('a turn is made in the same task, and reported once', () => {
  const cube = new LocalCube();
  const { changes, of } = follow(cube);
  cube.turn("R U'@1200");
  assert.deepEqual(changes.map(({ type }) => type), ['turned', 'entry', 'saved']);
  assert.deepEqual(of('turned')[0], { type: 'turned', by: 'here', turns: [{ face: 'R', from: 1, to: 1, turns: 1 }, { face: 'U', from: 1, to: 1, turns: -1 }] });
  cube.turn('F', { hand: true });
  assert.equal(of('turned')[1].by, 'hand');
  assert.deepEqual([cube.undoable, cube.redoable, cube.revision], [2, 0, 2]);
  cube.undo(2);
  assert.deepEqual([cube.undoable, cube.redoable, cube.solved], [0, 2, true]);
  assert.equal(of('solved').length, 1);
});

await check('a scramble of its own is another one each time, and reset goes back to the beginning', async () => {
  for (const size of [2, 3, 4, 9, 50]) {
    const cube = new LocalCube({ size });
    const { facelets } = cube;
    await cube.scramble();
    const first = cube.entries[0].moves;
    await cube.scramble();
    assert.notEqual(cube.entries[1].moves, first);
    assert.ok(!cube.solved);
    assert.equal(cube.entries[0].kind, 'scramble');
    await cube.reset();
    assert.equal(cube.facelets, facelets);
  }
  const held = new LocalCube({ size: 2, facelets: (await cubed.apply({ size: 2, moves: 'R U' })).cube.facelets });
  const before = held.facelets;
  held.turn('F');
  held.reset();
  assert.equal(held.facelets, before);
  await held.scramble("R U'");
  assert.equal(held.entries.at(-1).moves, "R U'");
});

/** Returns the state of a cube, and what can be done with it. */
const standing = (cube) => ({ facelets: cube.facelets, undoable: cube.undoable, redoable: cube.redoable, entries: cube.entries });

await check('a cube is made again from its JSON, with its history, at any moment', async () => {
  for (const size of SIZES) {
    const random = randomFrom(size + 100);
    const cube = new LocalCube({ size, facelets: (await cubed.apply({ size, moves: "R U2 F'" })).cube.facelets });
    const left = [];
    for (let i = 0; i < 2 * CALLS; i++) {
      const [name, argument] = randomCall(size, random);
      await cube[name](argument).catch(() => {});
      if (i % 7 > 0) continue;
      const again = new LocalCube(JSON.parse(JSON.stringify(cube)));
      assert.deepEqual(standing(again), JSON.parse(JSON.stringify(standing(cube))), `${size}: ${i}`);
      left.push(again);
    }
    for (const again of left) {
      await again.reset();
      assert.equal(again.facelets, JSON.parse(JSON.stringify(cube)).facelets);
      while (again.undoable > 0) await again.undo();
      assert.equal(again.facelets, JSON.parse(JSON.stringify(cube)).facelets);
    }
  }
  assert.throws(() => new LocalCube({ entries: [{ revision: 1, kind: 'moves', moves: 'Q' }] }), RangeError);
});

await check('of a long history, the JSON has the newest thousand entries and what belongs to them', () => {
  const cube = new LocalCube();
  for (let solve = 0; solve < 300; solve++) for (const move of ['R', 'U', 'F', "F'", "U'", "R'"]) cube.turn(move);
  cube.undo(900);
  cube.turn('D');
  const kept = cube.toJSON();
  assert.deepEqual([cube.revision, kept.entries.length], [1802, 1004], 'from the newest moment on at which it was solved');
  const again = new LocalCube(kept);
  assert.deepEqual(again.entries.map(({ revision }) => revision), kept.entries.map((_, i) => i + 1));
  assert.deepEqual(again.entries.map(({ moves }) => moves), cube.entries.slice(-1004).map(({ moves }) => moves));
  assert.deepEqual([again.facelets, again.undoable], [cube.facelets, 1 + 1002 - 900]);
  again.undo(again.undoable);
  assert.ok(again.solved);
});

await check('all of more than ten thousand entries can be taken back', () => {
  const cube = new LocalCube();
  for (let i = 0; i < 12001; i++) cube.turn('R');
  assert.deepEqual([cube.undoable, cube.toJSON().entries.length], [12001, 1001]);
  cube.reset();
  assert.equal(cube.entries.at(-1).moves.split(' ').length, 12001);
  cube.undo(12002);
  assert.ok(cube.solved);
});

await check('a move that is not there is refused with its place', async () => {
  const cube = new LocalCube({ size: 4 });
  const { of } = follow(cube);
  await assert.rejects(cube.turn('R é M'), { kind: 'bad-notation', column: 3, offset: 2, length: 2 });
  await assert.rejects(cube.turn('turn', { notation: 'rubyks' }), { kind: 'bad-notation' });
  assert.deepEqual([of('refused').length, cube.revision], [2, 0]);
  assert.throws(() => new LocalCube({ size: 3, facelets: 'UUU' }), RangeError);
});

await check('moves that are not plain are read elsewhere, and those after them wait', async () => {
  const read = async (moves, { size, notation }) => {
    if (moves === 'gone') throw new Error('no answer');
    const { turns } = await cubed.apply({ size, moves, notation }, { turns: true });
    return turns.map(({ move }) => move).join(' ');
  };
  const cube = new LocalCube({ size: 3, read });
  const { of } = follow(cube);
  const made = [cube.turn('(R U)2'), cube.turn('F'), cube.turn('gone'), cube.turn('R Q'), cube.undo(), cube.turn("L'")];
  const results = await Promise.allSettled(made);
  assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled']);
  assert.deepEqual(cube.entries.map(({ kind, moves }) => [kind, moves]), [['moves', 'R U R U'], ['moves', 'F'], ['undo', "F'"], ['moves', "L'"]]);
  assert.deepEqual(of('refused').map(({ problem }) => problem.message.slice(0, 9)), ['no answer', results[3].reason.message.slice(0, 9)]);
  cube.turn('U');
  assert.equal(cube.revision, 5, 'nothing waits any more');
});

await server.stop();
finish();
