// The live cube of the JavaScript client: own turns at once, others' below them, refused ones taken back; two clients at
// once on a bad network. Usage: node live.mjs [path of the binary]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Cubed, Problem } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { Proxy, randomFrom, until } from './support/proxy.mjs';

const binary = binaryArgument();
const store = `sqlite:${join(temporaryDirectory(), 'cubed.db')}`;
let server = await Server.start(binary, store);
const proxy = await Proxy.start(server.url);
const direct = () => new Cubed(server.url);

/** A live cube through the proxy, with everything that it reports. */
async function open(id, token, options) {
  const changes = [];
  const cube = await new Cubed(proxy.url, options).session(id, { token }).live({ onChange: (change) => changes.push(change) });
  return Object.assign(cube, { changes, of: (type) => changes.filter((change) => change.type === type) });
}

/** The faults of listeners that are written to the console meanwhile. None may end the program. */
async function faultsOf(run) {
  const faults = [];
  const { error } = console;
  console.error = (_, fault) => faults.push(fault.message);
  try {
    await run();
  } finally {
    console.error = error;
  }
  return faults;
}

const create = (body = {}) => direct().createSession({ size: 3, access: 'edit', ...body });
const faceletsAfter = async (moves, size = 3) => (await direct().apply({ size, moves })).cube.facelets;
const serverFacelets = async (id) => (await direct().session(id).cube()).cube.facelets;

await check('it knows who this is, what can be undone, and whose turn it is', async () => {
  const owner = await create({ access: 'view', turn_policy: 'round-robin' });
  const link = await owner.tokens.create({ role: 'editor' });
  const guest = await direct().session(owner.id, { token: link.token }).tokens.create({ role: 'editor', label: 'Bo' });
  assert.equal(guest.parent, link.id);
  const [ann, bo] = [await open(owner.id, owner.token), await open(owner.id, guest.token)];
  assert.deepEqual([ann.you.role, bo.you], ['owner', { id: guest.id, label: 'Bo', role: 'editor' }]);
  await ann.turn('R');
  await until(() => bo.standing.revision === 1, 'the standing');
  assert.deepEqual([bo.standing.undoable, bo.standing.last.id, bo.standing.next.label], [1, '1', 'Bo']);
  await direct().session(owner.id, { token: guest.token }).tokens.rename('self', 'Bob');
  await until(() => ann.standing.next?.label === 'Bob', 'the new name');
  await bo.turn('U');
  await until(() => ann.revision === 2, 'the turn of Bob');
  await ann.undo(2);
  await until(() => [ann, bo].every(({ standing }) => standing.undoable === 0 && standing.redoable === 2), 'nothing to undo');
  assert.ok(ann.of('standing').length >= 3);
  await owner.tokens.revoke(link.id);
  await until(() => bo.of('ended').length === 1, 'the end of the guest');
  ann.close();
});

await check('an own turn is shown before the server knows of it', async () => {
  const { id } = await create();
  const cube = await open(id);
  proxy.latencyMs = 200;
  const turned = await faceletsAfter("R U'");
  const saved = cube.turn("R U'");
  assert.equal(cube.facelets, turned);
  assert.deepEqual([cube.revision, cube.waiting], [0, 1]);
  assert.deepEqual(cube.of('turned').map(({ by, turns }) => [by, turns.length]), [['here', 2]]);
  assert.equal((await saved).revision, 1);
  proxy.latencyMs = 0;
  await until(() => cube.revision === 1, 'the entry');
  assert.equal(cube.waiting, 0);
  assert.equal(cube.of('turned').length, 1, 'it is turned once');
  assert.equal(cube.of('redrawn').length, 1, 'drawn once, when it was opened');
  cube.close();
});

await check('an own turn is made once, also if its answer comes before its event', async () => {
  const { id } = await create();
  const cube = await open(id);
  proxy.holdsEvents = true;
  for (const move of ['R', "U'"]) await cube.turn(move);
  assert.equal(cube.facelets, await faceletsAfter("R U'"));
  proxy.holdsEvents = false;
  await direct().session(id).turn('F');
  await until(() => cube.revision === 3, 'the entry of somebody else');
  assert.deepEqual(cube.of('turned').map(({ by }) => by), ['here', 'here', 'others']);
  assert.equal(cube.of('redrawn').length, 1, 'drawn once, when it was opened');
  assert.equal(cube.facelets, await serverFacelets(id));
  cube.close();
});

await check('turns that are made while one is under way go as one entry', async () => {
  const { id } = await create();
  const cube = await open(id);
  proxy.latencyMs = 100;
  for (const move of ['R', 'U', 'F', "R'", 'U2']) cube.turn(move);
  await cube.settled();
  proxy.latencyMs = 0;
  assert.deepEqual((await direct().session(id).history().all()).map(({ moves }) => moves), ['R', "U F R' U2"]);
  assert.equal(cube.facelets, await serverFacelets(id));
  cube.close();
});

