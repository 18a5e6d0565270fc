// kept.js: the painted cube outlasts a reload of the page, in this tab.

import { Painted } from './painted.js';

const KEY = 'cubed.painted';

export function keepPainted({ size, stickers }) {
  try {
    sessionStorage.setItem(KEY, `${size} ${stickers.join('')}`);
  } catch {
    // Storage is full or forbidden: the painting lasts as long as the page.
  }
}

/** The cube that was painted last; null: none. */
export function keptPainted() {
  try {
    const [, size, digits] = /^(\d+) ([0-6]+)$/.exec(sessionStorage.getItem(KEY) ?? '') ?? [];
    if (Number(size) >= 2 && digits.length === 6 * size * size) return new Painted(Number(size), Uint8Array.from(digits, Number));
  } catch {
    // Nothing was kept.
  }
  return null;
}
