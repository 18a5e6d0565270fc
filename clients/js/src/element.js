// element.js: <cubed-cube>, a cube as an element of any page: of its own, with moves to watch, or a session's.
//
// Importing it defines the element. It carries no rights: a token can be given by a script, as a property, and is never an
// attribute. What talks to servers is loaded only if an element asks for one.

import { FACES } from './cube.js';
import { LocalCube } from './local.js';
import { canonicalMoves, moveText } from './moves.js';
import { Playback } from './playback.js';
import { PLAYER_STYLE, Player } from './view/player.js';
import { readPalette } from './view/palettetext.js';
import { CubeView } from './view/view.js';

/**
 * @import {Cubed} from './client.js'
 * @import {LiveCube} from './live.js'
 * @import {LayerTurn} from './moves.js'
 */

/** @typedef {LocalCube | Playback | LiveCube} ElementModel */

const SIZE_MAX = 100;
const MOVES_PER_SECOND = 2;

/** Attributes that say what is shown; with others, the same is shown otherwise. */
const CONTENT = ['size', 'setup', 'alg', 'cube', 'session', 'server'];
const LOOK = ['control', 'palette', 'unfolded', 'letters', 'hints', 'back', 'speed', 'player', 'label'];

const STYLE = `
:host { display: inline-flex; flex-direction: column; width: 18rem; height: 18rem; color-scheme: light dark; }
:host([hidden]) { display: none; }
.stage { position: relative; flex: 1; min-height: 0; }
.stage canvas:focus-visible { outline: 3px solid #4f8ff7; outline-offset: -3px; border-radius: .5rem; }
.fault { margin: auto; padding: 1em clamp(1em, 14%, 3rem); overflow-wrap: anywhere; font: 1rem/1.4 system-ui, sans-serif; text-align: center; }
${PLAYER_STYLE}`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** A style sheet of the script's own: strict policies forbid styles in the page. */
function sharedSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

/** One client for each server, so that all elements share its connection. @type {Map<string, Promise<Cubed>>} */
const clients = new Map();

/** @param {string} server */
function clientOf(server) {
  let client = clients.get(server);
  if (!client) {
    client = import('./client.js').then(({ Cubed }) => new Cubed(server));
    clients.set(server, client);
  }
  return client;
}

/** Without a browser there is nothing to extend; then the module can still be imported. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * Events: `ready` when the cube is shown; `turn` for each turn, with `{move, turn, by}` in `detail`; `change` after each
 * change, with `{facelets}`; `position`, with `{position, length}`; `solved`; `refused` and `error`, with `{problem}`.
 */
export class CubedCube extends Base {
  static observedAttributes = [...CONTENT, ...LOOK];

  /** @type {CubeView | null} */
  #view = null;
  /** @type {ElementModel | null} */
  #model = null;
  /** @type {Player | null} */
  #player = null;
  #stage = globalThis.document?.createElement('div');
  /** @type {string | null} */
  #token = null;
  #abort = new AbortController();
  #pending = false;
  #wasSolved = false;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [sharedSheet()];
    this.#stage.className = 'stage';
    shadow.append(this.#stage);
  }

  // ---- what is shown ----

  /** The model that is shown: a LocalCube, a Playback or a LiveCube; null until there is one. */
  get model() {
    return this.#model;
  }

  /** The view that shows it; see CubeView. */
  get view() {
    return this.#view;
  }

  get facelets() {
    return this.#model?.facelets ?? null;
  }

  get solved() {
    const stickers = this.#model?.stickers;
    const each = stickers ? stickers.length / 6 : 0;
    return stickers ? stickers.every((colour, place) => colour === stickers[place - (place % each)]) : false;
  }

  /** The right to a session. It is not an attribute, so that it stands in no page. */
  get token() {
    return this.#token;
  }

  set token(token) {
    this.#token = token;
    this.#restart();
  }

  // ---- playing ----

  /** The number of moves of `alg` that are made. */
  get position() {
    return this.#playback?.position ?? 0;
  }

  set position(position) {
    this.#playback?.seek(position);
  }

  /** The number of moves that `alg` has. */
  get length() {
    return this.#playback?.length ?? 0;
  }

  get playing() {
    return this.#playback?.playing ?? false;
  }

  play() {
    this.#playback?.play({ movesPerSecond: this.#movesPerSecond });
  }

  pause() {
    this.#playback?.pause();
  }

  /** Makes the next moves, or takes back the last ones. @param {number} [count] negative: back */
  step(count = 1) {
    this.#playback?.pause();
    this.#playback?.step(count);
  }

