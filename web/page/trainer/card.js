// card.js: what was trained: the case with its algorithms, or shortest ways to a goal; each is played on the cube by a click.

import { Playback } from '../../client/playback.js';
import { element } from '../parts/element.js';
import { meaningOf } from '../cube/meaning.js';
import { shownMoves } from '../cube/moves.js';
import { fitted } from './angle.js';
import { casePicture } from './cases.js';
import { caseWords } from './times.js';
import { t } from '../words.js';

const wordsOf = (moves) => moves.split(' ').filter(Boolean);

export class Card {
  #shown = null;

  /** `onPlay()`: an algorithm is shown on the cube. */
  constructor(app, onPlay) {
    Object.assign(this, { app, onPlay });
    this.title = element('span', { role: 'status' });
    this.picture = element('div');
    this.body = element('div');
    this.box = element('section', { class: 'case note', 'aria-label': t('What it was'), hidden: true }, this.picture, element('div', { class: 'column' }, element('h2', {}, this.title), this.body));
  }

  hide() {
    this.box.hidden = true;
  }

  /** Returns true if the card still shows the result of this call. */
  shows(what) {
    return this.#shown === what && !this.box.hidden;
  }

  /** A case of a set as it stands on a cube; an algorithm that fits it in no way, on the cube of the case. `end`: as of endOf(). */
  showCase(title, one, cube, end) {
    const { size, facelets } = cube;
    const picture = one.picture.replace(one.cube.facelets, facelets);
    const rows = one.algorithms.map((algorithm) => {
      const here = fitted(algorithm, cube, end);
      return this.#algorithm(here ? { size, facelets, ...here } : { ...algorithm, size, facelets: one.cube.facelets });
    });
    return this.#show(`${title} ${caseWords(one.name)}`, casePicture({ picture }, this.app.settings, 72), rows, '');
  }

  /** Ways to a goal from a cube: solutions as moves; null: they are being searched. */
  showWays(title, { size, facelets }, ways) {
    return this.#show(title, null, (ways ?? []).map((moves) => this.#algorithm({ size, facelets, before: '', moves, after: '' })), ways === null ? t('Searching…') : ways.length ? '' : t('There is nothing to do.'));
  }

  /** Says that nobody could find ways: the server does that alone. */
  showNoWays(title) {
    return this.#show(title, null, [], t('The server finds the ways, and it does not answer.'));
  }

  #show(title, picture, rows, note) {
    const list = rows.length > 0 && element('ol', { 'aria-label': t('Algorithms: choose one to see it on the cube') }, rows);
    this.box.hidden = false;
    this.title.textContent = title;
    this.picture.replaceChildren(...[picture].filter(Boolean));
    this.picture.hidden = picture === null;
    this.body.replaceChildren(...[note && element('p', { class: 'faint' }, note), list].filter(Boolean));
    this.#shown = {};
    return this.#shown;
  }

  #algorithm({ size, facelets, before, moves, after }) {
    const all = wordsOf(`${before} ${moves} ${after}`);
    const count = wordsOf(moves).length;
    const play = () => {
      const playback = new Playback({ size, facelets, moves: all });
      playback.title = t('Algorithm');
      this.app.show(playback);
      this.onPlay();
      playback.play();
    };
    const button = element('button', { type: 'button', class: 'quiet', title: t('Show it on the cube: {n} move|Show it on the cube: {n} moves', { n: all.map((move) => meaningOf(move, size)).filter(Boolean).length }), onclick: play },
      before && element('span', { class: 'faint' }, `(${shownMoves(before)}) `), shownMoves(moves), after && element('span', { class: 'faint' }, ` (${shownMoves(after)})`));
    return element('li', { class: 'row' }, button, element('span', { class: 'faint' }, t('{n} turn|{n} turns', { n: count })));
  }
}
