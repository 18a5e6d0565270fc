// waiting.js: time limits, pauses, and how long to wait before the next attempt.

/**
 * A signal that aborts with `signal`, or after `ms`. `extend()` starts the time again, or another one; `release()` ends
 * both.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 */
export function timeLimit(ms, signal) {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  let limit = ms;
  const expire = () => controller.abort(new DOMException(`Nothing came for ${limit} ms.`, 'TimeoutError'));
  let timer = setTimeout(expire, ms);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    extend(next = ms) {
      clearTimeout(timer);
      limit = next;
      timer = setTimeout(expire, next);
    },
    release() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', follow);
    },
  };
}

/**
 * Waits; throws the signal's reason as soon as it aborts.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(ms, signal) {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      done();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Returns the time to wait before the next attempt: not less than the server asked for, and longer after each failure.
 * @param {number} attempt
 * @param {unknown} error
 */
export function waitMs(attempt, error) {
  const asked = /** @type {{retryAfterMs?: number} | null | undefined} */ (error)?.retryAfterMs ?? 0;
  return asked + backoffMs(attempt);
}

/**
 * Grows from attempt to attempt (0, 1, ...) up to a limit. Random, so that clients that failed together do not return
 * together.
 * @param {number} attempt
 */
export function backoffMs(attempt, firstMs = 250, longestMs = 8000) {
  return Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}
