// rows.js: rows of a list that are kept by their keys: what is typed in them, what is open and the focus stay.

export class KeptRows {
  #rows = new Map(); // by key: {row, update}

  /** `make(item)` makes {row, update}: an element, and a function that shows the item as it is now. */
  constructor(list, keyOf, make) {
    Object.assign(this, { list, keyOf, make });
  }

  /** Shows these items in this order. The rows of others are removed. */
  show(items) {
    const { list, keyOf, make } = this;
    this.#rows = new Map(items.map((item) => [keyOf(item), this.#rows.get(keyOf(item)) ?? make(item)]));
    const rows = new Set(Array.from(this.#rows.values(), ({ row }) => row));
    for (const row of [...list.children]) if (!rows.has(row)) row.remove();
    [...rows].forEach((row, i) => row !== list.children[i] && list.insertBefore(row, list.children[i] ?? null)); // a moved element loses the focus
    for (const item of items) this.#rows.get(keyOf(item)).update(item);
    list.hidden = items.length === 0;
  }
}
