// stages.js: the stages of a solution of few moves as a table: what each is, its moves on both sides, and the turns.

import { element } from '../parts/element.js';
import { shownMoves } from '../cube/moves.js';

const TITLES = { eo: 'Edges oriented', dr: 'Domino reduction', htr: 'Half turn reduction', finish: 'Finish' };
const ALONG = { ud: 'U and D', rl: 'R and L', fb: 'F and B' };

/** A table of stages that have a `total`; null for others. */
export function stagesTable(stages) {
  if (!stages?.[0] || stages[0].total === undefined) return null;
  const rows = stages.map(({ name, axis, moves, metrics, total }) => element('tr', {},
    element('th', { scope: 'row' }, TITLES[name] ?? name, axis && element('small', {}, ` ${ALONG[axis]}`)),
    element('td', { class: 'moves' }, shownMoves(moves)), element('td', {}, `${metrics.htm}`), element('td', {}, `${total}`)));
  const head = element('tr', {}, ...['Stage', 'Moves', 'Turns', 'So far'].map((text) => element('th', { scope: 'col' }, text)));
  const isSplit = stages.some(({ inverse }) => inverse);
  return element('table', { class: 'fewest' },
    element('caption', {}, isSplit ? 'In stages; moves in parentheses are made on the inverse scramble.' : 'In stages.'),
    element('thead', {}, head), element('tbody', {}, rows));
}