await check('times stay with their moves; what is not plain is shown when it is confirmed', async () => {
  const { id } = await create();
  const cube = await open(id);
  cube.turn('R');
  cube.turn('U@100');
  cube.turn('F@200');
  cube.turn('(R U)3');
  cube.turn('turn', { notation: 'rubyks' });
  cube.turn('L');
  assert.equal(cube.facelets, await faceletsAfter('R U F'));
  await cube.settled();
  assert.equal(cube.facelets, await faceletsAfter('R U F (R U)3 y L'));
  const entries = await direct().session(id).history().all();
  assert.deepEqual(entries.map(({ times_ms: times }) => times?.length ?? 0), [0, 2, 0, 0, 0]);
  cube.close();
});

await check('a turn of somebody else goes below the own ones', async () => {
  const { id } = await create();
  const cube = await open(id);
  let held = true;
  proxy.fault = ({ path }) => (path.endsWith('/moves') && held ? 'cut' : undefined);
  cube.turn('R');
  await direct().session(id).turn('U');
  await until(() => cube.revision === 1, 'the entry of the other');
  assert.equal(cube.facelets, await faceletsAfter('U R'));
  held = false;
  await cube.settled();
  proxy.fault = () => undefined;
  assert.equal(cube.facelets, await faceletsAfter('U R'));
  assert.deepEqual((await direct().session(id).history().all()).map(({ moves }) => moves), ['U', 'R']);
  cube.close();
});

await check('the same turn of somebody else is not taken for the own one', async () => {
  const { id } = await create();
  const cube = await open(id);
  let held = true;
  proxy.fault = ({ path }) => (path.endsWith('/moves') && held ? 'cut' : undefined);
  cube.turn('R');
  await direct().session(id).turn('R');
  await until(() => cube.revision === 1, 'the entry of the other');
  held = false;
  await cube.settled();
  proxy.fault = () => undefined;
  assert.equal(cube.facelets, await faceletsAfter('R2'));
  cube.close();
});

await check('nor is it if the refusal is the first to bring it', async () => {
  const { id } = await create();
  const cube = await open(id);
  let moves = 0;
  let held = true;
  proxy.fault = ({ path }) => (held && (path.endsWith('/events') || (path.endsWith('/moves') && moves++ > 0)) ? 'cut' : undefined);
  proxy.cut();
  await direct().session(id).turn('R');
  cube.turn('R');
  await until(() => moves > 1, 'the second attempt');
  assert.deepEqual([cube.revision, cube.facelets], [1, await faceletsAfter('R2')]);
  held = false;
  await cube.settled();
  proxy.fault = () => undefined;
  assert.equal(cube.facelets, await faceletsAfter('R2'));
  cube.close();
});

await check('an own turn whose entry comes before its answer is not made twice', async () => {
  const { id } = await create();
  const cube = await open(id);
  let held = true;
  proxy.fault = ({ path }) => (path.endsWith('/moves') && held ? 'lose' : undefined);
  cube.turn('R');
  await until(() => cube.revision === 1, 'the own entry');
  await direct().session(id).turn('U');
  await until(() => cube.revision === 2, 'the entry of the other');
  assert.equal(cube.waiting, 1);
  assert.equal(cube.facelets, await faceletsAfter('R U'));
  held = false;
  await cube.settled();
  proxy.fault = () => undefined;
  assert.equal(cube.facelets, await faceletsAfter('R U'));
  assert.equal(cube.of('redrawn').length, 1);
  cube.close();
});

await check('a refused turn is taken back, with those made after it, and reported', async () => {
  const session = await create({ access: 'view' });
  const { token } = await session.tokens.create({ role: 'viewer' });
  const cube = await open(session.id, token);
  proxy.latencyMs = 100;
  const refusals = [cube.turn('R'), cube.turn('U')];
  assert.equal(cube.facelets, await faceletsAfter('R U'));
  await Promise.all(refusals.map((one) => assert.rejects(one, { kind: 'role-too-small' })));
  proxy.latencyMs = 0;
  assert.equal(cube.facelets, await faceletsAfter(''));
  const [{ problem, changes }] = cube.of('refused');
  assert.ok(problem instanceof Problem);
  assert.deepEqual(changes.map(({ body }) => body.moves), ['R', 'U']);
  assert.equal(cube.of('refused').length, 1);
  cube.close();
});

