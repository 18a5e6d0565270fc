// bars.js: bars side by side, as a picture.

import { svg } from '../parts/element.js';

const LEFT = 34;
const TOP = 14;
const BOTTOM = 20;
/** The width of a letter or digit, and of the gap between two texts. */
const TEXT_WIDTH = 7;
const GAP = 6;
const LINES = 4;

const round = (number) => Math.round(number * 10) / 10;

/** The heights of lines: 1, 2 or 5 times a power of ten, a few of them up to `most`. */
function linesTo(most) {
  let step = 1;
  for (let i = 0; most / step > LINES; i++) step = [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3);
  return Array.from({ length: Math.floor(most / step) }, (_, i) => (i + 1) * step);
}

/** Returns the bars as an element: [{text, count, kind}]. */
export function drawBars(bars, { width, height, label }) {
  const most = Math.max(...bars.map(({ count }) => count));
  const [each, floor] = [(width - LEFT) / bars.length, height - BOTTOM];
  const y = (count) => floor - (count / most) * (floor - TOP);
  const longest = Math.max(...bars.map(({ text }) => text.length)) * TEXT_WIDTH;
  const every = Math.ceil((longest + GAP) / each);
  const hasRoom = each >= String(most).length * TEXT_WIDTH + GAP;
  const middle = (i) => round(LEFT + (i + 0.5) * each);
  const lines = linesTo(most).flatMap((count) => [
    svg('path', { class: 'grid', d: `M${LEFT} ${round(y(count))}H${width}` }),
    svg('text', { x: LEFT - 6, y: round(y(count)) + 4, 'text-anchor': 'end' }, String(count)),
  ]);
  const shapes = bars.flatMap(({ text, count, kind }, i) => [
    svg('rect', { class: `bar ${kind}`, x: round(LEFT + i * each + each * 0.08), y: round(y(count)), width: round(each * 0.84), height: round(floor - y(count)) }),
    ...(count > 0 && hasRoom ? [svg('text', { class: 'number', x: middle(i), y: round(y(count)) - 3, 'text-anchor': 'middle' }, String(count))] : []),
    ...((i % every === 0 && middle(i) + (text.length * TEXT_WIDTH) / 2 <= width + GAP) || kind === 'dnf' ? [svg('text', { x: middle(i), y: height - 5, 'text-anchor': 'middle' }, text)] : []),
  ]);
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...lines, ...shapes);
}
