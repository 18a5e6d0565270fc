// files.js: files of solves: which kind one is, the server's table as results, and times as text to copy.

import { readTime, resultMs, resultText, solveText } from './times.js';

/**
 * Whether a file says of which event its solves are: csTimer's export and Twisty Timer's backup do; tables, statistics
 * and lists of times do not.
 */
export function namesEvents(text) {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  return /^[{[]/.test(start) || /^"?Puzzle"?\s*[,;]/i.test(start);
}

/** The lists of csTimer's export: [{key, name, solves}]; null if it is something else. */
function listsOf(file) {
  try {
    const { sessionData } = file.properties ?? {};
    const data = typeof sessionData === 'string' ? JSON.parse(sessionData) : sessionData ?? {};
    return Object.keys(file).filter((key) => /^session\d+$/.test(key) && Array.isArray(file[key]))
      .map((key) => ({ key, name: String(data[key.slice(7)]?.name ?? key.slice(7)), solves: file[key] }));
  } catch {
    return null;
  }
}

/** What makes a solve the same: its list, time, scramble and date. */
const identityOf = (name, solve) => JSON.stringify([name, solve?.[0]?.[1], solve?.[1], solve?.[3]]);

const readJson = (text) => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
};

/**
 * A file without the solves that are in another one, both as csTimer exports them: {text, known: how many these are, left}.
 * What is not such a file stays as it is: the server says what is wrong with it.
 */
export function withoutKnown(text, other) {
  const file = readJson(text);
  const lists = file && listsOf(file);
  const counts = new Map();
  for (const { name, solves } of listsOf(readJson(other) ?? {}) ?? []) {
    for (const solve of solves) counts.set(identityOf(name, solve), (counts.get(identityOf(name, solve)) ?? 0) + 1);
  }
  let [known, left] = [0, 0];
  for (const { key, name, solves } of lists ?? []) {
    file[key] = solves.filter((solve) => {
      const count = counts.get(identityOf(name, solve)) ?? 0;
      counts.set(identityOf(name, solve), count - 1);
      return count <= 0;
    });
    known += solves.length - file[key].length;
    left += file[key].length;
  }
  return { text: known > 0 ? JSON.stringify(file) : text, known, left };
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

/** The results of the server's table, oldest first: [{ms, date, comment}]; assisted solves and those without a time are left out. */
export function resultsOf(table) {
  const [head = [], ...rows] = readTable(table);
  const [time, date, assisted, comment] = ['Time', 'Date', 'Assisted', 'Comment'].map((name) => head.indexOf(name));
  return rows.flatMap((row) => {
    const read = readTime(row[time] ?? '');
    if (!read || row[assisted] === '1') return [];
    return [{ ms: resultMs(read.time_ms, read.penalty), date: row[date] ?? '', comment: row[comment] ?? '' }];
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
  const count = `${results.length} ${results.length === 1 ? 'solve' : 'solves'}`;
  if (finished.length === 0) return `${count}, none finished.`;
  const extreme = (choose) => finished.reduce((found, ms) => choose(found, ms));
  const [best, worst] = [extreme(Math.min), extreme(Math.max)];
  const dnf = results.length - finished.length;
  const half = Math.floor(finished.length / 2);
  const mean = (list) => list.reduce((sum, ms) => sum + ms, 0) / list.length;
  const trend = half >= 5 ? ` The first half has a mean of ${resultText(mean(finished.slice(0, half)))}, the second ${resultText(mean(finished.slice(half)))}.` : '';
  return `${count}, from ${resultText(best)} to ${resultText(worst)}${dnf ? `, ${dnf} DNF` : ''}.${trend}`;
}
