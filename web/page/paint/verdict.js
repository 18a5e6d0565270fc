// verdict.js: what the diagnosis says, with what can be done about it: repair, solve, learn.

import { element } from '../parts/element.js';
import { explain, explainRepair } from './diagnosis.js';
import { repairsOf } from './repair.js';

const SHOWN_MAX = 4;

/** A problem as a line that lights its stickers. */
function problemLine({ text, places }, onLight) {
  const line = places.length === 0 ? element('span', {}, text) : element('button', { type: 'button', class: 'quiet', onclick: () => onLight(places) }, text);
  return element('li', {}, line);
}

/**
 * The problems in words, and the repair.
 * @param {{problems: object[], cube: {stickers: Uint8Array, n: number, names: string[]}, onLight: (places: number[]) => void, onRepair: () => void}} what
 */
export function problemsView({ problems, cube, onLight, onRepair }) {
  // Problems without a place follow from those with one.
  const shown = [...problems].sort((a, b) => Boolean(b.place ?? b.repair) - Boolean(a.place ?? a.repair)).map((problem) => explain(problem, cube));
  const rest = problems.length - SHOWN_MAX;
  const repairs = repairsOf(problems, cube.n);
  const parts = [element('ul', { class: 'problems' }, shown.slice(0, SHOWN_MAX).map((one) => problemLine(one, onLight)))];
  if (rest > 0) parts.push(element('p', { class: 'faint' }, `And ${rest} more that may follow from these.`));
  if (repairs.length === 0) return parts;
  const words = repairs.map((repair) => explainRepair(repair, cube).text);
  const byHand = repairs.some(({ kind }) => ['twist', 'flip', 'swap'].includes(kind));
  parts.push(
    element('p', {}, byHand ? 'If your cube really looks like this, it was once put together wrongly. Do this to it as well:' : 'Compare it with your cube. Probably:'),
    words.length === 1 ? element('p', { class: 'repair' }, words[0]) : element('ol', { class: 'repair' }, words.map((text) => element('li', {}, text))),
    element('button', { type: 'button', class: 'main', onclick: onRepair }, 'Repair it'),
  );
  return parts;
}

/** A cube that can be solved. */
export function possibleView({ solved, onSolve, onLesson, onTurn }) {
  return [
    element('p', { class: 'fine' }, solved ? 'This cube is solved.' : 'This cube can be solved.'),
    element('div', { class: 'row' },
      !solved && element('button', { type: 'button', class: 'main', onclick: onSolve }, 'Solve it'),
      !solved && element('button', { type: 'button', onclick: onLesson }, 'Take a lesson'),
      element('button', { type: 'button', onclick: onTurn }, 'Turn it')),
  ];
}
