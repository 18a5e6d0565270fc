// Many cubes in one request: lines in and lines out, rows of features in every form.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const LINES = { 'content-type': 'application/x-ndjson' };
/** The corner URF of a solved cube twisted. */
const TWISTED = 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';

const convert = async (client, cube, query = '') => (await client.expect(200, 'POST', `/v1/convert${query}`, { cube })).cube;

/** Rows of an .npy file of format 1.0. */
function readNpy(bytes) {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x93NUMPY\x01\x00');
  const end = 10 + bytes.readUInt16LE(8);
  assert.equal(end % 64, 0, 'data is aligned');
  assert.equal(bytes[end - 1], 10);
  const head = /^\{'descr': '(.+)', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \} *\n$/.exec(bytes.subarray(10, end).toString());
  assert.ok(head, bytes.subarray(10, end).toString());
  return { descr: head[1], rows: rowsOf(bytes.subarray(end), head[1] === '<f4' ? 4 : 1), count: Number(head[2]), width: Number(head[3]) };
}

function rowsOf(bytes, width) {
  assert.equal(bytes.length % (364 * width), 0);
  return Array.from({ length: bytes.length / 364 / width }, (_, row) =>
    Array.from({ length: 364 }, (__, i) => {
      const at = (row * 364 + i) * width;
      return width === 4 ? bytes.readFloatLE(at) : bytes[at];
    }),
  );
}

const linesOf = (answer) => answer.text.split('\n').slice(0, -1).map((line) => JSON.parse(line));

/** Reads the features off a facelet string by their definition, independent of the server. */
function oneHot(facelets) {
  return [...facelets].flatMap((letter) => [...'URFDLB'].map((color) => Number(color === letter)));
}