await check('a text with a mistake is refused alone', async () => {
  const { id } = await create();
  const cube = await open(id);
  cube.turn('R Q');
  cube.turn('U');
  await cube.settled();
  assert.equal(cube.of('refused')[0].problem.column, 3);
  assert.equal(cube.facelets, await faceletsAfter('U'));
  cube.close();
});

await check('undo, redo, scramble and reset are shown when they are confirmed', async () => {
  const { id } = await create();
  const cube = await open(id);
  cube.turn('R');
  cube.undo();
  cube.turn('U');
  await cube.settled();
  await until(() => cube.revision === 3, 'three entries');
  assert.equal(cube.facelets, await faceletsAfter('U'));
  await cube.scramble({ seed: 'x' });
  await until(() => cube.revision === 4, 'the scramble');
  assert.equal(cube.facelets, await serverFacelets(id));
  await cube.reset();
  await until(() => cube.revision === 5, 'the reset');
  assert.ok(cube.solved);
  await assert.rejects(cube.undo(100), { kind: 'nothing-to-undo' });
  cube.close();
});

await check('a large cube is read from the server where turning it here would take long', async () => {
  const { id } = await create({ size: 60 });
  const cube = await open(id);
  await direct().session(id).turn('R U F L D B '.repeat(200));
  await until(() => cube.revision === 1, 'the entry');
  assert.equal(cube.facelets, await serverFacelets(id));
  cube.close();
});

await check('discarded turns that were never sent are gone', async () => {
  const { id } = await create();
  const cube = await open(id);
  proxy.latencyMs = 200;
  cube.turn('R');
  cube.turn('U');
  cube.discard();
  assert.equal(cube.facelets, await faceletsAfter('R'));
  await cube.settled();
  proxy.latencyMs = 0;
  assert.equal((await direct().session(id).read()).revision, 1);
  cube.close();
});

await check('a listener that throws does not stop the cube', async () => {
  const { id } = await create();
  const cube = await open(id);
  const faults = await faultsOf(async () => {
    cube.subscribe(({ type }) => {
      if (type === 'saved') throw new Error('a mistake of the listener');
    });
    cube.subscribe(async ({ type }) => {
      if (type === 'saved') throw new Error('a mistake that comes later');
    });
    await cube.turn('R');
    await cube.turn('U');
    assert.equal(cube.facelets, await faceletsAfter('R U'));
  });
  assert.deepEqual(faults.sort(), ['a mistake of the listener', 'a mistake of the listener', 'a mistake that comes later', 'a mistake that comes later']);
  assert.equal(cube.of('refused').length, 0);
  cube.close();
});

await check('onChange is called when the caller has the cube, with the cube, and with all since the opening', async () => {
  const { id } = await create();
  const seen = [];
  const open = async () => direct().session(id).live({ onChange: (change, given) => seen.push([change.type, given === cube, cube.facelets.length]) });
  const cube = await (async () => open())();
  assert.deepEqual(seen, []);
  await cube.turn('R');
  await until(() => seen.some(([type]) => type === 'saved'), 'the report of the turn'); // its answer may come within 1 ms
  for (const type of ['status', 'state', 'settings', 'redrawn', 'turned', 'saved']) {
    assert.deepEqual(seen.find((one) => one[0] === type), [type, true, 54], type);
  }
  const types = seen.map(([type]) => type);
  assert.ok(types.indexOf('state') < types.indexOf('turned'), String(types));
  assert.ok(types.indexOf('turned') < types.indexOf('saved'), String(types));
  cube.close();
});

await check('a reaction is reported, and leaves what is shown as it is', async () => {
  const session = await create();
  const cube = await open(session.id);
  await session.cue({ text: 'Look' });
  await until(() => cube.shown, 'the cue');
  await session.cue({ reaction: 'heart' });
  await until(() => cube.of('reaction').length > 0, 'the reaction');
  const [{ reaction, actor }] = cube.of('reaction');
  assert.deepEqual([reaction, actor.role, cube.shown.cue, cube.of('cue').length], ['heart', 'owner', { text: 'Look' }, 1]);
  await assert.rejects(session.cue({ reaction: 'heart', text: 'x' }), { kind: 'bad-member' });
  cube.close();
});

await check('an onChange that throws from the first change on stops neither the cube nor the program', async () => {
  const { id } = await create();
  let cube;
  let calls = 0;
  const faults = await faultsOf(async () => {
    cube = await direct().session(id).live({
      onChange() {
        calls++;
        throw new Error('a mistake');
      },
    });
    await cube.turn('R');
    await until(() => calls >= 4, 'the reports');
    assert.equal(cube.facelets, await faceletsAfter('R'));
    cube.close();
  });
  assert.equal(faults.length, calls);
});

