// fault.js: shows what is wrong with moves that were typed: the place, the reason, and the repair to take.

import { element } from './element.js';
import { errorText, t } from '../words.js';

/** UTF-16 units before a number of code points. */
const unitsOf = (text, points) => Array.from(text).slice(0, points).join('').length;

/** Elements for a problem of a text; `apply(text)` is called with the text that a repair gives. */
export function faultView(problem, text, apply) {
  if (problem.column === undefined) return [element('p', {}, errorText(problem))];
  const start = unitsOf(text, problem.column - 1);
  const bytes = new TextEncoder().encode(text.slice(start)).slice(0, problem.length);
  const end = start + new TextDecoder().decode(bytes).length;
  const offers = [problem.suggestion, ...(problem.readings ?? [])].filter((one) => typeof one === 'string');
  return [
    element('p', {}, errorText(problem)),
    element('code', {}, text.slice(0, start), element('mark', {}, text.slice(start, end) || '␣'), text.slice(end)),
    ...offers.map((offer) => element('button', { type: 'button', onclick: () => apply(text.slice(0, start) + offer + text.slice(end)) }, t('Write {moves}', { moves: offer }))),
  ];
}
