// calls.js: the calls of the WebAssembly module, whose header is bindings/wasm/facade.h: texts in, texts and arrays out.

const REFUSED = -1;
const FAULTS = new Map([
  [-2, 'no method, pattern, case or goal of that name is for cubes of this size'],
  [-3, 'out of memory'],
]);

/** Says what is wrong with moves, colours or a name. */
export class CubeError extends Error {
  /**
   * @param {string} message
   * @param {{ column?: number, length?: number, expected?: string, suggestion?: string, problems?: Problem[] }} [where]
   */
  constructor(message, { column = 0, length = 0, expected = '', suggestion = '', problems = [] } = {}) {
    super(message);
    this.name = 'CubeError';
    /** The column of the fault in the text, in UTF-16 units from 1; 0 if it has none. */
    this.column = column;
    /** The length of the fault, in the same units. */
    this.length = length;
    /** The right text there, or "". */
    this.expected = expected;
    /** A text to write instead, or "". */
    this.suggestion = suggestion;
    /** The faults of colours that no turns lead to. */
    this.problems = problems;
  }
}

/**
 * A fault of colours, as in docs/reference/diagnosis.md.
 * @typedef {{ kind: string, amount: number, place: string, piece: string, letters: string, repair: string }} Problem
 */

/** @typedef {(nodes: number, depth: number, best: number) => boolean} CarryOn */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance of the module. */
export class Calls {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    /** @type {CarryOn | null} */
    this.carryOn = null;
    const carryOn = (/** @type {Parameters<CarryOn>} */ ...progress) => (this.carryOn ? Number(this.carryOn(...progress)) : 1);
    /** @type {any} */
    this.exports = new WebAssembly.Instance(module, { cube: { carry_on: carryOn } }).exports;
  }

  /**
   * Puts bytes into the input. Returns their number.
   * @param {string | Uint8Array} data
   */
  put(data) {
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    const at = this.exports.input(bytes.length);
    if (at === 0) throw new CubeError('out of memory');
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  /** A copy of the output. */
  bytes() {
    return new Uint8Array(this.exports.memory.buffer, this.exports.output(), this.exports.length()).slice();
  }

  text() {
    return decoder.decode(this.bytes());
  }

  /** The fields of each row of the output. */
  rows() {
    return this.text().split('\n').filter((row) => row !== '').map((row) => row.split('\t'));
  }

  /**
   * Throws the error that a call returned. Returns what is 0 or more as it is.
   * @param {number} end
   * @param {string} [text] what was read
   */
  check(end, text = '') {
    if (end >= 0) return end;
    if (end !== REFUSED) throw new CubeError(FAULTS.get(end) ?? 'no solution was found within these limits');
    throw this.refusal(text);
  }

  /** @param {string} text */
  refusal(text) {
    const [offset, length, message, expected, suggestion] = this.text().split('\t');
    const bytes = encoder.encode(text);
    const units = (/** @type {number} */ from, /** @type {number} */ to) => decoder.decode(bytes.subarray(from, to)).length;
    const column = units(0, Number(offset)) + 1;
    return new CubeError(text === '' ? message : `${message} (character ${column} of ${JSON.stringify(text)})`, {
      column, length: units(Number(offset), Number(offset) + Number(length)), expected, suggestion,
    });
  }
}
