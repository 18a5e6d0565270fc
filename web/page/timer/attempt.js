// attempt.js: a solve of the cube on the page: from its scramble to the turn that solves it.
//
// A session's solves are recorded by the server; this follows them for the clock, and for a cube of this page alone it
// also makes what is recorded. Rotations do not start a solve.

import { FACES, fromFacelets, isSame, turnedAll } from '../../client/cube.js';
import { parseMoves } from '../../client/moves.js';

/** More turns than this, faster than this, were not made by hand: moves that were pasted or played back. The server has the same rule. */
const AT_ONCE = 4;
const TURN_MS = 50;

const isRotation = ({ from, to }, n) => from === 1 && to === n;
const solvedCube = (n) => fromFacelets(Array.from(FACES, (face) => face.repeat(n * n)).join(''));

/** Returns true if a scramble makes these stickers of the solved cube. */
export function makes(scramble, stickers, n) {
  const turns = parseMoves(scramble, n);
  return turns !== null && isSame(turnedAll(solvedCube(n), n, turns), stickers);
}

export class Attempt {
  #moves = []; // {text, at}
  #turns = 0; // of layers
  #entries = 0; // with turns of layers

  /** `scramble`: the moves that made the cube from a solved one; null if it is not known. */
  constructor({ size, scramble = null }) {
    this.size = size;
    this.scramble = scramble;
    /** True after a solution or a lesson was requested. */
    this.assisted = false;
    /** The time when the first turn was made; null before. */
    this.started = null;
    this.ended = null;
  }

  get running() {
    return this.started !== null && this.ended === null;
  }

  /** An entry of moves, also of undo and redo. Returns whether it started the solve. */
  turn(moves, now) {
    const words = moves.split(' ').filter(Boolean);
    const turns = parseMoves(moves, this.size) ?? [];
    const layers = turns.filter((turn) => turn.turns !== 0 && !isRotation(turn, this.size)).length;
    this.#moves.push(...words.map((text) => ({ text, at: now })));
    this.#turns += layers;
    this.#entries += layers > 0 ? 1 : 0;
    if (this.started !== null || layers === 0) return false;
    this.started = now;
    return true;
  }

  end(now) {
    this.ended = now;
  }

  /** True if a hand can have made these turns in that time. */
  get byHand() {
    const took = this.ended - this.started;
    return this.#entries > 1 && (this.#turns <= AT_ONCE || took >= (this.#turns - 1) * TURN_MS);
  }

  /**
   * The body of POST /v1/solves; null if nothing can be recorded: no time, and no scramble to judge by. `whole`: the cube
   * is solved; otherwise the server cannot judge the moves, and gets none.
   */
  solve({ whole = true } = {}) {
    const took = Math.trunc(this.ended - this.started);
    const common = { size: this.size, ...(this.assisted ? { assisted: true } : {}) };
    if (this.scramble === null || !whole) return this.byHand ? { ...common, ...(this.scramble ? { scramble: this.scramble } : {}), time_ms: took } : null;
    const timed = ({ text, at }) => `${text}@${Math.trunc(Math.max(0, at - this.started))}`;
    if (!this.byHand) return { ...common, scramble: this.scramble, solution: this.#moves.map(({ text }) => text).join(' ') };
    return { ...common, scramble: this.scramble, solution: this.#moves.map(timed).join(' '), time_ms: took };
  }
}
