// colours.js: what people call the colours of a palette.

import { t } from '../words.js';


/** Examples of each name. */
const KNOWN = {
  white: ['#ffffff'], black: ['#000000'], grey: ['#8a8a8a'], red: ['#d01030', '#ff0000'], vermilion: ['#d55e00'],
  orange: ['#ff7a1a', '#ff5800'], amber: ['#e69f00'], yellow: ['#ffd800', '#f0e442'], green: ['#009a4a', '#009e73', '#00d030'],
  turquoise: ['#20b2aa'], 'light blue': ['#56b4e9'], blue: ['#0050b8', '#2040ff'], purple: ['#7b3fa0'], pink: ['#d070a8'],
  brown: ['#8b5a2b'],
};

/** The colours of the WCA scheme, in the order of the faces. */
export const USUAL_NAMES = ['white', 'red', 'green', 'yellow', 'orange', 'blue'];

const partsOf = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** Returns how different two colours look: the formula of compuphase.com/cmetric.htm, squared. */
function difference(a, b) {
  const [p, q] = [partsOf(a), partsOf(b)];
  const mean = (p[0] + q[0]) / 2;
  const [r, g, blue] = p.map((part, i) => (part - q[i]) ** 2);
  return (2 + mean / 256) * r + 4 * g + (2 + (255 - mean) / 256) * blue;
}

/**
 * An English name for each of six colours; no name twice.
 * @param {string[]} colours as '#rrggbb', in the order of the faces
 * @returns {string[]}
 */
export function englishNames(colours) {
  const pairs = colours.flatMap((colour, i) => Object.entries(KNOWN).map(([name, examples]) => (
    { i, name, far: Math.min(...examples.map((example) => difference(colour, example))) })));
  const names = [];
  for (const { i, name } of pairs.sort((a, b) => a.far - b.far)) if (!names[i] && !names.includes(name)) names[i] = name;
  return names;
}

/** The same in the language of the page. */
export const colourNames = (colours) => englishNames(colours).map((name) => t(name));
