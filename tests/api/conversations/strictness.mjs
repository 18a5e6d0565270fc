// Bodies that are not what they should be: each refused by the name of what is wrong.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const APPLY = '/v1/apply';
const CREATE = '/v1/sessions';
const NONE = '0000000000000000';

const deep = (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** The name of each fault, the call, the body as sent, the pointer, and a pattern that expected or suggestion fits. */
const MEMBERS = [
  ['an unknown member', APPLY, { move: 'R' }, '/move', /^moves$/],
  ['an unknown member below', APPLY, { cube: { sizes: 3 } }, '/cube/sizes', /^size$/],
  ['an unknown member of a turn', APPLY, { moves: [{ face: 'R' }, { face: 'U', turn: 1 }] }, '/moves/1/turn', /^turns$/],
  ['a member that needs escaping', APPLY, { 'a/b~c': 1 }, '/a~1b~0c'],
  ['a number for text', APPLY, { moves: 3 }, '/moves'],
  ['null for text', APPLY, { moves: null }, '/moves'],
  ['text for a number', APPLY, { size: '3' }, '/size', /integer from 2 to 100/],
  ['a fraction', APPLY, '{"size": 3.5}', '/size', /integer/],
  ['1.0 for a whole number', APPLY, '{"size": 3.0}', '/size', /integer/],
  ['an exponent', APPLY, '{"size": 1e1}', '/size', /integer/],
  ['a size that is too small', APPLY, { size: 1 }, '/size', /2 to 100/],
  ['a size that is too large', APPLY, { size: 101 }, '/size', /2 to 100/],
  ['true for a number', APPLY, { size: true }, '/size'],
  ['text for a cube', APPLY, { cube: 'solved' }, '/cube'],
  ['size beside another cube', APPLY, { size: 4, cube: { size: 3 } }, '/size'],
  ['facelets of another size', APPLY, { cube: { size: 4, facelets: new Cube(3).facelets } }, '/cube/size'],
  ['two other descriptions', APPLY, { cube: { session: NONE, facelets: new Cube(3).facelets } }, null],
  ['at without session', APPLY, { cube: { at: 3 } }, '/cube/at'],
  ['a negative revision', APPLY, { cube: { session: NONE, at: -1 } }, '/cube/at'],
  ['facelets that do not fit a cube', APPLY, { cube: { facelets: 'UUU' } }, '/cube/facelets'],
  ['a letter that is not a face', APPLY, { cube: { facelets: `X${new Cube(2).facelets.slice(1)}` } }, '/cube/facelets'],
  ['faces that are not squares', APPLY, { cube: { faces: { ...new Cube(2).faces, F: [['F', 'F'], ['F']] } } }, '/cube/faces/F/1'],
  ['faces of different sizes', APPLY, { cube: { faces: { ...new Cube(2).faces, F: new Cube(3).faces.F } } }, '/cube/faces/F'],
  ['a missing face', APPLY, { cube: { faces: { ...new Cube(2).faces, B: undefined } } }, '/cube/faces/B'],
  ['an unknown face', APPLY, { cube: { faces: { ...new Cube(2).faces, X: [] } } }, '/cube/faces/X'],
  ['a word in a face', APPLY, { cube: { faces: { ...new Cube(2).faces, U: [['UU', 'U'], ['U', 'U']] } } }, '/cube/faces/U/0/0'],
  ['a number in a face', APPLY, { cube: { faces: { ...new Cube(2).faces, U: [[0, 'U'], ['U', 'U']] } } }, '/cube/faces/U/0/0'],
  ['an unknown dialect', APPLY, { moves: 'R', notation: 'sing' }, '/notation', /^sign$|sign/],
  ['a turn without face or axis', APPLY, { moves: [{ turns: 1 }] }, '/moves/0'],
  ['a turn with both', APPLY, { moves: [{ face: 'R', axis: 'x' }] }, '/moves/0'],
  ['a turn with members of both', APPLY, { moves: [{ face: 'R', angle: 1 }] }, '/moves/0'],
  ['an unknown face of a turn', APPLY, { moves: [{ face: 'Q' }] }, '/moves/0/face'],
  ['a layer that the cube does not have', APPLY, { moves: [{ face: 'R', from: 4 }] }, '/moves/0/from'],
  ['layers the wrong way round', APPLY, { moves: [{ face: 'R', from: 3, to: 2 }] }, '/moves/0/to'],
  ['the middle layer of an even cube', APPLY, { size: 4, moves: [{ axis: 'x', start: 0 }] }, null],
  ['a fraction of a turn', APPLY, '{"moves": [{"face": "R", "turns": 0.5}]}', '/moves/0/turns'],
  ['text in an array of turns', APPLY, { moves: [{ face: 'R' }, 'U'] }, '/moves/1'],
  ['no moves to examine', '/v1/algorithm', {}, '/moves'],
  ['spin that is not a boolean', '/v1/algorithm', { moves: 'R', spin: 1 }, '/spin'],
  ['neither size nor cube', CREATE, {}, '/size'],
  ['size beside another cube', CREATE, { size: 2, cube: {} }, '/size'],
  ['a scramble of a number', CREATE, { size: 3, scramble: 20 }, '/scramble'],
  ['an unknown access', CREATE, { size: 3, access: 'all' }, '/access', /edit/],
  ['a name that is a number', CREATE, { size: 3, name: 5 }, '/name'],
  ['an array for an object', APPLY, [], ''],
  ['text for an object', APPLY, '"R"', ''],
  ['null for an object', APPLY, 'null', ''],
  ['a number for an object', APPLY, '3', ''],
];

/** The name of each fault, and the body. */
const MALFORMED = [
  ['not JSON', 'moves=R'],
  ['an end too early', '{"moves": "R"'],
  ['a comma too many', '{"moves": "R",}'],
  ['single quotes', "{'moves': 'R'}"],
  ['something after the end', '{"moves": "R"} x'],
  ['a second value', '{} {}'],
  ['a duplicate member', '{"moves": "R", "moves": "U"}'],
  ['a duplicate member below', '{"cube": {"size": 3, "size": 4}}'],
  ['nesting without closing brackets', `{"moves": ${deep(17)}}`],
  ['very deep nesting', deep(100000)],
  ['a NUL in text', '{"moves": "R\\u0000U"}'],
  ['a NUL in a name', '{"mo\\u0000ves": "R"}'],
  ['a NUL byte', '{"moves": "R\0U"}'],
  ['a control character', '{"moves": "R\u0001U"}'],
  ['half a surrogate pair', '{"moves": "\\ud800"}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x6d, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['a backslash before a character of two bytes', '{"moves": "R\\é"}'],
  ['a comment', '{"moves": "R"} // so'],
  ['NaN', '{"size": NaN}'],
  ['a leading zero', '{"size": 03}'],
  ['only spaces', '   '],
];

export default [
  ...MEMBERS.map(([what, target, body, pointer, help]) => [what, async ({ client }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await client.send('POST', target, { body: text });
    assert.deepEqual([answer.status, answer.json.type], [400, 'urn:cubed:problem:bad-member'], answer.text);
    if (pointer === null) assert.equal(typeof answer.json.pointer, 'string');
    else assert.equal(answer.json.pointer, pointer, answer.text);
    if (help) assert.ok(help.test(answer.json.suggestion ?? '') || help.test(answer.json.expected ?? ''), answer.text);
  }]),

  ...MALFORMED.map(([what, body]) => [what, async ({ client }) => {
    const answer = await client.send('POST', APPLY, { body });
    assert.deepEqual([answer.status, answer.json.type], [400, 'urn:cubed:problem:malformed-json'], answer.text);
    assert.ok(Number.isInteger(answer.json.offset) && answer.json.offset <= Buffer.byteLength(body), answer.text);
    assert.ok(answer.json.column >= 1);
  }]),

  ['invalid JSON is reported with its place', async ({ client }) => {
    for (const [body, offset] of [['{"moves":"R" "U"}', 13], ['{"size":tru}', 8], ['{', 1]]) {
      const answer = await client.send('POST', APPLY, { body });
      assert.deepEqual([answer.status, answer.json.offset, answer.json.column], [400, offset, offset + 1], answer.text);
    }
    const large = await client.send('POST', APPLY, { body: '{"size":99999999999999999999}' });
    assert.deepEqual([large.status, large.json.type], [400, 'urn:cubed:problem:bad-member'], large.text);
  }],

  ['a letter that is not a face is reported with its place', async ({ client }) => {
    const facelets = `${'U'.repeat(9)}RRRRxRRRR${new Cube(3).facelets.slice(18)}`;
    const problem = await client.expect(400, 'POST', APPLY, { cube: { facelets } });
    assert.deepEqual([problem.offset, problem.length, problem.column], [13, 1, 14]);
    const asked = await client.expect(400, 'GET', `/v1/apply?facelets=${facelets}`);
    assert.deepEqual([asked.parameter, asked.offset], ['facelets', 13]);
  }],

  ['calls on a session are as strict', async ({ client }) => {
    const { path } = await client.session();
    const cases = [
      ['moves', {}, '/moves'],
      ['moves', { move: 'R' }, '/move'],
      ['moves', { moves: 'R', revision: '0' }, '/revision'],
      ['moves', { moves: 'R', revision: -1 }, '/revision'],
      ['scramble', { seed: 5 }, '/seed'],
      ['scramble', { moves: 'R', seed: 'x' }, '/seed'],
      ['undo', { count: 0 }, '/count'],
      ['undo', { count: '1' }, '/count'],
      ['undo', { counts: 1 }, '/counts'],
      ['redo', { count: -1 }, '/count'],
      ['reset', { count: 1 }, '/count'],
    ];
    for (const [call, json, pointer] of cases) {
      const problem = await client.expect(400, 'POST', `${path}/${call}`, json);
      assert.deepEqual([problem.type, problem.pointer], ['urn:cubed:problem:bad-member', pointer], `${call} ${JSON.stringify(json)}`);
    }
    assert.equal((await client.expect(200, 'GET', path)).revision, 0);
  }],
];
