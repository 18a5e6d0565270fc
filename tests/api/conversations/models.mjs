// Cubes in every format, in and out; what is wrong in each, with its place; cubes as transformations.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Cube } from '../model.mjs';

const MOVES = { 2: "R U2 F' x", 3: "R U F' M y' B2 L", 4: "Rw U 2F' y L2 3Dw", 5: "3Rw U M' 2B F2 x", 6: "2-3Fw R U' 3L" };
const SIZES = Object.keys(MOVES).map(Number);
const SOLVED = new Cube(3).facelets;
/** The corner URF of a solved cube twisted. */
const TWISTED = 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';

const convert = async (client, cube, query = '') => (await client.expect(200, 'POST', `/v1/convert${query}`, { cube })).cube;
const formatsOf = async (client) => (await client.expect(200, 'GET', '/v1/formats')).items;
const serves = ({ sizes }, size) => size >= sizes.min && size <= sizes.max;
/** Returns the description of a cube in a form, with the members that must stand beside it. */
const told = (name, value, size) => ({ [name]: value, ...(name === 'index' && { size }) });

/** A deep copy with the value at a path replaced; undefined removes it. */
function changed(value, [key, ...rest], to) {
  const copy = structuredClone(value);
  if (rest.length > 0) copy[key] = changed(copy[key], rest, to);
  else if (to === undefined && Array.isArray(copy)) copy.splice(key, 1);
  else copy[key] = to;
  return copy;
}

/** Format, the path of what is replaced in a good value, the bad value, where the fault is reported, below the format. */
const WRONG = [
  ['facelets', [], 'UUU', ''],
  ['facelets', [], 7, ''],
  ['faces', ['F', 1, 2], 'X', '/F/1/2'],
  ['faces', ['F'], undefined, '/F'],
  ['cubies', ['corner_permutation', 3], 8, '/corner_permutation/3'],
  ['cubies', ['corner_orientation', 7], 3, '/corner_orientation/7'],
  ['cubies', ['edge_permutation', 11], -1, '/edge_permutation/11'],
  ['cubies', ['edge_orientation', 0], 0.5, '/edge_orientation/0'],
  ['cubies', ['edge_orientation'], undefined, '/edge_orientation'],
  ['cubies', ['centers', 5], 'Q', '/centers/5'],
  ['cubies', ['corner_permutation', 0], undefined, '/corner_permutation'],
  ['cubies', ['order'], 'kocienba', '/order'],
  ['cubies', ['corners'], [], '/corners'],
  ['reid', [], 'UF UR', ''],
  ['reid', [], `${'UF '.repeat(12)}URF`, ''],
  ['reid', [], 'XX UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR', ''],
  ['index', [], 5, ''],
  ['index', [], '', ''],
  ['index', [], '+5', ''],
  ['index', [], '-5', ''],
  ['index', [], '5e3', ''],
  ['index', [], '05', ''],
  ['index', [], ' 5', ''],
  ['index', [], '43252003274489856000', ''],
  ['index', [], '9'.repeat(400), ''],
  ['features', [0], 2, '/0'],
  ['features', [363], '1', '/363'],
  ['features', [5], undefined, ''],
  ['flatten', ['0,0,-1', 2, 2], 6, '/0,0,-1/2/2'],
  ['flatten', ['0,1,0'], undefined, '/0,1,0'],
  ['flatten', ['0,1,0', 1], undefined, '/0,1,0'],
  ['pieces', [4], undefined, ''],
  ['pieces', [0, 0, 0], 2, '/0/0/0'],
  ['pieces', [25, 1, 2], 6, '/25/1/2'],
  ['pieces', [0, 1, 0], null, null],
  ['rubyks', [5, 8], 6, '/5/8'],
  ['rubyks', [5], undefined, ''],
  ['poses', ['cubies', 3], undefined, '/cubies'],
  ['poses', ['cubies', 3, 'at'], undefined, '/cubies/3'],
  ['poses', ['cubies', 3, 'at'], [0, 0, 0], '/cubies/3'],
  ['poses', ['cubies', 0, 'home', 1], 100, '/cubies/0/home/1'],
  ['poses', ['cubies', 7, 'rotation'], [[1, 0, 0], [0, 1, 0], [0, 0, -1]], '/cubies/7/rotation'],
  ['poses', ['cubies', 7, 'stickers', 0, 'face'], 'Z', '/cubies/7/stickers/0/face'],
  ['poses', ['cubies', 7, 'stickers', 0, 'normal'], [1, 1, 0], '/cubies/7/stickers/0/normal'],
  ['compact_poses', [9], [0, 0, 0, 24], '/9'],
  ['compact_poses', [9, 3], 'x', '/9/3'],
  ['compact_poses', [9], undefined, ''],
  ['kpattern', ['CORNERS'], undefined, '/CORNERS'],
  ['kpattern', ['EDGES'], undefined, '/EDGES'],
  ['kpattern', ['EDGES', 'orientation', 3], 2, '/EDGES/orientation/3'],
  ['kpattern', ['EDGES', 'orientationMod'], Array(12).fill(1), '/EDGES/orientationMod'],
  ['kpattern', ['CORNERS', 'pieces', 7], 8, '/CORNERS/pieces/7'],
  ['kpattern', ['CORNERS', 'pieces'], undefined, '/CORNERS/pieces'],
  ['kpattern', ['CENTERS', 'pieces', 0], 6, '/CENTERS/pieces/0'],
  ['kpattern', ['CENTERS', 'orientation', 1], 1, '/CENTERS/orientation/1'],
  ['kpattern', ['CENTERS', 'orientationMod', 5], 5, '/CENTERS/orientationMod/5'],
  ['kpattern', ['MIDGES'], {}, '/MIDGES'],
  ['ranks', ['corner_permutation'], 40320, '/corner_permutation'],
  ['ranks', ['edge_orientation'], undefined, '/edge_orientation'],
  ['ranks', ['pieces'], [], '/pieces'],
  ['names', [13], undefined, ''],
  ['names', [13], 'UX', '/13'],
  ['names', [13], 7, '/13'],
  ['names', [13], 'U', null],
  ['names', [], {}, ''],
  ['net', [], 'U U U', ''],
  ['net', [], null, ''],
];

