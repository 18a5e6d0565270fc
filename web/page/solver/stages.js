// stages.js: the stages of a solution of few moves as a table: what each is, its moves on both sides, and the turns.

import { element } from '../parts/element.js';
import { shownMoves } from '../cube/moves.js';
import { t } from '../words.js';

const TITLES = { eo: t('Edges oriented'), dr: t('Domino reduction'), htr: t('Half turn reduction'), finish: t('Finish') };
const ALONG = { ud: t('U and D'), rl: t('R and L'), fb: t('F and B') };

/** A table of stages that have a `total`; null for others. */
export function stagesTable(stages) {
  if (!stages?.[0] || stages[0].total === undefined) return null;
  const rows = stages.map(({ name, axis, moves, metrics, total }) => element('tr', {},
    element('th', { scope: 'row' }, TITLES[name] ?? name, axis && element('small', {}, ` ${ALONG[axis]}`)),
    element('td', { class: 'moves' }, shownMoves(moves)), element('td', {}, `${metrics.htm}`), element('td', {}, `${total}`)));
  const head = element('tr', {}, ...[t('Stage'), t('Moves'), t('Turns~column'), t('So far')].map((text) => element('th', { scope: 'col' }, text)));
  const isSplit = stages.some(({ inverse }) => inverse);
  return element('table', { class: 'fewest' },
    element('caption', {}, isSplit ? t('In stages; moves in parentheses are made on the inverse scramble.') : t('In stages.')),
    element('thead', {}, head), element('tbody', {}, rows));
}
