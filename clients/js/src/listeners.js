// listeners.js: functions of users that are called with what happens.

/**
 * Calls a function of the user. Its fault is reported, and stops neither its caller nor the program: also if it answers
 * with a promise that fails.
 * @template {unknown[]} A
 * @param {((...args: A) => unknown) | null | undefined} listener
 * @param {A} args
 */
export function tell(listener, ...args) {
  try {
    /** @type {any} */
    const answer = listener?.(...args);
    if (typeof answer?.then === 'function') answer.then(undefined, reportFault);
  } catch (error) {
    reportFault(error);
  }
}

/**
 * Reports the fault of a listener: in a page as one that nobody caught, elsewhere on the console.
 * @param {unknown} error
 */
function reportFault(error) {
  if (globalThis.document && typeof globalThis.reportError === 'function') globalThis.reportError(error);
  else console.error('A listener of cubed-client failed:', error);
}

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
    for (const listener of [...this.#listeners]) tell(listener, change);
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
 * A listener that is called from `begin()` on, with what happened until then as well.
 * @template T
 * @param {(change: T) => unknown} told
 */
export function heldBack(told) {
  /** @type {T[] | null} */
  let held = [];
  return {
    /** @param {T} change */
    listener: (change) => (held ? void held.push(change) : told(change)),
    begin() {
      for (const change of held ?? []) tell(told, change); // changes that happen meanwhile are added to them
      held = null;
    },
  };
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
