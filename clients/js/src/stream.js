// stream.js: an answer that is read while it comes, line by line.

/**
 * The lines of a body, without empty ones. `onBytes` is called whenever something came.
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} [onBytes]
 * @returns {AsyncGenerator<string, void, undefined>}
 */
export async function* linesOf(body, onBytes) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? '\n' : decoder.decode(value, { stream: true });
      onBytes?.();
      const lines = rest.split('\n');
      rest = /** @type {string} */ (lines.pop());
      yield* lines.filter(Boolean);
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {}); // the caller may have stopped in the middle
  }
}

/** Values that one side adds and the other awaits, in order. @template T */
export class Queue {
  /** @type {T[]} */
  #values = [];
  #wake = () => {};
  #ended = false;
  /** @type {unknown} */
  #error = null;

  /** @param {T} value */
  add(value) {
    this.#values.push(value);
    this.#wake();
  }

  /**
   * Nothing follows; what waits is still read. With an error, the reader gets that afterwards.
   * @param {unknown} [error]
   */
  end(error = null) {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake();
  }

  /** @returns {AsyncGenerator<T, void, undefined>} */
  async *values() {
    for (;;) {
      while (this.#values.length > 0) yield /** @type {T} */ (this.#values.shift());
      if (this.#error) throw this.#error;
      if (this.#ended) return;
      await new Promise((done) => {
        this.#wake = () => done(undefined);
      });
    }
  }
}