/* ---- ranks of pieces, by their definition ---- */

const CORNERS = 'URF UFL ULB UBR DFR DLF DBL DRB'.split(' ');
const EDGES = 'UR UF UL UB DR DF DL DB FR FL BL BR'.split(' ');

/** rank1 as it is in the paper, of a permutation that ends in these places; modulo the number of placements. */
function rankSome(places, n) {
  const permutation = [...Array(n).keys()].filter((place) => !places.includes(place)).concat(places);
  let rank = 0n;
  let weight = 1n;
  let placements = 1n;
  for (let i = 0; i < places.length; i++) placements *= BigInt(n - i);
  for (let last = n - 1; last > 0; last--) {
    const value = permutation[last];
    permutation[permutation.indexOf(last)] = value;
    permutation[last] = last;
    rank += BigInt(value) * weight;
    weight *= BigInt(last + 1);
  }
  return Number(rank % placements);
}

const choose = (n, k) => (k === 0 ? 1 : n < k ? 0 : choose(n - 1, k - 1) * n / k);

const rankPlaces = (places, n) => places.map((place) => n - 1 - place).sort((a, b) => a - b).reduce((sum, member, i) => sum + choose(member, i + 1), 0);

/** Returns the expected `ranks.pieces`, from the cubies of the cube held at home. */
function ranksOf(names, cubies, size) {
  const sorted = (name) => [...name].sort().join('');
  const answer = {};
  for (const [kind, all, base] of [['corner', CORNERS, 3], ['edge', EDGES, 2]]) {
    const pieces = names.map((name) => all.findIndex((one) => sorted(one) === sorted(name))).filter((piece) => piece >= 0);
    if (pieces.length === 0) continue;
    const n = all.length - (size === 2 ? 1 : 0);
    const at = pieces.map((piece) => cubies[`${kind}_permutation`].indexOf(piece));
    const places = at.map((place) => place - (size === 2 && place > 6 ? 1 : 0));
    const turns = at.map((place) => cubies[`${kind}_orientation`][place]).slice(0, n - 1);
    answer[`${kind}s`] = pieces.map((piece) => all[piece]);
    answer[`${kind}_places`] = rankPlaces(places, n);
    answer[`${kind}_permutation`] = rankSome(places, n);
    answer[`${kind}_orientation`] = turns.reduce((rank, turn) => rank * base + turn, 0);
  }
  return answer;
}

