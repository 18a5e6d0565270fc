// keys.js: turning by keys: by the letters of the moves, or for speed, as on csTimer's virtual cube.
//
// Keys are known by their place (event.code), so they work with every layout of a keyboard; for letters, what the key
// types counts first.

import { t } from './words.js';


/** A key of the speed layout turns layers from..to of a face: `left` and `right` are the widths of the two hands. */
const SPEED = {
  KeyI: ({ right }) => ['R', 1, right, 1], KeyK: ({ right }) => ['R', 1, right, -1],
  KeyD: ({ left }) => ['L', 1, left, 1], KeyE: ({ left }) => ['L', 1, left, -1],
  KeyJ: () => ['U', 1, 1, 1], KeyF: () => ['U', 1, 1, -1],
  KeyH: () => ['F', 1, 1, 1], KeyG: () => ['F', 1, 1, -1],
  KeyS: () => ['D', 1, 1, 1], KeyL: () => ['D', 1, 1, -1],
  KeyW: () => ['B', 1, 1, 1], KeyO: () => ['B', 1, 1, -1],
  KeyU: ({ right }) => ['R', 1, right + 1, 1], KeyM: ({ right }) => ['R', 1, right + 1, -1],
  KeyV: ({ left }) => ['L', 1, left + 1, 1], KeyR: ({ left }) => ['L', 1, left + 1, -1],
  KeyZ: () => ['D', 1, 2, 1], Slash: () => ['D', 1, 2, -1],
  Comma: () => ['U', 1, 2, 1], KeyC: () => ['U', 1, 2, -1],
  Digit5: ({ left }) => ['L', left + 1, left + 1, 1], KeyX: ({ left }) => ['L', left + 1, left + 1, -1],
  Digit6: ({ right }) => ['R', right + 1, right + 1, -1], Period: ({ right }) => ['R', right + 1, right + 1, 1],
  Digit2: ({ n }) => ['D', 2, n - 1, 1], Digit9: ({ n }) => ['D', 2, n - 1, -1],
  Digit0: ({ n }) => ['F', 2, n - 1, 1], Digit1: ({ n }) => ['F', 2, n - 1, -1],
  KeyT: ({ n }) => ['R', 1, n, 1], KeyY: ({ n }) => ['R', 1, n, 1],
  KeyB: ({ n }) => ['R', 1, n, -1], KeyN: ({ n }) => ['R', 1, n, -1],
  Semicolon: ({ n }) => ['U', 1, n, 1], KeyA: ({ n }) => ['U', 1, n, -1],
  KeyP: ({ n }) => ['F', 1, n, 1], KeyQ: ({ n }) => ['F', 1, n, -1],
};

/** Keys that change the width of a hand. */
const WIDTHS = { Digit3: ['left', -1], Digit4: ['left', 1], Digit8: ['right', -1], Digit7: ['right', 1] };

/** The rows of the speed layout, for the help. */
export const SPEED_ROWS = [
  ['Digit1', 'Digit2', 'Digit3', 'Digit4', 'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9', 'Digit0'],
  ['KeyQ', 'KeyW', 'KeyE', 'KeyR', 'KeyT', 'KeyY', 'KeyU', 'KeyI', 'KeyO', 'KeyP'],
  ['KeyA', 'KeyS', 'KeyD', 'KeyF', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'Semicolon'],
  ['KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB', 'KeyN', 'KeyM', 'Comma', 'Period', 'Slash'],
];

/** The keys of the letters layout, for the help. */
export const LETTER_KEYS = [
  ['u r f d l b', t('turn a face')],
  ['x y z', t('turn the whole cube')],
  ['m e s', t('turn the middle layer, or both in the middle')],
  ['Shift', t('with a letter: counterclockwise')],
  ['w', t('before a letter: two layers')],
  ['2', t('before a letter: a half turn')],
  ['3 … 9', t('before a letter: only this layer')],
];

/** The turn of a key of the speed layout; null: none on a cube of size n. */
export function speedTurn(code, widths) {
  const found = SPEED[code]?.(widths);
  if (!found) return null;
  const [face, from, to, turns] = found;
  return from <= to && to <= widths.n ? { face, from, to, turns } : null;
}

/** The state before a letter without any prefix: {half, wide, layer}. */
const NOTHING = { half: false, wide: false, layer: 1 };

const SLICES = { M: 'L', E: 'D', S: 'F' };
const AXES = { X: 'R', Y: 'U', Z: 'F' };

/** The turn of a letter after `before`, on a cube of size n; null: there is no such layer. */
export function letterTurn(letter, prime, before, n) {
  const turns = (before.half ? 2 : 1) * (prime ? -1 : 1);
  if (AXES[letter]) return { face: AXES[letter], from: 1, to: n, turns };
  if (SLICES[letter]) {
    const [from, to] = n % 2 === 1 ? [(n + 1) / 2, (n + 1) / 2] : [2, n - 1];
    return from <= to ? { face: SLICES[letter], from, to, turns } : null;
  }
  if (!'URFDLB'.includes(letter)) return null;
  if (before.wide) {
    const to = Math.max(2, before.layer);
    return to <= n ? { face: letter, from: 1, to, turns } : null;
  }
  return before.layer <= n ? { face: letter, from: before.layer, to: before.layer, turns } : null;
}

/** The Latin letter of a key: what it types or, on a layout without Latin letters, what this key types on a Latin one. */
export function letterOf({ key, code }) {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : (/^Key([A-Z])$/.exec(code)?.[1] ?? '');
}

/** Keys as turns, one for a page: it knows what was pressed before a letter. */
export class Keys {
  #before = NOTHING;
  #widths = { left: 1, right: 1 };

  /** The turn of a key in a `layout`, 'letters' or 'speed', on a cube of size n; undefined: the key is not for turning; null: it prepared the next one, or there is no such layer. */
  turnOfKey(event, layout, n) {
    return layout === 'speed' ? this.#speed(event, n) : this.#letter(event, n);
  }

  #speed({ code }, n) {
    if (WIDTHS[code]) {
      const [hand, step] = WIDTHS[code];
      this.#widths[hand] = Math.min(Math.max(1, this.#widths[hand] + step), Math.max(1, n - 1));
      return null;
    }
    if (!SPEED[code]) return undefined;
    const { left, right } = this.#widths;
    return speedTurn(code, { n, left: Math.min(left, n), right: Math.min(right, n) });
  }

  #letter(event, n) {
    const digit = /^[2-9]$/.exec(event.key)?.[0];
    if (digit) {
      this.#before = digit === '2' ? { ...this.#before, half: true } : { ...this.#before, layer: Number(digit) };
      return null;
    }
    const letter = letterOf(event);
    if (letter === 'W') {
      this.#before = { ...this.#before, wide: true };
      return null;
    }
    if (letter === '' || !'URFDLBXYZMES'.includes(letter)) return undefined;
    const before = this.#before;
    this.#before = NOTHING;
    return letterTurn(letter, event.shiftKey, before, n);
  }
}
