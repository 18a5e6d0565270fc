// cube.js: a cube, an algorithm and what else the library does, on one instance of the module.

import { Calls, CubeError } from './calls.js';

const VARIANTS = { '': 0, bld: 1, fmc: 2 };
const FORMS = { written: 0, inverse: 1, simplified: 2 };
const KINDS = /** @type {const} */ ({ colors: 0, one_hot: 1, features: 2 });
/** By size. @type {Record<number, { actions: number, widths: Partial<Record<keyof typeof KINDS, number>> }>} */
const ROWS = {
  2: { actions: 9, widths: { colors: 24, one_hot: 144 } },
  3: { actions: 18, widths: { colors: 54, one_hot: 324, features: 364 } },
};
/** Bits of the call. */
const MORE = { symmetric: 1, children: 2, bound: 4 };
/** The bytes of a state before its stickers. */
const HEAD = 8;

/**
 * @typedef {{
 *   method?: string,
 *   longest?: number,
 *   enough?: number,
 *   nodes?: number,
 * }} SolveOptions `method`: "" is the default one of the size. `longest`: no solution may be longer. `enough`: a solution of
 * at most that many turns ends the search; 21 for a 3x3x3 by two phases. `nodes`: ends the search after so many positions.
 * @typedef {{ moves: string, length: number }} Solution
 * @typedef {{ stage: string, moves: string, rotations: number, hold: string, hint: string, text: string }} Step A step of a
 * lesson: its moves, the first `rotations` of which turn the whole cube, and what to say about it.
 * @typedef {{ moves: string, length: number, steps: Step[] }} Lesson
 * @typedef {{ moves: string, htm: number, qtm: number, stm: number, qstm: number, etm: number }} Written Moves, and the
 * length of what was read in each metric; -1 if it is beyond 2^53 - 1.
 * @typedef {{
 *   size?: 2 | 3,
 *   seed?: number | bigint,
 *   first?: number | bigint,
 *   kind?: keyof typeof KINDS,
 *   walk?: [number, number] | null,
 *   symmetry?: 'none' | 'random',
 *   children?: boolean,
 *   bound?: boolean,
 * }} RowOptions `first`: the number of the first row. `kind`: "features" is for size 3. `walk`: null for uniform states.
 * `symmetry`: "random" turns and mirrors each cube by one of its 48 symmetries. `children`: adds the cube after each action, 18
 * of them, or the 9 of U, R and F for size 2. `bound`: adds lower bounds of the distance from solved.
 * @typedef {{ width: number, numbers: Uint8Array, lengths: Uint8Array, last: Uint8Array, bounds: Uint8Array }} Rows `numbers`:
 * `width` for each cube; with children a row is the cube itself, then its children. `lengths` and `last`: for each row the turns
 * of its walk and the last one; empty for uniform states. `bounds`: one for each cube, or empty.
 */

/** @param {number} size */
function checkSize(size) {
  if (!Number.isInteger(size) || size < 2 || size > 100) throw new CubeError('the size of a cube is 2 to 100, such as 3');
  return size;
}

/** A cube. It is a value of JavaScript alone, so nothing has to be freed. */
export class Cube {
  /** @type {Library} */ #library;
  /** @type {Uint8Array} */ #state;

  /**
   * Use Library.cube() and Library.read() instead.
   * @param {Library} library
   * @param {Uint8Array} state
   */
  constructor(library, state) {
    this.#library = library;
    this.#state = state;
  }

  get size() {
    return this.#state[0];
  }

  /** The state as bytes: size, six spins, and from byte 8 on a sticker of two bytes for each facelet. */
  get state() {
    return this.#state.slice();
  }

  /**
   * Turns the cube by moves such as "R U' [F, Rw]2"; throws a CubeError, and leaves it as it is, if they cannot be read.
   * @param {string} moves
   */
  turn(moves) {
    this.#library.enter(this.#state);
    const { calls } = this.#library;
    calls.check(calls.exports.turn(calls.put(moves)), moves);
    this.#state = this.#library.leave();
    return this;
  }

