// player.js: the buttons below a cube that shows moves: to the start, back, play, forward, to the end, and a slider.

/** @import {Playback} from '../playback.js' */

export const PLAYER_STYLE = `
.player { display: flex; align-items: center; gap: .15rem; padding: .15rem; }
.player button { flex: none; width: 2.75rem; height: 2.75rem; padding: 0; border: 0; border-radius: .5rem; background: none; color: inherit; cursor: pointer; }
.player button:hover:enabled { background: color-mix(in srgb, currentColor 12%, transparent); }
.player button:disabled { opacity: .35; cursor: default; }
.player :focus-visible { outline: 3px solid #4f8ff7; outline-offset: -3px; }
.player svg { width: 1.25rem; height: 1.25rem; fill: currentColor; vertical-align: middle; }
.player input { flex: 1; min-width: 2rem; height: 2.75rem; margin: 0 .4rem; accent-color: #4f8ff7; }
`;

/** Shapes in a square of 24. */
const ICONS = {
  first: 'M5 5h2v14H5zM19 5v14L8 12z',
  back: 'M16 5v14L6 12z',
  play: 'M7 4v16l13-8z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  forward: 'M8 5v14l10-7z',
  last: 'M17 5h2v14h-2zM5 5v14l11-7z',
};
const NAMES = { first: 'To the start', back: 'One move back', play: 'Play', pause: 'Pause', forward: 'One move on', last: 'To the end' };

/** @param {HTMLButtonElement} button @param {keyof typeof ICONS} kind */
function label(button, kind) {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', ICONS[kind]);
  icon.append(path);
  button.setAttribute('aria-label', NAMES[kind]);
  button.title = NAMES[kind];
  button.replaceChildren(icon);
}

/** @param {keyof typeof ICONS} kind @param {() => void} act */
function buttonOf(kind, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.addEventListener('click', act);
  label(button, kind);
  return button;
}

export class Player {
  #playback;
  #unsubscribe;
  #buttons;
  #slider = document.createElement('input');
  #playing = false;

  /**
   * @param {Playback} playback
   * @param {{play: () => void, pause: () => void, step: (count: number) => void}} calls
   */
  constructor(playback, { play, pause, step }) {
    this.#playback = playback;
    this.element = document.createElement('div');
    this.element.className = 'player';
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Moves');
    this.#buttons = {
      first: buttonOf('first', () => playback.seek(0)),
      back: buttonOf('back', () => step(-1)),
      play: buttonOf('play', () => (playback.playing ? pause() : play())),
      forward: buttonOf('forward', () => step(1)),
      last: buttonOf('last', () => playback.seek(playback.length)),
    };
    const slider = this.#slider;
    Object.assign(slider, { type: 'range', min: '0', max: String(playback.length), step: '1' });
    slider.setAttribute('aria-label', 'Position');
    slider.addEventListener('input', () => {
      pause();
      playback.seek(Number(slider.value));
    });
    const { first, back, play: middle, forward, last } = this.#buttons;
    this.element.append(first, back, middle, forward, last, slider);
    this.#unsubscribe = playback.subscribe(() => this.#show());
    this.#show();
  }

  #show() {
    const { position, length, playing } = this.#playback;
    this.#slider.value = String(position);
    this.#slider.setAttribute('aria-valuetext', `${position} of ${length}`);
    this.#buttons.first.disabled = this.#buttons.back.disabled = position === 0;
    this.#buttons.forward.disabled = this.#buttons.last.disabled = position === length;
    this.#buttons.play.disabled = length === 0;
    if (playing !== this.#playing) label(this.#buttons.play, playing ? 'pause' : 'play');
    this.#playing = playing;
  }

  remove() {
    this.#unsubscribe();
    this.element.remove();
  }
}
