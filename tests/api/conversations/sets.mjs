// Sets of cases: their algorithms, done by the server and by a cube of the test's own; scrambles that lead to them.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const COUNTS = { oll: 57, pll: 21, coll: 42, cmll: 42, zbll: 493, ollcp: 331, cll: 42, eg1: 43, eg2: 43, pbl: 5, f2l: 41, zbls: 305, wv: 27 };
/** Sets whose cases are at the slot of DFR and FR; their algorithms may permute the last layer. */
const SLOT = ['f2l', 'zbls', 'wv'];
const turned = (size, moves) => {
  const cube = new Cube(size);
  cube.apply(moves);
  return cube.facelets;
};
const whole = ({ before, moves, after }) => [before, moves, after].filter(Boolean).join(' ');

/** Returns true if the facelets below the last layer are home. On a 2x2x2 only the face D needs to be whole. */
const layersBelow = ({ size, facelets }) => {
  const rows = (face, from) => facelets.slice(size * size * face + size * from, size * size * (face + 1));
  return rows(3, 0) === 'D'.repeat(size * size) && (size === 2 || [1, 2, 4, 5].every((face) => rows(face, 1) === 'URFDLB'[face].repeat(6)));
};
const corners = ({ facelets }) => [0, 2, 6, 8, 9, 11, 18, 20, 36, 38, 45, 47].every((at) => facelets[at] === 'URFDLB'[Math.floor(at / 9)]);
const solves = ({ name, size }, cube) => {
  if (size === 2 || name === 'pll' || name === 'zbll') return cube.solved;
  if (name === 'cmll') return corners(cube);
  if (SLOT.includes(name)) return layersBelow(cube) && { f2l: [], zbls: [1, 3, 5, 7], wv: [0, 1, 2, 3, 5, 6, 7, 8] }[name].every((at) => cube.facelets[at] === 'U');
  return layersBelow(cube) && cube.facelets.startsWith('U'.repeat(9)) && (name === 'oll' || corners(cube));
};