  copy() {
    return new Cube(this.#library, this.#state.slice());
  }

  /** @param {Cube} other */
  equals(other) {
    return this.#state.length === other.#state.length && this.#state.every((byte, i) => byte === other.#state[i]);
  }

  /** The colours by face letters, in the order U R F D L B. */
  get facelets() {
    this.#library.enter(this.#state);
    this.#library.calls.exports.facelets();
    return this.#library.calls.text();
  }

  get solved() {
    this.#library.enter(this.#state);
    return this.#library.calls.exports.solved() === 1;
  }

  toString() {
    return this.facelets;
  }
}

/** A pattern that is ready to match. */
export class Pattern {
  /** @type {Library} */ #library;
  /** @type {number} */ #query;

  /**
   * Use Library.pattern() instead.
   * @param {Library} library
   * @param {number} size
   * @param {number} query
   */
  constructor(library, size, query) {
    this.#library = library;
    this.#query = query;
    this.size = size;
  }

  /**
   * Matches cubes by their colours, 0 to 5 in the order U R F D L B, one cube after the other: a set of 24 bits for each of
   * them, the ways in which it fits; 0 if it does not.
   * @param {Uint8Array} colors
   */
  matchAll(colors) {
    const { calls } = this.#library;
    const facelets = 6 * this.size * this.size;
    if (colors.length % facelets !== 0) throw new CubeError(`colours come in rows of ${facelets}, a row for each cube`);
    calls.put(colors);
    calls.check(calls.exports.match(this.#query, this.size, colors.length / facelets));
    return new Uint32Array(calls.bytes().buffer);
  }

  /** @param {Cube} cube */
  match(cube) {
    return this.matchAll(Uint8Array.from(cube.facelets, (letter) => 'URFDLB'.indexOf(letter)))[0];
  }
}

/** The library: one instance of the module. Searches block; `Solver` has them in a worker. */
export class Library {
  /** Fills bytes with random numbers. Node 18 has no global source of them: node-random.js. */
  static random = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => globalThis.crypto.getRandomValues(bytes);

  /** @type {Map<string, Pattern>} */ #patterns = new Map();

  /** @param {WebAssembly.Module} module of src/libcube.wasm, or, for cubes and diagnose() alone, of src/core.wasm */
  constructor(module) {
    this.calls = new Calls(module);
  }

  /**
   * Makes a state the current cube of the module.
   * @param {Uint8Array} state
   */
  enter(state) {
    new Uint8Array(this.calls.exports.memory.buffer, this.calls.exports.cube(), state.length).set(state);
  }

  /** A copy of the current cube. */
  leave() {
    const at = this.calls.exports.cube();
    const { buffer } = this.calls.exports.memory;
    const [size] = new Uint8Array(buffer, at, 1);
    return new Uint8Array(buffer, at, HEAD + 12 * size * size).slice();
  }

  /**
   * A solved cube, turned by the moves.
   * @param {number} [size]
   * @param {string} [moves]
   */
  cube(size = 3, moves = '') {
    this.calls.exports.reset(checkSize(size));
    const cube = new Cube(this, this.leave());
    return moves === '' ? cube : cube.turn(moves);
  }

  /**
   * The cube of these letters: faces (U R F D L B) or colours (W R G Y O B). Throws a CubeError if they are no cube; its
   * `problems` say why.
   * @param {string} letters
   */
  read(letters) {
    const problems = this.diagnose(letters);
    if (problems.length === 0) return new Cube(this, this.leave());
    const { kind, place, repair } = problems[0];
    const where = place === '' ? kind : `${kind} at ${place}`;
    throw new CubeError(`no turns lead to these colours (${where}); ${repair || 'check them again'}`, { problems });
  }

  /**
   * What is wrong with the colours of a cube; nothing: []. Throws a CubeError if they cannot be read at all.
   * @param {string} letters
   * @returns {import('./calls.js').Problem[]}
   */
  diagnose(letters) {
    this.calls.check(this.calls.exports.read(this.calls.put(letters)), letters);
    return this.calls.rows().map(([kind, amount, place, piece, shown, repair]) => ({ kind, amount: Number(amount), place, piece, letters: shown, repair }));
  }

  /**
   * @param {string} moves
   * @param {number} size
   * @param {keyof typeof FORMS} form
   * @returns {Written}
   */
  #rewrite(moves, size, form) {
    const { calls } = this;
    calls.check(calls.exports.rewrite(checkSize(size), calls.put(moves), FORMS[form]), moves);
    const [counts, text = ''] = calls.text().split('\n');
    const [htm, qtm, stm, qstm, etm] = counts.split('\t').map(Number);
    return { moves: text, htm, qtm, stm, qstm, etm };
  }

  /** Reads moves for a cube of that size; answers them as they are usually written, with their lengths.
   * @param {string} moves @param {number} [size] */
  parse(moves, size = 3) {
    return this.#rewrite(moves, size, 'written');
  }

  /** @param {string} moves @param {number} [size] */
  inverse(moves, size = 3) {
    return this.#rewrite(moves, size, 'inverse').moves;
  }

  /** The same turns, one by one, as few as merging neighbours gives.
   * @param {string} moves @param {number} [size] */
  simplify(moves, size = 3) {
    return this.#rewrite(moves, size, 'simplified').moves;
  }

  /**
   * Makes the tables of a method, unless they are there; a search does so, too.
   * @param {number} size
   * @param {string} [method]
   */
  prepare(size, method = '') {
    this.calls.check(this.calls.exports.prepare(checkSize(size), this.calls.put(method)));
  }

  /**
   * Returns a copy of the tables of a method, for `giveTables()` of the same version; null if they are not made.
   * @param {number} size
   * @param {string} method
   */
  tables(size, method) {
    const { exports } = this.calls;
    const at = exports.tables(checkSize(size), this.calls.put(method));
    return at === 0 ? null : new Uint8Array(exports.memory.buffer, at, exports.tables_bytes(size, this.calls.put(method))).slice();
  }

  /**
   * Takes a copy of tables, which are not made then. Returns false if it is damaged or of another version.
   * @param {number} size
   * @param {string} method
   * @param {Uint8Array} bytes
   * @returns {boolean}
   */
  giveTables(size, method, bytes) {
    const { exports } = this.calls;
    const length = exports.tables_bytes(checkSize(size), this.calls.put(method));
    if (length === 0 || bytes.length !== length) return false;
    const at = exports.tables_place(size, this.calls.put(method));
    if (at === 0) throw new CubeError('out of memory');
    new Uint8Array(exports.memory.buffer, at, length).set(bytes);
    return exports.tables_give(size, this.calls.put(method)) !== 0;
  }

  /**
   * @param {Cube} cube
   * @param {SolveOptions} options
   * @param {boolean} steps
   */
  #search(cube, { method = '', longest = 0, enough, nodes = 0 }, steps) {
    const { calls } = this;
    this.prepare(cube.size, method);
    this.enter(cube.state);
    const usual = cube.size === 3 && (method === '' || method === 'two_phase') ? 21 : 0;
    const length = calls.check(calls.exports.solve(calls.put(method), longest, enough ?? usual, nodes, Number(steps)));
    const [moves, ...rows] = calls.text().split('\n');
    return { moves, length, rows: rows.map((row) => row.split('\t')) };
  }

