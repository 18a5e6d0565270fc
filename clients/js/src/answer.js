// answer.js: what a call fails with: the problem that an answer has, or no answer at all.

import { Problem } from './problem.js';

/** No answer came, after all attempts. A change that was sent may or may not have been made. */
export class NoAnswer extends Error {
  /**
   * @param {string} message
   * @param {unknown} cause
   */
  constructor(message, cause) {
    super(message, { cause });
    this.name = 'NoAnswer';
  }
}

/**
 * The problem of an answer; also of one that is not the server's, such as a proxy's page.
 * @param {number} status
 * @param {Headers} headers
 * @param {string} text
 */
export function problemOf(status, headers, text) {
  const fallback = { type: 'about:blank', title: `The server answered ${status}.`, status, detail: '' };
  const retryAfterMs = headers.has('Retry-After') ? Number(headers.get('Retry-After')) * 1000 || 0 : undefined;
  if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return new Problem(fallback, retryAfterMs);
  try {
    return new Problem({ ...fallback, ...JSON.parse(text) }, retryAfterMs);
  } catch {
    return new Problem(fallback, retryAfterMs);
  }
}
