// solver.js: searches in a worker, which can be watched and cancelled.

import { CubeError } from './calls.js';

/**
 * What a solver needs of a worker of browsers or of Node.
 * @typedef {{ postMessage(message: unknown): void, terminate(): unknown, listen(onMessage: (message: any) => void, onError: (error: unknown) => void): void }} Helper
 * @typedef {{ nodes: number, depth: number, best: number }} Progress `best`: length of the best solution so far; -1: none.
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void }} Watching
 */

/**
 * Searches in a worker, one after the other. The worker and its tables are made for the first one. A search that is cancelled while
 * it runs ends the worker, and the next one begins with a new worker.
 */
export class Solver {
  /** @type {WebAssembly.Module} */ #module;
  /** @type {() => Helper} */ #start;
  /** @type {Helper | null} */ #helper = null;
  /** @type {Promise<unknown>} */ #line = Promise.resolve();
  /** @type {((error: unknown) => void) | null} */ #end = null;

  /**
   * Use newSolver() instead.
   * @param {WebAssembly.Module} module
   * @param {() => Helper} start
   */
  constructor(module, start) {
    this.#module = module;
    this.#start = start;
  }

  /**
   * Asks what the worker has in its table; see answer.js.
   * @param {string} call
   * @param {unknown[]} args
   * @param {Watching} [watching]
   * @returns {Promise<any>}
   */
  ask(call, args, { signal, onProgress } = {}) {
    signal?.throwIfAborted();
    const turn = this.#line.then(() => this.#run(call, args, signal, onProgress));
    this.#line = turn.catch(() => {});
    if (!signal) return turn;
    // A search that waits for others need not wait to be cancelled.
    return new Promise((done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true });
      turn.then(done, fail);
    });
  }

  /**
   * @param {string} call
   * @param {unknown[]} args
   * @param {AbortSignal} [signal]
   * @param {(progress: Progress) => void} [onProgress]
   */
  #run(call, args, signal, onProgress) {
    signal?.throwIfAborted();
    return new Promise((done, fail) => {
      const stop = () => this.#drop(signal?.reason);
      this.#end = (error) => {
        this.#end = null;
        signal?.removeEventListener('abort', stop);
        fail(error);
      };
      signal?.addEventListener('abort', stop);
      const helper = (this.#helper ??= this.#start());
      helper.listen(
        (message) => {
          if (message.progress) return onProgress?.(message.progress);
          this.#end = null;
          signal?.removeEventListener('abort', stop);
          if (message.error) fail(new CubeError(message.error.message, message.error));
          else done(message.result);
        },
        (error) => this.#drop(error),
      );
      helper.postMessage({ module: this.#module, call, args, watched: Boolean(onProgress) });
    });
  }

  /** @param {unknown} error */
  #drop(error) {
    this.#helper?.terminate();
    this.#helper = null;
    this.#end?.(error);
  }

  /**
   * Solves the cube of these facelets.
   * @param {string} facelets
   * @param {import('./cube.js').SolveOptions & Watching} [options]
   * @returns {Promise<import('./cube.js').Solution>}
   */
  solve(facelets, { signal, onProgress, ...options } = {}) {
    return this.ask('solve', [facelets, options], { signal, onProgress });
  }

  /**
   * @param {string} facelets
   * @param {Watching} [watching]
   * @returns {Promise<import('./cube.js').Lesson>}
   */
  lesson(facelets, watching = {}) {
    return this.ask('lesson', [facelets], watching);
  }

  /**
   * @param {number} [size]
   * @param {string | Uint8Array} [seed]
   * @param {{ signal?: AbortSignal, variant?: '' | 'bld' | 'fmc' }} [options]
   * @returns {Promise<string>}
   */
  scramble(size = 3, seed, { variant, ...watching } = {}) {
    return this.ask('scramble', [size, seed, variant], watching);
  }

  /** Ends the worker, and a search in it with an AbortError. */
  close() {
    this.#drop(new DOMException('the solver was closed', 'AbortError'));
  }
}
