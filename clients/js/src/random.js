// random.js: random keys.

/** Node 18 has it in a module only; the name is a variable so that bundlers for browsers leave it alone. */
const module = 'node:crypto';
/** @type {Crypto} */
const source = globalThis.crypto ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ module)).webcrypto;

/** A random Idempotency-Key. (crypto.randomUUID is missing in pages that were not loaded over HTTPS.) */
export function newKey() {
  const bytes = source.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
