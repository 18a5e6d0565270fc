// Applying and examining moves: nothing is stored.

import assert from 'node:assert/strict';
import { Cube, parseTurn } from '../model.mjs';
import { contract } from '../client.mjs';

/** size, moves as people type them, canonical text. */
const CANONICAL = [
  [3, "RUR'U'", "R U R' U'"],
  [3, 'R3 L3', "R' L'"],
  [3, "R2' U2", "R2' U2"],
  [3, 'R4 U0', ''],
  [3, 'y0 R (L0 U)2 (F)0', 'R (U)2'],
  [3, "R’ U‘ F′ D´ L` B'", "R' U' F' D' L' B'"],
  [3, 'r u2', 'Rw Uw2'],
  [4, '2Rw 3Fw2', 'Rw 3Fw2'],
  [5, '2–3Rw', '2-3Rw'],
  [3, 'R\t U\r\n F', 'R U F'],
  [3, '(R U)3 [R, U] [R: U]2', '(R U)3 [R, U] [R: U]2'],
  [3, 'R . U // a comment\nF /* another */ D', 'R U F D'],
  [3, 'M E S x y z', 'M E S x y z'],
  [5, "m e' s2", "m e' s2"],
  [3, 'Rv Lv', "x x'"],
  [3, '', ''],
  [100, '100R', '100R'],
];

/** size, moves, the members of an answer that are worth showing. */
const EXAMINED = [
  [3, 'R U', { order: 105, expanded_length: 2, inverse: "U' R'" }],
  [3, "R U R' U'", { order: 6, metrics: { htm: 4, qtm: 4, stm: 4, qstm: 4, etm: 4 } }],
  [3, 'M2 x R2', { metrics: { htm: 3, qtm: 6, stm: 2, qstm: 4, etm: 3 }, order: 4 }],
  [4, '4R 2-4R', { metrics: { htm: 2, qtm: 2, stm: 2, qstm: 2, etm: 2 } }],
  [3, 'R R U0 R4', { metrics: { htm: 2, qtm: 2, stm: 2, qstm: 2, etm: 2 }, expanded_length: 2, expanded: 'R R' }],
  [3, 'y0 R4', { canonical: '', inverse: '', expanded: '', simplified: '', expanded_length: 0, order: 1 }],
  [3, "R R'", { simplified: '', order: 1 }],
  [3, '[R, U]2', { inverse: '[U, R]2', expanded: "R U R' U' R U R' U'" }],
  [3, "[R: U']", { inverse: '[R: U]', expanded: "R U' R'" }],
  [3, '', { canonical: '', inverse: '', simplified: '', expanded: '', expanded_length: 0, order: 1 }],
  [3, '(R U)5000', { expanded_length: 10000 }],
  [3, '(R U)5001', { expanded_length: 10002, expanded: null, simplified: null }],
  [3, `(R)${1e15}`, { expanded_length: 1e15, order: 1, expanded: null }],
  [3, '((R)1000000000)1000000000', { expanded_length: null, metrics: { htm: null, qtm: null, stm: null, qstm: null, etm: null } }],
  [3, `((R)${1e15})9`, { expanded_length: 9e15, order: 1 }],
  [3, `((R)${1e15})10`, { expanded_length: null }],
];

const same = (answer, wanted) => {
  for (const [name, value] of Object.entries(wanted)) assert.deepEqual(answer[name], value, name);
};

