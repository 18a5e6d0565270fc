// timeline.js: one bar below the cube, for whatever has moves one after another: the history of the cube, a solution, a
// lesson, the algorithm of a link.

import { element, icon } from './parts/element.js';
import { prepareFollowing } from './session/follow.js';
import { meaningOf } from './cube/meaning.js';
import { enterPast } from './past.js';
import { locale, t } from './words.js';


const ICONS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M15 5l-7 7 7 7',
  play: 'M7 4.5l12 7.5-12 7.5z',
  pause: 'M8 5v14M16 5v14',
  forward: 'M9 5l7 7-7 7',
  last: 'M18 5v14M5 5l9 7-9 7z',
};

/** Moves a second; those of long lists only for them. */
const SPEEDS = [0.5, 1, 2, 4, 8];
const FAST = [30, 100, 1000, 10000];
const FAST_FROM = 300;
const PAGE = 10;

/** Returns true if a model has positions. */
const isTrack = (model) => typeof model.seek === 'function';

class Timeline {
  #off = () => {};
  /** The newest revision when the cube was left for its past; null: it was not. */
  #left = null;

  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.speed = 2;
    const button = (name, label, run) => element('button', { type: 'button', class: `icon ${name}`, 'aria-label': label, title: label, onclick: run }, icon(ICONS[name]));
    this.first = button('first', t('To the beginning'), () => this.#go((track) => track.seek(0)));
    this.back = button('back', t('One move back'), () => this.step(-1));
    this.play = button('play', t('Play'), () => this.toggle());
    this.forward = button('forward', t('One move forward'), () => this.step(1));
    this.last = button('last', t('To the end'), () => this.#toEnd());
    this.slider = element('input', { type: 'range', id: 'moment', min: 0, step: 'any', 'aria-label': t('Moment'), oninput: () => this.#scrub() });
    this.at = element('output', { class: 'at', for: 'moment' });
    this.pace = element('select', { 'aria-label': t('Speed'), title: t('Moves a second'), onchange: () => this.#setSpeed(Number(this.pace.value)) });
    this.now = element('button', { type: 'button', class: 'now main', hidden: true, onclick: () => this.#showNow() });
    this.bar = element('div', { class: 'bar', role: 'group', 'aria-label': t('Time line') },
      this.first, this.back, this.play, this.forward, this.last, this.slider, this.at, this.pace, this.now);
    root.append(this.bar);
    this.bar.addEventListener('keydown', (event) => this.#key(event));
    for (const type of ['room', 'entry', 'state', 'redrawn']) app.on(type, () => this.show());
    app.on('shown', () => this.#follow());
    this.#follow();
  }

  /** The model that is shown, if it has positions; null: the cube as it is now. */
  get track() {
    return this.app.room && isTrack(this.app.shown) ? this.app.shown : null;
  }

  // ---- doing ----

  step(direction) {
    return this.#go(async (track) => {
      track.pause();
      await track.step(direction);
      this.app.say(this.#words());
    });
  }

  toggle() {
    if (this.track?.playing) return this.track.pause();
    return this.#go(async (track) => {
      if (track.position >= track.length && !track.moves) await track.seek(this.#startOf(track));
      this.#setSpeed(this.speed);
      track.play({ movesPerSecond: this.speed });
    });
  }

  /** Returns the revision where playing the history begins: that of the newest attempt. */
  #startOf(past) {
    for (let revision = past.length; revision > 0; revision--) {
      const entry = past.entry(revision);
      if (entry?.kind === 'scramble' && revision < past.length) return revision;
    }
    return 0;
  }

  /** Does something on the track; from the cube as it is now, on its history. */
  async #go(run) {
    try {
      const track = this.track ?? (await enterPast(this.app));
      if (track) await run(track);
      if (track === this.track) this.#arrive();
    } catch (error) {
      this.app.notify(error);
    }
    this.show();
  }

  /** The newest moment of the history is the cube as it is now. */
  #arrive() {
    const { track } = this;
    if (track && !track.moves && !track.playing && track.position >= track.length) this.app.showNow();
  }

  #toEnd() {
    const { track } = this;
    if (!track) return;
    track.pause();
    if (track.moves) track.seek(track.length);
    else this.#showNow();
  }

  #showNow() {
    this.track?.pause();
    this.app.showNow();
    this.slider.focus({ preventScroll: true });
    this.app.say(t('This is the cube as it is now.'));
  }

  #scrub() {
    const to = Math.round(Number(this.slider.value));
    if (!this.track && to >= this.app.cube.revision) return;
    this.#go((track) => {
      track.pause();
      return track.seek(to);
    });
  }

  #setSpeed(speed) {
    this.speed = speed;
    this.pace.value = String(speed);
    this.app.view.set({ speed: Math.max(1, speed / 3) });
    if (this.track?.playing) this.track.play({ movesPerSecond: speed });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.pace) return;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    const on = event.target === this.slider;
    if (steps[event.key]) this.step(steps[event.key]);
    else if (on && event.key === 'Home') this.#go((track) => track.seek(0));
    else if (on && event.key === 'End') this.#toEnd();
    else if (on && event.key === 'PageUp') this.#go((track) => track.seek(Math.ceil(track.position) - PAGE));
    else if (on && event.key === 'PageDown') this.#go((track) => track.seek(Math.floor(track.position) + PAGE));
    else if (on && event.key === ' ') this.toggle();
    else return;
    event.preventDefault();
  }

  // ---- showing ----

  /** Another model is shown. */
  #follow() {
    this.#off();
    const { track } = this;
    if (track) {
      this.#left ??= this.app.cube.revision;
    } else {
      this.#left = null;
      this.app.view.set({ speed: 1 });
    }
    this.#off = track ? track.subscribe((change) => this.#onChange(change)) : () => {};
    this.show();
  }

  #onChange({ type, problem, playing }) {
    if (type === 'failed') this.app.notify(problem);
    if (type === 'playing' && !playing) {
      this.app.view.set({ speed: 1 });
      this.app.say(this.#words());
      this.#arrive();
    }
    this.show();
  }

  show() {
    if (!this.app.room) return;
    const { cube, shown } = this.app;
    const { track } = this;
    this.root.hidden = !track && shown !== cube; // a painted cube has no moves
    const [position, length] = track ? [track.position, track.length] : [cube.revision, cube.revision];
    Object.assign(this.slider, { max: Math.max(1, length), value: position, disabled: length === 0 });
    this.slider.style.setProperty('--done', `${length === 0 ? 0 : (100 * position) / length}%`);
    this.slider.setAttribute('aria-valuetext', this.#words());
    this.at.textContent = length === 0 ? '' : `${Math.ceil(position).toLocaleString(locale)}/${length.toLocaleString(locale)}`;
    this.first.disabled = this.back.disabled = position <= 0;
    this.forward.disabled = position >= length;
    this.last.disabled = !track || (track.moves ? position >= length : false);
    this.play.disabled = length === 0;
    this.#showPlaying(track?.playing ?? false);
    this.#showNowButton(track, cube);
    this.#showSpeeds(track?.moves ? length : 0);
  }

  #showPlaying(playing) {
    const label = playing ? t('Pause') : t('Play');
    if (this.play.getAttribute('aria-label') === label) return;
    this.play.setAttribute('aria-label', label);
    this.play.title = label;
    this.play.replaceChildren(icon(ICONS[playing ? 'pause' : 'play']));
  }

  #showNowButton(track, cube) {
    const missed = Math.max(0, cube.revision - (this.#left ?? cube.revision));
    const isPast = track && !track.moves;
    this.now.hidden = !track;
    this.now.textContent = isPast ? `${t('Now')}${missed > 0 ? ` +${missed}` : ''}` : t('Done');
    const now = missed > 0 ? t('Now, {n} new entry|Now, {n} new entries', { n: missed }) : t('Now');
    this.now.setAttribute('aria-label', isPast ? now : t('Done: back to the cube'));
  }

  #showSpeeds(length) {
    const speeds = [...SPEEDS, ...(length >= FAST_FROM ? FAST : [])];
    if (this.pace.options.length === speeds.length) return;
    this.pace.replaceChildren(...speeds.map((speed) => new Option(`${speed === 0.5 ? '½' : speed}/s`, String(speed))));
    if (!speeds.includes(this.speed)) this.speed = 2;
    this.pace.value = String(this.speed);
  }

  /** The moment in words. */
  #words() {
    const { track } = this;
    const { cube } = this.app;
    if (!track) return cube.revision === 0 ? t('the beginning') : t('now, after {n} entry|now, after {n} entries', { n: cube.revision });
    if (track.moves) {
      const move = track.moves[track.position - 1];
      const meaning = move && track.length < FAST_FROM ? meaningOf(move, track.size) : null;
      return [t('{position} of {n} moves', { position: track.position, n: track.length }) + (move ? `: ${move}` : ''), meaning].filter(Boolean).join(', ');
    }
    const { revision, move } = track.place;
    if (revision === 0) return t('the beginning');
    const moved = move ? t('move {move} of {n}', { move, n: track.movesOf(revision)?.length }) : null;
    return [t('entry {entry} of {n}', { entry: revision, n: track.length }), moved].filter(Boolean).join(', ');
  }
}

export function prepareTimeline(app, root) {
  prepareFollowing(app, root);
  return new Timeline(app, root);
}
