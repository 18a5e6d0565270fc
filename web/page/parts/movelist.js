// movelist.js: moves one after another, each of which can be chosen, with the present one lit. Of thousands, those around the
// present one are shown.

import { element } from './element.js';
import { meaningOf } from '../cube/meaning.js';
import { shownMoves } from '../cube/moves.js';
import { t } from '../words.js';

/** Moves that are shown at a time, and how near to their ends the present one may come. */
const SHOWN = 240;
const MARGIN = 40;

export class MoveList {
  #first = -1;
  #moves = [];
  #size = 3;

  /** `onChoose(i)`: the move with that index was chosen. */
  constructor(label, onChoose) {
    this.root = element('ol', { class: 'moves', 'aria-label': label });
    this.root.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) onChoose(Number(button.dataset.at));
    });
  }

  set(moves, size) {
    this.#moves = moves;
    this.#size = size;
    this.#first = -1;
    this.root.replaceChildren();
  }

  /** Lights the last of `made` moves. */
  show(made) {
    const at = made - 1;
    const fits = this.#first >= 0 && at >= Math.min(this.#first + MARGIN, this.#first === 0 ? -1 : Infinity) && (at < this.#first + SHOWN - MARGIN || this.#first + SHOWN >= this.#moves.length);
    if (!fits) this.#fill(Math.max(0, Math.min(at - SHOWN / 2, this.#moves.length - SHOWN)));
    for (const row of this.root.querySelectorAll('[aria-current]')) row.removeAttribute('aria-current');
    const current = this.root.querySelector(`button[data-at="${at}"]`);
    current?.setAttribute('aria-current', 'step');
    if (current) keepInView(current, this.root);
  }

  #fill(first) {
    this.#first = Math.floor(first);
    const end = Math.min(this.#moves.length, this.#first + SHOWN);
    const rows = this.#moves.slice(this.#first, end).map((move, i) => this.#row(move, this.#first + i));
    if (this.#first > 0) rows.unshift(element('li', { class: 'faint' }, t('… {n} move before|… {n} moves before', { n: this.#first })));
    if (end < this.#moves.length) rows.push(element('li', { class: 'faint' }, t('… {n} move after|… {n} moves after', { n: this.#moves.length - end })));
    this.root.replaceChildren(...rows);
  }

  #row(move, at) {
    const meaning = this.#moves.length < SHOWN ? meaningOf(move, this.#size) : null;
    return element('li', {}, element('button', { type: 'button', 'data-at': at, title: meaning }, shownMoves(move)));
  }
}

/** Scrolls what scrolls around a list, and nothing else, until the row is seen. */
export function keepInView(row, list) {
  const box = list.closest('.scrolls') ?? list;
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}
