// Turning over a long and bad line: nobody waits, everybody agrees, each turn is made once.
// Usage: node line.mjs [path of the binary]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { Line } from './support/line.mjs';
import { PATIENCE_MS, sleep } from '../support/patience.mjs';
import { randomFrom, until } from './support/proxy.mjs';

const ROUND_TRIP_MS = 300;
const TURNS = 100;

const binary = binaryArgument();
const store = `sqlite:${join(temporaryDirectory(), 'cubed.db')}`;
let server = await Server.start(binary, store);
const line = (options) => Line.open(server.url, { delayMs: ROUND_TRIP_MS / 2, ...options });
const direct = () => new Cubed(server.url);

async function open(url, id) {
  const changes = [];
  const cube = await new Cubed(url).session(id).live({ onChange: (change) => changes.push(change) });
  await sleep(0); // its opening is reported
  return Object.assign(cube, { made: [], of: (type) => changes.filter((change) => change.type === type) });
}

/** Turns, and demands that it is shown in the same task. */
function turnAtOnce(cube, move) {
  const before = cube.facelets;
  const shown = cube.of('turned').length;
  cube.turn(move);
  cube.made.push(move);
  assert.notEqual(cube.facelets, before, 'it is shown at once');
  assert.equal(cube.of('turned').length, shown + 1);
  assert.equal(cube.of('turned').at(-1).by, 'here');
}

/** Returns true if `part` is in `all` in this order. */
function isInOrder(part, all) {
  let next = 0;
  for (const one of all) if (one === part[next]) next++;
  return next === part.length;
}

const entriesOf = (id) => direct().session(id).history({ limit: 1000 }).all();

/** All have seen everything, each move was made once, and each client's own in its order. */
async function agree(id, cubes, scripted = []) {
  const settled = Promise.all(cubes.map((cube) => cube.settled())).then(() => true);
  assert.ok(await Promise.race([settled, sleep(2 * PATIENCE_MS).then(() => false)]), 'everything was sent');
  const { revision, cube: { facelets } } = await direct().session(id).cube();
  await until(() => cubes.every((cube) => cube.revision === revision), 'all have seen everything');
  for (const cube of cubes) assert.equal(cube.facelets, facelets);
  const all = (await entriesOf(id)).flatMap(({ moves }) => moves.split(' '));
  const plain = (moves) => moves.map((move) => move.split('@')[0]);
  assert.deepEqual(all.slice().sort(), plain([...cubes.flatMap(({ made }) => made), ...scripted]).sort(), 'each move once');
  for (const { made } of [...cubes, { made: scripted }]) assert.ok(isInOrder(plain(made), all), 'in the order in which each made them');
  for (const cube of cubes) assert.equal(cube.of('refused').length, 0);
}

for (const kill of [false, true]) {
  await check(`two people and a script turn at once over 300 ms and 1 % loss${kill ? ', and the server is killed' : ''}`, async () => {
    const random = randomFrom(kill ? 5 : 4);
    const lines = await Promise.all([1, 2].map(() => line({ lossEvery: 100, resetEvery: 300 })));
    const { id } = await direct().createSession({ size: 3, access: 'edit' });
    const cubes = await Promise.all(lines.map(({ url }) => open(url, id)));
    const scripted = [];
    for (let i = 0; i < TURNS; i++) {
      for (const cube of cubes) turnAtOnce(cube, `${'URFDLB'[Math.floor(random() * 6)]}${['', "'", '2'][Math.floor(random() * 3)]}@${i * 80}`);
      if (i % 10 === 0) {
        const move = `${1 + (i % 3)}R`;
        scripted.push(i % 3 === 0 ? 'R' : move);
        await direct().session(id).turn(move);
      }
      if (i === 20) lines[0].cut();
      if (kill && i === 50) {
        await server.kill();
        server = await Server.start(binary, store);
        for (const one of lines) one.target = server.url;
      }
      await sleep(40);
    }
    await agree(id, cubes, scripted);
    const entries = await entriesOf(id);
    assert.ok(entries.length < TURNS, `${entries.length} entries: turns are joined`);
    assert.ok(lines.every(({ lost, wereReset }) => lost > 0 && wereReset > 0), 'something was lost');
    cubes.forEach((cube) => cube.close());
    await Promise.all(lines.map((one) => one.close()));
  });
}

await check('hundreds of turns in one entry keep each its own time', async () => {
  const slow = await line();
  const { id } = await direct().createSession({ size: 3, access: 'edit' });
  const cube = await open(slow.url, id);
  const times = Array.from({ length: 400 }, (_, i) => 1000 + 37 * i);
  for (const ms of times) turnAtOnce(cube, `${'RUF'[ms % 3]}@${ms}`);
  await agree(id, [cube]);
  const entries = await entriesOf(id);
  assert.equal(entries.length, 2);
  assert.deepEqual(entries.flatMap(({ times_ms }) => times_ms), times);
  cube.close();
  await slow.close();
});

await check('a solve is timed by the turns as they were made, however late they come', async () => {
  const slow = await line();
  const session = await direct().createSession({ size: 3 });
  await session.scramble({ moves: "R U F' D2" });
  const cube = await new Cubed(slow.url).session(session.id, { token: session.token }).live();
  for (const [i, move] of ['D2', 'F', "U'", "R'"].entries()) cube.turn(`${move}@${5000 + 1234 * i}`);
  assert.ok(cube.solved);
  await cube.settled();
  const [solve] = (await direct().solves.list({ session: session.id, token: session.token }).first()).items;
  assert.deepEqual([solve.time_ms, solve.clock, solve.solution], [3702, 'client', "D2@5000 F@6234 U'@7468 R'@8702"]);
  cube.close();
  await slow.close();
});

await check('so many turns that one entry cannot have them all go as several', async () => {
  const slow = await line();
  const { id } = await direct().createSession({ size: 3, access: 'edit' });
  const cube = await open(slow.url, id);
  for (let i = 0; i < 2300; i++) turnAtOnce(cube, 'RUF'[i % 3]);
  await agree(id, [cube]);
  assert.deepEqual((await entriesOf(id)).map(({ moves }) => moves.split(' ').length), [1, 1000, 1000, 299]);
  cube.close();
  await slow.close();
});

await server.stop();
finish();
