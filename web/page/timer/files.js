// files.js: files of solves: which kind one is, the server's table as results, and times as text to copy.

import { readTime, resultMs, resultText, solveText } from './times.js';
import { t } from '../words.js';

/**
 * Returns true if a file names the event of its solves. csTimer's export and Twisty Timer's backup do; tables,
 * statistics and lists of times do not.
 */
export function namesEvents(text) {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  return /^[{[]/.test(start) || /^"?Puzzle"?\s*[,;]/i.test(start);
}

/** The rows of a table with quotes, as arrays of texts. */
export function readTable(text, separator = ';') {
  const rows = [[]];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*))(${separator}|\\r?\\n|$)`, 'y');
  while (field.lastIndex < text.length) {
    const [, quoted, plain, end] = field.exec(text) ?? [];
    if (end === undefined) break;
    rows.at(-1).push(quoted === undefined ? plain.replace(/\r$/, '') : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== separator) rows.push([]);
  }
  return rows.filter((row) => row.length > 0 && !(row.length === 1 && row[0] === ''));
}

/** The results of the server's table, oldest first: [{ms, at, comment}], `at` in milliseconds of UTC; assisted solves and those without a time are left out. */
export function resultsOf(table) {
  const [head = [], ...rows] = readTable(table);
  const [time, date, assisted, comment] = ['Time', 'Date', 'Assisted', 'Comment'].map((name) => head.indexOf(name));
  return rows.flatMap((row) => {
    const read = readTime(row[time] ?? '');
    if (!read || row[assisted] === '1') return [];
    return [{ ms: resultMs(read.time_ms, read.penalty), at: Date.parse(`${(row[date] ?? '').replace(' ', 'T')}Z`), comment: row[comment] ?? '' }];
  });
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * Solves as text, oldest first, as timers write statistics: numbered, with comment, scramble and date. `averages`: names
 * and texts, such as [['best ao5', '12.34']]. The server reads it again.
 */
export function textOf(solves, averages, title) {
  const lines = solves.map((solve, i) => {
    const time = solveText(solve).replace(' (', '(');
    const comment = solve.comment ? `[${oneLine(solve.comment)}]` : '';
    return `${i + 1}. ${time}${comment}   ${oneLine(solve.scramble ?? '')}   @${solve.created_at.slice(0, 19).replace('T', ' ')} `;
  });
  return [`${title}, in the form of csTimer`, ...averages.map(([name, value]) => `${name}: ${value}`), '', 'Time List:', ...lines, ''].join('\n');
}

/** The name of a file: "cubed-333-home-2026-11-23.csv". */
export function fileName(words, extension, date = new Date()) {
  const plain = words.map((word) => word.normalize('NFKD').replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '')).filter(Boolean);
  return `${['cubed', ...plain, date.toISOString().slice(0, 10)].join('-')}.${extension}`;
}

/** Results in words, for people who do not see the plot. */
export function summaryOf(results) {
  const finished = results.filter((ms) => ms !== Infinity);
  const count = t('{n} solve|{n} solves', { n: results.length });
  if (finished.length === 0) return t('{solves}, none finished.', { solves: count });
  const extreme = (choose) => finished.reduce((found, ms) => choose(found, ms));
  const [best, worst] = [extreme(Math.min), extreme(Math.max)];
  const dnf = results.length - finished.length;
  const half = Math.floor(finished.length / 2);
  const mean = (list) => list.reduce((sum, ms) => sum + ms, 0) / list.length;
  const trend = half >= 5 && t('The first half has a mean of {first}, the second {second}.', { first: resultText(mean(finished.slice(0, half))), second: resultText(mean(finished.slice(half))) });
  const range = t('{solves}, from {best} to {worst}', { solves: count, best: resultText(best), worst: resultText(worst) });
  return [`${range}${dnf ? `, ${dnf} DNF` : ''}.`, trend].filter(Boolean).join(' ');
}
