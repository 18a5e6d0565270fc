// painted.js: a cube that somebody paints: its stickers, of which some may be empty, with undo. A model for a CubeView.

import { isMiddle } from '../cube/cubies.js';

/** The number of a sticker that is not painted yet, after those of the six faces. */
export const EMPTY = 6;

const STEPS_MAX = 500;

/** A cube without colours; the middles of an odd one are painted: they say how it is held. */
export function emptyStickers(n) {
  return Uint8Array.from({ length: 6 * n * n }, (_, place) => (isMiddle(place, n) ? Math.floor(place / (n * n)) : EMPTY));
}

export const solvedStickers = (n) => Uint8Array.from({ length: 6 * n * n }, (_, place) => Math.floor(place / (n * n)));

export class Painted {
  #listeners = new Set();
  #past = [];
  #future = [];

  constructor(size = 3, stickers = emptyStickers(size)) {
    this.size = size;
    /** Numbers of faces, or EMPTY. Do not change them. */
    this.stickers = stickers;
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get mayUndo() {
    return this.#past.length > 0;
  }

  get mayRedo() {
    return this.#future.length > 0;
  }

  /** Returns true if a sticker keeps its colour, as the middles of an odd cube do. */
  isFixed(place) {
    return isMiddle(place, this.size);
  }

  /** Paints one sticker; answers whether that changed anything. */
  paint(place, colour) {
    if (this.isFixed(place) || this.stickers[place] === colour) return false;
    const stickers = this.stickers.slice();
    stickers[place] = colour;
    this.begin(this.size, stickers);
    return true;
  }

  /** Another cube, as one step. */
  begin(size, stickers) {
    this.#past.push([this.size, this.stickers]);
    if (this.#past.length > STEPS_MAX) this.#past.shift();
    this.#future = [];
    this.#show(size, stickers);
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  /** The number of stickers of each colour, and of empty ones. */
  get counts() {
    const counts = Array(7).fill(0);
    for (const colour of this.stickers) counts[colour]++;
    return counts;
  }

  get complete() {
    return !this.stickers.includes(EMPTY);
  }

  #step(from, to) {
    if (from.length === 0) return;
    to.push([this.size, this.stickers]);
    this.#show(...from.pop());
  }

  #show(size, stickers) {
    [this.size, this.stickers] = [size, stickers];
    for (const listener of [...this.#listeners]) listener({ type: 'redrawn' });
  }
}
