// pages.js: lists that come in pages.

/**
 * A page. A history counts its positions in revisions (`after`), other lists have a cursor.
 * @template T
 * @typedef {{items: T[], next_cursor?: string | null, next_after?: number | null}} Page
 */

/**
 * A list of the server: `for await (const item of list)` reads it item by item, and asks for the next page when it is
 * needed. Each loop begins again.
 * @template T
 */
export class Pages {
  #read;

  /** @param {(position: {cursor?: string, after?: number}) => Promise<Page<T>>} read */
  constructor(read) {
    this.#read = read;
  }

  /** The first page alone. */
  first() {
    return this.#read({});
  }

  /** @returns {AsyncGenerator<Page<T>, void, undefined>} */
  async *pages() {
    for (let position = /** @type {{cursor?: string, after?: number} | null} */ ({}); position; ) {
      const page = await this.#read(position);
      yield page;
      position = after(page);
    }
  }

  /** @returns {AsyncGenerator<T, void, undefined>} */
  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* page.items;
  }

  /** All items of all pages. */
  async all() {
    const items = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

/**
 * The position of the next page; null after the last.
 * @param {Page<unknown>} page
 */
function after({ next_cursor: cursor, next_after: revision }) {
  if (typeof revision === 'number') return { after: revision };
  return typeof cursor === 'string' ? { cursor } : null;
}
