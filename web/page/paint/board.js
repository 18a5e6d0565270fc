// board.js: the six faces that are painted on, as buttons or, if they are many, as pictures.
//
// With a mouse all faces are there as an unfolding; with a finger one at a time, large, and the faces are tabs (paint.css).

import { FACES } from '../../client/cube.js';
import { placeWords, SIDE_NAMES } from '../cube/cubies.js';
import { element } from '../parts/element.js';
import { EMPTY } from './painted.js';
import { t } from '../words.js';

/** Larger faces are pictures. */
const BUTTONS_MAX = 10;
const PIXELS = 400; // the edge of a picture

/** One face: `show` paints what changed; `paintedAt(event)` is the place of a pointer. */
class ButtonFace {
  constructor(face, n) {
    this.first = face * n * n;
    this.cells = Array.from({ length: n * n }, (_, i) => element('button', { type: 'button', class: 'cell', tabindex: '-1', 'data-place': String(this.first + i) }));
    this.root = element('div', { class: 'cells' }, this.cells);
    this.root.style.setProperty('--n', String(n));
    this.n = n;
    this.shown = [];
  }

  show({ stickers, names, colours, inks, letters, wrong, cursor }) {
    this.cells.forEach((cell, i) => {
      const place = this.first + i;
      const colour = stickers[place];
      const now = [colour, wrong.has(place), cursor === place, letters, colours].join();
      if (this.shown[i] === now) return;
      this.shown[i] = now;
      cell.style.backgroundColor = colour === EMPTY ? '' : colours[colour];
      cell.style.color = colour === EMPTY ? '' : inks[colour];
      cell.textContent = letters && colour !== EMPTY ? FACES[colour] : '';
      cell.classList.toggle('empty', colour === EMPTY);
      cell.classList.toggle('wrong', wrong.has(place));
      cell.classList.toggle('here', cursor === place);
      cell.tabIndex = cursor === place ? 0 : -1;
      cell.setAttribute('aria-label', `${placeWords(place, this.n)}: ${names[colour] ?? t('empty')}${wrong.has(place) ? `, ${t('wrong')}` : ''}`);
    });
  }

  focus(place) {
    this.cells[place - this.first].focus();
  }
}

/** The same for many stickers. */
class PictureFace {
  constructor(face, n) {
    this.first = face * n * n;
    this.n = n;
    this.root = element('canvas', { class: 'cells', width: String(PIXELS), height: String(PIXELS), tabindex: '-1', role: 'application', 'aria-label': t('{face}: {n} by {n} stickers. Arrow keys move, letters paint.', { face: FACES[face], n }) });
  }

  show({ stickers, colours, wrong, cursor, empty, mark }) {
    const { n, first } = this;
    const context = this.root.getContext('2d');
    const edge = PIXELS / n;
    const gap = edge > 6 ? 1 : 0;
    context.clearRect(0, 0, PIXELS, PIXELS);
    for (let i = 0; i < n * n; i++) {
      const colour = stickers[first + i];
      context.fillStyle = colour === EMPTY ? empty : colours[colour];
      context.fillRect((i % n) * edge, Math.floor(i / n) * edge, edge - gap, edge - gap);
    }
    context.strokeStyle = mark;
    context.lineWidth = Math.max(2, edge / 6);
    for (const place of [...wrong, cursor]) {
      const i = place - first;
      if (i >= 0 && i < n * n) context.strokeRect((i % n) * edge, Math.floor(i / n) * edge, edge, edge);
    }
    this.root.tabIndex = cursor >= first && cursor < first + n * n ? 0 : -1;
  }

  placeAt(event) {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left) / width) * this.n);
    const row = Math.floor(((event.clientY - top) / height) * this.n);
    const inside = row >= 0 && column >= 0 && row < this.n && column < this.n;
    return inside ? this.first + row * this.n + column : -1;
  }

  focus() {
    this.root.focus();
  }
}

export class Board {
  #size = 0;
  #faces = [];
  #face = 2;
  #onPaint;

  /** `onPaint(place)`: a sticker is to be painted; `onMove(place)`: one has the focus; `onFace(face)`: a face is chosen. */
  constructor({ onPaint, onMove, onFace }) {
    this.#onPaint = onPaint;
    this.net = element('div', { class: 'net', role: 'group', 'aria-label': t('Stickers: arrow keys move, letters of colours or faces paint') });
    this.tabs = element('div', { class: 'face-tabs', role: 'group', 'aria-label': t('Faces') },
      [...FACES].map((letter, face) => element('button', { type: 'button', onclick: () => onFace(face) }, element('b', {}, letter), element('small'))));
    this.net.addEventListener('click', (event) => this.#click(event));
    this.net.addEventListener('focusin', ({ target }) => target.dataset.place && onMove(Number(target.dataset.place)));
    this.net.addEventListener('pointerdown', (event) => this.#drag(event));
  }

  /** The face that is shown where there is room for one. */
  get face() {
    return this.#face;
  }

  show(look) {
    const { size: n, cursor } = look;
    if (n !== this.#size) this.#build(n);
    this.#face = Math.floor(cursor / (n * n));
    for (const face of this.#faces) face.show(look);
    this.#faces.forEach(({ holder }, face) => holder.classList.toggle('current', face === this.#face));
    [...this.tabs.children].forEach((tab, face) => {
      const empty = look.stickers.subarray(face * n * n, (face + 1) * n * n).reduce((sum, colour) => sum + (colour === EMPTY), 0);
      tab.setAttribute('aria-pressed', String(face === this.#face));
      const count = empty === 0 ? '✓' : String(empty);
      tab.lastChild.textContent = ` ${count}`;
      tab.setAttribute('aria-label', `${FACES[face]} ${count} ${empty === 0 ? t('painted') : t('empty')}, ${SIDE_NAMES[face]}`); // begins with what is seen
    });
  }

  focus(place) {
    this.#faces[Math.floor(place / (this.#size * this.#size))].focus(place);
  }

  #build(n) {
    this.#size = n;
    this.#faces = Array.from({ length: 6 }, (_, face) => (n <= BUTTONS_MAX ? new ButtonFace(face, n) : new PictureFace(face, n)));
    this.net.replaceChildren(...this.#faces.map((one, face) => {
      one.holder = element('div', { class: `face face-${FACES[face]}`, role: 'group', 'aria-label': `${FACES[face]}, ${SIDE_NAMES[face]}` }, one.root);
      return one.holder;
    }));
  }

  #placeOf(event) {
    const cell = event.target.closest?.('.cell');
    if (cell) return Number(cell.dataset.place);
    return this.#faces.find(({ root }) => root === event.target)?.placeAt?.(event) ?? -1;
  }

  #click(event) {
    const place = this.#placeOf(event);
    if (place >= 0) this.#onPaint(place, event);
  }

  /** A mouse that is held down paints what it passes. */
  #drag(event) {
    if (event.pointerType === 'touch' || event.button !== 0) return;
    let last = this.#placeOf(event);
    const move = (moved) => {
      const under = document.elementFromPoint(moved.clientX, moved.clientY);
      const place = under && this.net.contains(under) ? this.#placeOf({ target: under, clientX: moved.clientX, clientY: moved.clientY }) : -1;
      if (place < 0 || place === last) return;
      if (last >= 0) this.#onPaint(last);
      last = place;
      this.#onPaint(place);
    };
    const up = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
  }
}
