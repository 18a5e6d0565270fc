// patience.mjs: how long tests wait. What must happen is waited for, so that a slow machine makes a test slower and never
// makes it fail; the patience ends only if something hangs. tools/check-time-bounds finds shorter bounds.

export const PATIENCE_MS = 600000;

/** Flags of a server that does not cut a client of a slow machine; flags after them replace them. The deadlines are beyond the
 * patience: a server that waits for one of them, when it stops for example, is noticed. */
export const PATIENT = ['header', 'body', 'keep-alive', 'stream'].flatMap((name) => [`--${name}-timeout-ms`, String(5 * PATIENCE_MS)]);

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until `holds()` answers something true, and answers that; else what it answers when the patience ends. It must not
 * change anything: it is called many times. */
export async function happens(holds, pause = 10) {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(pause)) {
    const found = await holds();
    if (found || performance.now() > end) return found;
  }
}

/** The same, and throws when the patience ends. `what`: a text, or a function that makes one then. */
export async function until(holds, what, pause) {
  const found = await happens(holds, pause);
  if (!found) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${typeof what === 'function' ? await what() : what}`);
  return found;
}
