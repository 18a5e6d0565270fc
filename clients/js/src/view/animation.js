// animation.js: turns that are shown one after the other; the more wait, the faster.

/** @import {Layers} from './solid.js' */

/**
 * Layers that turn from one angle to another, and the stickers when they have.
 * @typedef {{layers: Layers, from: number, to: number, after: Uint8Array, lastsMs?: number}} Step
 */

const QUARTER_MS = 240;
const QUICK_MS = 45;
/** More than this are not animated. */
const STEPS_MAX = 60;

/** @param {number} share */
const ease = (share) => share * share * (3 - 2 * share);
/** From a standing hand or a flick: no slow beginning. @param {number} share */
const easeOut = (share) => 1 - (1 - share) ** 3;

export class Animation {
  /** @type {Step[]} */
  #steps = [];
  #began = 0;
  /** The stickers before the turns that are not shown yet. @type {Uint8Array} */
  shown = new Uint8Array(0);
  /** How many times as fast as usual. */
  speed = 1;

  get busy() {
    return this.#steps.length > 0;
  }

  /** @param {Uint8Array} stickers shown without animation */
  jump(stickers) {
    this.#steps = [];
    this.shown = stickers;
  }

  /** Ends all turns now. */
  finish() {
    const last = this.#steps.at(-1);
    if (last) this.jump(last.after);
  }

  /** @param {Step} step @param {number} now */
  push(step, now) {
    if (this.#steps.length === 0) this.#began = now;
    this.#steps.push(step);
    if (this.#steps.length > STEPS_MAX) this.finish();
  }

  /** Before all that wait. @param {Step} step @param {number} now */
  unshift(step, now) {
    this.#began = now;
    this.#steps.unshift(step);
  }

  /** Those that wait begin now: a hand held the cube. @param {number} now */
  resume(now) {
    this.#began = now;
  }

  /** @param {Step} step */
  #lasts({ from, to, lastsMs }) {
    const quarters = Math.abs(to - from) / (Math.PI / 2);
    const usual = lastsMs ?? QUARTER_MS * (0.5 + quarters / 2) / this.speed;
    return Math.max(Math.min(QUICK_MS, usual), usual / (1 + (this.#steps.length - 1) / 3));
  }

  /**
   * What turns at a time, and how far; what has ended by then is shown and dropped.
   * @param {number} now
   * @returns {{layers: Layers, angle: number} | null}
   */
  at(now) {
    for (let step; (step = this.#steps[0]); ) {
      const { layers, from, to } = step;
      const lasts = this.#lasts(step);
      const done = from === to ? 1 : Math.max(0, (now - this.#began) / lasts);
      if (done < 1) return { layers, angle: from + (to - from) * (step.lastsMs ? easeOut : ease)(done) };
      this.#steps.shift();
      this.shown = step.after;
      this.#began += from === to ? 0 : lasts; // with slow frames, several end in one
    }
    return null;
  }
}