export default [
  ['every set has its cases, and the first algorithm of each solves its cube', async ({ client }) => {
    const { items } = await client.expect(200, 'GET', '/v1/sets');
    assert.deepEqual(Object.fromEntries(items.map(({ name, count }) => [name, count])), COUNTS);
    for (const summary of items) {
      const { cases, ...set } = await client.expect(200, 'GET', `/v1/sets/${summary.name}`);
      assert.deepEqual(set, summary);
      assert.equal(cases.length, set.count);
      assert.equal(new Set(cases.map(({ name }) => name)).size, set.count);
      for (const { cube, algorithms } of cases.filter((_, i) => i % 20 === 0)) {
        for (const algorithm of algorithms) {
          const { cube: after } = await client.expect(200, 'POST', '/v1/apply', { cube: { facelets: cube.facelets }, moves: whole(algorithm) });
          assert.ok(solves(set, after), `${set.name}: ${whole(algorithm)}`);
          assert.equal(algorithm.length, algorithm.moves.split(' ').length);
          assert.equal(algorithm.generators, [...new Set(algorithm.moves.replace(/[2']/g, '').split(' '))].join(' '));
        }
        assert.equal(algorithms[0].before + algorithms[0].after, '');
      }
    }
  }],

  ['a case by itself is as it is in its set; mirrors and inverses are cases of it', async ({ client }) => {
    for (const name of Object.keys(COUNTS)) {
      const { cases, size } = await client.expect(200, 'GET', `/v1/sets/${name}`);
      const named = new Map(cases.map((one) => [one.name, one]));
      const some = cases.filter((_, i) => i % 40 === 0);
      for (const one of some) {
        const answer = await client.send('GET', one.address);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.json, one);
        assert.equal((await client.send('GET', one.address, { headers: { 'if-none-match': answer.headers.etag } })).status, 304);
      }
      for (const { name: own, mirror, inverse } of cases) {
        assert.equal(mirror === null ? null : named.get(mirror).mirror, mirror === null ? null : own);
        assert.equal(inverse === null ? null : named.get(inverse).inverse, inverse === null ? null : own);
        assert.deepEqual([mirror === null, inverse === null], [SLOT.includes(name), SLOT.includes(name) || name === 'oll' || name === 'ollcp']);
      }
      if (size === 2 || name === 'cmll' || SLOT.includes(name)) continue;
      // The first algorithm in a mirror solves the cube of the mirror image, but for turns of U. Wide turns of L would
      // hold the cube otherwise.
      for (const { algorithms: [first], mirror } of some.filter((one) => !one.algorithms[0].moves.includes('w'))) {
        const moves = await client.expect(200, 'POST', '/v1/algorithm', { size, moves: first.moves, mirror: 'M' });
        const turns = ['', 'U', 'U2', "U'"];
        const solved = turns.flatMap((before) => turns.map((after) => [before, moves.canonical, after].filter(Boolean).join(' '))).map((way) => {
          const cube = new Cube(size, named.get(mirror).cube.facelets);
          cube.apply(way);
          return { size, facelets: cube.facelets, solved: cube.facelets === 'URFDLB'.replace(/./g, (letter) => letter.repeat(9)) };
        });
        assert.ok(solved.some((cube) => solves({ name, size }, cube)), `${mirror}: ${moves.canonical}`);
      }
    }
  }],

  ['an unknown case is suggested', async ({ client }) => {
    const refused = async (path) => {
      const { type, suggestion } = await client.expect(404, 'GET', `/v1/sets/${path}`);
      return [type.split(':').at(-1), suggestion];
    };
    assert.deepEqual(await refused('coll/coll-pi-44'), ['no-such-case', 'coll-pi-4']);
    for (const [path, meant] of [['oll/sunee', 'sune'], ['oll/oll-sunee', undefined], ['oll/Anti%20sunne', 'antisune'], ['oll/seein-headlight', 'seein-headlights'], ['oll/q', undefined], ['pll/ja-prm', 'ja-perm']]) {
      assert.deepEqual(await refused(path), ['no-such-case', meant]);
      if (meant) await client.expect(200, 'GET', `/v1/sets/${path.slice(0, 3)}/${meant}`);
    }
    assert.deepEqual(await refused('coll/pi-4'), ['no-such-case', undefined]);
    assert.deepEqual(await refused('coll/oll-27'), ['no-such-case', undefined]);
    assert.deepEqual(await refused('col/coll-pi-4'), ['no-such-set', 'coll']);
    assert.deepEqual(await refused('pll/%C3%BC'), ['no-such-case', undefined]);
    assert.equal((await client.expect(400, 'GET', '/v1/sets/coll/coll-pi-4?as=net')).parameter, 'as');
    await client.expect(405, 'POST', '/v1/sets/coll/coll-pi-4', {});
    assert.deepEqual((await refused('coll/coll-pi-4/x'))[0], 'no-such-route');
  }],

  ['a picture of a case is a picture', async ({ client }) => {
    for (const name of Object.keys(COUNTS)) {
      const { cases } = await client.expect(200, 'GET', `/v1/sets/${name}`);
      const answer = await client.send('GET', cases.at(-1).picture);
      assert.equal(answer.status, 200);
      assert.match(answer.headers['content-type'], /^image\/svg/);
    }
  }],

  ['a set that was not changed is not sent again; an unknown one is suggested', async ({ client }) => {
    const { headers } = await client.send('GET', '/v1/sets/pbl');
    assert.equal((await client.send('GET', '/v1/sets/pbl', { headers: { 'if-none-match': headers.etag } })).status, 304);
    assert.equal((await client.expect(404, 'GET', '/v1/sets/cool')).suggestion, 'coll');
    assert.equal((await client.expect(404, 'GET', '/v1/sets/x')).suggestion, undefined);
  }],

  ['scrambles lead to a case, to any of a set, of both sizes', async ({ client }) => {
    const scrambles = async (until, more = '') => client.expect(200, 'GET', `/v1/scramble?until=${until}&count=5&seed=cases${more}`);
    for (const name of Object.keys(COUNTS)) {
      const { cases, size } = await client.expect(200, 'GET', `/v1/sets/${name}`);
      const { name: one } = cases[Math.floor(cases.length / 2)];
      for (const until of [one, `${name}-any`]) {
        const answer = await scrambles(until);
        assert.equal(answer.until, until);
        assert.equal(answer.size, size);
        for (const { moves, cube } of answer.scrambles) {
          assert.equal(turned(size, moves), cube.facelets);
          assert.equal(cube.solved, false);
          // Cases of OLL and PLL are patterns, which may be on any face.
          const anywhere = until === one && ['oll', 'pll'].includes(name);
          assert.ok(name === 'cmll' || anywhere || SLOT.includes(name) || layersBelow(cube));
          if (until === 'pll-any') assert.equal(cube.facelets.slice(0, 9), 'U'.repeat(9));
        }
      }
    }
    const random = await client.expect(200, 'GET', '/v1/scramble?until=zbll&count=20');
    assert.equal(new Set(random.scrambles.map(({ cube }) => cube.facelets)).size > 15, true);
    assert.deepEqual(await scrambles('cll-h-1'), await scrambles('cll-h-1', '&size=2'));
    assert.deepEqual({ ...await scrambles('cll-h-1', '&event=222'), event: null }, await scrambles('cll-h-1'));
  }],

  ['a pattern comes before a set; wrong names and sizes are refused', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?until=oll&count=3');
    for (const { cube } of scrambles) assert.ok((await client.expect(200, 'POST', '/v1/match', { cube: { facelets: cube.facelets }, pattern: { name: 'oll' } })).matches.length > 0);
    const refused = async (status, query) => client.expect(status, 'GET', `/v1/scramble?${query}`);
    assert.equal((await refused(422, 'until=zbll-pi-99')).suggestion, 'zbll-pi-9');
    assert.equal((await refused(422, 'until=oll-sunee')).suggestion, 'oll-sune');
    await client.expect(200, 'GET', '/v1/scramble?until=oll-sune&seed=x');
    assert.equal((await refused(422, 'until=coll-')).parameter, 'until');
    assert.equal((await refused(400, 'until=cll&size=3')).parameter, 'until');
    assert.equal((await refused(400, 'until=coll&size=2')).parameter, 'until');
    assert.equal((await refused(400, 'until=coll&variant=fmc')).parameter, 'until');
    assert.equal((await refused(400, 'until=cll&event=333')).parameter, 'until');
    for (const [name, meant] of [['eg3', 'eg1'], ['zblll', 'zbll'], ['ollcpp-any', 'ollcp'], ['crosss', 'cross'], ['xyzxyzxyz', undefined]]) {
      const { type, suggestion } = await refused(422, `until=${name}`);
      assert.deepEqual([type, suggestion], ['urn:cubed:problem:bad-pattern', meant]);
    }
    assert.equal((await client.expect(400, 'GET', '/v1/sets/coll?size=3')).parameter, 'size');
  }],

  ['cases have the names that people use', async ({ client }) => {
    for (const [set, called, name] of [['oll', 'sune', 'oll-27'], ['oll', 'Antisune', 'oll-26'], ['pll', 't%20perm', 'pll-t'], ['pll', 'ja', 'pll-ja'], ['pll', 'Ua-Perm', 'pll-ua'], ['oll', 'oll-27', 'oll-27']]) {
      assert.equal((await client.expect(200, 'GET', `/v1/sets/${set}/${called}`)).name, name);
    }
    assert.deepEqual((await client.expect(200, 'GET', '/v1/sets/oll/sune')).aliases, ['Sune']);
    await client.expect(404, 'GET', '/v1/sets/pll/sune');
    const { scrambles: [one] } = await client.expect(200, 'GET', '/v1/scramble?until=oll-sune&seed=1');
    const { matches } = await client.expect(200, 'POST', '/v1/match', { cube: { facelets: one.cube.facelets }, pattern: { name: 'oll-27' } });
    assert.ok(matches.length > 0);
  }],
];
