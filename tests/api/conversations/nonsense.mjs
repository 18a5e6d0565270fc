// Move text that cannot be read: where it is wrong, what would have been right, what was probably meant.

import assert from 'node:assert/strict';

/** size, text, wanted members of the problem; `suggestion: true`: some suggestion, whatever its words. */
const TEXTS = [
  [3, 'R U Q', { offset: 4, length: 1, column: 5 }],
  [3, 'R Ü F', { offset: 2, length: 2, column: 3 }],
  [3, '🧊', { offset: 0, length: 4, column: 1 }],
  [3, "Küche R'", { offset: 0, column: 1 }],
  [3, "R' ü’ U", { offset: 3, length: 2, column: 4 }],
  [3, '’R’ Q', { offset: 0, column: 1 }],
  [3, 'R’ Q', { offset: 5, length: 1, column: 4 }],
  [3, '4R', { offset: 0, column: 1, suggestion: null, expected: true }],
  [3, 'R U 4Rw', { offset: 4, column: 5 }],
  [3, '3Rw', { offset: 0, column: 1, suggestion: 'x' }],
  [4, '1-4R', { offset: 0, suggestion: 'x' }],
  [5, '3-2R', { offset: 0, column: 1 }],
  [2, 'Rw', { offset: 0, column: 1 }],
  [4, 'M', { offset: 0, length: 1, suggestion: 'm' }],
  [4, "R E2'", { offset: 2, suggestion: true }],
  [3, '2M', { offset: 0, column: 1 }],
  [3, '2x', { offset: 0, column: 1 }],
  [3, "R'2", { offset: 0, suggestion: "R2'" }],
  [3, '(R U', { offset: 0, length: 1, column: 1 }],
  [3, 'R U)', { offset: 3, length: 1, column: 4 }],
  [3, '[R, U', { offset: 0, length: 1, column: 1 }],
  [3, '[R U]', { offset: 4, length: 1, column: 5 }],
  [3, '[R, U, F]', { column: 6, offset: 5 }],
  [3, '[R: U', { offset: 0 }],
  [3, 'R ]', { offset: 2, length: 1, column: 3 }],
  [3, 'R /* no end', { offset: 2, column: 3 }],
  [3, '(R)99999999999999999999', { offset: 3, length: 20, column: 4 }],
  [3, `${'('.repeat(65)}R${')'.repeat(65)}`, { offset: 64, column: 65 }],
  [3, 'R02', { offset: 0 }],
  [3, 'hello', { offset: 0, column: 1 }],
  [3, 'R U\nF Q', { offset: 6, column: 7 }],
  [4, 'R2L', { offset: 0, length: 3, readings: ['R2 L', 'R 2L'] }],
  [4, 'y3Rw', { offset: 0, length: 4, readings: ['y3 Rw', 'y 3Rw'] }],
];

/** Moves on a 3x3x3 for which the strict dialect has no word. */
const NOT_WCA = ("M e r Y T U1 Ui U3 U- R++ R2' R'2 L'w 1R 2U 2f 2-3r 1Rw 3Rw 2-3Rw rw Rr * / . ? <f> (x) (L) 2(Rw) (U)2").split(' ');

export default [
  ...TEXTS.map(([size, moves, wanted]) => [`${moves.slice(0, 20)} on ${size}x${size}x${size}`, async ({ client }) => {
    const problem = await client.expect(422, 'POST', '/v1/apply', { size, moves });
    assert.equal(problem.type, 'urn:cubed:problem:bad-notation');
    assert.equal(problem.pointer, '/moves');
    for (const [name, value] of Object.entries(wanted)) {
      if (value === true) assert.equal(typeof problem[name], 'string', `${name}: ${JSON.stringify(problem)}`);
      else if (value !== null) assert.deepEqual(problem[name], value, `${name}: ${JSON.stringify(problem)}`);
    }
    const bytes = Buffer.from(moves);
    assert.ok(problem.offset + problem.length <= bytes.length);
    assert.equal(problem.column, [...bytes.subarray(0, problem.offset).toString()].length + 1);
    assert.ok(problem.expected || problem.suggestion || problem.readings, `it helps: ${JSON.stringify(problem)}`);
  }]),

  ['text with the suggestion inserted is valid', async ({ client }) => {
    for (const [size, moves] of TEXTS) {
      const problem = await client.expect(422, 'POST', '/v1/apply', { size, moves });
      const bytes = Buffer.from(moves);
      const put = (text) => [bytes.subarray(0, problem.offset), Buffer.from(text), bytes.subarray(problem.offset + problem.length)];
      const texts = [problem.suggestion, ...(problem.readings ?? [])].filter((text) => text !== undefined);
      for (const text of texts) {
        const again = await client.post('/v1/apply', { size, moves: Buffer.concat(put(text)).toString() });
        const further = again.json.offset ?? Infinity;
        assert.ok(again.status === 200 || further > problem.offset, `${moves} -> ${text}: ${again.text}`);
      }
    }
  }],

  ['the strict dialect refuses other notations', async ({ client }) => {
    for (const moves of [...NOT_WCA, '[r]', '[r u]', "(R U)'", '[R, U]', '[R: U]']) {
      const answer = await client.post('/v1/apply', { moves, notation: 'wca' });
      assert.equal(answer.status, 422, `${moves}: ${answer.text}`);
    }
    const one = await client.expect(200, 'POST', '/v1/apply', { moves: 'Rw', notation: 'wca' });
    const two = await client.expect(200, 'POST', '/v1/apply', { moves: '2Rw', notation: 'wca' });
    assert.equal(one.cube.facelets, two.cube.facelets);
    await client.expect(422, 'POST', '/v1/apply', { size: 2, moves: 'Rw', notation: 'wca' });
    assert.equal((await client.expect(200, 'POST', '/v1/apply', { moves: 'R2L', notation: 'wca' })).moves, 'R2 L');
    assert.equal((await client.expect(200, 'POST', '/v1/apply', { size: 2, moves: 'R3L' })).moves, "R' L");
  }],

  ['a dialect of one size is refused on others', async ({ client }) => {
    for (const notation of ['nissy', 'kociemba', 'rubyks']) {
      const answer = await client.post('/v1/apply', { size: 4, moves: 'U', notation });
      assert.ok([400, 422].includes(answer.status), `${notation}: ${answer.text}`);
    }
  }],

  ['the problem says which moves are meant', async ({ client }) => {
    const { id, path } = await client.session();
    const pointer = async (target, json) => (await client.expect(422, 'POST', target, json)).pointer;
    assert.equal(await pointer('/v1/apply', { cube: { moves: 'Q' } }), '/cube/moves');
    assert.equal(await pointer('/v1/apply', { cube: { session: id, moves: 'R Q' }, moves: 'R' }), '/cube/moves');
    assert.equal(await pointer('/v1/algorithm', { moves: 'Q' }), '/moves');
    assert.equal(await pointer('/v1/sessions', { size: 3, scramble: 'Q' }), '/scramble');
    assert.equal(await pointer('/v1/sessions', { cube: { moves: 'Q' } }), '/cube/moves');
    assert.equal(await pointer(`${path}/moves`, { moves: 'Q' }), '/moves');
    assert.equal(await pointer(`${path}/scramble`, { moves: 'Q' }), '/moves');
    assert.equal((await client.expect(422, 'GET', '/v1/apply?moves=R%20Q')).parameter, 'moves');
  }],
];