  /**
   * Solves a cube; throws a CubeError if no solution was found within the limits.
   * @param {Cube} cube
   * @param {SolveOptions} [options]
   * @returns {Solution}
   */
  solve(cube, options = {}) {
    const { moves, length } = this.#search(cube, options, false);
    return { moves, length };
  }

  /**
   * Solves a cube as one teaches it, in steps with sentences.
   * @param {Cube} cube
   * @returns {Lesson}
   */
  lesson(cube) {
    const { moves, length, rows } = this.#search(cube, { method: 'beginner' }, true);
    return {
      moves,
      length,
      steps: rows.map(([stage, turns, rotations, hold, hint, text]) => ({ stage, moves: turns, rotations: Number(rotations), hold, hint, text })),
    };
  }

  /**
   * A scramble by the rules of the World Cube Association. The same seed gives the same scramble; without one it is random.
   * @param {number} [size]
   * @param {string | Uint8Array} [seed]
   * @param {keyof typeof VARIANTS} [variant] `bld` for blindfolded solving (from 3 on), `fmc` for fewest moves (3)
   */
  scramble(size = 3, seed = Library.random(new Uint8Array(32)), variant = '') {
    checkSize(size);
    if (size === 2) this.prepare(2, 'optimal');
    if (size === 3 || size === 4) this.prepare(3, 'two_phase');
    if (size === 4) this.prepare(4, 'reduction');
    this.calls.check(this.calls.exports.scramble(size, this.calls.put(seed), VARIANTS[variant]));
    return this.calls.text();
  }

