// tokens.js: the tokens that this browser holds: "my cubes". They are in the local storage, so all its tabs share them;
// where that is forbidden they last as long as the page. Everybody who can read this storage can turn the cubes, as with the
// links themselves.

import { storageOf } from '../settings.js';

const PREFIX = 'cubed.token.';
const ID = /^[0-9a-z]{16}$/;
const RANK = { viewer: 1, editor: 2, owner: 3 };

/**
 * The data that is kept of a session: `token`, and the `role` that it gives; `link`: the token that was shared with
 * this person, or that they share, and its id if it is known; `watch`: the token of the link by which others only watch,
 * and its id; `mine`: ids of other tokens of theirs; `name` and `size` to show in a list; `seen`: when it was last opened.
 * @typedef {{id: string, token: string, role: 'viewer' | 'editor' | 'owner', link?: string | null, linkId?: string | null, watch?: string | null, watchId?: string | null, mine?: string[], name?: string | null, size?: number, seen?: number}} Kept
 */

export class Tokens {
  #storage;
  /** Without a storage, or beyond what it takes. */
  #memory = new Map();
  #listeners = new Set();

  /** `storage` may be null: then nothing outlives the page. */
  constructor(storage = storageOf()) {
    this.#storage = storage;
    globalThis.addEventListener?.('storage', (event) => (event.key === null || event.key.startsWith(PREFIX)) && this.#report());
  }

  /** True if tokens outlive the page. */
  get lasting() {
    return this.#storage !== null && this.#memory.size === 0;
  }

  /** @returns {Kept | null} */
  of(id) {
    return this.#memory.get(id) ?? this.#read(id);
  }

  /** Keeps a token, or adds to what is kept of its session. */
  keep({ id, ...more }) {
    if (!ID.test(id)) throw new Error(`no id of a session: ${id}`);
    const kept = { ...this.of(id), ...more, id, seen: more.seen ?? Date.now() };
    try {
      if (!this.#storage) throw new Error('no storage');
      this.#storage.setItem(PREFIX + id, JSON.stringify(kept));
      this.#memory.delete(id);
    } catch {
      this.#memory.set(id, kept);
    }
    this.#report();
    return kept;
  }

  forget(id) {
    this.#memory.delete(id);
    try {
      this.#storage?.removeItem(PREFIX + id);
    } catch {
      // It cannot be read either.
    }
    this.#report();
  }

  /** All that are kept, the last opened first. @returns {Kept[]} */
  list() {
    const ids = new Set(this.#memory.keys());
    try {
      for (let i = 0; i < (this.#storage?.length ?? 0); i++) {
        const key = this.#storage.key(i);
        if (key?.startsWith(PREFIX)) ids.add(key.slice(PREFIX.length));
      }
    } catch {
      // Only those in memory.
    }
    return [...ids].map((id) => this.of(id)).filter(Boolean).sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
  }

  /** Calls the listener when something changes, here or in another tab. Returns a function that ends this. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #report() {
    for (const listener of this.#listeners) listener();
  }

  #read(id) {
    try {
      const kept = JSON.parse(this.#storage?.getItem(PREFIX + id) ?? 'null');
      const sound = typeof kept?.token === 'string' && kept.role in RANK && ID.test(id);
      return sound ? { ...kept, id } : null;
    } catch {
      return null;
    }
  }
}

/** Returns true if role `a` allows more than role `b`, which may be missing. */
export const allowsMore = (a, b) => (RANK[a] ?? 0) > (RANK[b] ?? 0);

export const tokens = new Tokens();
