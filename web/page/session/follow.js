// follow.js: what somebody shows to all who watch: sends it, and shows it to people who follow.
//
// A cue (POST /v1/sessions/{id}/cue) has the revision where its moves begin, the moves and how many are made, from where to
// look, what is lit, and words. People who may not turn the cube follow from the beginning; others are asked.

import { canonicalMoves } from '../../client/moves.js';
import { Playback } from '../../client/playback.js';
import { PEOPLE_MAX } from './presence.js';
import { element } from '../parts/element.js';
import { roleOf } from './rights.js';
import { t } from '../words.js';

/** The shortest time between two cues; the last one is always sent. */
const SEND_MS = 250;

/** Sends cues to all who watch the open session. */
export class Teacher {
  #timer = null;
  #last = '{}'; // the cue to be shown
  #sent = '';
  #sending = Promise.resolve();
  #ended = false;

  /** `refused` is called when the server refuses what is to be shown. */
  constructor(app, refused) {
    this.app = app;
    this.session = app.session;
    this.refused = refused;
  }

  /** Shows this; soon, and only if it is new. */
  show(cue) {
    this.#last = JSON.stringify(cue);
    if (this.#last !== this.#sent) this.#timer ??= setTimeout(() => this.#send(), SEND_MS);
  }

  /** Nothing is shown any more. Resolves when that was sent. */
  end() {
    clearTimeout(this.#timer);
    this.#ended = true;
    this.#last = '{}';
    return this.#send();
  }

  /** One after another: the last one is what stays shown. */
  #send() {
    this.#timer = null;
    this.#sending = this.#sending.then(() => this.#sendLast());
    return this.#sending;
  }

  async #sendLast() {
    if (this.#last === this.#sent) return;
    this.#sent = this.#last;
    try {
      await this.session.cue(JSON.parse(this.#sent));
    } catch (error) {
      this.app.notify(error);
      if (error.status && !this.#ended) this.refused();
    }
  }
}

class Follower {
  #playback = null;
  #made = ''; // of which revision and moves the playback is
  #shown = null;
  #lit = false; // its marks are on the stage

  constructor(app, root) {
    this.app = app;
    this.on = false;
    this.words = element('p', { 'aria-live': 'polite' });
    this.button = element('button', { type: 'button', onclick: () => this.#toggle() });
    this.bar = element('div', { id: 'follow', hidden: true }, this.words, this.button);
    root.append(this.bar);
    app.on('room', () => this.#begin());
    app.on('cue', ({ shown }) => this.receive(shown));
    app.on('shown', () => this.#left());
    app.on('presence', () => this.show());
    if (app.room) this.#begin();
  }

  /** Another cube is open. */
  #begin() {
    this.on = this.app.session !== null && roleOf(this.app.cube) === 'viewer';
    this.#mark([]); // of the cube before
    this.#playback = null;
    this.#made = '';
    this.receive(this.app.cube.shown ?? null);
  }

  receive(shown) {
    if (this.app.teaching) return; // this page shows it
    const over = !shown || Object.keys(shown.cue).length === 0;
    if (over && this.#shown && this.on) {
      this.#moving = true; // who follows goes on with what is shown next
      this.#leave();
      this.#moving = false;
    }
    this.#shown = over ? null : shown;
    this.show();
    if (this.#shown && this.on) this.#follow(shown.cue).catch((error) => this.app.notify(error));
  }

  show() {
    const isHere = this.#isHere();
    this.bar.hidden = this.#shown === null || (!this.on && !isHere);
    if (!this.#shown) return;
    const { cue, actor } = this.#shown;
    const who = actor?.label ?? t('Somebody');
    if (!isHere) this.words.replaceChildren(t('{name} is not here any more.', { name: who }));
    else this.words.replaceChildren(...(this.on
      ? [cue.title && element('strong', {}, cue.title), cue.text ?? ''].filter(Boolean)
      : [t('{name} shows a lesson.', { name: who })]));
    this.button.textContent = this.on ? t('Stop following') : t('Follow');
  }

  /** Returns true if the person who shows the cue is still here, as far as that is known. */
  #isHere() {
    const { people } = this.app.cube.presence ?? {};
    const id = this.#shown?.actor?.id;
    return !people || !id || people.length >= PEOPLE_MAX || people.some((one) => one.id === id);
  }

  #toggle() {
    this.on = !this.on;
    if (!this.on) this.#leave();
    this.receive(this.#shown);
  }

  #leave() {
    this.#playback?.pause();
    this.#mark([]);
    if (this.app.shown === this.#playback) this.app.showNow();
  }

  /** Showing something else on the stage ends following. */
  #left() {
    if (!this.on || !this.#playback || this.#moving || this.app.shown === this.#playback) return;
    this.on = false;
    this.#mark([]);
    this.show();
  }

  #moving = false;

  async #follow(cue) {
    if (cue.moves !== undefined) await this.#show(cue);
    if (this.#shown?.cue !== cue || !this.on) return; // there is a newer one
    if (cue.look) this.app.view.look(cue.look.yaw, cue.look.pitch);
    this.#mark((cue.marks ?? []).map(({ places, kind }) => ({ places: places.filter((place) => place < 6 * this.app.cube.size ** 2), kind })));
  }

  /** Lights the marks of a cue. Without marks, those of other parts of the page stay. */
  #mark(marks) {
    if (marks.length > 0 || this.#lit) this.app.view.mark(marks);
    this.#lit = marks.length > 0;
  }

  async #show(cue) {
    const { room } = this.app;
    const { revision = room.cube.revision, moves, position = 0 } = cue;
    const key = `${revision} ${moves}`;
    if (this.#made !== key) {
      const { cube } = await room.session.cube({ at: revision });
      if (room !== this.app.room || !this.on || this.#shown?.cue !== cue) return;
      const words = canonicalMoves(moves, cube.size)?.split(' ').filter(Boolean) ?? [];
      this.#playback = new Playback({ size: cube.size, facelets: cube.facelets, moves: words });
      this.#playback.title = t('Lesson');
      this.#made = key;
      this.#playback.seek(position);
    }
    if (this.app.shown !== this.#playback) {
      this.#moving = true;
      this.app.show(this.#playback);
      this.#moving = false;
    }
    const steps = position - this.#playback.position;
    if (Math.abs(steps) === 1) this.#playback.step(steps);
    else this.#playback.seek(position);
  }
}

export function prepareFollowing(app, root) {
  return new Follower(app, root);
}
