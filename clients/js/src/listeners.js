// listeners.js: functions that are called with what happens to a cube.

/** @template T */
export class Listeners {
  /** @type {Set<(change: T) => void>} */
  #listeners = new Set();

  /**
   * Adds a listener. Returns a function that removes it.
   * @param {(change: T) => void} listener
   */
  add(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {T} change */
  notify(change) {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error; // the listener's own fault must not stop the cube
        });
      }
    }
  }

  /** Resolves at the next change. @returns {Promise<void>} */
  next() {
    return new Promise((done) => {
      const remove = this.add(() => {
        remove();
        done();
      });
    });
  }
}

/**
 * A promise whose failure listeners are notified of, so that nobody needs to await it.
 * @template T
 * @param {Promise<T>} promise
 */
export function notified(promise) {
  promise.catch(() => {});
  return promise;
}
