// past.js: the history of a cube, newest entry first, with its actors.

const SHOWN_MAX = 200;
const ROLES = { owner: 'an owner', editor: 'an editor', viewer: 'a viewer' };

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** An entry in words. */
export function wordsOf(entry) {
  const moves = entry.moves ?? 'too many moves to show';
  if (entry.kind === 'moves') return moves;
  if (entry.restores === undefined) return `${entry.kind}: ${moves}`;
  return `${entry.kind} to ${entry.restores}`;
}

export class Past {
  #rows = new Map(); // by revision
  #mine = new Set(); // revisions that this page made

  constructor(list) {
    this.list = list;
  }

  clear() {
    this.#rows.clear();
    this.#mine.clear();
    this.list.replaceChildren();
  }

  /** Adds an entry in its place; an existing one stays. */
  add(entry) {
    if (this.#rows.has(entry.revision)) return;
    const row = document.createElement('li');
    row.value = entry.revision;
    const words = document.createElement('span');
    const small = document.createElement('small');
    words.textContent = wordsOf(entry);
    row.append(words, small);
    this.#rows.set(entry.revision, { row, small, entry });
    this.#sign(entry.revision);
    const next = [...this.list.children].find((one) => one.value < entry.revision);
    this.list.insertBefore(row, next ?? null);
    while (this.list.children.length > SHOWN_MAX) {
      this.#rows.delete(this.list.lastChild.value);
      this.list.lastChild.remove();
    }
  }

  /** Marks an entry as made here. */
  claim(revision) {
    this.#mine.add(revision);
    this.#sign(revision);
  }

  whoOf(entry) {
    const name = entry.actor ? entry.actor.label || ROLES[entry.actor.role] : 'somebody';
    return this.#mine.has(entry.revision) ? `${entry.actor?.label ? `${name}, ` : ''}you` : name;
  }

  #sign(revision) {
    const { small, entry } = this.#rows.get(revision) ?? {};
    if (small) small.textContent = `${this.whoOf(entry)} · ${time.format(new Date(entry.time))}`;
  }
}