export default [
  ['moves with another plausible meaning get a note', async ({ client }) => {
    const note = { offset: 4, length: 4, column: 5, readings: [') x6', ')6'] };
    const session = await client.session({ size: 3, access: 'edit' });
    for (const answer of [
      await client.expect(200, 'POST', '/v1/apply', { moves: '(R U) x6' }),
      await client.expect(200, 'GET', '/v1/apply?moves=(R+U)+x6'),
      await client.expect(200, 'POST', '/v1/algorithm', { moves: '(R U) x6' }),
      await client.expect(200, 'POST', `${session.path}/moves`, { moves: '(R U) x6' }),
      await client.expect(200, 'POST', `${session.path}/scramble`, { moves: '(R U) x6' }),
    ]) {
      assert.equal(answer.notes.length, 1);
      same(answer.notes[0], note);
      assert.match(answer.notes[0].detail, /x6 is read as a rotation.*\(R U\)6/);
      assert.match(answer.moves ?? answer.canonical ?? answer.entry.moves, /^\(?R U\)? x2$/);
    }
    const { notes: [plain] } = await client.expect(200, 'POST', '/v1/apply', { moves: '/* ’ */ R U x6' });
    assert.deepEqual([plain.offset, plain.column, plain.length, plain.readings], [14, 13, 2, undefined]);
    for (const moves of ['(R U)6', '(R U) x', 'R U x2', '(R U)3 x2', [{ axis: 'x', angle: 6 }]]) {
      assert.equal((await client.expect(200, 'POST', '/v1/apply', { moves })).notes, undefined);
    }
  }],

  ['what stands for brackets is read, and noted where it is doubtful', async ({ client }) => {
    for (const [moves, canonical, place, readings] of [
      ["R U R': [S, R2]", "[R U R': [S, R2]]"],
      ["U: [R D R', U2]", "[U: [R D R', U2]]"],
      ["(R U R' U')^3", "(R U R' U')3"],
      ["(R U R' U')*3", "(R U R' U')3"],
      ["(R U R' U')x3", "(R U R' U')3", [10, 3], [')3', ') x3']],
      ["U' M U, M'", "[U' M U, M']", [0, 10], ["[U' M U, M']", "U' M U M'"]],
      ["D: R U R', D2", "[D: [R U R', D2]]", [0, 13], ["[D: [R U R', D2]]", "[[D: R U R'], D2]"]],
      ["U/R' D' R", "[U: [R' D' R, U2]]", [0, 9], ["[U: [R' D' R, U2]]", "[U, R' D' R]"]],
      ['R2U2R2', 'R2 U2 R2', [0, 3], ['R2 U', 'R 2U']],
      ['U M2UM2U2M2UM2', 'U M2 U M2 U2 M2 U M2', [2, 3], ['M2 U', 'M 2U']],
      ["R2URUR'U'R'U'R'UR'", "R2 U R U R' U' R' U' R' U R'", [0, 3], ['R2 U', 'R 2U']],
      ['F3r', "F' Rw"],
    ]) {
      const answer = await client.expect(200, 'POST', '/v1/algorithm', { moves });
      assert.equal(answer.canonical, canonical);
      assert.deepEqual(answer.notes?.map((note) => [note.offset, note.length]), place && [place]);
      if (readings) assert.deepEqual(answer.notes[0].readings, readings);
      const { cube } = await client.expect(200, 'POST', '/v1/apply', { moves });
      assert.equal(cube.facelets, (await client.expect(200, 'POST', '/v1/apply', { moves: canonical })).cube.facelets);
    }
    for (const moves of ['R: U: F', 'R,', 'R/U/F', '(R, U)']) await client.expect(422, 'POST', '/v1/algorithm', { moves });
    assert.equal((await client.expect(422, 'POST', '/v1/algorithm', { moves: 'R, U, F' })).suggestion, 'R U F');
  }],

  ['links of other sites are read wherever moves are text, and made', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const twizzle = 'https://alpha.twizzle.net/edit/?setup-alg=F&alg=R+U+R%27';
    for (const moves of [twizzle, 'https://alg.cubing.net/?setup=F&alg=R_U_R-']) {
      const answer = await client.expect(200, 'POST', '/v1/algorithm', { moves });
      assert.equal(answer.canonical, "F R U R'");
      assert.equal(answer.notes.length, 1);
      assert.match(answer.notes[0].detail, /setup/);
      for (const link of Object.values(answer.links)) {
        const again = await client.expect(200, 'POST', '/v1/algorithm', { moves: link });
        assert.deepEqual([again.canonical, again.links, again.notes], [answer.canonical, answer.links, undefined]);
      }
      assert.equal(new URL(answer.links.twizzle).searchParams.get('alg'), answer.canonical, 'as a browser reads it');
      const { entry } = await client.expect(200, 'POST', `${session.path}/moves`, { moves });
      assert.equal(entry.moves, answer.canonical);
    }
    const four = await client.expect(200, 'POST', '/v1/algorithm', { moves: 'https://alg.cubing.net/?alg=2%26%2345%3B3Rw&puzzle=4x4x4', notation: 'wca' });
    assert.deepEqual([four.size, four.canonical], [4, '2-3Rw']);
    const apply = await client.expect(200, 'GET', `/v1/apply?moves=${encodeURIComponent(twizzle)}`);
    assert.equal(apply.cube.facelets, new Cube(3).apply("F R U R'").facelets);
    assert.deepEqual((await client.expect(200, 'POST', '/v1/algorithm', { moves: 'R', size: 12 })).links, { twizzle: null, alg_cubing_net: null });
    assert.equal((await client.expect(200, 'POST', '/v1/algorithm', { moves: 'R '.repeat(600) })).links.twizzle, null);
    const size = await client.expect(422, 'POST', '/v1/apply', { moves: 'https://alg.cubing.net/?alg=R&puzzle=4x4x4' });
    assert.match(size.expected, /size 3.*size 4/);
    const wrong = await client.expect(422, 'POST', '/v1/algorithm', { moves: 'https://alg.cubing.net/?alg=R_T' });
    assert.deepEqual([wrong.type, wrong.pointer, wrong.offset, wrong.length], ['urn:cubed:problem:bad-notation', '/moves', 30, 1]);
  }],

  ['an algorithm is rotated, then mirrored', async ({ client }) => {
    const analyse = (body) => client.expect(200, 'POST', '/v1/algorithm', body);
    for (const [moves, rotation, mirror, canonical] of [
      ["R U R' U'", undefined, 'M', "L' U' L U"],
      ["R U R' U'", 'y', undefined, "F U F' U'"],
      ["[R, U] M", "y2 z2", 'S', "[R', D'] M'"],
    ]) {
      const answer = await analyse({ moves, rotation, mirror });
      assert.equal(answer.canonical, canonical);
      const query = new URLSearchParams({ moves, ...(rotation && { rotation }), ...(mirror && { mirror }) });
      assert.deepEqual(await client.expect(200, 'GET', `/v1/algorithm?${query}`), answer);
    }
    assert.equal((await client.expect(400, 'POST', '/v1/algorithm', { moves: 'R', rotation: 'U' })).pointer, '/rotation');
    assert.equal((await client.expect(400, 'POST', '/v1/algorithm', { moves: 'R', mirror: 'X' })).pointer, '/mirror');
    assert.equal((await client.expect(422, 'POST', '/v1/algorithm', { moves: 'R', rotation: 'Q' })).pointer, '/rotation');
  }],

  ['moves are written in every form, and read again', async ({ client }) => {
    const moves = "[R: U2] M2 Rw' F Rw y2 D2' y2 M2";
    const { cube } = await client.expect(200, 'POST', '/v1/apply', { moves });
    for (const write of ['sign', 'wca', 'inner', 'nissy', 'kociemba', 'rubyks', 'axis', 'turns']) {
      const { written } = await client.expect(200, 'POST', '/v1/algorithm', { moves, write });
      const notation = ['axis', 'turns'].includes(write) ? undefined : write;
      const again = await client.expect(200, 'POST', '/v1/apply', { moves: written, notation });
      assert.deepEqual(again.cube, cube, write);
      const asked = await client.expect(200, 'POST', '/v1/algorithm', { moves: written, notation, write });
      assert.deepEqual(asked.written, written, write);
    }
    const text = await client.get('/v1/algorithm?moves=M2+U+M2&write=kociemba', { accept: 'text/plain' });
    assert.equal(text.text, 'L2 R2 D1 L2 R2\n');
    const large = await client.expect(200, 'POST', '/v1/algorithm', { moves: '2R (U 3F)2', size: 4, write: 'axis' });
    assert.deepEqual(large.written[0], { axis: 'x', angle: -1, start: 1, end: 1 });
    assert.equal(large.written.length, 5);
  }],

  ['geometry agrees with turns', async ({ client }) => {
    for (const size of [2, 3, 6]) {
      const { neighbors, rings, cubies, facelet_cubies: cubieOf } = await client.expect(200, 'GET', `/v1/geometry?size=${size}`);
      assert.equal(neighbors.length, 6 * size * size);
      neighbors.forEach((beside, facelet) => beside.forEach((other) => assert.ok(neighbors[other].includes(facelet))));
      cubies.forEach(({ facelets }, cubie) => facelets.forEach((facelet) => assert.equal(cubieOf[facelet], cubie)));
      for (const face of 'URFDLB') {
        for (let layer = 1; layer <= size; layer++) {
          const ring = rings[face][layer - 1];
          const turn = [{ face, from: layer }];
          const { cube: before } = await client.expect(200, 'POST', '/v1/apply', { size, moves: 'R U2 F' });
          const { cube: after } = await client.expect(200, 'POST', '/v1/apply', { cube: before, moves: turn });
          ring.forEach((facelet, i) => assert.equal(after.facelets[ring[(i + size) % ring.length]], before.facelets[facelet]));
        }
      }
    }
    assert.equal((await client.expect(400, 'GET', '/v1/geometry?size=1')).parameter, 'size');
    assert.equal((await client.expect(200, 'GET', '/v1/geometry')).size, 3);
    assert.equal((await client.expect(200, 'GET', '/v1/geometry?size=100')).cubies.length, 58808);
  }],

  ['a form that lacks words is refused', async ({ client }) => {
    const ask = (status, body) => client.expect(status, 'POST', '/v1/algorithm', body);
    const rotated = await ask(422, { moves: 'R (M U)2 x', write: 'kociemba' });
    assert.equal(rotated.type, 'urn:cubed:problem:bad-notation');
    assert.match(rotated.detail, /^M \(move 2, written out\)/);
    const size = await ask(400, { moves: 'R', size: 4, write: 'nissy' });
    assert.deepEqual([size.pointer, size.expected], ['/write', 'sign, wca, inner, axis or turns']);
    assert.equal((await ask(400, { moves: 'R', write: 'kociemb' })).suggestion, 'kociemba');
    assert.equal((await ask(422, { moves: '((R U)999)999', write: 'wca' })).expanded_length, 1996002);
    assert.equal((await ask(200, { moves: '((R U)999)999', write: 'inner' })).written, '((R U)999)999');
  }],

  ['common spellings are converted to canonical text', async ({ client }) => {
    for (const [size, moves, canonical] of CANONICAL) {
      const applied = await client.expect(200, 'POST', '/v1/apply', { size, moves });
      assert.equal(applied.moves, canonical, JSON.stringify(moves));
      const again = await client.expect(200, 'POST', '/v1/apply', { size, moves: canonical });
      assert.deepEqual(again, applied, 'canonical text is read as the same');
    }
  }],

  ['canonical text has the same effect as in the model', async ({ client }) => {
    for (const [size, , canonical] of CANONICAL) {
      if (/[([]/.test(canonical)) continue;
      const { cube } = await client.expect(200, 'POST', '/v1/apply', { size, moves: canonical });
      assert.equal(cube.facelets, new Cube(size).apply(canonical).facelets, canonical);
    }
  }],

  ['every turn of every layer has the same effect as in the model', async ({ client }) => {
    for (const size of [2, 3, 4, 5, 7]) {
      for (const face of 'URFDLB') {
        for (let from = 1; from <= size; from++) {
          for (let to = from; to <= size; to++) {
            const turns = ((from + to) % 7) - 3;
            const { cube } = await client.expect(200, 'POST', '/v1/apply', { size, moves: [{ face, from, to, turns }] });
            assert.equal(cube.facelets, new Cube(size).turn({ face, from, to, turns }).facelets, `${size} ${face} ${from}-${to} ${turns}`);
          }
        }
      }
    }
  }],

  ['turns about an axis equal turns of faces, counted from the middle', async ({ client }) => {
    const pairs = [
      [3, { axis: 'x', angle: 1 }, "R'"],
      [3, { axis: 'x', angle: 1, start: -1 }, 'L'],
      [3, { axis: 'y', start: 0 }, 'E'],
      [4, { axis: 'z', angle: -1, start: 1, end: 2 }, 'Fw'],
      [4, { axis: 'y', angle: 2, start: -2, end: 2 }, 'y2'],
      [5, { axis: 'x', angle: -1, start: 0, end: 2 }, '3Rw'],
    ];
    for (const [size, turn, moves] of pairs) {
      const byAxis = await client.expect(200, 'POST', '/v1/apply', { size, moves: [turn] });
      const byText = await client.expect(200, 'POST', '/v1/apply', { size, moves });
      assert.equal(byAxis.cube.facelets, byText.cube.facelets, JSON.stringify(turn));
    }
  }],

  ['turns=cubies lists the cubies that are in the layers of each turn', async ({ client }) => {
    for (const [size, moves] of [[2, "R U' x2"], [3, "R M' E2 Fw y S B2"], [4, "2R 3-4Uw' Lw2 m D"], [5, "3Fw2 2-4L U' z"]]) {
      const { turns } = await client.expect(200, 'POST', '/v1/apply?turns=cubies', { size, moves });
      let before = '';
      for (const { move, axis, layers: [from, to], cubies } of turns) {
        const { cube } = await client.expect(200, 'POST', '/v1/apply?as=compact_poses', { size, moves: before });
        // Layer k of the face that the axis points to has the coordinate n - 1 - 2 (k - 1) along it.
        const layer = (place) => (size - 1 - axis.reduce((sum, way, i) => sum + way * place[i], 0)) / 2 + 1;
        const inside = cube.compact_poses.flatMap((place, index) => (layer(place) >= from && layer(place) <= to ? [index] : []));
        assert.deepEqual([...cubies].sort((a, b) => a - b), inside, `${size}: ${before} then ${move}`);
        before += ` ${move}`;
      }
    }
    const wrong = await client.expect(400, 'POST', '/v1/apply?turns=cubies', { size: 100, moves: '(2-99R)99' });
    assert.equal(wrong.parameter, 'turns');
  }],
  ['turns=true lists each turn for an animation', async ({ client }) => {
    const moves = "R L2 Fw' M x (U D')2";
    const { turns } = await client.expect(200, 'POST', '/v1/apply?turns=true', { size: 3, moves });
    assert.equal(turns.map(({ move }) => move).join(' '), "R L2 Fw' M x U D' U D'");
    assert.deepEqual(turns[0], { face: 'R', from: 1, to: 1, axis: [1, 0, 0], layers: [1, 1], turns: 1, move: 'R' });
    assert.deepEqual(turns[1], { face: 'L', from: 1, to: 1, axis: [-1, 0, 0], layers: [1, 1], turns: 2, move: 'L2' });
    assert.deepEqual(turns[2], { face: 'F', from: 1, to: 2, axis: [0, 0, 1], layers: [1, 2], turns: -1, move: "Fw'" });
    assert.deepEqual(turns[3], { face: 'L', from: 2, to: 2, axis: [-1, 0, 0], layers: [2, 2], turns: 1, move: 'M' });
    assert.deepEqual(turns[4], { face: 'R', from: 1, to: 3, axis: [1, 0, 0], layers: [1, 3], turns: 1, move: 'x' });
    const without = await client.expect(200, 'POST', '/v1/apply?turns=false', { size: 3, moves });
    assert.equal(without.turns, undefined);
    const long = await client.expect(422, 'POST', '/v1/apply?turns=true', { moves: '(R U)5001' });
    assert.equal(long.type, 'urn:cubed:problem:bad-notation');
    assert.equal(long.expanded_length, 10002);
  }],

  ['an algorithm is returned in all its forms', async ({ client }) => {
    for (const [size, moves, wanted] of EXAMINED) {
      same(await client.expect(200, 'POST', '/v1/algorithm', { size, moves }), { size, ...wanted });
    }
  }],

  ['the inverse and the simplified form have the right effect', async ({ client }) => {
    const moves = "[R U: F2 D'] (L B')3 M2 r U2";
    const told = await client.expect(200, 'POST', '/v1/algorithm', { moves });
    const both = await client.expect(200, 'POST', '/v1/apply', { moves: `${told.canonical} ${told.inverse}` });
    assert.equal(both.cube.home, true);
    const plain = await client.expect(200, 'POST', '/v1/apply', { moves });
    for (const text of [told.simplified, told.expanded]) {
      assert.equal(new Cube(3).apply(text).facelets, plain.cube.facelets, text);
    }
  }],

  ['the orders with and without spin differ', async ({ client }) => {
    const colours = await client.expect(200, 'POST', '/v1/algorithm', { moves: 'R U', spin: false });
    const spins = await client.expect(200, 'POST', '/v1/algorithm', { moves: 'R U', spin: true });
    assert.equal(colours.order, 105);
    assert.equal(spins.order, 420);
  }],

  ['repeats of repeats are answered at once', async ({ client }) => {
    // Turn by turn it would take years.
    await client.expect(200, 'POST', '/v1/apply', { moves: '(((R U)99999)99999)99999' });
  }],

  ['GET returns the same as POST', async ({ client }) => {
    const moves = "R U2 F'";
    const asked = await client.expect(200, 'GET', `/v1/apply?size=4&moves=${encodeURIComponent(moves)}&as=faces,net&turns=true`);
    const sent = await client.expect(200, 'POST', '/v1/apply?as=faces,net&turns=true', { size: 4, moves });
    assert.deepEqual(asked, sent);
    assert.deepEqual(await client.expect(200, 'GET', '/v1/apply'), await client.expect(200, 'POST', '/v1/apply', {}));
    const blank = await client.expect(200, 'GET', '/v1/apply?moves=R+U2%20F%27');
    assert.equal(blank.moves, moves);
  }],

  ['each dialect reads its own notation', async ({ client }) => {
    const read = async (size, moves, notation) =>
      (await client.expect(200, 'POST', '/v1/apply', { size, moves, notation })).cube.facelets;
    assert.equal(await read(4, 'r', 'inner'), await read(4, '2R', 'sign'));
    assert.equal(await read(3, 'R1 U2 F3', 'kociemba'), await read(3, "R U2 F'", 'sign'));
    assert.equal(await read(3, 'u ur u2 turn', 'rubyks'), await read(3, "U U' U2 y", 'sign'));
    assert.equal(await read(3, "R (U F)", 'nissy'), await read(3, "R F' U'", 'sign'));
    assert.equal(await read(3, 'Rw', 'wca'), await read(3, 'r', 'sign'));
    const { dialects } = await client.expect(200, 'GET', '/v1/formats');
    for (const { name } of dialects) await read(3, '', name);
  }],

  ['formats, dialects and the served documents agree with openapi.yaml', async ({ client }) => {
    const { items: formats, dialects } = await client.expect(200, 'GET', '/v1/formats');
    const asked = contract.document.components.schemas.AskedCubeFormat.enum.filter((name) => !['none', 'colors', 'onehot', 'permutation'].includes(name));
    assert.deepEqual(formats.map(({ name }) => name), asked);
    assert.ok(formats.every(({ reads, writes }) => reads && writes));
    assert.deepEqual(dialects.map(({ name }) => name), contract.document.components.schemas.Notation.enum);
    const { limits } = await client.expect(200, 'GET', '/v1/limits');
    assert.equal(limits.moves.value, 10000);
    const json = await client.expect(200, 'GET', '/openapi.json');
    assert.deepEqual(json, contract.document);
    const yaml = await client.get('/openapi.yaml');
    assert.match(yaml.text, /^openapi: '3\.1\.1'$/m);
    assert.equal((await client.expect(200, 'GET', '/healthz')).status, 'ok');
    assert.equal((await client.expect(200, 'GET', '/readyz')).status, 'ready');
  }],

  ['the layers of a turn are counted from its face', async ({ client }) => {
    for (const text of ['R', "2L'", '2-3Uw2', 'M', "E'", 'S2', 'm', 'x', "4B'", '3Dw']) {
      const size = 5;
      const { turns, cube } = await client.expect(200, 'POST', '/v1/apply?turns=true', { size, moves: text });
      const axes = { '0,1,0': 'U', '1,0,0': 'R', '0,0,1': 'F', '0,-1,0': 'D', '-1,0,0': 'L', '0,0,-1': 'B' };
      const [{ face, from, to, axis, layers, turns: quarters }] = turns;
      const told = { face: axes[axis.join()], from: layers[0], to: layers[1], turns: quarters };
      assert.deepEqual({ face, from, to, turns: quarters }, told);
      assert.equal(new Cube(size).turn(told).facelets, cube.facelets, text);
      assert.equal(new Cube(size).turn(parseTurn(size, text)).facelets, cube.facelets, text);
    }
  }],
];
