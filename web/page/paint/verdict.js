// verdict.js: what the diagnosis says, with what can be done about it: repair, solve, learn.

import { element } from '../parts/element.js';
import { causes, explain, explainRepair } from './diagnosis.js';
import { readRepair, repairsOf } from './repair.js';
import { t } from '../words.js';

const SHOWN_MAX = 4;

/** A problem as a line that lights its stickers. */
function problemLine({ text, places }, onLight) {
  const line = places.length === 0 ? element('span', {}, text) : element('button', { type: 'button', class: 'quiet', onclick: () => onLight(places) }, text);
  return element('li', {}, line);
}

/**
 * The problems in words, and the repair.
 * @param {{problems: object[], candidates?: string[], cube: {stickers: Uint8Array, n: number, names: string[]}, onLight: (places: number[]) => void, onRepair: () => void}} what
 */
export function problemsView({ problems, candidates = [], cube, onLight, onRepair }) {
  // Problems without a place follow from those with one.
  const shown = [...causes(problems)].sort((a, b) => Boolean(b.place ?? b.repair) - Boolean(a.place ?? a.repair)).map((problem) => explain(problem, cube));
  const rest = problems.length - Math.min(SHOWN_MAX, shown.length);
  const repairs = repairsOf(problems, cube.n);
  const parts = [element('ul', { class: 'problems' }, shown.slice(0, SHOWN_MAX).map((one) => problemLine(one, onLight)))];
  if (rest > 0) parts.push(element('p', { class: 'faint' }, t('And {n} more that may follow from these.', { n: rest })));
  if (repairs.length === 0) return [...parts, ...othersView(candidates, cube)];
  const words = repairs.map((repair) => explainRepair(repair, cube).text);
  const byHand = repairs.some(({ kind }) => ['twist', 'flip', 'swap'].includes(kind));
  parts.push(
    element('p', {}, byHand ? t('If your cube really looks like this, it was once put together wrongly. Do this to it as well:') : t('Compare it with your cube. Probably:')),
    words.length === 1 ? element('p', { class: 'repair' }, words[0]) : element('ol', { class: 'repair' }, words.map((text) => element('li', {}, text))),
    element('button', { type: 'button', class: 'main', onclick: onRepair }, t('Repair it')),
    ...othersView(candidates.slice(1), cube),
  );
  return parts;
}

/** Other repairs that are as likely. */
function othersView(candidates, cube) {
  const repairs = candidates.map((text) => readRepair(text, cube.n)).filter(Boolean);
  if (repairs.length === 0) return [];
  const lines = repairs.map((repair) => element('li', {}, explainRepair(repair, cube).text));
  return [element('details', { class: 'candidates' }, element('summary', {}, t('{n} other repair is as likely|{n} other repairs are as likely', { n: repairs.length })), element('ul', {}, lines))];
}

/** A cube that can be solved. */
export function possibleView({ solved, onSolve, onLesson, onTurn }) {
  return [
    element('p', { class: 'fine' }, solved ? t('This cube is solved.') : t('This cube can be solved.')),
    element('div', { class: 'row' },
      !solved && element('button', { type: 'button', class: 'main', onclick: onSolve }, t('Solve it')),
      !solved && element('button', { type: 'button', onclick: onLesson }, t('Take a lesson')),
      element('button', { type: 'button', onclick: onTurn }, t('Turn it'))),
  ];
}
