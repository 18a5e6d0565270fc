// plot.js: all times of a list as a picture: a dot for each solve, lines of averages, and where a best was made.

import { svg } from '../parts/element.js';
import { averages, records } from './statistics.js';
import { clockText, resultText } from './times.js';

/** The steps between lines, in milliseconds: 1, 2, 5, 10, 15, 30 seconds and so on. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 15000, 30000, 60000, 120000, 300000, 600000, 1800000, 3600000, 36000000, 360000000];
const LINES = 5;

/** Very slow solves must not flatten all others: the picture ends at this share of the solves, and shows the rest at its top. */
const SHARE = 0.97;
const ROOM = 1.15;

/** Returns the step that divides a range into at most so many parts. */
export const stepOf = (range, parts) => STEPS.find((one) => range / one <= parts) ?? STEPS.at(-1);

/** Returns the digits after the point of times that are so far apart: whole seconds need none. */
export const digitsOf = (step) => (step < 100 ? 2 : step < 1000 ? 1 : 0);

/** Returns the time at which a picture ends, of finished results in ascending order. */
export function usualEnd(finished) {
  const usual = finished[Math.min(finished.length - 1, Math.ceil(finished.length * SHARE))];
  return Math.min(finished.at(-1), usual * ROOM);
}

/** From which to which time the picture goes, and its lines; null if nothing is finished. */
export function scaleOf(results) {
  const finished = results.filter((ms) => ms !== Infinity).sort((a, b) => a - b);
  if (finished.length === 0) return null;
  const most = usualEnd(finished);
  const least = finished[0];
  const margin = Math.max((most - least) * 0.08, 100);
  const [low, high] = [Math.max(0, least - margin), most + margin];
  const step = stepOf(high - low, LINES);
  const first = Math.ceil(low / step);
  const lines = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  return { low, high, lines, digits: digitsOf(step) };
}

/** Averages that are drawn, by the number of solves: short ones of many would hide all else. */
const DRAWN = [{ most: 400, short: 5, long: 12 }, { most: 2000, short: 12, long: 100 }, { most: Infinity, short: 100, long: 1000 }];

/** Returns the numbers of solves of the two averages that are drawn: {short, long}. */
export const drawnAverages = (count) => DRAWN.find(({ most }) => count <= most);

/** The picture as numbers, in a box of width x height: `dots`, `above` (too slow, or DNF), `short`, `long` as lines, `best`. */
export function plotOf(results, { width, height, left = 44, pad = 8 }) {
  const scale = scaleOf(results);
  if (!scale) return null;
  const { low, high } = scale;
  const x = (i) => left + pad + (results.length === 1 ? 0.5 : i / (results.length - 1)) * (width - left - 2 * pad);
  const y = (ms) => pad + (1 - (ms - low) / (high - low)) * (height - 2 * pad);
  const points = results.map((ms, i) => ({ x: x(i), y: y(Math.min(ms, high)), ms, above: ms > high }));
  const drawn = drawnAverages(results.length);
  const line = (of) => averages(results, of).map((ms, i) => (ms === null || ms === Infinity ? null : { x: x(i), y: y(Math.min(ms, high)) }));
  return {
    dots: points.filter(({ above }) => !above),
    above: points.filter(({ above }) => above),
    short: line(drawn.short),
    long: line(drawn.long),
    best: records(results).map(({ at, ms }) => ({ x: x(at), y: y(ms), ms })),
    lines: scale.lines.map((ms) => ({ y: y(ms), text: clockText(ms, scale.digits) })),
    left,
  };
}

const round = (number) => Math.round(number * 10) / 10;

/** Dots as one path: lines of no length with round ends. */
const dotsPath = (points) => points.map(({ x, y }) => `M${round(x)} ${round(y)}h0`).join('');

/** A line with a gap wherever an average is missing. */
function linePath(points) {
  let drawing = false;
  return points.map((point) => {
    const part = point && `${drawing ? 'L' : 'M'}${round(point.x)} ${round(point.y)}`;
    drawing = point !== null;
    return part ?? '';
  }).join('');
}

/** The bests as steps going down. */
const stepsPath = (best, width) => best.map(({ x, y }, i) => `${i ? `H${round(x)}V` : `M${round(x)} `}${round(y)}`).join('') + (best.length ? `H${width}` : '');

/** The plot as an element; null if there is nothing to draw. */
export function drawPlot(results, { width, height, label }) {
  const plot = plotOf(results, { width, height });
  if (!plot) return null;
  const path = (kind, d) => svg('path', { class: kind, d });
  const fastest = plot.best.at(-1);
  const side = fastest.x > width - 70 ? { x: fastest.x - 7, 'text-anchor': 'end' } : { x: fastest.x + 7 };
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    ...plot.lines.flatMap(({ y, text }) => [
      path('grid', `M${plot.left} ${round(y)}H${width}`),
      svg('text', { x: plot.left - 6, y: round(y) + 4, 'text-anchor': 'end' }, text),
    ]),
    path(results.length > 400 ? 'dots many' : 'dots', dotsPath(plot.dots)),
    path('above', plot.above.map(({ x, y }) => `M${round(x - 3)} ${round(y - 3)}l6 6m0-6l-6 6`).join('')),
    path('best', stepsPath(plot.best, width)),
    path('short', linePath(plot.short)), path('long', linePath(plot.long)),
    path('fastest', dotsPath([fastest])),
    svg('text', { class: 'mark', y: Math.min(height - 4, round(fastest.y) + 14), ...side }, resultText(fastest.ms)));
}