export default [
  ['every format that is written is read back as the same cube', async ({ client }) => {
    for (const size of SIZES) {
      const { facelets } = new Cube(size).apply(MOVES[size]);
      for (const format of (await formatsOf(client)).filter((one) => serves(one, size))) {
        const { [format.name]: value } = await convert(client, { size, moves: MOVES[size] }, `?as=${format.name}`);
        const again = await convert(client, told(format.name, value, size), `?as=${format.name}`);
        /* Reid's string, the index and ranks are of the cube held at home. */
        if (!['reid', 'index', 'ranks'].includes(format.name)) assert.equal(again.facelets, facelets, `${size} ${format.name}`);
        assert.deepEqual(again[format.name], value, `${size} ${format.name}`);
        assert.equal(again.identity, format.name.includes('poses') ? undefined : 'assumed', format.name);
      }
    }
  }],

  ['ranks of chosen pieces number where they are and how they are turned', async ({ client }) => {
    const lists = { 2: ['URF', 'DRB,ULB,UFL', 'URF,UFL,ULB,UBR,DFR,DLF,DRB'], 3: ['UF', 'DLF,DL,FL,DF', 'FR,FL,BL,BR', CORNERS.join(','), EDGES.join(','), 'UBR,BU'] };
    for (const size of [2, 3]) {
      for (const moves of ['', MOVES[size]]) {
        for (const pieces of lists[size]) {
          const cube = await convert(client, { size, moves }, `?as=ranks,reid,cubies&pieces=${pieces}`.replace(size === 2 ? 'reid,' : '', ''));
          const { cubies } = await convert(client, size === 2 ? { size, index: (await convert(client, { size, moves }, '?as=index')).index } : { reid: cube.reid }, '?as=cubies');
          assert.deepEqual(cube.ranks.pieces, ranksOf(pieces.split(','), cubies, size), `${size} ${moves}: ${pieces}`);
          assert.equal((await convert(client, cube)).facelets, cube.facelets, 'an answered cube is read back');
          const filled = await convert(client, { size, ranks: { pieces: cube.ranks.pieces } }, `?as=ranks&pieces=${pieces}`);
          assert.deepEqual(filled.ranks.pieces, cube.ranks.pieces, `${size} ${moves}: ${pieces} filled in`);
          await convert(client, { facelets: cube.facelets, ranks: { pieces: cube.ranks.pieces } });
        }
      }
    }
    const { ranks } = await convert(client, { moves: 'R' }, '?as=ranks&pieces=FR&pieces=FL,BL,BR');
    assert.equal(ranks.pieces.corners, undefined);
    const body = '{"moves": "F"}\n{"size": 2}\n{"size": 4}\n';
    const answer = await client.send('POST', '/v1/convert?as=ranks&pieces=UF,URF', { body, headers: { 'content-type': 'application/x-ndjson' } });
    const lines = answer.text.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(lines[0].cube.ranks.pieces.edges, ['UF']);
    assert.deepEqual(lines.slice(1).map(({ error }) => error.parameter), ['pieces', 'as']);
  }],

  ['lists of pieces, and ranks of them, that are not right are refused', async ({ client }) => {
    const refused = async (query, suggestion, detail) => {
      const problem = await client.expect(400, 'GET', `/v1/convert?${query}`);
      assert.deepEqual([problem.parameter, problem.suggestion], ['pieces', suggestion], query);
      assert.match(problem.detail, detail);
    };
    await refused('as=ranks&pieces=UF,ubr', 'UBR', /Unknown piece/);
    await refused('as=ranks&pieces=UX', 'UR', /Unknown piece/);
    await refused('as=ranks&pieces=UF,', undefined, /Unknown piece/);
    await refused('as=ranks&pieces=U', 'UR', /Unknown piece/);
    await refused('as=ranks&pieces=URF,UF,FRU', undefined, /URF is in the list twice/);
    await refused('as=index&pieces=UF', undefined, /as=ranks/);
    await refused('pieces=UF', undefined, /as=ranks/);
    await refused('size=2&as=ranks&pieces=UF', undefined, /2x2x2/);
    await refused('size=2&as=ranks&pieces=DBL', undefined, /2x2x2/);
    assert.match((await client.expect(400, 'GET', '/v1/apply?as=ranks&pieces=UF')).detail, /Unknown query parameter/);
    const UF = { edges: ['UF'], edge_permutation: 9, edge_orientation: 1 };
    for (const [pointer, pieces, size] of [
      ['', 7], ['/edges', { ...UF, edges: 'UF' }], ['/edges/0', { ...UF, edges: [7] }], ['/edges/0', { ...UF, edges: ['UFR'] }],
      ['/corners/0', { ...UF, corners: ['UR'] }], ['/edges/1', { ...UF, edges: ['UF', 'FU'] }], ['/edges/0', { ...UF, edges: ['XY'] }],
      ['/edge_permutation', { ...UF, edge_permutation: 12 }], ['/edge_orientation', { ...UF, edge_orientation: undefined }],
      ['/corner_permutation', { ...UF, corners: ['URF'] }], ['/edge_places', { ...UF, edge_places: 3 }], ['/corner_orientation', { ...UF, corner_orientation: 1 }],
      ['/corners/0', { corners: ['DBL'], corner_permutation: 0, corner_orientation: 0 }, 2], ['/edges/0', UF, 2],
    ]) {
      const problem = await client.expect(400, 'POST', '/v1/convert', { cube: { size, ranks: { pieces } } });
      assert.equal(problem.pointer, `/cube/ranks/pieces${pointer}`, JSON.stringify(pieces));
    }
    const { cube } = await client.expect(200, 'GET', '/v1/convert?moves=R&as=ranks&pieces=UF,FR');
    const wrong = { ...cube.ranks, pieces: { ...cube.ranks.pieces, edge_permutation: 7 } };
    assert.equal((await client.expect(400, 'POST', '/v1/convert', { cube: { ranks: wrong } })).pointer, '/cube/ranks/pieces/edge_permutation');
    const other = await client.expect(400, 'POST', '/v1/convert', { cube: { facelets: cube.facelets, ranks: { pieces: wrong.pieces } } });
    assert.equal(other.pointer, '/cube/ranks/pieces/edge_places');
    const { edge_places: _, ...bare } = wrong.pieces;
    assert.equal((await client.expect(400, 'POST', '/v1/convert', { cube: { facelets: cube.facelets, ranks: { pieces: bare } } })).pointer, '/cube/ranks');
    const all = { edges: EDGES, edge_permutation: 479001599 - 239500800, edge_orientation: 0, corners: CORNERS, corner_permutation: 40319, corner_orientation: 0 };
    const parity = await client.expect(422, 'POST', '/v1/convert', { cube: { ranks: { pieces: all } } });
    assert.deepEqual(parity.problems.map(({ kind }) => kind), ['parity']);
  }],

  ['kpattern is what cubing.js makes of the same moves, spins included', async ({ client }) => {
    const states = JSON.parse(readFileSync(new URL('../../data/kpatterns.json', import.meta.url)));
    assert.equal(states.length, 300);
    for (const { size, moves, kpattern } of states) {
      const counted = size === 3 && !kpattern.CENTERS.orientationMod;
      const right = await convert(client, { size, moves }, `?as=kpattern${counted ? ',compact_poses' : ''}`);
      if (!counted) assert.deepEqual(right.kpattern, kpattern, moves);
      const read = await convert(client, { kpattern }, `?as=kpattern${counted ? ',compact_poses' : ''}`);
      assert.deepEqual(read, counted ? right : { ...right, identity: 'assumed' }, moves);
      if (!counted) continue;
      kpattern.CENTERS.orientationMod = [0, 4, 0, 4, 0, 4];
      assert.deepEqual(await convert(client, { kpattern }, '?as=kpattern,compact_poses'), right);
      kpattern.CENTERS.orientation.fill(1);
      kpattern.CENTERS.orientationMod = Array(6).fill(2);
      assert.equal((await convert(client, { kpattern })).identity, 'assumed');
    }
    const { cube: { kpattern } } = await client.expect(200, 'POST', '/v1/apply?as=kpattern', { size: 3 });
    const { CENTERS, ...home } = kpattern;
    assert.deepEqual((await convert(client, { kpattern: home }, '?as=kpattern')).kpattern, kpattern, 'centres that are not given are home');
    kpattern.EDGES.orientation[0] = 1;
    const flipped = await client.expect(422, 'POST', '/v1/apply', { cube: { kpattern } });
    assert.equal(flipped.problems[0].kind, 'edge_flipped');
    assert.deepEqual(CENTERS.orientationMod, [1, 1, 1, 1, 1, 1]);
  }],

  ['names say which sticker is on each facelet', async ({ client }) => {
    const names = async (cube) => (await convert(client, cube, '?as=names')).names;
    const places = await names({ size: 3 });
    assert.deepEqual(places.slice(0, 9), ['UBL', 'UB', 'UBR', 'UL', 'U', 'UR', 'UFL', 'UF', 'UFR']);
    assert.equal(new Set(places).size, 54);
    /* After R the facelet UFR has the sticker FDR; followed through more moves it is where its colours are. */
    assert.deepEqual((await names({ moves: 'R' })).slice(0, 9), ['UBL', 'UB', 'FUR', 'UL', 'U', 'FR', 'UFL', 'UF', 'FDR']);
    const { facelets, names: mixed } = await convert(client, { moves: MOVES[3] }, '?as=names');
    assert.equal(mixed.map(([side]) => side).join(''), facelets);
    assert.deepEqual([...mixed].sort(), [...places].sort());
    /* Held another way, centres have moved as well. */
    const turned = await names({ moves: 'y' });
    assert.equal(turned[places.indexOf('F')], 'R');
    assert.equal(turned[places.indexOf('UFR')], 'UBR');
    assert.deepEqual(await names({ size: 2 }), places.filter((name) => name.length === 3));
    /* Letters after the first in any order, and colours. */
    const other = mixed.map((name) => name[0] + [...name.slice(1)].reverse().join('')).map((name) => name.toLowerCase().replace('u', 'w'));
    assert.equal((await convert(client, { names: other })).facelets, facelets);

    const changed = (changes) => Object.assign([...places], changes);
    const wrong = async (status, list, at) => {
      const problem = await client.expect(status, 'POST', '/v1/convert', { cube: { names: list } });
      assert.equal(problem.pointer, `/cube/names${at}`);
      return problem;
    };
    assert.equal((await wrong(400, changed({ 2: 'UBX' }), '/2')).suggestion, 'UBL');
    assert.match((await wrong(400, changed({ 2: 'UBL' }), '/2')).detail, /UBL is on the facelet UBL \(item 0\) too/);
    const torn = await wrong(400, changed({ 0: 'UFR', 8: 'UBL' }), '/0');
    assert.match(torn.detail, /UFR .*BUL.* cannot be on UBL/);
    assert.match((await wrong(400, changed({ 0: 'U', 4: 'UBL' }), '/0')).detail, /stay together/);
    assert.match((await wrong(400, places.slice(1), '')).detail, /^53 names; a 3x3x3 has 54/);
    const flipped = await wrong(422, places.map((name) => ({ UF: 'FU', FU: 'UF' })[name] ?? name), '');
    assert.equal(flipped.problems[0].kind, 'edge_flipped');
    const mirrored = await wrong(422, places.map((name) => ({ UFR: 'FUR', FUR: 'UFR' })[name] ?? name), '');
    assert.equal(mirrored.problems[0].kind, 'mirrored_corner');
    const large = await client.expect(400, 'POST', '/v1/convert?as=names', { cube: { size: 4 } });
    assert.match(large.detail, /names is for sizes 2 to 3; the cube is a 4x4x4/);
  }],

  ['every format is converted to every other one', async ({ client }) => {
    const formats = (await formatsOf(client)).filter((one) => serves(one, 3));
    const names = formats.map(({ name }) => name);
    /* The cube comes from colours, so the spins of its centres are 0 in every form; it is held at home, as Reid's
     * string is. */
    const { facelets } = new Cube(3).apply("R U F' B2 L D'");
    const cube = await convert(client, { facelets }, `?as=${names}`);
    for (const name of names) {
      const again = await convert(client, { [name]: cube[name] }, `?as=${names}`);
      assert.deepEqual({ ...again, identity: 1 }, { ...cube, identity: 1 }, name);
    }
  }],

  ['a size that a format does not support is refused', async ({ client }) => {
    for (const { name, sizes } of await formatsOf(client)) {
      for (const size of [sizes.min - 1, sizes.max + 1].filter((one) => one >= 2 && one <= 100)) {
        const problem = await client.expect(400, 'POST', `/v1/apply?as=${name}`, { size });
        assert.deepEqual([problem.type, problem.parameter], ['urn:cubed:problem:bad-parameter', 'as']);
        assert.match(problem.expected, new RegExp(`${sizes.min}.*${sizes.max === sizes.min ? '' : sizes.max}`));
      }
    }
    const session = await client.session({ size: 4 });
    for (const [method, path, json] of [['GET', ''], ['GET', '/cube'], ['PATCH', '', { name: 'x' }], ['POST', '/moves', { moves: 'R' }]]) {
      const problem = await client.expect(400, method, `${session.path}${path}?as=reid`, json);
      assert.equal(problem.parameter, 'as');
    }
    assert.equal((await client.expect(200, 'GET', session.path)).revision, 0, 'nothing was done');
    for (const size of [2, 3]) await client.session({ size, listed: true });
    const { items } = await client.expect(200, 'GET', '/v1/sessions?as=reid,net');
    assert.ok(items.length >= 2);
    for (const { size, cube } of items) assert.equal(typeof cube.reid, size === 3 ? 'string' : 'object');
    assert.equal((await client.expect(400, 'POST', '/v1/convert', { cube: { index: '0', size: 4 } })).pointer, '/cube/size');
  }],

  ...WRONG.map(([name, path, to, place]) => [`${name} with ${JSON.stringify(to)} at ${path.join('/')}`, async ({ client }) => {
    const { [name]: value } = await convert(client, { moves: 'R U' }, `?as=${name}`);
    const wrong = path.length > 0 ? changed(value, path, to) : to;
    const problem = await client.expect(400, 'POST', '/v1/convert', { cube: { [name]: wrong } });
    assert.equal(problem.type, 'urn:cubed:problem:bad-member', JSON.stringify(problem));
    if (place === null) assert.ok(problem.pointer.startsWith(`/cube/${name}/`), problem.pointer);
    else assert.equal(problem.pointer, `/cube/${name}${place}`, JSON.stringify(problem));
  }]),

  ['an index sent as a large number gets the hint that it must be a string', async ({ client }) => {
    const answer = await client.send('POST', '/v1/convert', { body: '{"cube":{"index":43252003274489855999}}' });
    assert.equal(answer.status, 400);
    assert.match(answer.json.expected, /string/);
  }],

  ['an index needs its size, and does not depend on how the cube is held', async ({ client }) => {
    for (const [size, last] of [[2, '3674159'], [3, '43252003274489855999']]) {
      for (const index of ['0', '1', '123456', last]) {
        const cube = await convert(client, { index, size }, '?as=index');
        assert.equal(cube.index, index);
        assert.equal(cube.size, size);
        const held = await convert(client, { index, size, moves: 'x y' }, '?as=index');
        assert.equal(held.index, index, 'however it is held');
        const asked = await client.expect(200, 'GET', `/v1/apply?index=${index}&size=${size}`);
        assert.equal(asked.cube.facelets, cube.facelets);
      }
    }
    assert.equal((await convert(client, { index: '0' })).size, 3);
    const problem = await client.expect(400, 'GET', '/v1/apply?index=3674160&size=2');
    assert.deepEqual([problem.type, problem.parameter], ['urn:cubed:problem:bad-parameter', 'index']);
  }],

  ['published examples are read as their authors intended', async ({ client }) => {
    const solved = 'UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR';
    const all = await convert(client, { size: 3 }, '?as=reid,rubyks,flatten,cubies');
    assert.equal(all.reid, solved);
    assert.deepEqual(all.rubyks, [0, 1, 2, 3, 4, 5].map((side) => Array(9).fill(side)));
    assert.deepEqual(all.flatten['0,1,0'], [[3, 3, 3], [3, 3, 3], [3, 3, 3]]);
    assert.deepEqual(all.cubies.edge_permutation, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert.equal((await convert(client, { reid: solved })).home, true);
    const asked = await client.expect(200, 'GET', `/v1/apply?reid=${encodeURIComponent(solved)}&moves=R`);
    assert.equal(asked.cube.facelets, new Cube(3).apply('R').facelets);
  }],

  ['cubies: M moves no corner, y moves all', async ({ client }) => {
    const home = [0, 1, 2, 3, 4, 5, 6, 7];
    const m = (await convert(client, { moves: 'M' }, '?as=cubies')).cubies;
    assert.deepEqual([m.corner_permutation, m.corner_orientation, m.centers], [home, Array(8).fill(0), [...'BRUFLD']]);
    const y = (await convert(client, { moves: 'y' }, '?as=cubies')).cubies;
    assert.ok(y.corner_permutation.every((piece, place) => piece !== place));
  }],

  ['cubies in another order are renumbered, places and pieces', async ({ client }) => {
    const { orders } = await client.expect(200, 'GET', '/v1/formats');
    const sorted = (name) => [...name].sort().join('');
    const kociemba = (await convert(client, { moves: MOVES[3] }, '?as=cubies')).cubies;
    for (const { name, corners, edges } of orders) {
      const { cubies, facelets } = await convert(client, { moves: MOVES[3] }, `?as=cubies&order=${name}`);
      assert.equal(cubies.order, name);
      for (const [kind, places] of [['corner', corners], ['edge', edges]]) {
        const first = orders[0][`${kind}s`];
        const number = (piece) => first.findIndex((other) => sorted(other) === sorted(piece));
        places.forEach((place, i) => {
          const at = number(place);
          assert.equal(number(places[cubies[`${kind}_permutation`][i]]), kociemba[`${kind}_permutation`][at]);
          assert.equal(cubies[`${kind}_orientation`][i], kociemba[`${kind}_orientation`][at]);
        });
      }
      assert.equal((await convert(client, { cubies })).facelets, facelets, name);
    }
    const problem = await client.expect(400, 'GET', '/v1/apply?as=cubies&order=kociembo');
    assert.deepEqual([problem.parameter, problem.suggestion], ['order', 'kociemba']);
  }],

  ['the listed rotations have the effect of their moves', async ({ client }) => {
    const { rotations } = await client.expect(200, 'GET', '/v1/formats');
    for (const [number, { moves, matrix }] of rotations.entries()) {
      const { poses, compact_poses: compact } = await convert(client, { moves }, '?as=poses,compact_poses');
      for (const [i, { home, at, rotation, stickers }] of poses.cubies.entries()) {
        assert.deepEqual(rotation, matrix, moves);
        const turned = matrix.map((row) => row.reduce((sum, v, k) => sum + v * home[k], 0));
        assert.deepEqual(at, turned);
        assert.deepEqual(compact[i], [...at, number]);
        assert.ok(stickers.length === home.filter((c) => Math.abs(c) === 2).length);
      }
    }
    assert.equal(new Set(rotations.map(({ matrix }) => JSON.stringify(matrix))).size, 24);
  }],

  ['poses include every centre, and its rotation', async ({ client }) => {
    const spun = "U R L U2 R' L' U R L U2 R' L'";
    const asked = (cube) => convert(client, cube, '?as=compact_poses');
    for (const [size, moves] of [[3, spun], [4, "Rw2 U2 Rw2 Uw2 Rw2 Uw2"], [5, `${spun} 3Fw`]]) {
      const direct = await asked({ size, moves });
      assert.deepEqual(await asked({ compact_poses: direct.compact_poses }), direct);
      const { poses } = await convert(client, { size, moves }, '?as=poses');
      poses.cubies.reverse();
      poses.cubies.forEach((cubie, i) => i % 2 && delete cubie.stickers);
      assert.deepEqual(await asked({ poses }), direct);
    }
    const seen = await asked({ facelets: new Cube(3).apply(spun).facelets });
    assert.notDeepEqual(seen.compact_poses, (await asked({ moves: spun })).compact_poses);
  }],

  ['convert requires a possible cube only for formats with pieces', async ({ client }) => {
    const formats = (await formatsOf(client)).filter((one) => serves(one, 3));
    const plain = formats.filter(({ pieces }) => !pieces).map(({ name }) => name);
    const cube = await convert(client, { facelets: TWISTED }, `?as=${plain}`);
    assert.deepEqual([cube.facelets, cube.possible, cube.identity], [TWISTED, false, undefined]);
    for (const name of plain) assert.equal((await convert(client, { [name]: cube[name] })).facelets, TWISTED, name);
    for (const { name } of formats.filter(({ pieces }) => pieces)) {
      const problem = await client.expect(422, 'POST', `/v1/convert?as=${name}`, { cube: { facelets: TWISTED } });
      assert.equal(problem.type, 'urn:cubed:problem:impossible-cube');
    }
    const { cubies } = await convert(client, { size: 3 }, '?as=cubies');
    cubies.corner_orientation[0] = 1;
    const problem = await client.expect(422, 'POST', '/v1/convert?as=net', { cube: { cubies } });
    assert.deepEqual([problem.pointer, problem.problems[0].kind], ['/cube/cubies', 'corner_twisted']);
    const turned = await convert(client, { facelets: TWISTED, moves: 'R U (F D)3' });
    assert.equal(turned.facelets, new Cube(3, TWISTED).apply('R U F D F D F D').facelets);
    const text = await client.post('/v1/convert', { cube: { facelets: TWISTED } }, { accept: 'text/plain' });
    assert.equal(text.text, new Cube(3, TWISTED).net);
    await client.expect(422, 'POST', '/v1/apply', { cube: { facelets: TWISTED } });
  }],

  ['validate reports why a cube would be refused, and how it is held', async ({ client }) => {
    const validate = (cube) => client.expect(200, 'POST', '/v1/validate', { cube });
    const refused = await client.expect(422, 'POST', '/v1/apply', { cube: { facelets: TWISTED } });
    const wrong = await validate({ facelets: TWISTED });
    assert.deepEqual([wrong.possible, wrong.problems, wrong.rotation], [false, refused.problems, null]);
    const { rotations } = await client.expect(200, 'GET', '/v1/formats');
    for (const size of [2, 3, 4]) {
      for (const { moves } of rotations) {
        const { facelets } = new Cube(size).apply(`R U F' ${moves}`);
        const right = await validate({ facelets });
        assert.deepEqual([right.possible, right.problems], [true, []]);
        /* On even sizes the corner DBL decides: R U F' leaves it alone. */
        assert.equal(right.rotation, moves, `${size} ${moves}`);
      }
    }
    /* With moves on top the problem shows the turned cube, and what is wrong with that one. */
    const turned = await validate({ facelets: TWISTED, moves: 'R U' });
    assert.equal(turned.cube.facelets, new Cube(3, TWISTED).apply('R U').facelets);
    assert.deepEqual(turned.problems, (await validate({ facelets: turned.cube.facelets })).problems);
    assert.notDeepEqual(turned.problems, wrong.problems);
    assert.equal((await client.expect(400, 'POST', '/v1/validate', { cube: { facelets: 'UUU' } })).pointer, '/cube/facelets');
    const { id } = await client.session({ size: 3, scramble: 'R y' });
    assert.equal((await validate({ session: id })).rotation, 'y');
  }],

  ['compose: the solved cube changes nothing, order matters, grouping does not', async ({ client }) => {
    const compose = async (...cubes) => (await client.expect(200, 'POST', '/v1/compose?as=compact_poses', { cubes })).cube;
    for (const size of SIZES) {
      const [a, b, c] = ['R U', MOVES[size], "F' x R2"].map((moves) => ({ size, moves }));
      const ab = await compose(a, b);
      assert.deepEqual(ab, await convert(client, { size, moves: `${a.moves} ${b.moves}` }, '?as=compact_poses'));
      assert.deepEqual(await compose(a, { size }), await convert(client, a, '?as=compact_poses'));
      assert.deepEqual(await compose({ size }, a), await convert(client, a, '?as=compact_poses'));
      const poses = ({ compact_poses: rows }) => ({ compact_poses: rows });
      assert.deepEqual(await compose(poses(ab), c), await compose(a, poses(await compose(b, c))));
      assert.deepEqual(await compose(a, b, c), await compose(poses(ab), c));
      assert.deepEqual(await compose(a), await convert(client, a, '?as=compact_poses'));
    }
  }],

  ['compose with assembled takes a cube apart: the rule of composition, and whether turns lead to the product', async ({ client }) => {
    const count = (n) => [...Array(n).keys()];
    const cubies = (changes) => ({ corner_permutation: count(8), corner_orientation: Array(8).fill(0), edge_permutation: count(12), edge_orientation: Array(12).fill(0), ...changes });
    const compose = (cubes, status = 200) => client.expect(status, 'POST', '/v1/compose?as=cubies,kpattern,names,reid,features,pieces,poses,index,ranks', { assembled: true, cubes: cubes.map((one) => ({ cubies: one })) });
    /* Two edges exchanged, then two others: edge_permutation[i] = a[b[i]]. */
    const [a, b] = [[1, 0, 2], [2, 1, 0]].map((first) => cubies({ edge_permutation: [...first, ...count(12).slice(3)] }));
    const product = await compose([a, b]);
    assert.deepEqual([product.possible, product.problems, product.problem_count], [true, [], 0]);
    assert.deepEqual(product.cube.cubies.edge_permutation, [2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert.deepEqual([product.cube.identity, product.cube.possible], ['assumed', undefined]);
    assert.notEqual(product.cube.index, null);
    const strict = await client.expect(200, 'POST', '/v1/compose', { cubes: [{ facelets: product.cube.facelets }] });
    assert.equal(strict.possible, undefined);

    /* The solved cube after the solved cube; one impossible cube alone, which keeps all forms of pieces but numbers. */
    assert.equal((await compose([cubies({}), cubies({})])).cube.home, true);
    const alone = await compose([a]);
    assert.deepEqual([alone.possible, alone.problems.map(({ kind }) => kind), alone.cube.possible], [false, ['parity'], false]);
    const validation = await client.expect(200, 'POST', '/v1/validate', { cube: { facelets: alone.cube.facelets } });
    assert.deepEqual(alone.problems, validation.problems);
    assert.deepEqual([alone.cube.index, alone.cube.ranks], [null, null]);
    for (const form of ['cubies', 'kpattern', 'names', 'reid', 'features', 'pieces', 'poses']) {
      const again = await client.expect(200, 'POST', `/v1/compose?as=${form}`, { assembled: true, cubes: [{ [form]: alone.cube[form] }] });
      assert.deepEqual([again.cube.facelets, again.cube[form]], [alone.cube.facelets, alone.cube[form]], form);
    }
    const whole = await client.expect(200, 'POST', '/v1/compose?as=cubies', { assembled: true, cubes: [alone.cube] });
    assert.deepEqual(whole.cube.cubies, alone.cube.cubies, 'an answered cube is read as it is');

    /* Arrays by the rule, for assemblies by a seed; the sums decide whether turns lead there. */
    let seed = 7;
    const below = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
    const shuffled = (n) => { const list = count(n); for (let i = n - 1; i > 0; i--) { const j = below(i + 1); [list[i], list[j]] = [list[j], list[i]]; } return list; };
    const odd = (list) => list.reduce((sum, x, i) => sum + list.slice(i).filter((y) => y < x).length, 0) % 2;
    const total = (list) => list.reduce((sum, x) => sum + x, 0);
    const random = () => ({ corner_permutation: shuffled(8), corner_orientation: count(8).map(() => below(3)), edge_permutation: shuffled(12), edge_orientation: count(12).map(() => below(2)) });
    const rule = (first, second) => Object.fromEntries([['corner', 3], ['edge', 2]].flatMap(([kind, mod]) => {
      const [p, q, s, t] = [first[`${kind}_permutation`], second[`${kind}_permutation`], first[`${kind}_orientation`], second[`${kind}_orientation`]];
      return [[`${kind}_permutation`, q.map((at) => p[at])], [`${kind}_orientation`, q.map((at, i) => (s[at] + t[i]) % mod)]];
    }));
    const seen = [0, 0];
    for (let round = 0; round < 100; round++) {
      const [first, second] = [random(), random()];
      const right = rule(first, second);
      const { cube, possible, problem_count: problems } = await compose([first, second]);
      for (const name of Object.keys(right)) assert.deepEqual(cube.cubies[name], right[name], name);
      const reached = total(right.corner_orientation) % 3 === 0 && total(right.edge_orientation) % 2 === 0 && odd(right.corner_permutation) === odd(right.edge_permutation);
      assert.deepEqual([possible, problems === 0], [reached, reached]);
      seen[Number(reached)]++;
      const { cube: inverse } = await client.expect(200, 'POST', '/v1/invert?as=cubies', { assembled: true, cube: { cubies: first } });
      assert.equal((await compose([inverse.cubies, first])).cube.home, true);
    }
    assert.ok(seen[0] > 70 && seen[1] > 2, `${seen}`);
  }],

  ['assembled: held another way, moves on top, a 2x2x2; what is refused still, and what the refusal suggests', async ({ client }) => {
    const compose = (status, cubes, assembled = true) => client.expect(status, 'POST', '/v1/compose?as=cubies', { assembled, cubes });
    const turned = await compose(200, [{ facelets: TWISTED, moves: "R U y M'" }, { moves: "F'" }]);
    assert.equal(turned.cube.facelets, new Cube(3, TWISTED).apply("R U y M' F'").facelets);
    assert.deepEqual(turned.problems.map(({ kind }) => kind), ['corner_twisted']);
    assert.equal((await compose(200, [turned.cube, turned.cube, turned.cube])).problem_count, 0, 'three times the same twist');
    const small = new Cube(2).facelets.replace(/^(...)U/, '$1F').replace(/^(.{4})R/, '$1U').replace(/^(.{9})F/, '$1R');
    assert.deepEqual((await compose(200, [{ facelets: small }])).problems.map(({ kind }) => kind), ['corner_twisted']);
    const fours = ['Rw', 'U'].map((moves) => ({ size: 4, moves }));
    assert.equal((await client.expect(200, 'POST', '/v1/compose', { assembled: true, cubes: fours })).possible, true);

    const offered = await compose(422, [{ size: 3 }, { facelets: TWISTED }], false);
    assert.deepEqual([offered.pointer, offered.suggestion], ['/cubes/1/facelets', '{"assembled": true}']);
    const inverse = await client.expect(422, 'POST', '/v1/invert', { cube: { facelets: TWISTED } });
    assert.equal(inverse.suggestion, '{"assembled": true}');
    assert.equal((await client.expect(422, 'POST', '/v1/apply', { cube: { facelets: TWISTED } })).suggestion, undefined);
    /* A corner that no cube has, and centres that fit no hold. */
    for (const assembled of [true, false]) {
      const none = await compose(422, [{ facelets: SOLVED.replace(/^U/, 'D') }], assembled);
      assert.deepEqual([none.type, none.suggestion], ['urn:cubed:problem:impossible-cube', undefined]);
    }
    const { cube } = await client.expect(200, 'POST', '/v1/apply?as=cubies', { size: 3 });
    const centers = await compose(422, [{ cubies: { ...cube.cubies, centers: [...'RUFDLB'] } }]);
    assert.equal(centers.problems[0].kind, 'centers');
    const large = new Cube(5).facelets.split('');
    [large[2], large[127]] = [large[127], large[2]];
    assert.equal((await compose(422, [{ facelets: large.join('') }])).suggestion, undefined);
    assert.equal((await client.expect(400, 'POST', '/v1/compose', { assembled: 1, cubes: [{}] })).pointer, '/assembled');
  }],

  ['compose accepts stored cubes', async ({ client }) => {
    const sessions = await Promise.all(['R', 'U', 'F'].map((scramble) => client.session({ size: 4, scramble })));
    const cubes = [...sessions, sessions[0]].map(({ id }) => ({ session: id, moves: 'Rw' }));
    const { cube } = await client.expect(200, 'POST', '/v1/compose', { cubes });
    assert.equal(cube.facelets, new Cube(4).apply('R Rw U Rw F Rw R Rw').facelets);
    assert.equal(cube.identity, undefined);
    const none = await client.expect(404, 'POST', '/v1/compose', { cubes: [...cubes, { session: '0000000000000000' }] });
    assert.equal(none.type, 'urn:cubed:problem:not-found');
    const far = await client.expect(400, 'POST', '/v1/compose', { cubes: [cubes[0], { session: sessions[1].id, at: 7 }] });
    assert.equal(far.pointer, '/cubes/1/at');
  }],

  ['compose refuses invalid requests', async ({ client }) => {
    const refused = async (status, cubes) => client.expect(status, 'POST', '/v1/compose', { cubes });
    assert.equal((await refused(400, [])).pointer, '/cubes');
    assert.equal((await refused(400, Array(1001).fill({}))).pointer, '/cubes');
    assert.equal((await refused(400, [{}, { size: 4 }])).pointer, '/cubes/1');
    assert.equal((await refused(400, [{}, 'R'])).pointer, '/cubes/1');
    assert.equal((await refused(400, Array(101).fill({ size: 100 }))).pointer, '/cubes');
    assert.equal((await refused(422, [{}, { moves: 'Q' }])).pointer, '/cubes/1/moves');
    assert.equal((await refused(422, [{}, { facelets: TWISTED }])).pointer, '/cubes/1/facelets');
    const { facelets } = new Cube(4).apply('R');
    const unknown = await refused(422, [{ size: 4 }, { facelets }]);
    assert.deepEqual([unknown.type, unknown.pointer], ['urn:cubed:problem:identity-unknown', '/cubes/1/facelets']);
    const { cube } = await refused(200, [{ facelets: new Cube(3).apply('R').facelets }, { moves: 'U' }]);
    assert.deepEqual([cube.facelets, cube.identity], [new Cube(3).apply('R U').facelets, 'assumed']);
  }],

  ['composing a cube with its inverse gives the solved cube, in both orders', async ({ client }) => {
    for (const size of SIZES) {
      const cube = { size, moves: MOVES[size] };
      const inverse = (await client.expect(200, 'POST', '/v1/invert?as=compact_poses', { cube })).cube;
      const solved = (await convert(client, { size }, '?as=compact_poses')).compact_poses;
      const pair = [cube, { compact_poses: inverse.compact_poses }];
      for (const cubes of [pair, pair.reverse()]) {
        const product = (await client.expect(200, 'POST', '/v1/compose?as=compact_poses', { cubes })).cube;
        assert.deepEqual(product.compact_poses, solved, `${size}`);
      }
    }
    const { facelets } = new Cube(5).apply('R');
    assert.equal((await client.expect(422, 'POST', '/v1/invert', { cube: { facelets } })).type, 'urn:cubed:problem:identity-unknown');
    assert.equal((await client.expect(200, 'POST', '/v1/invert', {})).cube.home, true);
  }],

  ['the poses of cubes up to the sizes in docs/reference/models.md fit into a body', async ({ client }) => {
    for (const [size, form, stickers] of [[38, 'poses', true], [48, 'poses', false], [100, 'compact_poses', true]]) {
      const cube = await convert(client, { size, moves: '2-20Rw U 3-9F2 x' }, `?as=${form}`);
      if (!stickers) for (const cubie of cube[form].cubies) delete cubie.stickers;
      assert.equal((await convert(client, { [form]: cube[form] })).facelets, cube.facelets);
    }
  }],

  ['descriptions of one cube must agree', async ({ client }) => {
    const two = await client.expect(400, 'POST', '/v1/convert', { cube: { index: '0', facelets: SOLVED } });
    assert.equal(two.pointer, '/cube/index');
    assert.equal((await client.expect(400, 'POST', '/v1/convert', { cube: { net: SOLVED, size: 4 } })).pointer, '/cube/size');
    for (const [query, parameter] of [
      [`index=0&facelets=${SOLVED}`, 'index'],
      ['index=0&reid=UF', 'reid'],
      ['session=7n3k9qv2m5x8c4tz&index=0', 'index'],
      [`size=4&facelets=${SOLVED}`, 'size'],
    ]) {
      const problem = await client.expect(400, 'GET', `/v1/apply?${query}`);
      assert.equal(problem.type, 'urn:cubed:problem:bad-parameter');
      assert.equal(problem.parameter, parameter, query);
    }
  }],
];
