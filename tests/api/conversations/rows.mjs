// Rows of random cubes for training: /v1/rows. The walks are replayed here from the seed, on the cube of model.mjs.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import http from 'node:http';
import { Cube } from '../model.mjs';

const FACES = 'URFDLB', BITS = 64n, MASK = (1n << BITS) - 1n, STEP = 0x9e3779b97f4a7c15n;
const WIDTHS = { colors: 54, onehot: 324, features: 364, cubies: 40, permutation: 54, index: 2 };
const WIDTHS_2 = { colors: 24, onehot: 144, cubies: 16, permutation: 24, index: 1 };

export const storeless = true;

// ---- the same walks, without the server ----

function mixed(number) {
  let z = number & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

/** A source of digits: each takes the next part of a number, which `renew` replaces. */
function digitsOf(seed, row) {
  let state = mixed(mixed(seed + STEP) + STEP * row), fraction = 0n;
  return {
    renew() {
      state = (state + STEP) & MASK;
      fraction = mixed(state);
    },
    next(base) {
      const product = fraction * BigInt(base);
      fraction = product & MASK;
      return Number(product >> BITS);
    },
  };
}

/** The moves of a row: seven digits of each number, none of the face before. */
function walkOf(seed, row, shortest, longest, actions = 18) {
  const digits = digitsOf(BigInt(seed), BigInt(row)), moves = [];
  digits.renew();
  const length = shortest + digits.next(longest - shortest + 1);
  for (let i = 0, last = -1; i < length; i++) {
    if (i % 7 === 0) digits.renew();
    let action = digits.next(last < 0 ? actions : actions - 3);
    if (last >= 0 && action >= 3 * last) action += 3;
    last = Math.floor(action / 3);
    moves.push(FACES[last] + ['', '2', "'"][action % 3]);
  }
  return moves;
}

/** The number for a seed that is another text: FNV-1a, SplitMix64, and the first number of xoshiro256**. */
function seedOf(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  const word = (mixed(hash + 2n * STEP) * 5n) & MASK;
  return (((word << 7n) | (word >> 57n)) * 9n) & MASK;
}

/** The faces that clockwise turns of the whole cube, like U, R and F, bring each face to. */
const TURNED = { y: [0, 2, 4, 3, 5, 1], x: [5, 1, 0, 2, 4, 3], z: [1, 3, 2, 4, 0, 5] };

/** The moves of a walk as the symmetry of a row shows them, which is drawn from the number before those of the walk. */
function symmetricMoves(moves, seed, row) {
  const number = Number((mixed(mixed(mixed(BigInt(seed) + STEP) + STEP * BigInt(row))) * 48n) >> BITS);
  const turns = ['', 'xy', 'xyxy'][Math.floor(number / 16)] + (number & 4 ? 'zz' : '') + (number & 2 ? 'yy' : '') + (number & 8 ? 'y' : '');
  return moves.map((move) => {
    const face = [...turns].reduce((at, turn) => TURNED[turn][at], FACES.indexOf(move[0]));
    if (number % 2 === 0) return FACES[face] + move.slice(1);
    return FACES[[0, 4, 2, 3, 1, 5][face]] + ({ '': "'", 2: '2', "'": '' })[move.slice(1)];
  });
}

/** The ways to hold a cube, as rotations. */
const HOLDS = ['', 'x', 'x2', "x'", 'z', "z'"].flatMap((first) => ['', 'y', 'y2', "y'"].map((then) => `${first} ${then}`.trim()));

/** The index that is drawn for a row of a 2x2x2. */
function indexOf(seed, row) {
  const digits = digitsOf(BigInt(seed), BigInt(row));
  digits.renew();
  return String(digits.next(3674160));
}

const colorsOf = (facelets) => [...facelets].map((letter) => FACES.indexOf(letter));
const faceletsOf = (colors) => [...colors].map((color) => FACES[color]).join('');

// ---- reading answers ----

const get = async (client, query, headers) => {
  const answer = await client.get(`/v1/rows?${query}`, { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

const linesOf = async (client, query) => (await get(client, `format=ndjson&${query}`)).text.split('\n').slice(0, -1).map((line) => JSON.parse(line));
const rawOf = async (client, query) => (await get(client, `format=raw&${query}`)).bytes;

/** A NumPy file as numpy.lib.format describes it: [its dictionary, its bytes]. */
function npyOf(bytes) {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x93NUMPY\x01\x00');
  const from = 10 + bytes.readUInt16LE(8);
  assert.deepEqual([from % 64, bytes[from - 1]], [0, 10]);
  return [bytes.subarray(10, from).toString().trim(), bytes.subarray(from)];
}

/** The turns of so many actions as permutations of stickers: [from, ...] by facelet. */
const turnsOf = (size, actions) => Array.from({ length: actions }, (_, action) => new Cube(size, Array(6 * size * size).keys()).apply(FACES[Math.floor(action / 3)] + ['', '2', "'"][action % 3]).colors);

/** All states up to so many turns away: their distance by their stickers. */
function nearOf(from, turns, most) {
  const near = new Map([[String.fromCharCode(...from), 0]]);
  for (let distance = 1, last = [from]; distance <= most; distance++) {
    const next = [];
    for (const state of last) {
      for (const turn of turns) {
        const turned = turn.map((facelet) => state[facelet]), key = String.fromCharCode(...turned);
        if (near.has(key)) continue;
        near.set(key, distance);
        next.push(turned);
      }
    }
    last = next;
  }
  return near;
}

/** The bytes of a column of a row that was read as a line. */
function bytesOf(name, value, widths) {
  if (name === 'cubies') return Object.values(value).flat();
  if (name !== 'index') return value;
  return Array.from({ length: 8 * widths.index }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
}

/** True if the permutation is odd. */
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const isOdd = (places) => sum(places.map((piece, i) => places.slice(0, i).filter((other) => other > piece).length)) % 2 === 1;

export default [
  ['walks are those that the seed and the number of the row give', async ({ client }) => {
    const lengths = new Set();
    for (const [seed, number, first, walk] of [['0', 0n, 0, [1, 30]], ['18446744073709551615', MASK, 999999999999900, [20, 20]], ['07', seedOf('07'), 5, [1, 26]],
      ['part 1', seedOf('part 1'), 0, [1, 1]], ['18446744073709551616', seedOf('18446744073709551616'), 7, [2, 9]]]) {
      const [shortest, longest] = walk;
      const query = `seed=${encodeURIComponent(seed)}&first=${first}&count=150&label=walk&as=colors,permutation&walk=${shortest === longest ? shortest : walk.join('..')}`;
      const rows = await linesOf(client, query);
      assert.equal(rows.length, 150);
      for (const [i, row] of rows.entries()) {
        const moves = walkOf(number, first + i, shortest, longest);
        const { facelets } = new Cube(3).apply(moves.join(' '));
        const permutation = new Cube(3, Array(54).keys()).apply(moves.join(' ')).colors;
        assert.deepEqual(row, { colors: colorsOf(facelets), permutation, walk: moves.length }, `${seed} ${first + i} ${moves.join(' ')}`);
        if (seed === '0') lengths.add(moves.length);
      }
    }
    assert.ok(lengths.size > 25, 'all lengths are drawn');
  }],

  ['states without a walk are those of solvable cubes, each another one', async ({ client }) => {
    const rows = await linesOf(client, 'seed=5&count=300&as=cubies,colors');
    let odd = 0;
    for (const { cubies, colors } of rows) {
      const { corner_permutation: corners, corner_orientation: twists, edge_permutation: edges, edge_orientation: flips } = cubies;
      for (const places of [corners, edges]) assert.deepEqual([...places].sort((a, b) => a - b), places.map((_, i) => i));
      assert.deepEqual([isOdd(corners) !== isOdd(edges), sum(twists) % 3, sum(flips) % 2], [false, 0, 0]);
      assert.ok(twists.every((twist) => twist < 3) && flips.every((flip) => flip < 2));
      odd += isOdd(corners);
      for (let color = 0; color < 6; color++) assert.equal(colors.filter((one) => one === color).length, 9);
    }
    assert.ok(odd > 90 && odd < 210, `${odd} of 300 are odd`);
    assert.equal(new Set(rows.map(({ colors }) => colors.join(''))).size, 300);
    for (const { colors } of rows.slice(0, 20)) {
      const { possible } = await client.expect(200, 'POST', '/v1/validate', { cube: { facelets: faceletsOf(colors) } });
      assert.equal(possible, true);
    }
  }],

  ['the forms of a row show the same cube', async ({ client }) => {
    const { cube: { names } } = await client.expect(200, 'POST', '/v1/convert?as=names', { cube: { size: 3 } });
    for (const which of ['walk=1..9&label=walk', '', 'symmetry=random']) {
      const rows = await linesOf(client, `seed=6&count=40&as=onehot,cubies,features,permutation,index,colors&${which}`);
      const body = rows.map(({ cubies }) => JSON.stringify({ cubies })).join('\n');
      const converted = await client.send('POST', '/v1/convert?as=features,cubies,names,index', { body, headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' } });
      assert.equal(converted.status, 200, converted.text);
      for (const [i, line] of converted.text.trimEnd().split('\n').entries()) {
        const { cube } = JSON.parse(line), { onehot, cubies, features, permutation, index, colors } = rows[i];
        assert.deepEqual(faceletsOf(colors), cube.facelets);
        assert.deepEqual(features, cube.features);
        assert.deepEqual(permutation.map((facelet) => names[facelet]), cube.names);
        assert.deepEqual(index, cube.index);
        assert.deepEqual(onehot, colors.flatMap((color) => [0, 1, 2, 3, 4, 5].map((other) => Number(other === color))));
        const { order, centers, ...arrays } = cube.cubies;
        assert.deepEqual([order, cubies], ['kociemba', arrays], centers);
      }
    }
  }],

  ['walks of a 2x2x2 turn U, R and F, and its other states are those of an index', async ({ client }) => {
    const forms = 'size=2&count=150&as=colors,permutation,onehot,cubies,index';
    const rows = [...(await linesOf(client, `${forms}&seed=3&first=8&walk=1..12&label=walk`)), ...(await linesOf(client, `${forms}&seed=3&first=8`))];
    const { cube: { names } } = await client.expect(200, 'POST', '/v1/convert?as=names', { cube: { size: 2 } });
    const body = rows.map(({ index }) => JSON.stringify({ size: 2, index })).join('\n');
    const converted = await client.send('POST', '/v1/convert?as=cubies,names,index', { body, headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' } });
    assert.equal(converted.status, 200, converted.text);
    for (const [i, line] of converted.text.trimEnd().split('\n').entries()) {
      const { cube } = JSON.parse(line), { colors, permutation, onehot, cubies, index, walk } = rows[i];
      if (i < 150) {
        const moves = walkOf(3, 8 + i, 1, 12, 9);
        assert.deepEqual([walk, permutation], [moves.length, new Cube(2, Array(24).keys()).apply(moves.join(' ')).colors], moves.join(' '));
      } else {
        assert.deepEqual([index, walk], [indexOf(3, 8 + i - 150), undefined]);
      }
      assert.deepEqual([faceletsOf(colors), index], [cube.facelets, cube.index]);
      assert.deepEqual(permutation.map((facelet) => names[facelet]), cube.names);
      assert.deepEqual(onehot, colors.flatMap((color) => [0, 1, 2, 3, 4, 5].map((other) => Number(other === color))));
      const { order, ...arrays } = cube.cubies;
      assert.deepEqual([order, cubies], ['kociemba', arrays]);
    }
  }],

  ['the solution of a walk is the walk undone, filled with 18 where numbers are bytes', async ({ client }) => {
    const inverse = (move) => ({ '': "'", 2: '2', "'": '' })[move.slice(1)];
    for (const [size, actions] of [[2, 9], [3, 18]]) {
      const query = `size=${size}&seed=8&count=100&first=3&walk=2..14&label=walk,solution`;
      const rows = await linesOf(client, query);
      const raw = await rawOf(client, query), width = 6 * size * size;
      for (const [i, { walk, solution }] of rows.entries()) {
        const back = walkOf(8, 3 + i, 2, 14, actions).reverse().map((move) => move[0] + inverse(move));
        assert.deepEqual([walk, solution], [back.length, back.join(' ')]);
        const numbers = back.map((move) => 3 * FACES.indexOf(move[0]) + ['', '2', "'"].indexOf(move.slice(1)));
        const row = raw.subarray(i * (width + 15), (i + 1) * (width + 15));
        assert.deepEqual([...row.subarray(width)], [walk, ...numbers, ...Array(14 - walk).fill(18)]);
        const { facelets } = new Cube(size, faceletsOf(row.subarray(0, width))).apply(solution);
        assert.equal(facelets, new Cube(size).facelets);
      }
    }
    const [head] = npyOf((await get(client, 'format=npy&as=index&walk=1..26&label=solution,walk')).bytes);
    assert.match(head, /\('index', '<u8', \(2,\)\), \('solution', '\|u1', \(26,\)\), \('walk', '\|u1'\)\]/);
    assert.equal((await rawOf(client, 'walk=1&label=solution&as=colors')).length, 55);
  }],

  ['the distance of a row is that of the shortest way', async ({ client }) => {
    for (const [size, actions, query] of [[2, 9, 'walk=1..6'], [3, 18, 'walk=1..4'], [3, 18, 'walk=5'], [2, 9, '']]) {
      const turns = turnsOf(size, actions), half = size === 2 ? 3 : 2;
      const near = nearOf([...Array(6 * size * size).keys()], turns, half);
      const rows = await linesOf(client, `size=${size}&seed=4&count=60&as=permutation&label=walk,distance&${query}`.replace('walk,distance&', query ? 'walk,distance&' : 'distance&'));
      for (const { permutation, walk, distance } of rows) {
        const ways = [...nearOf(permutation, turns, half)].filter(([state]) => near.has(state)).map(([state, way]) => way + near.get(state));
        if (ways.length > 0) assert.equal(distance, Math.min(...ways));
        else assert.ok(distance > 2 * half && distance <= (walk ?? 11), `${distance} of ${walk}`);
      }
    }
  }],

  ['distances of the 2x2x2 are as frequent as its states, and those of long walks no longer', async ({ client }) => {
    const bytes = await rawOf(client, 'size=2&seed=1&count=40000&as=index&label=distance'), found = Array(12).fill(0);
    for (let i = 8; i < bytes.length; i += 9) found[bytes[i]]++;
    const all = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    for (const [distance, count] of all.entries()) {
      const expected = 40000 * count / 3674160;
      assert.ok(Math.abs(found[distance] - expected) < 5 * Math.sqrt(expected) + 1, `${found[distance]} of ${expected} are ${distance} away`);
    }
    const rows = await linesOf(client, 'seed=2&count=100&walk=7..9&as=index&label=distance,walk');
    assert.ok(rows.every(({ walk, distance }) => distance <= walk) && rows.some(({ distance }) => distance === 9));
    for (const { index, distance } of (await linesOf(client, 'size=2&seed=2&count=20&as=index&label=distance'))) {
      const { length } = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 2, index }, method: 'optimal' });
      assert.equal(distance, length);
    }
  }],

  ['a bound is no more than the distance, and that of a 2x2x2 is the distance', async ({ client }) => {
    let distances = 0, bounds = 0;
    for (const { distance, bound, walk } of await linesOf(client, 'seed=4&count=300&as=index&label=distance,bound,walk&walk=1..8')) {
      assert.ok((distance > 0 ? 1 : 0) <= bound && bound <= distance && distance <= walk, `${bound} ${distance} ${walk}`);
      distances += distance;
      bounds += bound;
    }
    assert.ok(bounds > 0.8 * distances, `${bounds} of ${distances}`);
    for (const { distance, bound } of await linesOf(client, 'size=2&seed=4&count=100&as=index&label=distance,bound')) assert.equal(bound, distance);
    const random = await linesOf(client, 'seed=4&count=500&as=index&label=bound');
    assert.ok(random.every(({ bound }) => bound >= 4 && bound <= 12) && sum(random.map(({ bound }) => bound)) > 500 * 8);
  }],

  ['with a symmetry a row is the same cube, turned and mirrored by one that seed and number give', async ({ client }) => {
    for (const [size, actions] of [[3, 18], [2, 9]]) {
      const query = `size=${size}&seed=12&count=100&first=7&walk=1..7&as=permutation,colors&label=walk,solution,distance,bound`;
      const rows = await linesOf(client, `${query}&symmetry=random`), drawn = await linesOf(client, `${query}&symmetry=none`);
      assert.deepEqual(drawn, await linesOf(client, query));
      for (const [i, row] of rows.entries()) {
        const moves = symmetricMoves(walkOf(12, 7 + i, 1, 7, actions), 12, 7 + i).join(' ');
        const held = size === 3 ? [''] : HOLDS;
        assert.ok(held.some((turns) => String(new Cube(size, Array(6 * size * size).keys()).apply(`${moves} ${turns}`).colors) === String(row.permutation)), `${i}: ${moves}`);
        assert.equal(new Cube(size, faceletsOf(row.colors)).apply(row.solution).facelets, new Cube(size).facelets);
        if (size === 2) assert.deepEqual([row.permutation[14], /[DLB]/.test(row.solution)], [14, false]);
        for (const label of ['walk', 'distance', 'bound']) assert.equal(row[label], drawn[i][label], label);
      }
      assert.ok(rows.filter((row, i) => String(row.colors) !== String(drawn[i].colors)).length > 80);
      const part = await rawOf(client, `size=${size}&seed=12&count=3&first=50&symmetry=random`), all = await rawOf(client, `size=${size}&seed=12&count=60&symmetry=random`);
      assert.equal(Buffer.compare(part, all.subarray(50 * 6 * size * size, 53 * 6 * size * size)), 0);
    }
  }],

  ['the children of a row are its neighbours, with labels of their own', async ({ client }) => {
    for (const [size, actions, query] of [[3, 18, 'walk=1..3'], [2, 9, 'walk=1..5'], [3, 18, 'walk=8&symmetry=random'], [2, 9, 'symmetry=random']]) {
      const turns = turnsOf(size, actions), near = nearOf([...Array(6 * size * size).keys()], turns, 4);
      const rows = await linesOf(client, `size=${size}&seed=3&first=4&count=6&children=true&as=permutation,colors&label=distance,bound&${query}`);
      assert.deepEqual(rows.map(({ children, ...row }) => row), await linesOf(client, `size=${size}&seed=3&first=4&count=6&as=permutation,colors&label=distance,bound&${query}`));
      for (const { children, permutation, colors, distance } of rows) {
        assert.deepEqual(children.map((child) => Object.keys(child).join()), Array(actions).fill('permutation,colors,distance,bound'));
        assert.deepEqual(children.map((child) => child.permutation), turns.map((turn) => turn.map((facelet) => permutation[facelet])));
        assert.deepEqual(children.map((child) => child.colors), turns.map((turn) => turn.map((facelet) => colors[facelet])));
        for (const child of children) {
          const way = near.get(String.fromCharCode(...child.permutation));
          assert.ok(way === undefined ? child.distance > 4 : child.distance === way, `${child.distance} is ${way}`);
          assert.ok(child.bound <= child.distance && Math.abs(child.distance - distance) <= 1);
        }
        if (distance > 0) assert.ok(children.some((child) => child.distance === distance - 1), 'a child is nearer');
      }
    }
  }],

  ['children follow their row in bytes, and are a field or an axis of a NumPy file', async ({ client }) => {
    for (const [size, actions] of [[3, 18], [2, 9]]) {
      const query = `size=${size}&seed=3&count=40&walk=1..4&children=true`, width = 6 * size * size;
      const bytesOfRow = ({ colors, index, bound, walk }) => [...colors, ...bytesOf('index', index, size === 2 ? WIDTHS_2 : WIDTHS), ...(walk ? [walk] : []), bound];
      const lines = (await linesOf(client, `${query}&as=colors,index&label=walk,bound`)).flatMap((row) => [row, ...row.children].flatMap(bytesOfRow));
      const raw = await rawOf(client, `${query}&as=colors,index&label=walk,bound`);
      assert.deepEqual([...raw], lines);
      const [head, bytes] = npyOf((await get(client, `format=npy&${query}&as=colors,index&label=walk,bound`)).bytes);
      const index = size === 2 ? "('index', '<u8')" : "('index', '<u8', (2,))";
      const forms = `('colors', '|u1', (${width},)), ${index}`;
      assert.equal(head, `{'descr': [${forms}, ('walk', '|u1'), ('bound', '|u1'), ('children', [${forms}, ('bound', '|u1')], (${actions},))], 'fortran_order': False, 'shape': (40,), }`);
      assert.equal(Buffer.compare(bytes, raw), 0);
      for (const [as, type, shape] of [['colors', '|u1', `(40, ${actions + 1}, ${width})`], ['index', '<u8', size === 2 ? '(40, 10)' : '(40, 19, 2)']]) {
        const [plain, numbers] = npyOf((await get(client, `format=npy&${query}&as=${as}`)).bytes);
        assert.equal(plain.replace('(40, 10,)', '(40, 10)'), `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }`);
        assert.equal(Buffer.compare(numbers, await rawOf(client, `${query}&as=${as}`)), 0);
      }
      const all = await rawOf(client, `${query}&as=cubies`), each = all.length / 40;
      assert.equal(each, (actions + 1) * (size === 2 ? 16 : 40));
      assert.equal(Buffer.compare(await rawOf(client, `${query}&as=cubies&first=30`.replace('count=40', 'count=10')), all.subarray(30 * each)), 0);
    }
    const everything = 'format=npy&count=1&walk=1..8&children=true&as=permutation,index,colors,onehot,features,cubies&label=distance,bound,walk,solution';
    const [head, bytes] = npyOf((await get(client, everything)).bytes);
    assert.match(head, /\('bound', '\|u1'\)\], \(18,\)\)\], 'fortran_order'/);
    assert.equal(bytes.length, 19 * (54 + 16 + 54 + 324 + 364 + 40 + 2) + 1 + 8);
  }],

  ['bytes are the numbers of the lines, and a NumPy file has them after its head', async ({ client }) => {
    for (const [as, labelled, size] of [['colors', true], ['colors', false], ['onehot', false], ['features', true], ['cubies', false], ['cubies,colors,features,onehot', true], ['features,cubies', false],
      ['index', false], ['permutation', false], ['index', true], ['permutation,index,colors,onehot,features,cubies', true],
      ['colors', false, 2], ['index', false, 2], ['index', true, 2], ['cubies', true, 2], ['permutation,index,colors,onehot,cubies', true, 2]]) {
      const query = `seed=7&count=130&as=${as}${labelled ? '&walk=3..30&label=walk' : ''}${size ? `&size=${size}` : ''}`;
      const raw = await rawOf(client, query);
      const names = as.split(','), widths = size ? WIDTHS_2 : WIDTHS;
      const rows = (await linesOf(client, query)).map((row) => [...names.flatMap((name) => bytesOf(name, row[name], widths)), ...(labelled ? [row.walk] : [])]);
      assert.deepEqual([...raw], rows.flat(), query);
      const [head, bytes] = npyOf((await get(client, `format=npy&${query}`)).bytes);
      assert.equal(Buffer.compare(raw, bytes), 0, query);
      const type = (name) => (name === 'index' ? "'<u8'" : "'|u1'");
      const fields = names.map((name) => `('${name}', ${type(name)}${widths[name] > 1 ? `, (${widths[name]},)` : ''})`).concat(labelled ? ["('walk', '|u1')"] : []);
      const [descr, shape] = fields.length === 1 ? [type(as), widths[as] > 1 ? `(130, ${widths[as]})` : '(130,)'] : [`[${fields.join(', ')}]`, '(130,)'];
      assert.equal(head, `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`);
    }
  }],

  ['a seed gives the same bytes again, and first continues them', async ({ client }) => {
    for (const which of ['walk=1..26&label=walk', 'as=cubies']) {
      const width = which === 'as=cubies' ? 40 : 55;
      const whole = await rawOf(client, `seed=a&count=3000&${which}`);
      assert.equal(whole.length, 3000 * width);
      assert.equal(Buffer.compare(whole, await rawOf(client, `seed=a&count=3000&${which}`)), 0);
      for (const first of [1, 63, 64, 65, 1700, 2999]) {
        const tail = await rawOf(client, `seed=a&first=${first}&count=${3000 - first}&${which}`);
        assert.equal(Buffer.compare(tail, whole.subarray(first * width)), 0, `first=${first}`);
      }
      assert.notEqual(Buffer.compare(whole, await rawOf(client, `seed=b&count=3000&${which}`)), 0);
      assert.notEqual(Buffer.compare(await rawOf(client, `count=10&${which}`), await rawOf(client, `count=10&${which}`)), 0, 'without a seed');
    }
  }],

  ['the bytes are the same on every machine', async ({ client }) => {
    const hash = async (query) => createHash('sha256').update(await rawOf(client, query)).digest('hex').slice(0, 16);
    assert.equal(await hash('seed=1&count=1000&walk=1..26&label=walk'), 'f326912466089e02');
    assert.equal(await hash('seed=1&count=1000&as=colors,cubies,features,onehot'), '90c74315a5dd8899');
    assert.equal(await hash('seed=1&count=1000&as=permutation,index'), '113a30f7503d061b');
    assert.equal(await hash('size=2&seed=1&count=1000&as=colors,cubies,onehot,permutation,index'), 'a81788de3db899eb');
    assert.equal(await hash('size=2&seed=1&count=1000&walk=1..14&label=walk'), '3ef000a854a0597e');
    assert.equal(await hash('seed=1&count=1000&symmetry=random&label=bound'), '8cd0276be9e31b7c');
    assert.equal(await hash('size=2&seed=1&count=1000&symmetry=random&label=bound'), 'b674bb0349aaf1b2');
  }],

  ['one row of colours, as a line, is what is asked for if nothing says more', async ({ client }) => {
    const answer = await get(client, '');
    assert.equal(answer.type, 'application/x-ndjson');
    const row = JSON.parse(answer.text);
    assert.deepEqual([Object.keys(row), row.colors.length], [['colors'], 54]);
  }],

  ['Accept chooses the format, and the parameter counts for more', async ({ client }) => {
    for (const [query, accept, type] of [['', 'application/octet-stream', 'application/octet-stream'], ['', 'application/x-npy', 'application/x-npy'], ['', '*/*', 'application/x-ndjson'],
      ['format=RAW', 'application/x-npy', 'application/octet-stream'], ['format=npy', '*/*', 'application/x-npy'], ['format=ndjson', 'application/octet-stream', 'application/x-ndjson']]) {
      assert.equal((await get(client, query, { accept })).type, type, `${query} ${accept}`);
    }
    assert.equal((await client.get('/v1/rows', { accept: 'image/png' })).status, 406);
  }],

  ['a range of bytes is that part of the whole answer', async ({ client }) => {
    for (const [format, width, query] of [['npy', 40, 'as=cubies'], ['raw', 40, 'as=cubies'], ['npy', 55, 'walk=1..26&label=walk'], ['npy', 760, 'as=cubies&children=true'],
      ['raw', 19 * 55 + 1, 'walk=1..26&label=walk,bound&children=true&symmetry=random']]) {
      const target = `/v1/rows?seed=r&first=9&count=3000&format=${format}&${query}`;
      const whole = await client.get(target), { length } = whole.bytes;
      assert.deepEqual([whole.status, whole.headers['accept-ranges']], [200, 'bytes']);
      const part = (range, headers) => client.get(target, { headers: { range, ...headers } });
      const head = length - 3000 * width;
      for (const [range, from, to] of [['bytes=0-0', 0, 1], ['bytes=0-', 0, length], ['Bytes= 5-9 ', 5, 10], [`bytes=${head}-${head}`, head, head + 1], [`bytes=${head + width - 1}-${head + width}`, head + width - 1, head + width + 1],
        [`bytes=${head + 1}-${length - 2}`, head + 1, length - 1], [`bytes=100-${head + 300}`, 100, head + 301], [`bytes=${length - 1}-99999999999999999999999`, length - 1, length], ['bytes=-1', length - 1, length],
        [`bytes=-${width + 3}`, length - width - 3, length], ['bytes=-999999999', 0, length], ['bytes=33000-99000', 33000, 99001]]) {
        const { status, bytes, headers } = await part(range);
        assert.deepEqual([status, headers['content-range'], headers.etag], [206, `bytes ${from}-${to - 1}/${length}`, whole.headers.etag], range);
        assert.equal(Buffer.compare(bytes, whole.bytes.subarray(from, to)), 0, range);
      }
      for (const range of ['bytes=9-8', 'bytes=0-1,5-6', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1', 'bytes=1-2x', 'rows=1-2', 'bytes=--1']) {
        const { status, bytes, headers } = await part(range);
        assert.deepEqual([status, headers['content-range'], bytes.length], [200, undefined, length], range);
      }
      for (const range of [`bytes=${length}-`, `bytes=${length}-${length + 5}`, 'bytes=-0', 'bytes=99999999999999999999999-']) {
        const { status, headers, json } = await part(range);
        assert.deepEqual([status, headers['content-range'], json.type], [416, `bytes */${length}`, 'urn:cubed:problem:range-not-satisfiable'], range);
      }
      assert.equal((await part('bytes=1-2', { 'if-range': whole.headers.etag })).status, 206);
      assert.equal((await part('bytes=1-2', { 'if-range': `W/${whole.headers.etag}` })).status, 200);
      assert.equal((await part('bytes=1-2', { 'if-range': '"other"' })).status, 200);
      assert.equal((await part('bytes=1-2', { 'if-none-match': whole.headers.etag })).status, 304);
      assert.equal((await client.send('HEAD', target, { headers: { range: 'bytes=1-2' } })).status, 200);
    }
    for (const target of ['count=2&format=raw', 'count=2&seed=1&format=ndjson']) {
      const { status, headers } = await client.get(`/v1/rows?${target}`, { headers: { range: 'bytes=0-1' } });
      assert.deepEqual([status, headers['accept-ranges']], [200, undefined], target);
    }
  }],

  ['an ETag is of what decides the bytes', async ({ client }) => {
    const base = { seed: '1', count: 5000, walk: '2..9', format: 'raw' };
    const etag = async (query) => (await client.send('HEAD', `/v1/rows?${new URLSearchParams({ ...base, ...query })}`)).headers.etag;
    const all = await Promise.all([{}, { seed: '2' }, { seed: 'a' }, { first: 1 }, { count: 5001 }, { walk: '2..8' }, { walk: '3..9' }, { format: 'npy' }, { format: 'ndjson' }, { label: 'walk' }, { label: 'solution' }, { label: 'walk,solution' }, { label: 'distance' }, { label: 'bound' }, { symmetry: 'random' }, { children: true }, { size: 2 }, { as: 'cubies' },
      { as: 'cubies,colors' }, { as: 'colors,cubies' }].map(etag));
    assert.equal(new Set(all).size, all.length, all.join(' '));
    assert.equal(await etag({ as: 'colors' }), all[0]);
    assert.equal((await client.send('HEAD', '/v1/rows?count=5000&format=raw')).headers.etag, undefined);
  }],

  ['many rows are sent while they are made, all of them', async ({ client }) => {
    const raw = await rawOf(client, 'seed=1&count=400000&walk=1..26&label=walk');
    assert.equal(raw.length, 400000 * 55);
    assert.equal(Buffer.compare(raw.subarray(399990 * 55), await rawOf(client, 'seed=1&first=399990&count=10&walk=1..26&label=walk')), 0);
    assert.equal((await linesOf(client, 'count=20000&as=cubies')).length, 20000);
  }],

  ['a thousand million rows begin at once, and wait for their reader in little memory', async ({ client }) => {
    const bytesOf = async () => Number(/^process_resident_memory_bytes (\S+)$/m.exec((await client.get('/metrics')).text)[1]);
    await rawOf(client, 'count=100000');
    const before = await bytesOf();
    const request = http.get(`${client.url}/v1/rows?count=1000000000&format=raw&seed=1&walk=1..26`);
    const response = await new Promise((begun, failed) => request.once('response', begun).once('error', failed));
    assert.equal(response.headers['content-length'], String(1000000000 * 54));
    let read = 0;
    for await (const bytes of response) {
      read += bytes.length;
      if (read > 20000000) break;
    }
    request.on('error', () => {}).destroy();
    const grown = await bytesOf() - before;
    assert.ok(grown < 16000000, `${grown} bytes more for an answer of 54 GB`);
  }],

  ['what cannot be is refused with the parameter and with what would be right', async ({ client }) => {
    const { limits } = await client.expect(200, 'GET', '/v1/limits');
    assert.equal(limits.rows.value, 1000000000);
    for (const [query, parameter, expected, suggestion] of [
      ['size=4', 'size', /size 2 or 3/, '3'], ['size=x', 'size', /size 2 or 3/, '3'], ['size=2&as=features', 'as', /colors, onehot, cubies, permutation or index/], ['size=2&label=walk', 'label', /walk/], ['count=0', 'count', /from 1 to 1000000000/], ['count=1000000001', 'count', /from 1 to 1000000000/],
      ['first=-1', 'first', /from 0/], ['first=1000000000000001', 'first', /from 0/], ['first=99999999999999999999', 'first', /from 0/], ['seed=', 'seed', /1 to 64 bytes/], [`seed=${'x'.repeat(65)}`, 'seed', /1 to 64/],
      ...['', '0', '31', '1..31', '5..4', '1..', '..5', '1...5', 'a', '1..2..3', '001', '4294967297'].map((walk) => [`walk=${walk}`, 'walk', /20 or 1\.\.26/]),
      ['as=colours', 'as', /colors, onehot, features, cubies, permutation or index/, 'colors'], ['as=', 'as', /colors/], ['as=colors,', 'as', /colors/], ['as=colors,cubies,colors', 'as', /once/],
      ['as=facelets', 'as', /colors/], ['label=walk', 'label', /walk/], ['label=depth&walk=5', 'label', /walk, solution, distance or bound/], ['label=walk,walk&walk=5', 'label', /once/], ['label=distance', 'label', /up to 9/], ['label=distance&walk=1..10', 'label', /up to 9/], ['label=solution', 'label', /together with walk/], ['label=distance&children=true&walk=1..9', 'label', /up to 8/, 'bound'],
      ['symmetry=all', 'symmetry', /none or random/], ['symmetry=', 'symmetry', /none or random/], ['children=yes', 'children', /true/], ['children=true&count=52631579', 'count', /from 1 to 52631578/], ['children=true&size=2&count=100000001', 'count', /from 1 to 100000000/],
      ['format=csv', 'format', /ndjson, npy or raw/], ['format=np', 'format', /npy/, 'npy'],
      ['dtype=uint8', 'dtype', /size/], ['wolk=5', 'wolk', /walk/, 'walk'],
    ]) {
      const { status, json } = await client.get(`/v1/rows?${query}`);
      assert.deepEqual([status, json.parameter], [400, parameter], query);
      assert.match(json.expected, expected, query);
      if (suggestion) assert.equal(json.suggestion, suggestion, query);
    }
    assert.equal((await client.send('POST', '/v1/rows', {})).status, 405);
  }],
];
