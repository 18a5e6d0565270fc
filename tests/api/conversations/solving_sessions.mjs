// Solving and scrambling stored cubes, and goals that are theirs.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';
import { solves } from '../searching.mjs';

export default [
  ['except for lessons, no answer for a session is longer than its own moves', async ({ client }) => {
    for (const size of [2, 3, 4, 8]) {
      const session = await client.session({ size, scramble: 'R U F' });
      await client.expect(200, 'POST', `${session.path}/moves`, { moves: "L2 D B' R2 F" });
      const { length, solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, wait_ms: 60000 });
      assert.ok(length <= 8 && solves(size, "R U F L2 D B' R2 F", solution), `${size}: ${solution}`);
      if (size !== 3) continue;
      const lesson = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, method: 'beginner' });
      assert.ok(!lesson.from_history && lesson.stages);
    }
  }],

  ['a solution is never longer than the session\'s own moves turned back', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: "R U2 F' L" });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'D2 B x M' });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: "R' L F" });
    await client.expect(200, 'POST', `${session.path}/undo`, {});
    for (const at of [0, 1, 2, 3]) {
      const { length, solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id, at } });
      assert.ok(length <= [4, 8, 11, 8][at], `${at}: ${solution}`);
    }
    const { facelets } = (await client.expect(200, 'GET', session.path)).cube;
    const now = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id, moves: "R R' U" } });
    assert.ok(now.length <= 9);
    const after = await client.expect(200, 'POST', '/v1/apply', { cube: { facelets }, moves: `U ${now.solution}` });
    assert.ok(after.cube.solved);
  }],

  ['a pattern, a session\'s own pattern or another cube as the goal, by a shortest way', async ({ client }) => {
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { wait_ms: 60000, ...body });
    const fits = async (cube, moves, pattern) => (await client.expect(200, 'POST', '/v1/match', { cube: { ...cube, moves }, pattern })).matches.length > 0;
    const { scrambles: [{ moves, cube }] } = await client.expect(200, 'GET', '/v1/scramble?seed=goal');
    for (const name of ['cross', 'eo', 'f2l-1']) {
      const answer = await solve({ cube: { facelets: cube.facelets }, until: { name } });
      assert.ok(answer.optimal && answer.method === 'goal' && (await fits({ facelets: cube.facelets }, answer.solution, { name })), name);
      const turns = answer.solution.split(' ').filter(Boolean);
      if (turns.length > 0) assert.ok(!(await fits({ facelets: cube.facelets }, turns.slice(0, -1).join(' '), { name })), 'not before');
    }
    const session = await client.session({ size: 3, scramble: moves });
    await client.expect(201, 'PUT', `/v1/patterns/white-edge?session=${session.id}`, { pattern: { pieces: { UF: 'home' } } });
    const own = await solve({ cube: { session: session.id }, until: { name: 'white-edge' } });
    assert.ok(own.length <= 3);
    const there = await solve({ cube: { size: 3, moves: 'U2 B' }, until: { cube: { session: session.id } } });
    assert.equal((await client.expect(200, 'POST', '/v1/facts', { cube: { size: 3, moves: `U2 B ${there.solution}` } })).canonical, (await client.expect(200, 'POST', '/v1/facts', { cube: { session: session.id } })).canonical);
    const small = await solve({ cube: { size: 4, moves: 'Rw U' }, until: { cube: { size: 4, moves: 'Rw' } } });
    assert.equal(small.solution, "U'");
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, until: { name: 'cross' }, method: 'beginner' });
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, until: { cube: { size: 2 } } });
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, generators: '' });
    await client.expect(422, 'POST', '/v1/solve', { cube: { size: 3 }, until: { name: 'crosss' } });
    await client.expect(422, 'POST', '/v1/solve', { cube: { size: 3 }, generators: 'R Q' });
  }],

  ['a solution within max_length is the answer at once, and a session\'s own moves need no search', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?count=30');
    for (const { moves } of scrambles) {
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, max_length: 21, timeout_ms: 60000 });
      assert.ok(answer.complete && answer.length <= 21 && answer.nodes < 1e6, `${moves}: ${answer.nodes}`);
    }
    const session = await client.session({ size: 3, scramble: "R U F L2 D B' R2 F U2 L D2 B" });
    const own = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, max_length: 12 });
    assert.deepEqual([own.from_history, own.length, own.nodes, own.complete], [true, 12, 0, true]);
  }],

  ['a solution that is too long for one entry turns a session in slices', async ({ client, store }) => {
    if (store !== 'sqlite') return; /* one is enough: it takes seconds */
    const { scrambles: [{ cube }] } = await client.expect(200, 'GET', '/v1/scramble?size=30&seed=long');
    const session = await client.session({ cube: { facelets: cube.facelets }, access: 'edit' });
    const { solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, timeout_ms: 300000, wait_ms: 60000 });
    const words = solution.split(' '), most = 10000; // as /v1/limits has it
    assert.ok(words.length > most);
    const problem = await client.expect(422, 'POST', `${session.path}/moves`, { moves: solution });
    assert.deepEqual([problem.expanded_length, /at most 10000 moves at a time.*several requests/.test(problem.expected)], [words.length, true]);
    let solved = false;
    for (let i = 0; i < words.length; i += most) {
      ({ cube: { solved } } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: words.slice(i, i + most).join(' ') }));
    }
    assert.equal(solved, true);
  }],

  ['a session is scrambled by the server, with or without a seed', async ({ client }) => {
    const { scrambles: [{ moves, cube }] } = await client.expect(200, 'GET', '/v1/scramble?seed=table');
    const session = await client.session({ size: 3, scramble: true, seed: 'table' });
    assert.deepEqual([session.scramble, session.cube.facelets], [moves, cube.facelets]);
    const other = await client.session({ size: 3, scramble: true });
    assert.notEqual(other.scramble, moves);
    assert.equal(new Cube(3).apply(other.scramble).facelets, other.cube.facelets);
    assert.equal((await client.session({ size: 3, scramble: false })).scramble, null);
    const { entry } = await client.expect(200, 'POST', `${session.path}/scramble`, { seed: 'table', revision: 0 });
    assert.deepEqual([entry.kind, entry.moves], ['scramble', moves]);
    const again = await client.expect(200, 'POST', `${session.path}/scramble`, {});
    assert.equal(new Cube(3).apply(`${moves} ${moves} ${again.entry.moves}`).facelets, again.cube.facelets);
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, seed: 'x' });
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, scramble: 'R', seed: 'x' });
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, scramble: 7 });
    await client.expect(400, 'POST', `${session.path}/scramble`, { moves: 'R', seed: 'x' });
    await client.expect(400, 'POST', `${session.path}/moves`, { seed: 'x' });
    await client.expect(400, 'POST', `${session.path}/moves`, {});
  }],
];
