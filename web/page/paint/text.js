// text.js: a cube as somebody pastes it: which input of the server a text is. The server reads it.

import { EMPTY } from './painted.js';
import { t } from '../words.js';

const WORDS = { white: 'W', red: 'R', green: 'G', yellow: 'Y', orange: 'O', blue: 'B', up: 'U', right: 'R', front: 'F', down: 'D', left: 'L', back: 'B' };
const LETTERS = { U: 0, W: 0, R: 1, F: 2, G: 2, D: 3, Y: 3, L: 4, O: 4, B: 5 };
const HOLES = /[.?*_-]/;
const SIDE_MAX = 100;
/** So many letters of faces, in words of such a length on average, are stickers and not moves or pieces. */
const STICKERS_LEAST = 20;
const WORD_LEAST = 3.5;

/** Layers of a cube with so many stickers; 0 if no cube has. */
function sizeOf(count) {
  const n = Math.round(Math.sqrt(count / 6));
  return 6 * n * n === count && n >= 2 && n <= SIDE_MAX ? n : 0;
}

/** Returns the cube that an object of JSON describes. */
function ofJson(value, size) {
  if (typeof value === 'string') return readText(value, size)?.input ?? value;
  if (Array.isArray(value)) return value.length === 6 ? { rubyks: value } : { pieces: value };
  if (value.cube) return value.cube;
  if (value.EDGES || value.CORNERS) return { kpattern: value };
  if (value.corner_permutation) return { cubies: value };
  if (value['1,0,0']) return { flatten: value };
  return Array.isArray(value.U) ? { faces: value } : value;
}

/** Stickers of a text with holes, in the order of facelets. */
const withHoles = (text) => Uint8Array.from(text, (letter) => LETTERS[letter] ?? EMPTY);

/** Letters of colours or faces: facelets, or an unfolding if the text has its lines. */
function ofLetters(text) {
  const letters = text.replace(/\s/g, '').toUpperCase();
  const n = sizeOf(letters.length);
  if (!n || !/^[URFDLBWGYO.?*_-]+$/.test(letters)) return null;
  const lines = text.split('\n').filter((line) => line.trim()).length;
  if (HOLES.test(letters)) return { size: n, stickers: withHoles(letters) };
  return { input: lines === 3 * n ? { net: text.toUpperCase() } : { facelets: letters } };
}

/** Six symbols of another kind, which the middles of an odd cube explain: the server reads them. */
function ofSymbols(text) {
  const symbols = Array.from(text.replace(/[\s\uFE0F]/g, ''));
  const n = sizeOf(symbols.length);
  if (n % 2 === 0 || new Set(symbols).size !== 6) return null;
  const middles = [0, 1, 2, 3, 4, 5].map((face) => symbols[face * n * n + (n * n - 1) / 2]);
  return new Set(middles).size === 6 ? { input: { facelets: symbols.join('') } } : null;
}

/** Describes the fault of a text that has only letters of faces, but too few or too many for a cube; null: it is something
 * else. */
function countFault(text) {
  const letters = text.replace(/\s/g, '').toUpperCase();
  const words = text.trim().split(/\s+/).length;
  if (letters.length < Math.max(STICKERS_LEAST, WORD_LEAST * words) || !/^[URFDLBWGYO.?*_-]+$/.test(letters)) return null;
  const near = Array.from({ length: SIDE_MAX - 1 }, (_, i) => i + 2).reduce((best, n) => (Math.abs(6 * n * n - letters.length) < Math.abs(6 * best * best - letters.length) ? n : best));
  return t('These are {n} stickers; a cube of size {size} has {all}.', { n: letters.length, size: near, all: 6 * near * near });
}

/** The names of colours as letters; other text as it is. */
const spelled = (text) => text.replace(/[a-z]+/gi, (word) => WORDS[word.toLowerCase()] ?? word).replace(/[,;|/]+/g, ' ');

/**
 * Reads a text: `input` for the server, or `stickers` if some are left empty, or the fault of the text; null if there is
 * no text.
 * @param {string} text
 * @param {number} size of the cube that moves are for
 * @returns {{input?: unknown, size?: number, stickers?: Uint8Array, fault?: string} | null}
 */
export function readText(text, size) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  if (/^[[{"]/.test(trimmed)) {
    try {
      return { input: ofJson(JSON.parse(trimmed), size) };
    } catch {
      // A group of moves, "[R, U]", for example.
    }
  }
  const letters = ofLetters(text) ?? ofLetters(spelled(text)) ?? ofSymbols(text);
  if (letters) return letters;
  const fault = countFault(text);
  if (fault) return { fault };
  if (/^\d+$/.test(trimmed)) return { input: { index: trimmed, size: size === 2 ? 2 : 3 } };
  if (/^([URFDLB]{2,3}\s+){19}[URFDLB]{2,3}$/.test(trimmed)) return { input: { reid: trimmed } };
  return { input: { size, moves: trimmed } };
}
