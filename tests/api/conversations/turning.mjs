// Turning a stored cube: entries, undo and redo, reset, scramble, any revision, the history.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

/** A session and calls on it that must succeed; `model` follows along if moves are shown. */
async function begin(client, body) {
  const session = await client.session(body);
  const call = (name, json = {}) => client.expect(200, 'POST', `${session.path}/${name}`, json);
  const turn = (moves) => call('moves', { moves });
  const history = async (query = '') => client.expect(200, 'GET', `${session.path}/history${query}`);
  return { ...session, call, turn, history };
}

const lines = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** Returns an entry without its time and actor. */
const told = ({ time, actor, ...entry }) => entry;

const refused = async (client, session, call, json, available) => {
  const problem = await client.expect(409, 'POST', `${session.path}/${call}`, json);
  assert.equal(problem.type, 'urn:cubed:problem:nothing-to-undo');
  assert.equal(problem.available, available);
};

export default [
  ['every accepted call makes one entry', async ({ client }) => {
    const s = await begin(client);
    const answers = [
      await s.turn("R U R' U'"),
      await s.turn('(M x)2'),
      await s.call('undo'),
      await s.call('redo'),
      await s.call('scramble', { moves: 'F2 D' }),
      await s.call('reset'),
    ];
    assert.deepEqual(answers.map(({ revision }) => revision), [1, 2, 3, 4, 5, 6]);
    const entries = answers.map(({ entry }) => entry);
    assert.deepEqual(entries.slice(0, 5).map(told), [
      { revision: 1, kind: 'moves', moves: "R U R' U'" },
      { revision: 2, kind: 'moves', moves: 'M x M x' },
      { revision: 3, kind: 'undo', moves: "x' M' x' M'", restores: 1 },
      { revision: 4, kind: 'redo', moves: 'M x M x', restores: 2 },
      { revision: 5, kind: 'scramble', moves: 'F2 D' },
    ]);
    assert.equal(entries[5].kind, 'reset');
    assert.equal(entries[5].restores, 0);
    const page = await s.history();
    assert.deepEqual(page, { items: entries, next_cursor: null, next_after: null });
    const model = new Cube(3);
    for (const { entry, cube } of answers) assert.equal(model.apply(entry.moves).facelets, cube.facelets, `entry ${entry.revision}`);
  }],

  ['writes return the ETag of the new state', async ({ client }) => {
    const s = await begin(client);
    const answer = await client.post(`${s.path}/moves`, { moves: 'R' });
    assert.match(answer.headers.etag, /^"1-/);
    assert.equal(answer.headers.etag.split('.')[0], (await client.get(s.path)).headers.etag.split('.')[0]);
  }],

  ['undo reverts the newest entries in force', async ({ client }) => {
    const s = await begin(client);
    for (const moves of ['R', 'U', 'F', 'D']) await s.turn(moves);
    const undone = await s.call('undo', { count: 2 });
    assert.deepEqual(told(undone.entry), { revision: 5, kind: 'undo', moves: "D' F'", restores: 2 });
    const again = await s.call('undo');
    assert.deepEqual(told(again.entry), { revision: 6, kind: 'undo', moves: "U'", restores: 1 });
    await refused(client, s, 'undo', { count: 2 }, 1);
    await s.call('undo');
    await refused(client, s, 'undo', {}, 0);
    const redone = await s.call('redo', { count: 3 });
    assert.deepEqual(told(redone.entry), { revision: 8, kind: 'redo', moves: 'R U F', restores: 3 });
    await refused(client, s, 'redo', { count: 2 }, 1);
    assert.equal((await s.call('redo')).cube.facelets, new Cube(3).apply('R U F D').facelets);
    await refused(client, s, 'redo', {}, 0);
  }],

  ['a new entry ends redo', async ({ client }) => {
    for (const [call, json] of [['moves', { moves: 'D' }], ['scramble', { moves: 'D' }], ['reset', {}]]) {
      const s = await begin(client);
      await s.turn('R');
      await s.turn('U');
      await s.call('undo');
      await s.call(call, json);
      await refused(client, s, 'redo', {}, 0);
      const back = await s.call('undo', { count: 2 });
      assert.equal(back.entry.restores, 0, 'what was taken back before does not count');
      assert.equal(back.cube.home, true);
    }
  }],

  ['reset and scramble are each undone as one entry', async ({ client }) => {
    const s = await begin(client, { size: 3, scramble: 'L' });
    await s.turn('R');
    await s.turn('U');
    const reset = await s.call('reset');
    assert.equal(reset.cube.facelets, new Cube(3).apply('L').facelets);
    const back = await s.call('undo');
    assert.equal(back.cube.facelets, new Cube(3).apply('L R U').facelets);
    assert.equal(back.entry.restores, 2);
    await s.call('scramble', { moves: "F2 D' B" });
    const unscrambled = await s.call('undo');
    assert.equal(unscrambled.cube.facelets, new Cube(3).apply('L R U').facelets);
    assert.equal((await client.expect(200, 'GET', s.path)).scramble, 'L', 'that of the beginning stays');
  }],

  ['moves too many to write out are refused; undo and reset of many moves list null', async ({ client }) => {
    const s = await begin(client);
    const long = await client.expect(422, 'POST', `${s.path}/moves`, { moves: '(R U)5001' });
    assert.equal(long.expanded_length, 10002);
    for (let i = 0; i < 3; i++) await s.turn('(R U)2500');
    const reset = await s.call('reset');
    assert.deepEqual([reset.entry.moves, reset.entry.restores, reset.cube.home], [null, 0, true]);
    const undone = await s.call('undo');
    assert.deepEqual([undone.entry.moves, undone.entry.restores], [null, 3]);
    const cube = await client.expect(200, 'GET', `${s.path}/cube?at=3`);
    assert.equal(undone.cube.facelets, cube.cube.facelets);
    assert.equal((await client.expect(200, 'GET', `${s.path}/cube?at=4`)).cube.home, true);
  }],

  ['empty moves are refused', async ({ client }) => {
    const s = await begin(client);
    for (const moves of ['', '  ', '// only a comment', '()', []]) {
      for (const call of ['moves', 'scramble']) {
        const problem = await client.expect(400, 'POST', `${s.path}/${call}`, { moves });
        assert.deepEqual([problem.type, problem.pointer], ['urn:cubed:problem:bad-member', '/moves'], JSON.stringify(moves));
      }
    }
    assert.equal((await client.expect(200, 'GET', s.path)).revision, 0);
  }],

  ['a request with an invalid move changes nothing', async ({ client }) => {
    const s = await begin(client);
    await client.expect(422, 'POST', `${s.path}/moves`, { moves: 'R U F D L Q' });
    await client.expect(400, 'POST', `${s.path}/moves`, { moves: [{ face: 'R' }, { face: 'U', from: 4 }] });
    const now = await client.expect(200, 'GET', s.path);
    assert.deepEqual([now.revision, now.cube.home], [0, true]);
  }],

  ['the cube can be seen at any revision', async ({ client }) => {
    const s = await begin(client, { size: 4, scramble: 'Rw' });
    const models = [new Cube(4).apply('Rw')];
    for (const moves of ["2R U2 Fw'", 'm', 'y 3Lw', "B'"]) {
      const { entry } = await s.turn(moves);
      models.push(models.at(-1).copy().apply(entry.moves));
    }
    await s.call('undo', { count: 3 });
    models.push(models[1]);
    for (const [at, model] of models.entries()) {
      const answer = await client.get(`${s.path}/cube?at=${at}&as=faces,net`);
      assert.deepEqual(answer.json.revision, at);
      assert.equal(answer.json.cube.facelets, model.facelets, `at ${at}`);
      assert.equal(answer.json.cube.net, model.net);
      assert.match(answer.headers.etag, /^"5-/, 'that of the session now');
    }
    const newest = await client.expect(200, 'GET', `${s.path}/cube`);
    assert.equal(newest.revision, 5);
    for (const at of ['6', '-1', 'x', '1.0', '']) {
      assert.equal((await client.expect(400, 'GET', `${s.path}/cube?at=${at}`)).parameter, 'at');
    }
    const applied = await client.expect(400, 'POST', '/v1/apply', { cube: { session: s.id, at: 6 } });
    assert.equal(applied.pointer, '/cube/at');
    assert.equal((await client.expect(400, 'GET', `/v1/apply?session=${s.id}&at=6`)).parameter, 'at');
  }],

  ['the history is paged, as JSON and as lines', async ({ client }) => {
    const s = await begin(client);
    const made = [];
    for (let i = 0; i < 25; i++) made.push((await s.turn(['R', "U'", 'F2', 'M'][i % 4])).entry);
    assert.deepEqual((await s.history()).items, made);
    const paged = [];
    for (let after = 0; after !== null; ) {
      const page = await s.history(`?after=${after}&limit=7`);
      assert.ok(page.items.length >= 1 && page.items.length <= 7);
      paged.push(...page.items);
      after = page.next_after;
    }
    assert.deepEqual(paged, made);
    const read = [];
    for (let next = `${s.path}/history?limit=10`; next; ) {
      const answer = await client.get(next, { accept: 'application/x-ndjson' });
      assert.equal(answer.type, 'application/x-ndjson');
      read.push(...lines(answer.text));
      next = /^<([^>]*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1];
    }
    assert.deepEqual(read, made);
    assert.deepEqual(await s.history('?after=25'), { items: [], next_cursor: null, next_after: null });
    assert.deepEqual(await s.history('?after=1000'), { items: [], next_cursor: null, next_after: null });
    for (const query of ['after=26&wait_ms=1', 'after=4294967294&wait_ms=20000']) {
      const beyond = await client.expect(400, 'GET', `${s.path}/history?${query}`);
      assert.deepEqual([beyond.parameter, beyond.expected], ['after', 'a revision from 0 to 25']);
    }
    const none = await client.get(`${s.path}/history?after=25`, { accept: 'application/x-ndjson' });
    assert.deepEqual([none.status, none.text], [200, '']);
    for (const wrong of ['limit=0', 'limit=1001', 'after=-1', 'after=x']) {
      assert.equal((await client.expect(400, 'GET', `${s.path}/history?${wrong}`)).parameter, wrong.split('=')[0]);
    }
  }],

  ['a missing body is the same as {}', async ({ client }) => {
    const s = await begin(client);
    await s.turn('R');
    for (const call of ['undo', 'redo', 'reset']) assert.equal((await client.send('POST', `${s.path}/${call}`)).status, 200);
    const problem = (await client.send('POST', `${s.path}/moves`)).json;
    assert.deepEqual([problem.status, problem.pointer], [400, '/moves']);
  }],

  ['as and turns of arrays work on writes too', async ({ client }) => {
    const s = await begin(client, { size: 5 });
    const answer = await client.expect(200, 'POST', `${s.path}/moves?as=net,faces`, { moves: [{ face: 'R', from: 2, to: 3, turns: 5 }, { axis: 'x', angle: 4 }] });
    assert.equal(answer.entry.moves, '2-3Rw');
    assert.equal(answer.cube.net, new Cube(5).apply('2-3R').net);
    const inner = await client.expect(200, 'POST', `${s.path}/moves`, { moves: '2R', notation: 'sign' });
    assert.equal(inner.entry.moves, '2R');
  }],

  ['turns by 0 quarters are accepted, and not stored', async ({ client }) => {
    const s = await begin(client);
    const first = await client.expect(200, 'POST', `${s.path}/moves`, { moves: 'y0 R R4 U' });
    assert.equal(first.entry.moves, 'R U');
    const timed = await client.expect(200, 'POST', `${s.path}/moves`, { moves: "R0@100 U'@250 x4@300 R'@400" });
    assert.deepEqual([timed.entry.moves, timed.cube.solved], ["U' R'", true]);
    const { matches } = await client.expect(200, 'POST', `${s.path}/find`, { pattern: { name: 'solved' } });
    assert.deepEqual([matches[1].revision, matches[1].move], [2, 2]);
    const nothing = await client.expect(200, 'POST', `${s.path}/moves`, { moves: 'R0@5' });
    assert.deepEqual([nothing.revision, nothing.entry.moves], [3, '']);
    const array = await client.expect(200, 'POST', `${s.path}/moves`, { moves: [{ face: 'R', turns: 0 }] });
    assert.deepEqual([array.revision, array.entry.moves], [4, '']);
    assert.equal((await client.send('POST', `${s.path}/moves`, { moves: '()' })).status, 400);
    const { items } = await client.expect(200, 'GET', `${s.path}/history`);
    assert.deepEqual(items.map((entry) => entry.moves), ['R U', "U' R'", '', '']);
    const back = await client.expect(200, 'POST', `${s.path}/undo`, { count: 3 });
    assert.equal(back.cube.facelets, first.cube.facelets);
    assert.deepEqual((await client.expect(200, 'GET', '/v1/apply?size=3&moves=R0+U&turns=true')).turns.map((turn) => turn.move), ['U']);
  }],

  ['a random session agrees with the model', async ({ client }) => {
    for (const size of [2, 3, 6]) {
      const s = await begin(client, { size });
      const states = [new Cube(size)];
      const done = [];
      let undone = [];
      let seed = 7 * size;
      const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
      for (let i = 0; i < 60; i++) {
        const now = states.at(-1);
        const roll = (random(1000) >> 3) % 10;
        let answer;
        let wanted;
        if (roll < 3 && done.length > 0) {
          const count = 1 + ((random(1000) >> 3) % done.length);
          undone.push(...done.splice(-count).reverse());
          wanted = states[done.at(-1) ?? 0];
          answer = await s.call('undo', { count });
        } else if (roll < 5 && undone.length > 0) {
          done.push(undone.pop());
          wanted = states[done.at(-1)];
          answer = await s.call('redo');
        } else {
          const face = 'URFDLB'[(random(1000) >> 3) % 6];
          const moves = `${face}${['', "'", '2'][(random(1000) >> 3) % 3]}`;
          wanted = now.copy().apply(moves);
          answer = await s.turn(moves);
          done.push(answer.revision);
          undone = [];
        }
        assert.equal(answer.cube.facelets, wanted.facelets, `size ${size}, entry ${answer.revision} ${answer.entry.kind}`);
        assert.equal(now.copy().apply(answer.entry.moves).facelets, wanted.facelets, 'what was really turned');
        states.push(wanted);
      }
    }
  }],
];