await check('a cube that cannot be opened reports nothing', async () => {
  const seen = [];
  await assert.rejects(direct().session('0'.repeat(16)).live({ onChange: (change) => seen.push(change) }), { kind: 'not-found' });
  // bound: what must not come; a slow machine only hides a fault
  await new Promise((done) => setTimeout(done, 10));
  assert.deepEqual(seen, []);
});

await check('a listener of the connection, and one of a search, may throw too', async () => {
  const { id } = await create();
  const client = direct();
  const faults = await faultsOf(async () => {
    client.feed.listen(() => {
      throw new Error('a mistake about the connection');
    });
    const cube = await client.session(id).live();
    await cube.turn('R');
    cube.close();
    const solution = await client.solve({ cube: { moves: 'R U' }, wait_ms: 0 }, {
      onProgress() {
        throw new Error('a mistake about a search');
      },
    });
    assert.equal(solution.length, 2);
  });
  for (const part of ['connection', 'search']) assert.ok(faults.some((fault) => fault.endsWith(part)), String(faults));
});

await check('closing ends what waits', async () => {
  const { id } = await create();
  const cube = await open(id);
  proxy.latencyMs = 500;
  const turn = cube.turn('R');
  const settled = cube.settled();
  cube.close();
  proxy.latencyMs = 0;
  await assert.rejects(turn, { name: 'AbortError' });
  await settled;
});

await check('one that is given up before it is opened, or has no state, fails', async () => {
  const { id } = await create();
  const session = new Cubed(proxy.url).session(id);
  await assert.rejects(async () => session.live({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  proxy.fault = ({ path }) => (path.endsWith('/events') ? { status: 204 } : undefined);
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS, 'it does not end').unref());
  await assert.rejects(Promise.race([session.live(), late]), /ended/);
  proxy.fault = () => undefined;
});

await check('a deleted session ends the live cube', async () => {
  const session = await create();
  const cube = await open(session.id);
  await session.remove();
  await until(() => cube.of('ended').length === 1, 'the end');
  const refused = cube.of('refused').length;
  await assert.rejects(cube.turn('U'), /has ended: deleted/);
  assert.equal(cube.of('refused').length, refused + 1, 'a turn that comes too late is reported');
  await assert.rejects(cube.turn('R'), { name: 'AbortError' });
  await assert.rejects(open(session.id), { kind: 'gone' });
});

/** Two clients turn one cube at the same time while requests, answers and streams are lost. */
async function together(seed, { kill = false } = {}) {
  const random = randomFrom(seed);
  const { id } = await create();
  const once = { attempts: 1 }; // so that the live cube itself sends again
  const cubes = [await open(id), await open(id, null, once)];
  const made = [[], []];
  proxy.latencyMs = 5;
  proxy.fault = ({ path }) => {
    const dice = random();
    if (path.endsWith('/events')) return dice < 0.3 ? 'cut' : undefined;
    if (path.endsWith('/moves')) return dice < 0.15 ? 'cut' : dice < 0.3 ? 'lose' : undefined;
    return undefined;
  };
  for (let i = 0; i < 60; i++) {
    for (const [who, cube] of cubes.entries()) {
      const move = 'URFDLB'[Math.floor(random() * 6)] + ['', "'", '2'][Math.floor(random() * 3)];
      made[who].push(move);
      cube.turn(move);
    }
    if (i % 20 === 10) proxy.cut();
    if (kill && i === 30) {
      await server.kill();
      server = await Server.start(binary, store);
      proxy.target = server.url;
    }
    await new Promise((done) => setTimeout(done, random() * 20));
  }
  await Promise.all(cubes.map((cube) => cube.settled()));
  proxy.fault = () => undefined;
  proxy.latencyMs = 0;
  const { revision } = await direct().session(id).read();
  await until(() => cubes.every((cube) => cube.revision === revision), 'both have seen everything');
  const truth = await serverFacelets(id);
  for (const cube of cubes) assert.equal(cube.facelets, truth);
  assert.ok(cubes.every((cube) => cube.of('refused').length === 0));
  const entries = await direct().session(id).history({ limit: 1000 }).all();
  const all = entries.flatMap(({ moves }) => moves.split(' '));
  assert.deepEqual(all.slice().sort(), made.flat().sort(), 'each move is made once');
  for (const moves of made) {
    let next = 0;
    for (const move of all) if (move === moves[next]) next++;
    assert.equal(next, moves.length, 'in the order in which each client made them');
  }
  assert.ok(proxy.log.some((one) => one.fault === 'lose'));
  cubes.forEach((cube) => cube.close());
}

for (const seed of [1, 2]) await check(`two turn at once on a bad network (${seed})`, () => together(seed));
await check('two turn at once while the server is killed', () => together(3, { kill: true }));

await proxy.stop();
await server.stop();
finish();
