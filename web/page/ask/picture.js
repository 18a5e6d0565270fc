// picture.js: little pictures of patterns, in the caller's colours: the last layer from above, others at an angle.

import { SIDES } from '../../client/cube.js';
import { svg } from '../parts/element.js';
import { exampleOf } from './fit.js';
import { solvedStickers } from '../paint/painted.js';

const GREY = '#9aa0aa';

/** Generics around A: in pictures of the last layer yellow is up and green in front, else white. */
const LAST = { 1: 3, 2: 5, 3: 4, 4: 1, 5: 2, 6: 0 };
const FIRST = { 1: 0, 2: 5, 3: 1, 4: 4, 5: 2, 6: 3 };

/** A cube seen from above, right and in front: the corners of each cell. */
function cells(n) {
  const project = ([x, y, z]) => [(x - z) * 0.866, (x + z) * 0.5 - y];
  return [0, 1, 2].flatMap((face) => {
    const { axis, sign, right, down } = SIDES[face];
    return Array.from({ length: n * n }, (_, i) => {
      const corner = (column, row) => {
        const at = [0, 0, 0];
        at[axis] = sign;
        at[right[0]] = right[1] * ((2 * column) / n - 1);
        at[down[0]] = down[1] * ((2 * row) / n - 1);
        return project(at).map((part) => part.toFixed(3)).join(',');
      };
      const [column, row] = [i % n, Math.floor(i / n)];
      return { place: face * n * n + i, points: [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => corner(column + 0.06 + 0.88 * x, row + 0.06 + 0.88 * y)).join(' ') };
    });
  });
}

function atAnAngle(stickers, n, colourOf) {
  const outline = svg('polygon', { points: '0,-2.04 1.77,-1.02 1.77,1.02 0,2.04 -1.77,1.02 -1.77,-1.02', fill: '#16181d' });
  return svg('svg', { viewBox: '-1.85 -2.1 3.7 4.2', 'aria-hidden': 'true' }, outline,
    ...cells(n).map(({ place, points }) => svg('polygon', { points, fill: colourOf(stickers[place]) })));
}

/** From above, with the nearest stickers of the four sides around it. */
function fromAbove(stickers, n, colourOf) {
  const cell = (x, y, width, height, place) => svg('rect', { x, y, width, height, rx: 0.06, fill: colourOf(stickers[place]) });
  const gap = 0.06;
  const parts = [svg('rect', { x: -gap, y: -gap, width: n + 2 * gap, height: n + 2 * gap, rx: 0.12, fill: '#16181d' })];
  for (let i = 0; i < n * n; i++) parts.push(cell((i % n) + gap, Math.floor(i / n) + gap, 1 - 2 * gap, 1 - 2 * gap, i));
  const area = n * n;
  for (let i = 0; i < n; i++) {
    parts.push(cell(i + gap, n + 0.15, 1 - 2 * gap, 0.35, 2 * area + i), cell(i + gap, -0.5, 1 - 2 * gap, 0.35, 5 * area + n - 1 - i));
    parts.push(cell(n + 0.15, i + gap, 0.35, 1 - 2 * gap, area + n - 1 - i), cell(-0.5, i + gap, 0.35, 1 - 2 * gap, 4 * area + i));
  }
  return svg('svg', { viewBox: `-0.6 -0.6 ${n + 1.2} ${n + 1.2}`, 'aria-hidden': 'true' }, ...parts);
}

/**
 * A picture of a pattern.
 * @param {{name: string, layer: string | null, size: number, pattern: any}} named without references to other patterns
 * @param {string[]} colours of the palette
 */
export function patternPicture({ name, layer, size: n, pattern }, colours) {
  const colourOf = (number) => colours[number] ?? GREY;
  const held = layer !== null || !/home/.test(name);
  const match = held ? { face: 'U', rotation: 0 } : { face: 'F', rotation: 0 };
  const stickers = exampleOf(pattern, match, { bound: layer === 'last' ? LAST : FIRST, solved: solvedStickers(n) }, n);
  return /^(oll|pll)-/.test(name) ? fromAbove(stickers, n, colourOf) : atAnAngle(stickers, n, colourOf);
}
