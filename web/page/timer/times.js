// times.js: times as text, as the WCA Regulations (9f) and other timers write them.

import { t } from '../words.js';


const LONG_MS = 600000; // from here on, whole seconds
const TWO_MS = 2000;

/** Less is written 0.00, and refused. */
const MIN_MS = 10;
/** A longest time of the server: a thousand hours. */
const MAX_MS = 3600000000;

const pad = (number) => String(number).padStart(2, '0');

/** "12.34", "1:02.34", "1:00:02.34"; `digits` after the point: 2, 1 or 0. It is cut, not rounded. */
export function clockText(ms, digits = 2) {
  const whole = Math.floor(ms / 1000);
  const part = digits ? `.${String(Math.floor(ms % 1000)).padStart(3, '0').slice(0, digits)}` : '';
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours) return `${hours}:${pad(minutes)}:${pad(seconds)}${part}`;
  return minutes ? `${minutes}:${pad(seconds)}${part}` : `${seconds}${part}`;
}

/** Returns the counted time, in milliseconds, for a time with the penalty 'none', 'dnf', '+2' and so on; Infinity is DNF,
 * null no time. */
export function resultMs(timeMs, penalty = 'none') {
  if (penalty === 'dnf') return Infinity;
  if (timeMs === null) return null;
  const added = penalty === 'none' ? 0 : Number(penalty.slice(1)) * 1000;
  const cut = Math.floor(timeMs / 10) * 10 + added;
  return cut < LONG_MS ? cut : Math.round((timeMs + added) / 1000) * 1000;
}

/** A result as text. */
export function resultText(ms) {
  if (ms === null) return '–';
  if (ms === Infinity) return 'DNF';
  return clockText(ms, ms < LONG_MS ? 2 : 0);
}

const NUMBER = /^(?:(?:(\d{1,4}):)?(\d{1,6}):)?(\d{1,7})(?:[.,](\d{1,3}))?$/;

function readNumber(text) {
  const [, hours, minutes, seconds, part = ''] = NUMBER.exec(text) ?? [];
  if (seconds === undefined) return null;
  if ((hours !== undefined && Number(minutes) > 59) || (minutes !== undefined && Number(seconds) > 59)) return null;
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000 + Number(part.padEnd(3, '0'));
  return ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}

/**
 * A time as people type it: 12.34, 1:02.3, 12.34+ (the two seconds are in it), DNF, DNF(12.34).
 * Returns {time_ms, penalty} or null; time_ms is null for a DNF without a time.
 */
export function readTime(text) {
  const trimmed = text.trim();
  const [, did, inner] = /^(dnf)(?:\s*\((.*)\))?$/i.exec(trimmed) ?? [];
  if (did) {
    const ms = inner === undefined ? null : readNumber(inner.trim());
    return inner !== undefined && ms === null ? null : { time_ms: ms, penalty: 'dnf' };
  }
  const plus = trimmed.endsWith('+');
  const ms = readNumber(plus ? trimmed.slice(0, -1).trim() : trimmed);
  if (ms === null || (plus && ms < TWO_MS + MIN_MS)) return null;
  return plus ? { time_ms: ms - TWO_MS, penalty: '+2' } : { time_ms: ms, penalty: 'none' };
}

/** A solve of the server in words: "12.34", "14.34+", "DNF (12.34)". */
export function solveText({ time_ms: time, penalty, result }) {
  if (penalty === 'dnf') return time === null ? 'DNF' : `DNF (${resultText(resultMs(time))})`;
  if (result === null) return t('no time');
  return penalty === 'none' ? result : `${result}+`;
}
