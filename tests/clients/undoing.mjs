// Undo and redo of a live cube over a slow line: shown at once, also of turns that are not sent yet or under way; what
// others do meanwhile, and what the server refuses. Usage: node undoing.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { Proxy, randomFrom, until } from './support/proxy.mjs';

const LATENCY_MS = 60;

const server = await Server.start(binaryArgument(), 'memory:');
const proxy = await Proxy.start(server.url);
const direct = () => new Cubed(server.url);

async function open(id, token) {
  const changes = [];
  const cube = await new Cubed(proxy.url).session(id, { token }).live({ onChange: (change) => changes.push(change) });
  proxy.latencyMs = LATENCY_MS;
  await new Promise((done) => setTimeout(done)); // its opening is reported
  return Object.assign(cube, { of: (type) => changes.filter((change) => change.type === type) });
}

const create = (body = {}) => direct().createSession({ size: 3, access: 'edit', ...body });
const faceletsAfter = async (moves) => (await direct().apply({ size: 3, moves })).cube.facelets;
const [PLAIN, R, RU] = await Promise.all(['', 'R', 'R U'].map(faceletsAfter));
const historyOf = async (id) => (await direct().session(id).history({ limit: 1000 }).all()).map(({ kind, moves }) => `${kind} ${moves}`);
const abandoned = { name: 'AbortError', message: /taken back/ };

/** Ends a test: everything is sent, and what is shown is what the server has. */
async function agree(cube, id, history) {
  await cube.settled();
  proxy.latencyMs = 0;
  proxy.fault = () => undefined;
  const { revision, cube: { facelets } } = await direct().session(id).cube();
  await until(() => cube.revision === revision, 'everything is seen');
  assert.equal(cube.facelets, facelets);
  if (history) assert.deepEqual(await historyOf(id), history);
  cube.close();
}

await check('a turn that was not sent yet is taken back at once, and never sent', async () => {
  const { id } = await create();
  const cube = await open(id);
  cube.turn('R');
  const unsent = cube.turn('U');
  assert.equal(await cube.undo(), null);
  assert.equal(cube.facelets, R);
  assert.deepEqual(cube.of('turned').at(-1), { type: 'turned', by: 'here', turns: [{ face: 'U', from: 1, to: 1, turns: -1 }] });
  await assert.rejects(unsent, abandoned);
  assert.equal(cube.of('refused').length, 0);
  await agree(cube, id, ['moves R']);
});

await check('so is one that is under way, by an undo after it; and others before it', async () => {
  const { id } = await create();
  const cube = await open(id);
  await cube.turn('R');
  const saved = cube.turn('U');
  const undone = [cube.undo(), cube.undo()];
  assert.equal(cube.facelets, PLAIN, 'both are shown at once');
  assert.deepEqual([cube.undoable, cube.redoable], [0, 2]);
  await saved;
  assert.deepEqual((await Promise.all(undone)).map(({ entry }) => entry.restores), [0, 0], 'they are one entry');
  assert.equal(cube.of('redrawn').length, 1, 'drawn once, when it was opened');
  await agree(cube, id, ['moves R', 'moves U', "undo U' R'"]);
});

await check('redo at once: of an undo that was not sent, of one that was, and of a turn that was not', async () => {
  const { id } = await create();
  const cube = await open(id);
  await cube.turn('R');
  cube.turn('U');
  cube.turn('F');
  const shown = cube.facelets;
  for (const expected of [RU, R, PLAIN]) {
    cube.undo();
    assert.equal(cube.facelets, expected);
  }
  for (const expected of [R, RU, shown]) {
    cube.redo();
    assert.equal(cube.facelets, expected);
  }
  assert.deepEqual([cube.undoable, cube.redoable], [3, 0]);
  await agree(cube, id, ['moves R', 'moves U', 'moves F']);

  const second = await open(id);
  await second.turn('D');
  await second.undo();
  const redone = second.redo();
  assert.equal(second.solved, false);
  assert.equal((await redone).entry.kind, 'redo');
  second.redo().catch(() => {});
  await agree(second, id, ['moves R', 'moves U', 'moves F', 'moves D', "undo D'", 'redo D']);
});

await check('undo that is not known here is shown when it is confirmed', async () => {
  const session = await create();
  await session.turn('R U');
  const cube = await open(session.id, session.token);
  assert.deepEqual([cube.undoable, cube.redoable], [null, null]);
  const undone = cube.undo();
  assert.equal(cube.facelets, RU);
  await undone;
  assert.equal(cube.facelets, PLAIN);
  await agree(cube, session.id);
});

await check('somebody else turned before the undo: it is refused and taken back, turns after it stay', async () => {
  const { id } = await create();
  const cube = await open(id);
  await cube.turn('R');
  let held = true;
  proxy.fault = ({ path }) => (held && (path.endsWith('/undo') || path.endsWith('/events')) ? 'cut' : undefined);
  proxy.cut(); // its events come late, so that the refusal brings the entry
  const undone = cube.undo();
  cube.turn('F');
  await direct().session(id).turn('U');
  held = false;
  await assert.rejects(undone, { kind: 'stale-revision', message: /your undo/ });
  const [{ changes }] = cube.of('refused');
  assert.deepEqual(changes.map(({ kind }) => kind), ['undo']);
  await agree(cube, id, ['moves R', 'moves U', 'moves F']);
});

