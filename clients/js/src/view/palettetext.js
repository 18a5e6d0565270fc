// palettetext.js: palettes as text.

import { PALETTES, paletteOf } from './palette.js';

/** @import {Palette} from './palette.js' */

const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * The palette of a text: a name, or six colours with spaces or commas between them. `stickerless` may follow either. Null
 * if it is neither.
 * @param {string} text
 * @returns {Palette | null}
 */
export function readPalette(text) {
  const words = text.trim().split(/[\s,]+/).filter(Boolean);
  const stickerless = words.at(-1) === 'stickerless';
  if (stickerless) words.pop();
  if (words.length > 1) {
    return words.length === 6 && words.every((word) => COLOUR.test(word)) ? paletteOf({ colours: words, stickerless }) : null;
  }
  const name = words[0] ?? 'wca';
  return Object.hasOwn(PALETTES, name) ? { ...PALETTES[name], stickerless } : null;
}
