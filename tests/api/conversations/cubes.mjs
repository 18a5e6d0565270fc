// Cubes, wherever one is read and wherever one is answered.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const COLORS = { U: 'W', R: 'R', F: 'G', D: 'Y', L: 'O', B: 'B' };

const apply = (client, json, query = '') => client.expect(200, 'POST', `/v1/apply${query}`, json);

const impossible = async (client, facelets) => {
  const problem = await client.expect(422, 'POST', '/v1/apply', { cube: { facelets } });
  assert.equal(problem.type, 'urn:cubed:problem:impossible-cube');
  return problem.problems.map(({ kind }) => kind);
};

/** Letters of a solved cube with some of them changed, by facelet number. */
const painted = (size, changes) => {
  const letters = [...new Cube(size).facelets];
  for (const [facelet, letter] of Object.entries(changes)) letters[facelet] = letter;
  return letters.join('');
};

export default [
  ['a cube read from colours is returned unchanged, with assumed identities', async ({ client }) => {
    for (const size of [2, 3, 4, 5, 6, 11]) {
      const { facelets } = new Cube(size).apply("R U2 F' D L2 B'");
      const { cube } = await apply(client, { cube: { facelets } });
      assert.deepEqual(cube, { size, facelets, solved: false, home: false, identity: 'assumed' });
    }
  }],

  ['colours, lower case and a mixture are read, face letters are answered', async ({ client }) => {
    const { facelets } = new Cube(3).apply("R U R' U'");
    const colors = [...facelets].map((letter) => COLORS[letter]).join('');
    const mixed = [...facelets].map((letter, i) => (i % 2 ? COLORS[letter] : letter.toLowerCase())).join('');
    for (const text of [colors, colors.toLowerCase(), mixed]) {
      assert.equal((await apply(client, { cube: { facelets: text } })).cube.facelets, facelets);
    }
  }],

  ['faces are rows of letters, read and written', async ({ client }) => {
    for (const size of [2, 3, 4]) {
      const model = new Cube(size).apply('R F U2');
      const { cube } = await apply(client, { cube: { faces: model.faces } }, '?as=faces');
      assert.equal(cube.facelets, model.facelets);
      assert.deepEqual(cube.faces, model.faces);
      assert.equal(cube.identity, 'assumed');
    }
  }],

  ['moves apply to any cube', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: 'R' });
    const wanted = new Cube(3).apply("R U F'").facelets;
    const cubes = [
      { moves: 'R U' },
      { size: 3, moves: 'R U' },
      { facelets: new Cube(3).apply('R').facelets, moves: 'U' },
      { faces: new Cube(3).apply('R').faces, moves: 'U' },
      { session: session.id, moves: 'U' },
      { session: session.id, at: 0, moves: [{ face: 'U' }] },
      { moves: 'R1 U1', notation: 'kociemba' },
    ];
    for (const cube of cubes) {
      const answer = await apply(client, { cube, moves: "F'" });
      assert.equal(answer.cube.facelets, wanted, JSON.stringify(cube));
      assert.equal(answer.moves, "F'", 'only the moves of the call are told');
      assert.equal(answer.cube.identity, cube.facelets || cube.faces ? 'assumed' : undefined);
    }
  }],

  ['as asks for formats, in any order and number', async ({ client }) => {
    const model = new Cube(4).apply('Rw U');
    const { cube } = await apply(client, { size: 4, moves: 'Rw U' }, '?as=net,faces,facelets');
    assert.equal(cube.net, model.net);
    assert.deepEqual(cube.faces, model.faces);
    const bare = await apply(client, { size: 4 });
    assert.deepEqual(Object.keys(bare.cube), ['size', 'facelets', 'solved', 'home']);
  }],

  ['solved and home are different things', async ({ client }) => {
    const told = async (size, moves) => {
      const { solved, home } = (await apply(client, { size, moves })).cube;
      return `${solved} ${home}`;
    };
    assert.equal(await told(3, ''), 'true true');
    assert.equal(await told(3, 'x y2'), 'true false');
    assert.equal(await told(3, "M E M' E'"), 'false false');
    assert.equal(await told(2, "R L'"), 'true false');
    assert.equal(await told(4, 'R4'), 'true true');
    assert.equal(await told(5, 'R'), 'false false');
  }],

  ['text/plain is the unfolding', async ({ client }) => {
    for (const [size, moves] of [[2, 'R'], [3, "R U R' U'"], [5, '2Rw U2'], [11, '']]) {
      const answer = await client.post('/v1/apply', { size, moves }, { accept: 'text/plain' });
      assert.equal(answer.text, new Cube(size).apply(moves).net);
      assert.equal(answer.type, 'text/plain');
      const asked = await client.get(`/v1/apply?size=${size}&moves=${encodeURIComponent(moves)}`, { accept: 'text/plain' });
      assert.equal(asked.text, answer.text);
    }
  }],

  ['color=always colours the unfolding for a terminal', async ({ client }) => {
    const get = (color) => client.get(`/v1/apply?moves=R&color=${color}`, { accept: 'text/plain' });
    const plain = (await get('never')).text;
    const coloured = (await get('always')).text;
    assert.match(coloured, /\x1b\[[0-9;]*m/);
    assert.match(coloured, /\x1b\[0?m/, 'the colour is taken off again');
    const stripped = coloured.replace(/\x1b\[[0-9;]*m/g, '');
    assert.equal(stripped.replace(/\s+/g, ''), plain.replace(/\s+/g, ''));
    for (const line of coloured.trimEnd().split('\n')) assert.match(line, /\x1b\[0?m\s*$/, 'each line ends without colour');
  }],

  ['every call that returns one cube can return it as text', async ({ client }) => {
    const session = await client.session();
    const text = { accept: 'text/plain' };
    const answers = [
      await client.post('/v1/sessions', { size: 3 }, text),
      await client.get(session.path, text),
      await client.get(`${session.path}/cube`, text),
      await client.send('PATCH', session.path, { json: { name: 'x' }, ...text }),
      await client.post(`${session.path}/reset`, {}, text),
    ];
    for (const answer of answers) assert.equal(answer.text, new Cube(3).net);
    assert.equal((await client.post(`${session.path}/moves`, { moves: 'R' }, text)).text, new Cube(3).apply('R').net);
    assert.equal((await client.post(`${session.path}/undo`, {}, text)).text, new Cube(3).net);
    assert.equal((await client.post(`${session.path}/redo`, {}, text)).text, new Cube(3).apply('R').net);
    assert.equal((await client.post(`${session.path}/scramble`, { moves: 'U' }, text)).text, new Cube(3).apply('R U').net);
  }],

  ['six symbols of any kind are colours on odd sizes, and rows may be strings', async ({ client }) => {
    const { facelets } = new Cube(3).apply("R U2 F' L D");
    const spelled = (symbols) => Array.from(facelets, (letter) => symbols[['U', 'R', 'F', 'D', 'L', 'B'].indexOf(letter)]);
    for (const symbols of ['012345', '540231', 'abcdef', ['⬜', '🟥', '🟩', '🟨', '🟧', '🟦']]) {
      const letters = spelled(symbols);
      assert.equal((await apply(client, { cube: { facelets: letters.join('') } })).cube.facelets, facelets);
      const rows = (of) => Object.fromEntries([...'URFDLB'].map((face, i) => [face, [0, 1, 2].map((row) => of(letters.slice(9 * i + 3 * row, 9 * i + 3 * row + 3)))]));
      for (const of of [(row) => row, (row) => row.join('')]) {
        assert.equal((await apply(client, { cube: { faces: rows(of) } })).cube.facelets, facelets);
      }
    }
    const solved = { U: ['UUU', 'UUU', 'UUU'], R: ['RRR', 'RRR', 'RRR'], F: ['FFF', 'FFF', 'FFF'], D: ['DDD', 'DDD', 'DDD'], L: ['LLL', 'LLL', 'LLL'], B: ['BBB', 'BBB', 'BBB'] };
    assert.equal((await apply(client, { cube: { faces: solved } })).cube.solved, true);
    const even = await client.expect(400, 'POST', '/v1/validate', { cube: '000011112222333344445555' });
    assert.match(even.expected, /other symbols are read on odd sizes/);
    const short = await client.expect(400, 'POST', '/v1/validate', { cube: { faces: { ...solved, R: ['RRR', 'RR', 'RRR'] } } });
    assert.equal(short.pointer, '/cube/faces/R/1');
    const wrong = await client.expect(400, 'POST', '/v1/validate', { cube: { faces: { ...solved, F: ['FFF', 'FXF', 'FFF'] } } });
    assert.equal(wrong.pointer, '/cube/faces/F/1');
    assert.equal((await client.expect(400, 'POST', '/v1/validate', { cube: { facelets: facelets.replace('U', 'X') } })).length, 1);
  }],

  ['an impossible cube is refused, with the reasons', async ({ client }) => {
    assert.deepEqual(await impossible(client, painted(3, { 8: 'F', 9: 'U', 20: 'R' })), ['corner_twisted']);
    assert.deepEqual(await impossible(client, painted(3, { 7: 'F', 19: 'U' })), ['edge_flipped']);
    assert.deepEqual(await impossible(client, painted(3, { 19: 'R', 10: 'F' })), ['parity']);
    assert.ok((await impossible(client, painted(3, { 0: 'R' }))).includes('wrong_count'));
    assert.ok((await impossible(client, painted(3, { 4: 'R', 13: 'U' }))).includes('centers'));
    assert.ok((await impossible(client, painted(3, { 9: 'F', 20: 'R' }))).includes('mirrored_corner'));
    assert.deepEqual(await impossible(client, painted(2, { 3: 'F', 4: 'U', 9: 'R' })), ['corner_twisted']);
  }],

  ['an impossible cube is reported with its repair', async ({ client }) => {
    const repairs = async (facelets) => {
      const { problems } = await client.expect(422, 'POST', '/v1/apply', { cube: { facelets } });
      const validated = await client.expect(200, 'POST', '/v1/validate', { cube: { facelets } });
      assert.deepEqual(validated.problems, problems);
      return problems.map(({ repair }) => repair);
    };
    assert.deepEqual(await repairs(painted(3, { 8: 'F', 9: 'U', 20: 'R' })), ['twist URF counterclockwise']);
    assert.deepEqual(await repairs(painted(3, { 7: 'F', 19: 'U' })), ['flip UF']);
    assert.deepEqual(await repairs(painted(3, { 19: 'R', 10: 'F' })), ['swap UR and UF']);
    assert.equal((await repairs(painted(3, { 8: 'F' })))[0], 'recolour facelet 8 (U row 3 column 3) from F to U');
  }],

  ['impossible even and large cubes are detected', async ({ client }) => {
    const { facelets } = new Cube(4).apply("Rw U2 Rw' F 2R2 D");
    await apply(client, { cube: { facelets } });
    const turnedPair = painted(4, { 13: 'F', 14: 'F', 33: 'U', 34: 'U' });
    await apply(client, { cube: { facelets: turnedPair } });
    await impossible(client, painted(4, { 13: 'F', 33: 'U' }));
    const large = new Cube(40).facelets;
    assert.equal((await apply(client, { cube: { facelets: large } })).cube.home, true);
  }],

  ['every size is served', async ({ client }) => {
    for (let size = 2; size <= 100; size += size < 12 ? 1 : 11) {
      const { cube } = await apply(client, { size, moves: 'x' });
      assert.equal(cube.size, size);
      assert.equal(cube.facelets.length, 6 * size * size);
      assert.equal(cube.solved, true);
    }
  }],
];
