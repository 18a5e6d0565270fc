// random.js: random keys.

/** The source of random numbers. @type {Crypto} */
let source = globalThis.crypto;
/** Node 18 has it in a module only; the name is a variable so that bundlers for browsers leave it alone. */
const module = 'node:crypto';

/** Resolves when newKey() can be called: at once, but in Node 18 as soon as that module is loaded. */
export const keysReady = source ? Promise.resolve() : load();
keysReady.catch(() => {}); // calls fail with it

async function load() {
  source = (await import(/* webpackIgnore: true */ /* @vite-ignore */ module)).webcrypto;
}

/** A random Idempotency-Key. (crypto.randomUUID is missing in pages that were not loaded over HTTPS.) */
export function newKey() {
  const bytes = source.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