export default [
  ['lines in are lines out, with an error in place of a bad line', async ({ client }) => {
    const good = { cube: { moves: 'R' } };
    const body = [
      JSON.stringify(good), '', '{"size": 2}', '{"cube": {"facelets": "UUU"}}', 'no JSON', '[]', '{"cube": {"moves": "Q"}}\r', '  \t',
      `{"cube": {"facelets": "${TWISTED}"}}`, '{"cube": {"session": "0000000000000000"}}', '{"cube": {}, "moves": "R"}', '{"size": 4}', '{}',
    ].join('\n');
    const answer = await client.send('POST', '/v1/convert?as=index', { body, headers: LINES });
    assert.deepEqual([answer.status, answer.type], [200, 'application/x-ndjson']);
    const lines = linesOf(answer);
    assert.deepEqual(lines.map(({ line, error }) => (error ? [line, error.status, error.pointer ?? error.parameter] : null)), [
      null, null, [4, 400, '/cube/facelets'], [5, 400, undefined], [6, 400, ''], [7, 422, '/cube/moves'], [9, 422, '/cube/facelets'],
      [10, 400, '/cube/session'], [11, 400, '/moves'], [12, 400, 'as'], null,
    ]);
    assert.equal(lines[0].cube.facelets, new Cube(3).apply('R').facelets);
    assert.equal(lines[1].cube.size, 2);
    assert.equal(lines[10].cube.home, true);
    const single = await client.post('/v1/convert', good, { accept: 'application/x-ndjson' });
    assert.deepEqual(linesOf(single), [{ cube: { ...lines[0].cube, index: undefined } }].map((v) => JSON.parse(JSON.stringify(v))));
    const none = await client.send('POST', '/v1/convert', { body: '', headers: LINES });
    assert.deepEqual([none.status, none.text], [200, '']);
    const json = await client.send('POST', '/v1/convert', { body, headers: LINES, accept: 'application/json' });
    assert.equal(json.status, 406);
    const apply = await client.send('POST', '/v1/apply', { body, headers: LINES });
    assert.deepEqual([apply.status, apply.json.expected], [415, 'application/json, or text/plain for moves']);
  }],

  ['more lines than an ordinary body may have are all answered, in order', async ({ client }) => {
    const moves = Array.from({ length: 20000 }, (_, i) => `(R U)${i % 105} ${'y'.repeat(i % 4)} (F D' L2)${i % 7} (B R2 U)${i % 11}`);
    const body = moves.map((text, i) => `${i === 12345 ? '{' : ''}${JSON.stringify({ cube: { moves: text } })}\n`).join('');
    assert.ok(body.length > 1 << 20);
    const answer = await client.send('POST', '/v1/convert', { body, headers: LINES });
    const lines = linesOf(answer);
    assert.equal(lines.length, moves.length);
    assert.equal(lines[12345].line, 12346);
    for (const i of [0, 1, 12344, 12346, 19999]) {
      assert.equal(lines[i].cube.facelets, (await convert(client, { moves: moves[i] })).facelets, `line ${i}`);
    }
    const large = await client.send('POST', '/v1/convert', { json: { cube: { net: ' '.repeat(1 << 20) } } });
    assert.equal(large.status, 413, 'one cube is an ordinary body');
    const long = await client.send('POST', '/v1/convert', { body: `{}\n{"cube":${' '.repeat(1 << 20)}{}}\n{}`, headers: LINES });
    assert.deepEqual(linesOf(long).map(({ error }) => error?.status), [undefined, 413, undefined]);
  }],

  ['features are the same rows in every form', async ({ client }) => {
    const cubes = [{}, { moves: 'R' }, { facelets: new Cube(3).apply("R U F' y M").facelets }, { index: '7' }];
    const body = cubes.map((cube) => `${JSON.stringify({ cube })}\n`).join('');
    const rows = await client.expect(200, 'POST', '/v1/features', { cubes });
    assert.equal(rows.length, 4);
    for (const [i, cube] of cubes.entries()) {
      const { facelets, features } = await convert(client, cube, '?as=features');
      assert.deepEqual(rows[i], features);
      assert.deepEqual(rows[i].slice(0, 324), oneHot(facelets));
    }
    assert.deepEqual(rows[0].slice(324), Array(40).fill(1));
    for (const sent of [{ json: { cubes } }, { body, headers: LINES }]) {
      const ask = (accept, query = '') => client.send('POST', `/v1/features${query}`, { ...sent, accept });
      assert.deepEqual(linesOf(await ask('application/x-ndjson')), rows);
      assert.deepEqual((await ask('application/json')).json, rows);
      assert.deepEqual(rowsOf((await ask('application/octet-stream')).bytes, 1), rows);
      assert.deepEqual(rowsOf((await ask('application/octet-stream', '?dtype=float32')).bytes, 4), rows);
      const npy = readNpy((await ask('application/x-npy')).bytes);
      assert.deepEqual(npy, { descr: '|u1', rows, count: 4, width: 364 });
      assert.deepEqual(readNpy((await ask('application/x-npy', '?dtype=float32')).bytes), { ...npy, descr: '<f4' });
    }
    const usual = await client.send('POST', '/v1/features', { body, headers: LINES });
    assert.equal(usual.type, 'application/x-ndjson', 'lines are answered by lines');
    assert.deepEqual((await client.send('POST', '/v1/features', { body: '', headers: LINES, accept: 'application/json' })).json, []);
    assert.equal((await client.expect(400, 'POST', '/v1/features?dtype=int8', { cubes })).parameter, 'dtype');
    assert.equal((await client.expect(400, 'POST', '/v1/features', {})).pointer, '/cubes');
  }],

  ['errors in features are reported for the whole body, or line by line', async ({ client }) => {
    const cubes = [{}, { size: 4 }, { facelets: TWISTED }];
    const body = cubes.map((cube) => `${JSON.stringify(cube)}\n`).join('\n');
    const whole = await client.expect(400, 'POST', '/v1/features', { cubes });
    assert.deepEqual([whole.pointer, whole.line], ['/cubes/1', undefined]);
    const twisted = await client.expect(422, 'POST', '/v1/features', { cubes: [{}, cubes[2]] }, { accept: 'application/x-npy' });
    assert.equal(twisted.pointer, '/cubes/1/facelets');
    for (const accept of ['application/json', 'application/octet-stream', 'application/x-npy']) {
      const refused = await client.send('POST', '/v1/features', { body, headers: LINES, accept });
      assert.deepEqual([refused.status, refused.json.line, refused.type], [400, 3, 'application/problem+json']);
    }
    const lines = linesOf(await client.send('POST', '/v1/features', { body, headers: LINES }));
    assert.equal(lines[0].length, 364);
    assert.deepEqual(lines.slice(1).map(({ line, error }) => [line, error.status]), [[3, 400], [5, 422]]);
  }],

  ['many rows are sent as a file of known length', async ({ client }) => {
    const body = Array.from({ length: 3000 }, (_, i) => `{"index":"${i * 7919}"}\n`).join('');
    const answer = await client.send('POST', '/v1/features?dtype=float32', { body, headers: LINES, accept: 'application/x-npy' });
    assert.equal(Number(answer.headers['content-length']), 128 + 3000 * 364 * 4);
    const { rows, count } = readNpy(answer.bytes);
    assert.deepEqual([rows.length, count], [3000, 3000]);
    for (const i of [0, 1, 1499, 2999]) {
      assert.deepEqual(rows[i], (await convert(client, { index: String(i * 7919) }, '?as=features')).features);
    }
  }],
];