  /**
   * A scramble to a random state of a set of cases, such as "pll", or of one case, "pll-t"; or to one that is exactly `distance`
   * turns from a goal at a place: "cross U", "2x2x2 DBL", "eo fb".
   * @param {string} aim
   * @param {{ distance?: number, seed?: string | Uint8Array }} [options]
   */
  scrambleTo(aim, { distance = 0, seed } = {}) {
    const size = this.calls.check(this.calls.exports.aim(this.calls.put(aim), distance));
    return { size, moves: this.scramble(size, seed) };
  }

  /**
   * A pattern by its name, such as "cross", or by its six arrays of items.
   * @param {string} text
   * @param {number} [size]
   */
  pattern(text, size = 3) {
    const key = `${size} ${text}`;
    const known = this.#patterns.get(key);
    if (known) return known;
    const items = /^[a-z][a-z0-9-]*$/.test(text) ? 0 : 1;
    const query = this.calls.exports.pattern(checkSize(size), this.calls.put(text), items);
    if (query === 0) throw this.calls.refusal('');
    const pattern = new Pattern(this, size, query);
    this.#patterns.set(key, pattern);
    return pattern;
  }

  /**
   * A picture as SVG.
   * @param {Cube} cube
   * @param {{ view?: 'iso' | 'net' | 'plan' | 'trans', pixels?: number }} [options]
   */
  picture(cube, { view = 'iso', pixels = 0 } = {}) {
    this.enter(cube.state);
    this.calls.check(this.calls.exports.picture(this.calls.put(view), pixels));
    return this.calls.text();
  }

  /**
   * Rows of random cubes: walks of `shortest` to `longest` turns, or uniform states. Row i depends on the seed and i alone; the
   * rows are those of cube/batch.h, of the server's /v1/rows, and of the package for Python.
   * @param {number} count
   * @param {RowOptions} [options]
   * @returns {Rows}
   */
  rows(count, { size = 3, seed = 0, first = 0, kind = 'colors', walk = [1, 26], symmetry = 'none', children = false, bound = false } = {}) {
    const [shortest, longest] = walk ?? [-1, 0];
    const width = ROWS[size]?.widths[kind];
    const counted = Number.isInteger(count) && count >= 0 && ['none', 'random'].includes(symmetry);
    if (!width || !counted || !(walk === null || (0 <= shortest && shortest <= longest && longest <= 255))) {
      throw new CubeError('rows are a count of 0 or more, of cubes of size 2 or 3, a kind that these have, such as "colors", a walk such as [1, 26], of 0 to 255 turns, and symmetry "none" or "random"');
    }
    if (bound) this.prepare(size, 'optimal');
    const more = (symmetry === 'random' ? MORE.symmetric : 0) | (children ? MORE.children : 0) | (bound ? MORE.bound : 0);
    const most = Math.min(count, 2 ** 31); // more than there is memory for
    this.calls.check(this.calls.exports.rows(size, BigInt(seed), BigInt(first), most, shortest, longest, KINDS[kind], more));
    const bytes = this.calls.bytes();
    const cubes = count * (children ? 1 + ROWS[size].actions : 1);
    const labels = walk === null ? 0 : count;
    const ends = [cubes * width, labels, labels, bound ? cubes : 0];
    const [numbers, lengths, last, bounds] = ends.map((length, i) => {
      const from = ends.slice(0, i).reduce((sum, before) => sum + before, 0);
      return bytes.subarray(from, from + length);
    });
    return { width, numbers, lengths, last, bounds };
  }
}
