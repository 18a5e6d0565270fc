// times.js: the times of each case of a set. Pure.
//
// A solve says its case as the first word of its comment: so files of other timers keep it.

import { resultMs, resultText } from '../timer/times.js';

/** "coll-pi-4" of the set coll: "Pi 4". */
export function caseWords(name) {
  const words = name.replace(/^[^-]*-/, '').replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

/** The shape of a case of a large set: "pi" of "zbll-pi-4". */
export const shapeOf = (name) => name.split('-')[1];

/**
 * The times of each case, by its name: {count, mean}; the mean of those that finished, in milliseconds, or null.
 * @param {{ms: number, comment: string}[]} results Infinity is DNF
 */
export function timesByCase(results) {
  const found = new Map();
  for (const { ms, comment } of results) {
    const [name] = (comment ?? '').split(/\s/);
    if (!name) continue;
    const times = found.get(name) ?? { count: 0, finished: 0, sum: 0 };
    found.set(name, { count: times.count + 1, finished: times.finished + (ms === Infinity ? 0 : 1), sum: times.sum + (ms === Infinity ? 0 : ms) });
  }
  return new Map(Array.from(found, ([name, { count, finished, sum }]) => [name, { count, mean: finished ? sum / finished : null }]));
}

/** A mean as text. */
export const meanText = (mean) => (mean === null ? 'DNF' : resultText(resultMs(Math.round(mean))));

/** Names of the cases whose mean is above the mean of all means: what is worth training. */
export function slowCases(times) {
  const means = [...times].filter(([, { mean }]) => mean !== null);
  const middle = means.reduce((sum, [, { mean }]) => sum + mean, 0) / means.length;
  return means.filter(([, { mean }]) => mean > middle).map(([name]) => name);
}
