// skeleton.js: the stages of a skeleton of fewest moves as a table: what each is, its moves on both sides, and the turns.

import { element } from './element.js';
import { shownMoves } from './moves.js';

const TITLES = { eo: 'Edges oriented', dr: 'Domino reduction', htr: 'Half turn reduction', finish: 'Finish' };
const ALONG = { ud: 'U and D', rl: 'R and L', fb: 'F and B' };

/** Of a skeleton, stages have a `total`; else null. */
export function skeletonTable(stages) {
  if (!stages?.[0] || stages[0].total === undefined) return null;
  const rows = stages.map(({ name, axis, moves, metrics, total }) => element('tr', {},
    element('th', { scope: 'row' }, TITLES[name] ?? name, axis && element('small', {}, ` ${ALONG[axis]}`)),
    element('td', { class: 'moves' }, shownMoves(moves)), element('td', {}, `${metrics.htm}`), element('td', {}, `${total}`)));
  const head = element('tr', {}, ...['Stage', 'Moves', 'Turns', 'So far'].map((text) => element('th', { scope: 'col' }, text)));
  const isSplit = stages.some(({ inverse }) => inverse);
  return element('table', { class: 'skeleton' },
    element('caption', {}, isSplit ? 'In stages; moves in parentheses are made on the inverse scramble.' : 'In stages.'),
    element('thead', {}, head), element('tbody', {}, rows));
}
