// Tests the page's functions for painted cubes without a browser: names of pieces, faults while painting, repairs;
// against the server's diagnosis. Usage: node painting.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets, toFacelets } from '../../clients/js/src/index.js';
import { colourNames, USUAL_NAMES } from '../../web/page/cube/colours.js';
import { placesOfArrays, placesOfFit } from '../../web/page/ask/fit.js';
import { algorithmOf, searched, titleOf } from '../../web/page/ask/meanings.js';
import { cubieOf, lettersOf, outerCubies, placesNamed } from '../../web/page/cube/cubies.js';
import { explain, explainRepair, faultsSoFar } from '../../web/page/paint/diagnosis.js';
import { EMPTY, emptyStickers, Painted, solvedStickers } from '../../web/page/paint/painted.js';
import { PALETTES } from '../../clients/js/src/view/palette.js';
import { readRepair, repaired, repairsOf } from '../../web/page/paint/repair.js';
import { readText } from '../../web/page/paint/text.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const names = USUAL_NAMES;

/** The same numbers on every run. */
function sequence(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

const scrambled = async (n) => fromFacelets((await cubed.apply({ size: n, moves: "R U2 F' L D B R' Uw F2 Lw' D2 B'".replace(/w/g, n > 3 ? 'w' : '') })).cube.facelets);
const diagnosed = (stickers) => cubed.validate({ cube: toFacelets(stickers) });

await check('the pieces of every size: as many as there are, each sticker on one', () => {
  for (const n of [2, 3, 4, 5, 7]) {
    const cubies = outerCubies(n);
    assert.equal(cubies.length, 8 + 12 * (n - 2));
    assert.equal(new Set(cubies.flat()).size, 24 + 24 * (n - 2));
    for (const places of cubies) for (const place of places) assert.deepEqual([...cubieOf(place, n)].sort(), [...places].sort());
  }
  assert.deepEqual(placesNamed('URF', 3), [8, 9, 20]);
  assert.deepEqual(placesNamed('UF', 3), [7, 19]);
  assert.equal(lettersOf(cubieOf(36, 3), 3), 'ULB');
  assert.deepEqual(placesNamed('F21', 4), []);
  assert.deepEqual(placesNamed('F37', 4), [37]);
  for (const nonsense of ['', 'X', 'UF999', undefined]) assert.deepEqual(placesNamed(nonsense, 3), []);
});

await check('a palette\'s colours have names that differ', () => {
  assert.deepEqual(colourNames(PALETTES.wca.colours), names);
  assert.deepEqual(colourNames(['#ffffff', '#d55e00', '#009e73', '#f0e442', '#e69f00', '#0072b2']), ['white', 'vermilion', 'green', 'yellow', 'amber', 'blue']);
  assert.equal(new Set(colourNames(Array(6).fill('#ff0000'))).size, 6);
});

await check('painting: the middles of odd cubes stay, steps are taken back and done again', () => {
  const cube = new Painted(3);
  let redrawn = 0;
  const stop = cube.subscribe(({ type }) => (redrawn += type === 'redrawn'));
  assert.equal(cube.paint(4, 2), false);
  assert.equal(cube.paint(0, 2), true);
  assert.equal(cube.paint(0, 2), false);
  assert.deepEqual(cube.counts, [1, 1, 2, 1, 1, 1, 47]);
  cube.begin(2, solvedStickers(2));
  assert.equal(cube.complete, true);
  cube.undo();
  assert.deepEqual([cube.size, cube.stickers[0]], [3, 2]);
  cube.undo();
  assert.deepEqual([cube.stickers[0], cube.mayUndo], [EMPTY, false]);
  cube.redo();
  cube.redo();
  assert.deepEqual([cube.size, cube.mayRedo], [2, false]);
  stop();
  cube.undo();
  assert.equal(redrawn, 6);
});

await check('every corner of a cube is right, and as in a mirror if two of its colours are exchanged', async () => {
  const stickers = await scrambled(3);
  for (const places of outerCubies(3)) {
    const partly = emptyStickers(3);
    for (const place of places) partly[place] = stickers[place];
    assert.deepEqual(faultsSoFar(partly, 3), [], lettersOf(places, 3));
    if (places.length < 3) continue;
    [partly[places[0]], partly[places[1]]] = [partly[places[1]], partly[places[0]]];
    assert.deepEqual(faultsSoFar(partly, 3).map(({ kind, place }) => [kind, place]), [['mirrored_corner', lettersOf(places, 3)]]);
  }
});

await check('no possible cube has faults, in part or complete; the server agrees about each that is found', async () => {
  const draw = sequence(7);
  for (const n of [2, 3, 4, 5]) {
    const right = await scrambled(n);
    assert.deepEqual(faultsSoFar(right, n), [], `size ${n}`);
    for (let i = 0; i < 12; i++) {
      const wrong = right.slice();
      for (let change = 0; change < 1 + (i % 3); change++) wrong[draw(wrong.length)] = draw(6);
      const kinds = new Set((await diagnosed(wrong)).problems.map(({ kind, letters }) => `${kind} ${[...(letters ?? '')].sort().join('')}`));
      for (const { kind, letters } of faultsSoFar(wrong, n)) assert.ok(kinds.has(`${kind} ${[...letters].sort().join('')}`), `${n}: ${kind} ${letters} of ${[...kinds].join('; ')}`);
    }
  }
});

await check('faults while painting, in words', () => {
  const stickers = emptyStickers(3);
  [stickers[8], stickers[9], stickers[20]] = [0, 3, 1];
  [stickers[1], stickers[46]] = [0, 0];
  assert.deepEqual(faultsSoFar(stickers, 3).map((fault) => explain(fault, { stickers, n: 3, names })), [
    { text: 'The corner at top-right-front has white and yellow, which are on opposite sides of a real cube.', places: [8, 9, 20] },
    { text: 'The edge at top-back has white twice, and no piece has a colour twice.', places: [1, 46] },
  ]);
});

await check('a twisted corner, a flipped edge, two swapped ones, exchanged stickers, a wrong one: words, places, repair', async () => {
  const cases = [
    ['UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB', 'A corner is twisted in its place, perhaps the green-white-red corner (top-right-front).', [8, 9, 20],
      'Twist the green-white-red corner at top-right-front a third counterclockwise.'],
    ['UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB', 'An edge is flipped in its place, perhaps the green-white edge (top-front).', [7, 19],
      'Turn over the green-white edge at top-front.'],
    ['UUUUUUUUURFRRRRRRRFRFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB', 'Two pieces are swapped, perhaps the white-green edge (top-right) and another.', [5, 10],
      'Swap the white-green edge at top-right and the white-red edge at top-front.'],
    ['FUUUUUUUURRRRRRRRRUFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB', 'The corner at top-front-left has white twice, and no piece has a colour twice.', [6, 18, 38],
      'Exchange the green sticker at top, row 1, column 1 with the white one at front, row 1, column 1.'],
    ['UUUUUUUUFRRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB', 'White: 8 stickers, 1 too few.', [],
      'Paint top, row 3, column 3 white instead of green.'],
    ['UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDBBBBBBBBBLLLLLLLLL', 'The middles do not belong together: on a real cube white is opposite yellow, red is opposite orange and green is opposite blue.',
      [4, 13, 22, 31, 40, 49], 'Exchange orange and blue on the whole cube.'],
  ];
  for (const [facelets, text, places, repair] of cases) {
    const cube = { stickers: fromFacelets(facelets), n: 3, names };
    const { problems } = await cubed.validate({ cube: facelets });
    assert.deepEqual(explain(problems[0], cube), { text, places });
    assert.equal(explainRepair(repairsOf(problems, 3)[0], cube).text, repair);
  }
});

await check('a face that was painted turned, two that were painted in each other\'s place: words, places, repair', async () => {
  const right = await scrambled(3);
  const names3 = ['top', 'right', 'front', 'bottom', 'left', 'back'];
  for (let face = 0; face < 6; face++) {
    for (const [text, words] of [['a quarter clockwise', 'a quarter counterclockwise'], ['by a half', 'by half a turn'], ['a quarter counterclockwise', 'a quarter clockwise']]) {
      const wrong = repaired(right, readRepair(`turn the face ${'URFDLB'[face]} ${text}`, 3));
      const { problems } = await diagnosed(wrong);
      const cube = { stickers: wrong, n: 3, names };
      assert.equal(problems[0].kind, 'face_turned', `${face} ${text}`);
      assert.match(explain(problems[0], cube).text, new RegExp(`^The ${names3[face]} seems`));
      assert.deepEqual(explain(problems[0], cube).places, Array.from({ length: 9 }, (_, i) => 9 * face + i));
      const [repair, ...more] = repairsOf(problems, 3);
      assert.equal(explainRepair(repair, cube).text, `Turn the stickers of the ${names3[face]} ${words}.`);
      assert.deepEqual([more, repaired(wrong, repair)], [[], right]);
    }
  }
  const wrong = repaired(right, readRepair('exchange the faces R and F', 3));
  const { problems } = await diagnosed(wrong);
  assert.equal(explain(problems[0], { stickers: wrong, n: 3, names }).text, 'The right and the front seem to have been painted in each other\'s place.');
  assert.equal(explainRepair(repairsOf(problems, 3)[0], { stickers: wrong, n: 3, names }).text, 'Exchange the stickers of the right with those of the front.');
  assert.deepEqual(repairsOf(problems, 3).reduce(repaired, wrong), right);
});

await check('two stickers painted in each other\'s place: that exchange comes first, and all others are listed', async () => {
  const right = fromFacelets((await cubed.scramble({ size: 3, seed: 'exchanged stickers 3' })).scrambles[0].cube.facelets);
  const wrong = right.slice();
  [wrong[1], wrong[3]] = [right[3], right[1]];
  const { problems, candidates } = await diagnosed(wrong);
  assert.deepEqual(problems.map(({ kind }) => kind), ['parity']);
  assert.deepEqual(repairsOf(problems, 3).reduce(repaired, wrong), right);
  assert.equal(candidates[0], problems[0].repair);
  assert.equal(new Set(candidates).size, candidates.length);
  for (const one of candidates) assert.equal((await diagnosed(repaired(wrong, readRepair(one, 3)))).possible, true, one);
});

await check('every repair of the server makes a possible cube, on every size', async () => {
  const draw = sequence(3);
  let done = 0;
  for (const n of [2, 3, 4, 5]) {
    const right = await scrambled(n);
    for (let i = 0; i < 25; i++) {
      let wrong = right.slice();
      if (i % 5 === 0) wrong = repaired(wrong, readRepair('twist DFR clockwise', n));
      if (i % 5 === 1 && n % 2) wrong = repaired(wrong, readRepair('flip DL', n));
      if (i % 5 === 2) wrong = repaired(wrong, readRepair('exchange the colours R and L everywhere', n));
      if (i % 5 === 3) wrong = repaired(wrong, readRepair('swap URF and UBR', n));
      if (i % 5 > 2) wrong[draw(wrong.length)] = draw(6);
      const { possible, problems } = await diagnosed(wrong);
      const repairs = repairsOf(problems, n);
      assert.equal(repairs.length, problems.filter(({ repair }) => repair).length, 'each is understood');
      for (const problem of problems) assert.ok(explain(problem, { stickers: wrong, n, names }).text.length > 10, problem.kind);
      if (possible || repairs.length === 0) continue;
      const after = repairs.reduce(repaired, wrong);
      assert.equal((await diagnosed(after)).possible, true, JSON.stringify(problems));
      done++;
    }
  }
  assert.ok(done > 50, `${done} repairs`);
});

await check('text of many forms is one cube', async () => {
  const { cube } = await cubed.apply({ size: 3, moves: 'R U F2' });
  const { cube: forms } = await cubed.convert({ cube }, { as: 'net,faces,reid,index,kpattern,cubies' });
  const words = { U: 'white', R: 'Red', F: 'green', D: 'yellow', L: 'orange', B: 'blue' };
  const texts = {
    facelets: cube.facelets,
    'with emptys and lines': cube.facelets.replace(/.{9}/g, '$&\n'),
    colours: Array.from(cube.facelets, (letter) => words[letter]).join(', '),
    letters: Array.from(cube.facelets, (letter) => words[letter][0].toUpperCase()).join(''),
    net: forms.net,
    digits: Array.from(cube.facelets, (letter) => 'URFDLB'.indexOf(letter)).join(''),
    squares: Array.from(cube.facelets, (letter) => ['⬜', '🟥', '🟩', '🟨', '🟧', '🟦']['URFDLB'.indexOf(letter)]).join(''),
    faces: JSON.stringify(forms.faces),
    answered: JSON.stringify({ cube: forms }),
    kpattern: JSON.stringify(forms.kpattern),
    cubies: JSON.stringify(forms.cubies),
    reid: forms.reid,
    index: forms.index,
    moves: 'R U F2',
  };
  for (const [form, text] of Object.entries(texts)) {
    const { input } = readText(text, 3);
    assert.ok(input, form);
    assert.equal((await cubed.convert({ cube: input })).cube.facelets, cube.facelets, form);
  }
});

await check('a text with emptys is a cube that is painted in part', () => {
  const { stickers } = readText(`${'?'.repeat(4)}W${'?'.repeat(4)} ${'.'.repeat(44)}B`, 3);
  assert.deepEqual([stickers.length, stickers[4], stickers[0], stickers[53]], [54, 0, EMPTY, 5]);
  assert.equal(readText('  ', 3), null);
  const solved = 'URFDLB'.replace(/./g, (face) => face.repeat(9));
  for (const [text, count, size] of [[solved.slice(1), 53, 3], [`${solved}B`, 55, 3], ['DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRB', 53, 3], ['WWWW GGGG RRRR BBBB OOOO YYY', 23, 2]]) {
    assert.deepEqual(readText(text, 3), { fault: `These are ${count} stickers; a cube of size ${size} has ${6 * size * size}.` });
  }
  for (const moves of ["R U R' U'", 'RUFDLB', 'R U F D L B R U F D L B R U F D L B R U F D', 'URF']) assert.deepEqual(readText(moves, 3), { input: { size: 3, moves } });
});

await check('where named patterns fit: their stickers have the colours that the server says', async () => {
  const resolved = async (part, size) => {
    for (const all of ['all', 'any']) if (part[all]) return { [all]: await Promise.all(part[all].map((one) => resolved(one, size))) };
    return part.name ? resolved((await cubed.patterns.get(part.name, { size })).pattern, size) : part;
  };
  for (const size of [2, 3, 4]) {
    for (const { name } of (await cubed.patterns.list({ size })).items) {
      const { pattern, setup } = await cubed.patterns.get(name, { size });
      const { cube } = await cubed.apply({ size, moves: setup });
      const stickers = fromFacelets(cube.facelets);
      const whole = await resolved(pattern, size);
      for (const match of (await cubed.match({ cube: cube.facelets, pattern: { name } })).matches) {
        const places = placesOfFit(whole, match, stickers, size);
        assert.ok(places.length >= 4, `${name} ${size}: ${places.length} stickers`);
        assert.equal(new Set(places).size, places.length);
        if (typeof whole.faces !== 'string') continue;
        [...whole.faces.replace(/ /g, '')].forEach((item, i) => {
          if (/[1-6]/.test(item)) assert.equal('URFDLB'[stickers[placesOfArrays(match, size)[i]]], match.bindings[item], `${name} ${size}`);
        });
      }
    }
  }
});

await check('patterns are found by what people call them', async () => {
  const { items } = await cubed.patterns.list({ size: 3 });
  const first = (search) => searched(items, search)[0]?.name;
  const wanted = {
    sune: 'oll-27', antisune: 'oll-26', 'T perm': 'pll-t', 't-perm': 'pll-t', 'PLL Ja': 'pll-ja', 'Ua perm': 'pll-ua', checkerboard: 'checkerboard',
    'Pons Asinorum': 'checkerboard', 'OLL 27': 'oll-27', superflip: 'superflip', 'first two layers': 'f2l', 'yellow cross': 'last-cross', dots: 'six-spots',
    headlights: 'oll-23', cross: 'cross',
  };
  for (const [search, name] of Object.entries(wanted)) assert.equal(first(search), name, search);
  assert.deepEqual(searched(items, 'xyzzy'), []);
  assert.equal(titleOf({ name: 'pll-ga', title: 'PLL Ga: three corners and three edges' }), 'Ga perm');
  assert.equal(algorithmOf("(R U R' U R U2 R')'"), "R U R' U R U2 R'");
  assert.equal(algorithmOf('M2 E2 S2'), '');
});

await server.stop();
finish();
