// meanings.js: what the named patterns mean, and what else people call them.

import { t, translated } from '../words.js';


/** The meaning of each pattern, and its other names. */
const MEANINGS = {
  solved: [t('Every face shows one colour.'), 'finished done'],
  home: [t('Solved, with white up and green in front.'), 'solved upright'],
  face: [t('One face is full of one colour; what is beside it does not matter.'), 'side'],
  'opposite-faces': [t('Two opposite faces are done: the second step of Ortega on a 2x2x2.'), 'ortega'],
  'first-layer': [t('A face of one colour whose neighbours match too: the first step of most beginners.'), 'beginner layer by layer'],
  cross: [t('Four edges around a middle, which match the middles beside them: the first step of CFOP.'), 'cfop plus daisy'],
  'f2l-1': [t('The cross, and one corner with its edge in place.'), 'first pair slot'],
  'f2l-2': [t('The cross, and two corners with their edges in place.'), 'two pairs slots'],
  'f2l-3': [t('The cross, and three corners with their edges in place: one pair is missing.'), 'three pairs last slot'],
  f2l: [t('The first two layers are done; the last layer is what is left.'), 'first two layers pairs'],
  'last-cross': [t('Two layers are done, and the last one shows a cross.'), 'yellow cross eoll'],
  'last-edges': [t('Two layers are done, and the edges of the last one are in place.'), 'yellow edges'],
  'last-corners-placed': [t('Only corners of the last layer are still twisted.'), 'yellow corners'],
  oll: [t('The last layer shows one colour on top; its pieces may still have to change places.'), 'oriented last layer pll'],
  eo: [t('All edges are oriented: the cube can be solved without quarter turns of F and B.'), 'zz edge orientation'],
  'eo-line': [t('All edges are oriented, and two opposite edges at the bottom are in place: the first step of ZZ.'), 'zz'],
  'eo-cross': [t('All edges are oriented, and the cross is done.'), 'zz'],
  'corners-oriented': [t('No corner is twisted: each shows the colour of top or bottom there.'), 'orientation'],
  domino: [t('Top and bottom show only their two colours: half turns of the sides are enough from here.'), 'kociemba thistlethwaite dr g1'],
  htr: [t('Each face shows only its colour and the opposite one, and half turns alone can solve it.'), 'half turn reduction thistlethwaite g3'],
  square: [t('A square of 2x2: a corner and two edges that match around the middle of a side.'), 'block 1x2x2'],
  'petrus-222': [t('A block of 2x2x2 in a corner: the first step of Petrus.'), 'block'],
  'petrus-223': [t('A block of 2x2x3: the second step of Petrus.'), 'block'],
  'petrus-eo': [t('A block of 2x2x3, and all edges oriented: the third step of Petrus.'), 'block'],
  'first-block': [t('A block of 1x2x3 at one side: the first step of Roux.'), 'roux fb'],
  'second-block': [t('Blocks of 1x2x3 at two opposite sides: the second step of Roux.'), 'roux sb'],
  cmll: [t('Two blocks and all corners are done: the last six edges are left.'), 'roux lse'],
  centers: [t('The middles of all faces are done: the first step of the reduction of large cubes.'), 'centres reduction 4x4'],
  'edges-paired': [t('All parts of each edge are together.'), 'reduction 4x4'],
  reduced: [t('Middles and edges are done: from here it is solved as a 3x3x3.'), 'reduction 4x4'],
  checkerboard: [t('Every other sticker is of the opposite colour. Pretty, and easy to make.'), 'chess pons asinorum chequerboard'],
  'six-spots': [t('Each middle is of another colour than what is around it.'), 'dots six dots'],
  superflip: [t('Every edge is turned over in its place: one of the positions that need most moves, 20.'), 'god number'],
};

const OLL = t('A case of the last layer: two layers are done, and one algorithm (OLL) makes the top one colour.');
const PLL = t('A case of the last layer: the top is of one colour, and one algorithm (PLL) puts its pieces in their places.');

/** The groups, in which they are listed. */
export const GROUPS = [
  { title: t('Stages of solving'), has: (name) => !/^(oll|pll)-/.test(name) && !PRETTY.includes(name) },
  { title: t('Cases of OLL'), has: (name) => name.startsWith('oll-') },
  { title: t('Cases of PLL'), has: (name) => name.startsWith('pll-') },
  { title: t('Pretty patterns'), has: (name) => PRETTY.includes(name) },
];
const PRETTY = ['checkerboard', 'six-spots', 'superflip'];

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Returns the heading of a pattern: `T perm`, `OLL 27: cross, sune`, `Two layers`. */
export function titleOf({ name, title }) {
  const permutation = /^pll-(\w)(\w?)$/.exec(name);
  if (permutation) return `${permutation[1].toUpperCase()}${permutation[2]} perm`;
  return title ? capital(translated(title)) : name;
}

/** Returns the meaning of a pattern; own patterns have only their title. */
export function meaningOf({ name, title }) {
  if (name.startsWith('oll-')) return OLL;
  if (name.startsWith('pll-')) return `${PLL} ${t('This one exchanges {pieces}.', { pieces: translated((title ?? '').replace(/^PLL \w+: /, '')) })}`;
  return MEANINGS[name]?.[0] ?? '';
}

/** A text for comparing: without accents, and with spaces for all that is neither a letter nor a digit. */
const plain = (text) => text.toLowerCase().replace(/centre/g, 'center').normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** Rates how well a pattern answers a search: 0 is not at all. */
export function scoreOf(pattern, search) {
  const words = plain(search).split(' ').filter(Boolean);
  const heading = plain(`${titleOf(pattern)} ${pattern.name} ${pattern.title ?? ''}`);
  const all = `${heading} ${plain(`${meaningOf(pattern)} ${MEANINGS[pattern.name]?.[1] ?? ''}`)}`;
  const asked = words.join(' ');
  const has = (text, word) => text.split(' ').includes(word);
  if (plain(titleOf(pattern)) === asked || plain(pattern.name) === asked) return 5;
  if (words.every((word) => has(heading, word))) return 4;
  if (words.every((word) => has(all, word))) return 3;
  if (words.every((word) => heading.includes(word))) return 2;
  return words.every((word) => word.length > 2 && all.includes(word)) ? 1 : 0;
}

/** The patterns that answer a search, the best first. */
export function searched(patterns, search) {
  return patterns.map((pattern) => ({ pattern, score: scoreOf(pattern, search) })).filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score).map(({ pattern }) => pattern);
}

/** The algorithm of a case, whose setup is its inverse; '' if the setup has another form. */
export const algorithmOf = (setup) => /^\((.*)\)'$/.exec(setup ?? '')?.[1] ?? '';
