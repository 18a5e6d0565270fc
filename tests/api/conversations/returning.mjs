// What an answer holds can be sent back: turns, cubes.

import assert from 'node:assert/strict';

const apply = (client, json, query = '') => client.expect(200, 'POST', `/v1/apply${query}`, json);

const refused = async (client, json, pointer) => {
  const problem = await client.expect(400, 'POST', '/v1/apply', json);
  assert.equal(problem.pointer, pointer, JSON.stringify(json));
  return problem;
};

export default [
  ['answered turns are read as they are, with their spelling', async ({ client }) => {
    for (const [size, moves] of [[2, "R U2' x y'"], [3, "R M' E2 S Fw2' x y2 z' u Lw"], [4, "2R 3-4Uw' Lw2 m D 4B'"], [7, "M 3Fw2 2-4L s' z"]]) {
      for (const listing of ['true', 'cubies']) {
        const answered = await apply(client, { size, moves }, `?turns=${listing}`);
        const again = await apply(client, { size, moves: answered.turns }, `?turns=${listing}`);
        assert.deepEqual(again, answered);
      }
    }
  }],

  ['what an answered turn says twice must agree', async ({ client }) => {
    const { turns: [turn] } = await apply(client, { size: 3, moves: "Rw'" }, '?turns=true');
    assert.deepEqual(turn, { face: 'R', from: 1, to: 2, turns: -1, axis: [1, 0, 0], layers: [1, 2], move: "Rw'" });
    for (const [member, value] of [['axis', [-1, 0, 0]], ['layers', [1, 1]], ['layers', [1, 2, 3]], ['move', 'Rw'], ['move', 'R R'], ['move', '?'], ['turns', 1]]) {
      const { pointer, expected } = await refused(client, { size: 3, moves: [{ ...turn, [member]: value }] }, `/moves/0/${member === 'turns' ? 'move' : member}`);
      assert.ok(expected, pointer);
    }
    await refused(client, { moves: [{ axis: [1, 0, 0] }] }, '/moves/0');
    await refused(client, { moves: [{ axis: 'x', move: 'R' }] }, '/moves/0');
    await refused(client, { moves: [{ face: 'R', axis: 'x' }] }, '/moves/0');
    await refused(client, { moves: [{ face: 'R', axis: 5 }] }, '/moves/0/axis');
    await refused(client, { moves: [{ face: 'R' }, 'U'] }, '/moves/1');
  }],

  ['moves may be an array of texts, read as the lines of one', async ({ client }) => {
    const asked = await apply(client, { size: 3, moves: "R U' (F B)2 L" });
    const again = await apply(client, { size: 3, moves: ['R', "U' // to the end of its line", '(F', 'B)2', '', 'L'] });
    assert.deepEqual(again, asked);
    assert.equal((await apply(client, { cube: { moves: ['R', "U'"] } })).cube.facelets, (await apply(client, { moves: "R U'" })).cube.facelets);
    await refused(client, { moves: ['R', 5] }, '/moves/1');
    const problem = await client.expect(422, 'POST', '/v1/apply', { moves: ['R', "U' Q F", 'D'] });
    assert.deepEqual([problem.pointer, problem.offset, problem.length, problem.column], ['/moves/1', 3, 1, 4]);
    const open = await client.expect(422, 'POST', '/v1/apply', { moves: ['R', 'U', '(F'] });
    assert.deepEqual([open.pointer, open.offset], ['/moves/2', 0]);
    const session = await client.session({ size: 3, access: 'edit' });
    const { entry } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: ['R@0', "U'@120"] });
    assert.deepEqual([entry.moves, entry.times_ms], ["R U'", [0, 120]]);
  }],
];