  // ---- changing ----

  /** Turns the cube; not while it shows `alg`. Resolves when the moves are made. @param {string} moves */
  async turn(moves) {
    return this.#cube.turn(moves);
  }

  async undo() {
    return this.#cube.undo();
  }

  async redo() {
    return this.#cube.redo();
  }

  async reset() {
    return this.#cube.reset();
  }

  /** Without moves, a random scramble. @param {string} [moves] */
  async scramble(moves) {
    return this.#cube.scramble(moves === undefined ? {} : { moves });
  }

  get #cube() {
    if (!this.#model || this.#model instanceof Playback) throw new Error('There is no cube to be turned: it is not ready, or shows moves.');
    return this.#model;
  }

  get #playback() {
    return this.#model instanceof Playback ? this.#model : null;
  }

  // ---- the element ----

  connectedCallback() {
    if (this.#view) return; // it was moved
    for (const name of ['token', ...CONTENT]) this.#upgrade(name);
    this.#view = new CubeView(this.#stage);
    this.#view.onTurn = (turn) => this.#turnByHand(turn);
    this.#applyLook();
    this.#restart();
  }

  disconnectedCallback() {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#close();
      this.#view?.close();
      this.#view = null;
    });
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.#view) return;
    if (CONTENT.includes(name)) this.#restart();
    else this.#applyLook();
  }

  /** A property that was set before the element was defined. @param {string} name */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const self = /** @type {any} */ (this);
    const value = self[name];
    delete self[name];
    self[name] = value;
  }

  /** Shows what the attributes say, once for all that change together. */
  #restart() {
    if (this.#pending || !this.#view) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      if (this.#view) this.#open();
    });
  }

  async #open() {
    this.#close();
    const { signal } = this.#abort;
    try {
      const model = await this.#makeModel(signal);
      if (signal.aborted) return this.#discard(model);
      this.#show(model);
    } catch (error) {
      if (!signal.aborted) this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @param {ElementModel} model */
  #show(model) {
    this.#model = model;
    const off = model.subscribe((change) => this.#changed(change));
    this.#abort.signal.addEventListener('abort', off);
    this.#wasSolved = this.solved;
    this.#view?.show(model);
    this.#applyLook();
    this.#report('ready');
  }

  #close() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#player?.remove();
    this.#player = null;
    this.#stage.querySelector('.fault')?.remove();
    this.#view?.show(null);
    if (this.#model) this.#discard(this.#model);
    this.#model = null;
  }

  /** @param {ElementModel} model */
  #discard(model) {
    model.close();
  }

  /** @param {Error} problem */
  #fail(problem) {
    const fault = document.createElement('p');
    fault.className = 'fault';
    fault.setAttribute('role', 'alert');
    fault.textContent = `This cube cannot be shown: ${problem.message}`;
    this.#stage.append(fault);
    this.#report('error', { problem });
  }

  // ---- models ----

  /** @param {AbortSignal} signal @returns {Promise<ElementModel>} */
  async #makeModel(signal) {
    const session = this.getAttribute('session');
    if (session !== null) {
      const client = await clientOf(this.#server ?? location.origin);
      return client.session(session, { token: this.#token ?? undefined }).live({ signal });
    }
    const given = this.getAttribute('cube');
    const size = this.#size(given);
    const setup = await this.#moves('setup', size);
    const alg = await this.#moves('alg', size);
    const start = given ?? Array.from(FACES, (face) => face.repeat(size * size)).join('');
    const first = new LocalCube({ size, facelets: start });
    if (setup) await first.turn(setup);
    const { facelets } = first;
    return this.hasAttribute('alg') ? new Playback({ size, facelets, moves: alg.split(' ').filter(Boolean) }) : new LocalCube({ size, facelets });
  }

  /** @param {string | null} facelets */
  #size(facelets) {
    const text = this.getAttribute('size') ?? (facelets === null ? '3' : String(Math.sqrt(facelets.length / 6)));
    const size = Number(text);
    if (!Number.isInteger(size) || size < 2 || size > SIZE_MAX) throw new RangeError(`size must be 2 to ${SIZE_MAX}, not "${text}".`);
    return size;
  }

  /** The plain moves of an attribute; what is not plain is expanded by the server. @param {string} name @param {number} size */
  async #moves(name, size) {
    const text = this.getAttribute(name) ?? '';
    const plain = canonicalMoves(text, size);
    if (plain !== null) return plain;
    if (this.#server === null) throw new SyntaxError(`${name} has more than plain moves, which a server must read: "${text}".`);
    const client = await clientOf(this.#server);
    const { expanded } = await client.algorithm({ moves: text, size });
    if (typeof expanded !== 'string') throw new RangeError(`${name} has more moves than can be shown.`);
    return expanded;
  }

  get #server() {
    const server = this.getAttribute('server');
    if (server === null) return null;
    const { origin, pathname } = new URL(server || '/', location.href);
    return origin + pathname.replace(/\/+$/, '');
  }

  // ---- turning and reporting ----

  /** @param {LayerTurn} turn */
  #turnByHand(turn) {
    if (!this.#model || this.#model instanceof Playback) return null;
    return this.#model.turn(`${moveText(turn, this.#model.size)}@${Math.round(performance.now())}`, { hand: true });
  }

  /** @param {{type: string, [name: string]: any}} change */
  #changed(change) {
    const size = this.#model?.size ?? 0;
    if (change.type === 'turned') {
      for (const turn of change.turns) this.#report('turn', { turn, move: moveText(turn, size), by: change.by });
    }
    if (change.type === 'turned' || change.type === 'redrawn') {
      this.#report('change', { facelets: this.facelets });
      const { solved } = this;
      if (solved && !this.#wasSolved) this.#report('solved');
      this.#wasSolved = solved;
    }
    if (change.type === 'position') this.#report('position', { position: change.position, length: this.length });
    if (change.type === 'refused') this.#report('refused', { problem: change.problem });
    if (change.type === 'ended') this.#report('error', { problem: change.problem ?? new Error(change.reason) });
  }

  /** @param {string} type @param {object} [detail] */
  #report(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ---- how it looks ----

  get #movesPerSecond() {
    const speed = Number(this.getAttribute('speed') ?? MOVES_PER_SECOND);
    return speed > 0 ? speed : MOVES_PER_SECOND;
  }

  #applyLook() {
    const isPlayback = this.#model instanceof Playback;
    const control = this.getAttribute('control') ?? (this.hasAttribute('alg') || this.hasAttribute('session') ? 'look' : 'turn');
    const grip = ['none', 'look', 'turn'].includes(control) ? /** @type {'none' | 'look' | 'turn'} */ (control) : 'look';
    const [palette] = [readPalette(this.getAttribute('palette') ?? ''), readPalette('')].filter((one) => one !== null);
    const view = this.#view;
    if (!view) return;
    view.turnable = !isPlayback;
    view.set({
      palette,
      letters: this.hasAttribute('letters'),
      unfolded: this.hasAttribute('unfolded'),
      hints: this.hasAttribute('hints'),
      back: this.hasAttribute('back'),
      speed: Math.max(1, this.#movesPerSecond / MOVES_PER_SECOND),
      grip,
    });
    view.canvas.tabIndex = grip === 'none' ? -1 : 0;
    view.canvas.setAttribute('role', grip === 'none' ? 'img' : 'application');
    view.canvas.setAttribute('aria-label', this.getAttribute('label') ?? this.#label(grip));
    this.#applyPlayer();
  }

  /** @param {string} grip */
  #label(grip) {
    const n = this.#model?.size;
    const alg = this.getAttribute('alg');
    return `A ${n ? `${n}×${n}×${n}` : ''} cube${alg ? `; moves: ${alg}` : ''}${grip === 'none' ? '' : '; arrow keys look around it'}`;
  }

  /** The buttons below the cube, if there are moves to watch. */
  #applyPlayer() {
    const wanted = this.#playback && this.getAttribute('player') !== 'none' ? this.#playback : null;
    if (!wanted) {
      this.#player?.remove();
      this.#player = null;
    } else if (!this.#player) {
      this.#player = new Player(wanted, { play: () => this.play(), pause: () => this.pause(), step: (count) => this.step(count) });
      this.shadowRoot?.append(this.#player.element);
    }
  }
}

// The properties that stand for attributes: texts, and switches.
for (const name of [...CONTENT, ...LOOK]) {
  const isSwitch = ['unfolded', 'letters', 'hints', 'back'].includes(name);
  Object.defineProperty(CubedCube.prototype, name, {
    configurable: true,
    enumerable: true,
    /** @this {CubedCube} */
    get() {
      return isSwitch ? this.hasAttribute(name) : this.getAttribute(name);
    },
    /** @this {CubedCube} @param {unknown} value */
    set(value) {
      if (value === null || value === undefined || value === false) this.removeAttribute(name);
      else this.setAttribute(name, value === true ? '' : String(value));
    },
  });
}

globalThis.customElements?.get('cubed-cube') ?? globalThis.customElements?.define('cubed-cube', CubedCube);

