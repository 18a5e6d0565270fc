// Patterns: what a cube looks like, from all sides.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';
import { until } from '../../support/patience.mjs';

const SUNE = "R U R' U R U2 R'";
const inverse = (moves) => moves.split(' ').reverse().map((move) => (move.endsWith("'") ? move.slice(0, -1) : move.endsWith('2') ? move : `${move}'`)).join(' ');
const LAYER = [[1, 1, 1, 1], ['*', '*', 2, 2], [3, '*', 3, '*'], ['*', 4, '*', 4], [5, 5, '*', '*'], ['*', '*', '*', '*']];

/** The layer with another array in that place. */
const replaced = (place, items) => LAYER.map((array, i) => (i === place ? items : array));

const match = async (client, cube, pattern, more = {}) => (await client.expect(200, 'POST', '/v1/match', { cube, pattern, ...more })).matches;
const ways = (matches) => matches.map(({ face, rotation }) => `${face}${rotation}`);

export default [
  ['a layer of a 2x2x2, in every spelling', async ({ client }) => {
    const spellings = [
      LAYER,
      LAYER.map((items) => items.map(String)),
      LAYER.map(([a, b, c, d]) => [[a, b], [c, d]]),
      '1111 **22 3*3* *4*4 55** ****',
      '1111**223*3**4*455******',
    ];
    for (const faces of spellings) {
      const solved = await match(client, { size: 2 }, { faces });
      assert.equal(solved.length, 24);
      assert.equal(new Set(ways(solved)).size, 24);
      const turned = await match(client, { size: 2, moves: 'R' }, { size: 2, faces });
      assert.deepEqual(ways(turned), ['R0', 'R90', 'R180', 'R270', 'L0', 'L90', 'L180', 'L270']);
      assert.deepEqual(turned[0].bindings, { 1: 'R', 2: 'F', 3: 'U', 4: 'D', 5: 'B' });
      assert.deepEqual(await match(client, { size: 2, moves: 'R U' }, { faces }), []);
    }
    assert.equal((await match(client, { size: 2 }, spellings[3], { any: true })).length, 1);
  }],

  ['all named patterns in one request: the same as each by itself', async ({ client }) => {
    for (const cube of [{ size: 2, moves: 'R2 U2 R2 U2 R2' }, { moves: 'M2 E2 S2' }, { moves: SUNE }, { size: 4, moves: 'R U' }, { size: 3 }, { size: 11 }]) {
      const { items } = await client.expect(200, 'GET', `/v1/patterns?size=${cube.size ?? 3}`);
      const { matches } = await client.expect(200, 'POST', '/v1/match', { cube, named: true });
      for (const { name } of items) {
        const alone = await match(client, cube, { name });
        assert.deepEqual(matches.filter((one) => one.name === name), alone.map((one) => ({ name, ...one })), `${name}, ${JSON.stringify(cube)}`);
      }
      const first = await client.expect(200, 'POST', '/v1/match', { cube, named: true, any: true });
      const names = [...new Set(matches.map(({ name }) => name))];
      assert.deepEqual(first.matches, names.map((name) => matches.find((one) => one.name === name)));
    }
    const problem = await client.expect(400, 'POST', '/v1/match', { named: true, pattern: { name: 'cross' } });
    assert.equal(problem.pointer, '/pattern');
    assert.equal((await client.expect(400, 'POST', '/v1/match', { named: false })).pointer, '/pattern');
  }],

  ['the rotation is measured from the face\'s own up', async ({ client }) => {
    const beside = { U: 'BRFL', R: 'UBDF', F: 'URDL', D: 'FRBL', L: 'UFDB', B: 'ULDR' };
    for (const [face, around] of Object.entries(beside)) {
      for (let i = 0; i < 4; i++) {
        const pattern = `****${face}**** *******${around[i]}* ********* ********* ********* *********`;
        assert.deepEqual(ways(await match(client, {}, pattern)), [`${face}${90 * i}`]);
      }
    }
  }],

  ['two numbers are two different colours, and not the named ones', async ({ client }) => {
    const rest = ' ********* ********* ********* ********* *********';
    assert.equal((await match(client, {}, `12*******${rest}`)).length, 0);
    assert.equal((await match(client, {}, `11*******${rest}`)).length, 24);
    assert.deepEqual(ways(await match(client, {}, `WU*******${rest}`)), ['U0', 'U90', 'U180', 'U270']);
    assert.equal((await match(client, {}, `1U*******${rest}`)).length, 0);
  }],

  ['a rotated cube matches in the same number of ways', async ({ client }) => {
    for (const rotation of ['x', "y' z2", "z x'"]) {
      const before = await match(client, { moves: inverse(SUNE) }, { name: 'oll-27' });
      const after = await match(client, { moves: `${inverse(SUNE)} ${rotation}` }, { name: 'oll-27' });
      assert.equal(before.length, 1);
      assert.equal(after.length, 1);
      assert.deepEqual(after[0].bindings, before[0].bindings);
    }
  }],

  ['pieces are matched as the cube is held, or in every orientation', async ({ client }) => {
    const pieces = { UF: 'home', URF: 'placed' };
    assert.deepEqual(ways(await match(client, {}, { pieces })), ['F0']);
    assert.deepEqual(ways(await match(client, { moves: 'x y' }, { pieces })), ['F0']);
    assert.equal((await match(client, {}, { pieces, views: 'all' })).length, 24);
    assert.deepEqual(await match(client, { moves: 'F' }, { pieces }), []);
    assert.ok((await match(client, { moves: 'F' }, { pieces, views: 'all' })).length > 0);
    const oriented = { pieces: { UF: 'oriented', UR: 'oriented', UB: 'oriented', UL: 'oriented' } };
    assert.equal((await match(client, { moves: 'R' }, oriented)).length, 1);
    assert.equal((await match(client, { moves: 'F' }, oriented)).length, 0);
  }],

  ['all, any and not refer to the same orientation', async ({ client }) => {
    const cube = { moves: 'R' };
    const face = { name: 'face' };
    const up = `****U**** ********* ********* ********* ********* *********`;
    assert.deepEqual(ways(await match(client, cube, { all: [face, up] })), []);
    assert.equal((await match(client, cube, { any: [face, up] })).length, 12);
    assert.equal((await match(client, cube, { not: face })).length, 16);
    assert.equal((await match(client, cube, { all: [up, { not: face }] })).length, 4);
  }],

  ['each named pattern matches its setup, and is listed in a form that can be sent', async ({ client }) => {
    const { items } = await client.expect(200, 'GET', '/v1/patterns');
    assert.ok(items.length > 100);
    for (const { name, sizes } of items) {
      const size = Math.max(sizes.min, Math.min(sizes.max, 3));
      const { setup, pattern } = await client.expect(200, 'GET', `/v1/patterns/${name}`);
      const cube = { size, moves: setup };
      const byName = await match(client, cube, { name });
      assert.ok(byName.length > 0, name);
      assert.deepEqual(ways(await match(client, cube, pattern)), ways(byName), name);
    }
    const { pattern } = await client.expect(200, 'GET', '/v1/patterns/reduced?size=7');
    assert.equal((await match(client, { size: 7, moves: 'R U F2' }, pattern)).length, 24);
    assert.equal((await match(client, { size: 7, moves: '2R' }, pattern)).length, 0);
    await client.expect(400, 'GET', '/v1/patterns/oll-27?size=4');
    await client.expect(404, 'GET', '/v1/patterns/oll-58');
  }],

  ['an invalid pattern is reported with its place', async ({ client }) => {
    const wrong = [
      ['1111 **22 3*3* *4*4 55** ***x', '/pattern'],
      ['1111 **22 3*3* *4*4 55**', '/pattern'],
      ['1111 **22 3*3 *4*4 55** ****', '/pattern'],
      [{ faces: replaced(3, ['*', 4, 7, 4]) }, '/pattern/faces/3/2'],
      [{ faces: replaced(3, ['*', 4, 1.5, 4]) }, '/pattern/faces/3/2'],
      [{ faces: replaced(2, [[3, '*'], [3, 'x']]) }, '/pattern/faces/2/1/1'],
      [{ faces: replaced(2, [[3, '*'], [3]]) }, '/pattern/faces/2/1'],
      [{ faces: replaced(5, ['*', '*', '*']) }, '/pattern/faces/5'],
      [{ faces: LAYER.slice(1) }, '/pattern/faces'],
      [{ faces: 7 }, '/pattern/faces'],
      [{ name: 'f2' }, '/pattern/name'],
      [{ name: 'oll-1' }, '/pattern/name'],
      [{ pieces: { UD: 'home' } }, '/pattern/pieces/UD'],
      [{ pieces: { URF: 'slice' } }, '/pattern/pieces/URF'],
      [{ pieces: { UF: 'home' } }, '/pattern/pieces/UF'],
      [{ all: [] }, '/pattern/all'],
      [{ all: [{ not: { any: ['1111 **22 3*3* *4*4 55** ****', {}] } }] }, '/pattern/all/0/not/any/1'],
      [{ not: 5 }, '/pattern/not'],
      [{ faces: LAYER, name: 'face' }, '/pattern'],
      [{ size: 3, faces: LAYER }, '/pattern/size'],
      [{ name: 'face', views: 'all' }, '/pattern/views'],
      [{ faces: LAYER, views: 'some' }, '/pattern/views'],
      ['*********'.repeat(6), '/pattern'],
    ];
    for (const [pattern, pointer] of wrong) {
      const problem = await client.expect(422, 'POST', '/v1/match', { cube: { size: 2 }, pattern });
      assert.equal(problem.type, 'urn:cubed:problem:bad-pattern', JSON.stringify(pattern));
      assert.equal(problem.pointer, pointer);
    }
    const item = await client.expect(422, 'POST', '/v1/match', { cube: { size: 2 }, pattern: { faces: replaced(3, ['*', 4, 7, 4]) } });
    assert.match(item.detail, /Item 3 of A\.left/);
    await client.expect(400, 'POST', '/v1/match', { cube: { size: 2 } });
    await client.expect(400, 'POST', '/v1/match', { cube: { size: 2 }, pattern: 7 });
    const many = { any: Array.from({ length: 65 }, () => ({ name: 'face' })) };
    assert.equal((await client.expect(422, 'POST', '/v1/match', { pattern: many })).pointer, '/pattern/any/64/name');
  }],

  ['finds where in a history a pattern began to hold and where it ended', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const find = (more) => client.expect(200, 'POST', `${session.path}/find`, { pattern: { name: 'solved' }, ...more });
    for (const moves of ["R U U'", "R' U2", 'U2', "F F'"]) await client.expect(200, 'POST', `${session.path}/moves`, { moves });
    await client.expect(200, 'POST', `${session.path}/undo`, { count: 3 });
    const places = ({ matches }) => matches.map(({ revision, move, lost }) => [revision, move, lost && lost.revision, lost && lost.move]);
    assert.deepEqual(places(await find()), [[0, 0, 1, 1], [2, 1, 2, 2], [3, 1, 4, 1], [4, 2, 5, 1], [5, 2, 5, 3], [5, 4, 5, 5]]);
    assert.deepEqual(places(await find({ first: true })), [[0, 0, 1, 1]]);
    assert.deepEqual(places(await find({ after: 4 })), [[4, 0, 5, 1], [5, 2, 5, 3], [5, 4, 5, 5]]);
    assert.equal((await find()).next_after, null);
    await client.expect(400, 'POST', `${session.path}/find`, { pattern: { name: 'solved' }, after: 6 });
    await client.expect(422, 'POST', `${session.path}/find`, { pattern: { name: 'reduced' } });
    await client.expect(400, 'POST', `${session.path}/find`, { pattern: { name: 'cross' }, patterns: [] });
    await client.expect(400, 'POST', `${session.path}/find`, {});
    await client.expect(404, 'POST', '/v1/sessions/0000000000000000/find', { pattern: { name: 'cross' } });
  }],

  ['the revisions found are those whose cube matches the pattern', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const moves = "D2 F2 R2 U' R2 U R2 U' R2 F2 D2 R U R' F2 R2".split(' ');
    const held = [];
    for (const move of moves) {
      const { cube } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: move });
      held.push((await match(client, { facelets: cube.facelets }, { name: 'cross' })).length > 0);
    }
    const { matches } = await client.expect(200, 'POST', `${session.path}/find`, { pattern: { name: 'cross' } });
    const found = held.map((_, i) => matches.some(({ revision, lost }) => revision <= i + 1 && (!lost || lost.revision > i + 1)));
    assert.deepEqual(found, held);
  }],

  ['a solve is split into its stages', async ({ client }) => {
    const stages = [["F2 D'", 'cross'], ["R U R'", 'f2l'], [SUNE, 'oll'], ["R U R' U' R' F R2 U' R' U' R U R' F'", 'solved']];
    const scramble = inverse(stages.map(([moves]) => moves).join(' '));
    const session = await client.session({ size: 3, access: 'edit', scramble });
    const patterns = stages.map(([, name]) => ({ name }));
    const split = async (more) => client.expect(200, 'POST', `${session.path}/find`, { patterns, ...more });
    assert.deepEqual((await split()).stages, [null, null, null, null]);
    for (const turn of scramble.split(' ').reverse()) await client.expect(200, 'POST', `${session.path}/moves`, { moves: inverse(turn) });
    const { stages: told, start, next_after } = await split();
    assert.deepEqual(told.map(({ name }) => name), stages.map(([, name]) => name));
    assert.deepEqual(told.map(({ moves }) => moves), stages.map(([moves]) => moves));
    assert.deepEqual(told.map(({ metrics }) => metrics.htm), [2, 3, 7, 14]);
    assert.deepEqual(told.map(({ revision, move }) => [revision, move]), [[2, 1], [5, 1], [12, 1], [26, 1]]);
    assert.deepEqual([told[0].face, start.revision, next_after], ['D', 0, null]);
    const times = [start.time, ...told.map(({ time }) => time)].map(Date.parse);
    told.forEach(({ duration_ms }, i) => assert.equal(duration_ms, times[i + 1] - times[i]));
    // In one entry, and after a scramble of its own: the newest solve is reported.
    await client.expect(200, 'POST', `${session.path}/scramble`, { moves: scramble });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: stages.map(([moves]) => moves).join(' ') });
    const again = await split();
    assert.equal(again.start.revision, 27);
    assert.deepEqual(again.stages.map(({ revision, move }) => [revision, move]), [[28, 2], [28, 5], [28, 12], [28, 26]]);
    assert.deepEqual(again.stages.map(({ moves }) => moves), stages.map(([moves]) => moves));
    assert.equal((await split({ after: 28 })).stages[0].move, 0);
  }],

  ['the stages of a solve refer to the same layer', async ({ client }) => {
    // A chance: before the solver builds the layer (by `built`) and turns the cube over, another face is of one colour.
    const uniform = (cube, face) => new Set(cube.faces[face].flat()).size === 1;
    const last = "L D L' D L D2 L'"; // on D, after z2
    let solve = null;
    const turns = ['R', "R'", 'R2', 'U', "U'", 'U2', 'F', "F'", 'F2'];
    for (let i = 0; !solve && i < 9 ** 5; i++) {
      const built = Array.from({ length: 5 }, (_, k) => turns[Math.floor(i / 9 ** k) % 9]).join(' ');
      const start = new Cube(2).apply(inverse(`${built} z2 ${last}`));
      if (['F', 'B', 'L', 'R'].some((face) => uniform(start, face)) && !uniform(start, 'D') && !uniform(start, 'U')) solve = built;
    }
    assert.ok(solve, 'there is such a solve');
    const scramble = inverse(`${solve} z2 ${last}`);
    const session = await client.session({ size: 2, access: 'edit', scramble });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: `${solve} z2 ${last}` });
    const split = async (patterns) => (await client.expect(200, 'POST', `${session.path}/find`, { patterns })).stages;
    const at = (stages) => stages.map(({ move }) => move);
    const named = await split([{ name: 'face' }, { name: 'first-layer' }, { name: 'solved' }]);
    assert.equal(named[0].face, 'D');
    assert.ok(named[0].move > 0 && named[0].move <= 5 && named[1].move <= 5, JSON.stringify(at(named)));
    assert.deepEqual([named[1].face, named[2].move], ['D', 6 + last.split(' ').length]);
    // With colours from the sender; and without, where the chance counts.
    const face = `1111${' ****'.repeat(5)}`;
    const free = await split([face, { name: 'first-layer' }, { name: 'solved' }]);
    assert.deepEqual([free[0].move, free[0].face === 'D'], [0, false]);
    assert.deepEqual(at(await split([{ faces: face, layer: 'first' }, { name: 'first-layer' }, { name: 'solved' }])), at(named));
    // As the last layer: it shows the colour opposite to that of the first.
    const top = await split([{ faces: face, layer: 'last' }, { name: 'first-layer' }]);
    const shown = ({ move, face: of }) => new Cube(2).apply(`${scramble} ${`${solve} z2 ${last}`.split(' ').slice(0, move).join(' ')}`).faces[of][1][1];
    assert.equal('DLBURF'['URFDLB'.indexOf(shown(top[0]))], shown(top[1]));
    assert.equal(shown(named[0]), shown(named[1]));
    await client.expect(422, 'POST', `${session.path}/find`, { patterns: [{ faces: face, layer: 'middle' }] });
  }],

  ['a part may match in an orientation of its own', async ({ client }) => {
    const both = (...parts) => ({ all: parts });
    const cube = { moves: inverse(SUNE) };
    const ways_of = async (pattern) => ways(await match(client, cube, pattern));
    assert.deepEqual(await ways_of(both({ name: 'cross' }, { name: 'oll-27' })), []);
    assert.deepEqual(await ways_of(both({ anywhere: { name: 'cross' } }, { name: 'oll-27' })), await ways_of({ name: 'oll-27' }));
    assert.equal((await ways_of(both({ anywhere: { name: 'cross' } }, { anywhere: { name: 'oll-27' } }))).length, 24);
    assert.equal((await ways_of({ not: { anywhere: { name: 'cross' } } })).length, 0);
    assert.equal((await ways_of({ not: { anywhere: { name: 'superflip' } } })).length, 24);
    assert.deepEqual((await match(client, cube, { anywhere: '1********' + ' *********'.repeat(5) }))[0].bindings, {});
    await client.expect(422, 'POST', '/v1/match', { cube, pattern: { anywhere: { name: 'cross' }, not: { name: 'cross' } } });
  }],

  ['sessions are found by their cube, however it is held', async (talk) => {
    const moves = `R U2 F' D L2 B' U R2 F D2 L' B2 ${talk.persistent ? 'D' : 'U'}`;
    const all = async (body, query = 'limit=2') => {
      const ids = [];
      for (let cursor = ''; cursor !== null; ) {
        const page = await talk.client.expect(200, 'POST', `/v1/search?${query}${cursor && `&cursor=${cursor}`}`, body);
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      return ids;
    };
    const session = (more) => talk.client.session({ listed: true, ...more });
    const made = await session({ cube: { moves } });
    const hidden = await session({ cube: { moves }, access: 'edit', listed: false });
    const turned = await session({ size: 3, access: 'edit' });
    await talk.client.expect(200, 'POST', `${turned.path}/moves`, { moves: `${moves} x y2` });
    const back = await session({ cube: { moves: `z ${moves}` }, access: 'edit' });
    await talk.client.expect(200, 'POST', `${back.path}/moves`, { moves: 'M' });
    const there = [turned.id, made.id];
    assert.deepEqual(await all({ cube: { moves: `${moves} z'` } }), there);
    assert.deepEqual(await all({ cube: { moves: `${moves} z'` } }, 'limit=1'), there);
    assert.deepEqual(await all({ cube: { session: made.id } }), there);
    await talk.restart();
    if (talk.persistent) await until(async () => (await all({ cube: { moves: `${moves} y` } })).join() === there.join(), 'they are found again');
    if (talk.persistent) assert.deepEqual(await all({ cube: { moves: `y ${moves}` } }), []);
    assert.ok(!there.includes(hidden.id));
  }],

  ['a session that is not listed is found with a token of it', async ({ client }) => {
    const name = `hidden ${Math.random()}`.slice(0, 30);
    const hidden = await client.session({ cube: { moves: "R U' F2 L D B' R2" }, access: 'none', name });
    const other = await client.session({ cube: { moves: "R U' F2 L D B' R2 x" }, access: 'none', name });
    const viewer = (await client.expect(201, 'POST', `${hidden.path}/tokens`, { role: 'viewer' })).token;
    const found = async (body, token) => {
      const { items } = await client.expect(200, 'POST', '/v1/search?limit=100', body, { token });
      return items.filter((session) => session.name === name).map(({ id }) => id);
    };
    for (const body of [{ cube: { moves: "R U' F2 L D B' R2 y" } }, { pattern: { not: { name: 'superflip' } }, size: 3 }]) {
      assert.deepEqual(await found(body, hidden.token), [hidden.id]);
      assert.deepEqual(await found(body, viewer), [hidden.id]);
      assert.deepEqual(await found(body, other.token), [other.id]);
      assert.deepEqual(await found(body, null), []);
    }
    await client.expect(204, 'DELETE', hidden.path);
    assert.deepEqual(await found({ cube: { moves: "R U' F2 L D B' R2" } }, hidden.token), []);
  }],

  ['sessions are found by a pattern', async ({ client }) => {
    const name = `ladder ${Math.random()}`;
    const checkered = await client.session({ cube: { moves: 'M2 E2 S2 x' }, name, listed: true });
    await client.session({ size: 4, name });
    await client.session({ size: 3, name, cube: undefined });
    for (let i = 0; i < 3; i++) await client.session({ size: 3, listed: true });
    const page = await client.expect(200, 'POST', '/v1/search?as=reid', { pattern: { name: 'checkerboard' }, size: 3 });
    assert.equal(page.items[0].id, checkered.id);
    assert.ok(page.items[0].cube.reid);
    assert.ok(page.looked_at >= 3);
    const lean = await client.expect(200, 'POST', '/v1/search', { pattern: { name: 'checkerboard' }, size: 3 });
    assert.equal(lean.items[0].cube, undefined, 'without its cube unless as asks for it');
    await client.expect(400, 'POST', '/v1/search', {});
    await client.expect(400, 'POST', '/v1/search', { cube: {}, size: 4 });
    await client.expect(400, 'POST', '/v1/search', { cube: {}, pattern: { name: 'cross' } });
    await client.expect(400, 'POST', '/v1/search?cursor=x', { pattern: { name: 'cross' } });
    await client.expect(422, 'POST', '/v1/search', { pattern: { name: 'cross' }, size: 2 });
    await client.expect(400, 'POST', '/v1/search?as=reid', { pattern: { name: 'reduced' }, size: 4 });
  }],

  ['facts of a cube', async ({ client }) => {
    const facts = (query) => client.expect(200, 'GET', `/v1/facts?${query}`);
    const solved = await facts('size=3');
    assert.deepEqual([solved.symmetry, solved.order, solved.cycles], [48, 1, { corners: [], edges: [] }]);
    const { canonical, hash } = await facts('moves=R+U+F');
    for (const rotation of ['x', 'y', 'z2', 'x+y', "z'+y2"]) {
      const turned = await facts(`moves=R+U+F+${rotation}`);
      assert.deepEqual([turned.canonical, turned.hash], [canonical, hash]);
    }
    let expected = 0xcbf29ce484222325n;
    for (const letter of canonical) expected = ((expected ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
    assert.equal(hash, expected.toString(16).padStart(16, '0'));
    assert.notEqual((await facts('moves=R+U+F2')).hash, hash);
    assert.equal((await facts('size=5&moves=')).cycles ?? null, null);
    const posted = await client.expect(200, 'POST', '/v1/facts', { cube: { facelets: new Cube(3).apply('R').facelets } });
    assert.deepEqual(posted.cycles.edges, [{ pieces: ['UR', 'BR', 'DR', 'FR'], turn: 0 }]);
    assert.equal(posted.symmetry, 4);
  }],
];
