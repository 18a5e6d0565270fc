// histogram.js: results in groups, to be drawn as bars: how often which times, and how many solves on each day. Pure.

import { digitsOf, stepOf, usualEnd } from './plot.js';
import { clockText, resultText } from './times.js';
import { locale, t } from '../words.js';

const BARS = 14;
const DAY_MS = 86400000;
/** Solves by day if so many days are enough, else by week, month or year. */
const PERIODS_MAX = 42;

/**
 * The distribution: {bars, words}; null without results. A bar: {text, count, kind}; kind is 'time', 'slow' for all that
 * are slower, or 'dnf'. Bars: from `from` up to the next one's, in milliseconds.
 * @param {number[]} results Infinity is DNF
 */
export function distributionOf(results) {
  if (results.length === 0) return null;
  const finished = results.filter((ms) => ms !== Infinity).sort((a, b) => a - b);
  const dnf = results.length - finished.length;
  const bars = timeBars(finished);
  if (dnf) bars.push({ text: 'DNF', count: dnf, kind: 'dnf' });
  return { bars, words: distributionWords(bars, finished, dnf) };
}

function timeBars(finished) {
  if (finished.length === 0) return [];
  const [least, most] = [finished[0], usualEnd(finished)];
  const step = stepOf(most - least, BARS);
  const first = Math.floor(least / step);
  const count = Math.floor(most / step) - first + 1;
  const bars = Array.from({ length: count }, (_, i) => ({ from: (first + i) * step, text: clockText((first + i) * step, digitsOf(step)), count: 0, kind: 'time' }));
  const end = (first + count) * step;
  const slow = { from: end, text: `${clockText(end, digitsOf(step))}+`, count: 0, kind: 'slow' };
  for (const ms of finished) (ms < end ? bars[Math.floor(ms / step) - first] : slow).count++;
  return slow.count ? [...bars, slow] : bars;
}

function distributionWords(bars, finished, dnf) {
  const failed = dnf ? ` ${dnf} DNF.` : '';
  if (finished.length === 0) return `${t('Distribution: no time.')}${failed}`;
  const times = bars.filter(({ kind }) => kind === 'time');
  const most = times.reduce((found, bar) => (bar.count > found.count ? bar : found));
  const next = bars[bars.indexOf(most) + 1]?.kind === 'dnf' ? undefined : bars[bars.indexOf(most) + 1];
  const range = next ? t('from {from} to {to}', { from: most.text, to: next.text.replace('+', '') }) : t('from {from} on', { from: most.text });
  const middle = finished[Math.floor((finished.length - 1) / 2)];
  const words = t('Distribution of {n} time: half are {middle} or faster; the most, {most}, are {range}.|Distribution of {n} times: half are {middle} or faster; the most, {most}, are {range}.', { n: finished.length, middle: resultText(middle), most: most.count, range });
  return `${words}${failed}`;
}

// ---- by day ----

const pad = (number) => String(number).padStart(2, '0');
const dayText = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** Dates in a sentence are written as the language does. */
const sentenceDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const sentenceMonth = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });

/** Periods, the finest first: the beginning of the one that a date is in, that of the next one, its name below a bar and in a
 * sentence, and its sentence. */
const PERIODS = [
  { name: 'day', begin: (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()), next: (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1), text: dayText, said: (date) => sentenceDay.format(date), words: (values) => t('Solves by day: {solves} in {n} day; the most, {most}, on {date}.|Solves by day: {solves} in {n} days; the most, {most}, on {date}.', values) },
  { name: 'week', begin: (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)), next: (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 7), text: dayText, said: (date) => sentenceDay.format(date), words: (values) => t('Solves by week: {solves} in {n} week; the most, {most}, in the week of {date}.|Solves by week: {solves} in {n} weeks; the most, {most}, in the week of {date}.', values) },
  { name: 'month', begin: (date) => new Date(date.getFullYear(), date.getMonth(), 1), next: (date) => new Date(date.getFullYear(), date.getMonth() + 1, 1), text: (date) => dayText(date).slice(0, 7), said: (date) => sentenceMonth.format(date), words: (values) => t('Solves by month: {solves} in {n} month; the most, {most}, in the month of {date}.|Solves by month: {solves} in {n} months; the most, {most}, in the month of {date}.', values) },
  { name: 'year', begin: (date) => new Date(date.getFullYear(), 0, 1), next: (date) => new Date(date.getFullYear() + 1, 0, 1), text: (date) => String(date.getFullYear()), said: (date) => String(date.getFullYear()), words: (values) => t('Solves by year: {solves} in {n} year; the most, {most}, in the year of {date}.|Solves by year: {solves} in {n} years; the most, {most}, in the year of {date}.', values) },
];
const LENGTHS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, year: 365 * DAY_MS };

/**
 * Solves by day of this place, or by a longer period if there were too many days: {bars, words}; null without solves.
 * Periods without a solve are there, too.
 * @param {number[]} moments in milliseconds, in any order
 */
export function daysOf(moments) {
  const known = moments.filter(Number.isFinite);
  if (known.length === 0) return null;
  const [first, last] = known.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, -Infinity]);
  const period = PERIODS.find(({ name }) => (last - first) / LENGTHS[name] < PERIODS_MAX) ?? PERIODS.at(-1);
  const counts = new Map();
  const begins = new Map();
  const end = period.begin(new Date(last));
  for (let at = period.begin(new Date(first)); at <= end; at = period.next(at)) counts.set(period.text(at), 0);
  for (const moment of known) {
    const begin = period.begin(new Date(moment));
    const text = period.text(begin);
    begins.set(text, begin);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const bars = Array.from(counts, ([text, count]) => ({ text, count, kind: 'day' }));
  const most = bars.reduce((found, bar) => (bar.count > found.count ? bar : found));
  const used = bars.filter(({ count }) => count > 0).length;
  const values = { solves: t('{n} solve|{n} solves', { n: known.length }), n: used, most: most.count, date: period.said(begins.get(most.text)) };
  return { bars, words: period.words(values) };
}