await check('the same if that was known before it was sent', async () => {
  const { id } = await create();
  const cube = await open(id);
  await cube.turn('R');
  let held = true;
  proxy.fault = ({ path }) => (path.endsWith('/moves') && held ? 'lose' : undefined);
  cube.turn('U');
  await until(() => cube.revision === 2, 'the own entry');
  const undone = [cube.undo(), cube.undo()];
  await direct().session(id).turn('L');
  await until(() => cube.revision === 3, 'the entry of the other');
  held = false;
  await Promise.all(undone.map((one) => assert.rejects(one, { kind: 'stale-revision' })));
  assert.equal(cube.of('refused').length, 1);
  assert.ok(!proxy.log.some(({ path }) => path.endsWith('/undo') && path.includes(id)), 'it was never sent');
  await agree(cube, id, ['moves R', 'moves U', 'moves L']);
});

await check('undo, redo, scrambles and resets of others in between', async () => {
  for (const between of ['undo', 'redo', 'scramble', 'reset']) {
    const session = await create();
    await session.turn('R U');
    await session.turn('D');
    if (between === 'redo') await session.undo();
    const cube = await open(session.id);
    let held = true;
    proxy.fault = ({ path }) => (path.endsWith('/moves') && held ? 'cut' : undefined);
    cube.turn('F');
    cube.turn("L'@30");
    await session[between]();
    held = false;
    await agree(cube, session.id);
    const made = (await historyOf(session.id)).slice(-2);
    assert.deepEqual(made, ['moves F', "moves L'"], between);
    assert.equal(cube.of('refused').length, 0);
  }
});

await check('a scramble that is given is shown at once, and can be taken back', async () => {
  const { id } = await create();
  const cube = await open(id);
  cube.turn('R');
  cube.scramble({ moves: 'U' });
  assert.equal(cube.facelets, RU);
  cube.undo();
  assert.equal(cube.facelets, R);
  cube.scramble({ moves: 'U' });
  await agree(cube, id, ['moves R', 'scramble U']);
});

await check('what the server refuses goes with the undo of it, and is named', async () => {
  const session = await create({ turn_policy: 'alternate' });
  const { token } = await session.tokens.create({ role: 'editor' });
  const cube = await open(session.id, token);
  await cube.turn('R');
  cube.turn('U'); // not twice in a row
  cube.undo();
  cube.turn('F');
  await cube.settled();
  await until(() => cube.of('refused').length === 1, 'the refusal');
  const [{ problem, changes }] = cube.of('refused');
  assert.equal(problem.kind, 'not-your-turn');
  assert.deepEqual(changes.map(({ kind, body }) => body.moves ?? kind), ['U', 'undo', 'F']);
  assert.equal(cube.facelets, R);
  await agree(cube, session.id, ['moves R']);
});

await check('a right that ends takes own turns back, and names them', async () => {
  const session = await create({ access: 'view' });
  const made = await session.tokens.create({ role: 'editor' });
  const cube = await open(session.id, made.token);
  await cube.turn('R');
  proxy.fault = ({ path }) => (path.endsWith('/moves') ? 'cut' : undefined);
  const turns = [cube.turn('U'), cube.turn('F')];
  proxy.latencyMs = 0;
  await session.tokens.revoke(made.id);
  await Promise.all(turns.map((turn) => assert.rejects(turn)));
  await until(() => cube.of('ended').length === 1, 'the end');
  assert.deepEqual(cube.of('refused').flatMap(({ changes }) => changes.map(({ body }) => body.moves)), ['U', 'F']);
  assert.equal(cube.facelets, R);
  proxy.fault = () => undefined;
});

// A fast machine makes more changes entries of their own than a slow one, so there are more rounds until each kind was seen.
const kinds = new Set();
for (let seed = 1; seed <= 3 || (kinds.size < 3 && seed <= 30); seed++) {
  await check(`many turns, undos and redos at once, with lost requests and answers (${seed})`, async () => {
    const random = randomFrom(seed);
    const { id } = await create();
    const cube = await open(id);
    const local = []; // the cube that a person sees after each step
    proxy.latencyMs = 5;
    proxy.fault = ({ path }) => {
      const dice = random();
      if (path.endsWith('/events')) return dice < 0.2 ? 'cut' : undefined;
      return /moves|undo|redo/.test(path) && dice < 0.3 ? (dice < 0.15 ? 'cut' : 'lose') : undefined;
    };
    for (let i = 0; i < 80; i++) {
      const before = cube.facelets;
      const dice = random();
      if (dice < 0.3 && cube.undoable > 0) cube.undo();
      else if (dice < 0.5 && cube.redoable > 0) cube.redo();
      else {
        cube.turn('URFDLB'[Math.floor(random() * 6)]);
        assert.notEqual(cube.facelets, before, 'it is shown at once');
      }
      local.push(cube.facelets);
      await new Promise((next) => setTimeout(next, random() * 25));
      assert.equal(cube.facelets, local.at(-1), 'and stays');
    }
    const last = cube.facelets;
    await agree(cube, id);
    assert.equal(cube.facelets, last, 'what was shown is what was made');
    assert.equal(cube.of('refused').length, 0);
    for (const entry of await historyOf(id)) kinds.add(entry.split(' ')[0]);
  });
}
await check('... some of them by entries of their own', () => assert.deepEqual([...kinds].sort(), ['moves', 'redo', 'undo']));

await proxy.stop();
await server.stop();
finish();
