// patterns.js: patterns with a name: common ones, and those that a session stores.

/** @import {CallOptions, NamedPattern, Pattern, PatternSummary} from './types.js' */

/** @typedef {CallOptions & {size?: number, session?: string}} PatternOptions */

export class Patterns {
  #transport;

  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * @param {PatternOptions} [options]
   * @returns {Promise<{items: PatternSummary[]}>}
   */
  list({ signal, token, ...query } = {}) {
    return this.#transport.json({ path: '/v1/patterns', query, signal, token });
  }

  /**
   * @param {string} name
   * @param {PatternOptions} [options]
   * @returns {Promise<NamedPattern>}
   */
  get(name, { signal, token, ...query } = {}) {
    return this.#transport.json({ path: pathOf(name), query, signal, token });
  }

  /**
   * Stores a pattern in the session of the token, or in `session`.
   * @param {string} name
   * @param {{pattern: Pattern, size?: number, title?: string | null}} body
   * @param {PatternOptions} [options]
   * @returns {Promise<NamedPattern>}
   */
  put(name, body, { signal, token, ...query } = {}) {
    return this.#transport.json({ method: 'PUT', path: pathOf(name), query, body, signal, token, key: true });
  }

  /**
   * @param {string} name
   * @param {PatternOptions} [options]
   * @returns {Promise<null>}
   */
  remove(name, { signal, token, ...query } = {}) {
    return this.#transport.json({ method: 'DELETE', path: pathOf(name), query, signal, token, key: true });
  }
}

/** @param {string} name */
const pathOf = (name) => `/v1/patterns/${encodeURIComponent(name)}`;
