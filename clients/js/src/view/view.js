// view.js: shows a cube in an element, in 3D or unfolded, follows its turns, and lets hands turn it.
//
// What is shown is a model (a LiveCube, a LocalCube, a Playback): `{size, stickers, subscribe(listener)}`. It reports
// `turned`, which is animated, and anything else that changed the stickers, which is shown at once. A turn by hand is shown
// before the model knows of it: `onTurn` informs the model, and if that does not turn, the layer goes back.

import { isSame } from '../cube.js';
import { tell } from '../listeners.js';
import { HOME } from './camera.js';
import { Hands } from './hands.js';
import { Motion, still } from './motion.js';
import { PALETTES } from './palette.js';
import { Picture } from './picture.js';
import { isSameTurn, layerTurn, wayAlong } from './turns.js';

/**
 * @import {LayerTurn} from '../moves.js'
 * @import {Hit} from './camera.js'
 * @import {Palette} from './palette.js'
 * @import {Layers, Scene} from './solid.js'
 * @import {Way} from './turns.js'
 */

/**
 * A change that a view can show. `by`: `here` and `others` are animated, and so is `hand` unless the hand was this
 * view's.
 * @typedef {{type: string, turns?: LayerTurn[], by?: string}} ModelChange
 * @typedef {{size: number, stickers: Uint8Array, subscribe: (listener: (change: any) => void) => (() => void)}} CubeModel
 */

/**
 * The look of a view. `hints`: the stickers of the far sides float behind the cube; `back`: a second, small picture
 * shows it from behind; `unfolded`: flat instead of in 3D; `grip`: whether hands may turn (`turn`), only look around
 * (`look`), or nothing (`none`); `speed`: how many times as fast as usual turns are shown.
 * @typedef {{palette: Palette, letters: boolean, hints: boolean, back: boolean, unfolded: boolean,
 *   grip: 'turn' | 'look' | 'none', speed: number}} ViewSettings
 */

/** @typedef {'piece' | 'goal' | 'wrong'} MarkKind */
/** @typedef {{places: number[], kind: MarkKind}} Mark */
/** @typedef {{yaw: number, pitch: number, zoom: number}} Look */

const MARKS = { piece: 1, goal: 2, wrong: 4 };
/** New marks pulse for a while. */
const PULSE_MS = 700;
const PULSES = 4;

const HINTS = 0.75;

const FILLING = 'position:absolute;inset:0;width:100%;height:100%;user-select:none;-webkit-user-select:none;-webkit-tap-highlight-color:transparent';

export class CubeView {
  /** @type {CubeModel | null} */
  #model = null;
  #unsubscribe = () => {};
  #motion = new Motion();
  #picture;
  #hands;
  /** Turns by hand that the model has not made yet. @type {LayerTurn[]} */
  #made = [];
  /** @type {{layers: Layers, angle: number} | null} */
  #held = null;
  /** @type {Hit | null} */
  #pointed = null;
  /** @type {Uint8Array | null} */
  #marks = null;
  #marked = -Infinity;
  #frame = 0;
  #busy = false;
  #visible = true;
  #unwatch;
  /** @type {ViewSettings} */
  #settings = { palette: PALETTES.wca, letters: false, hints: false, back: false, unfolded: false, grip: 'turn', speed: 1 };

  /** Frames drawn so far. */
  frames = 0;

  /** A turn by hand, which is shown already. May return a promise that ends when the model has turned or refused. @type {((turn: LayerTurn) => unknown) | null} */
  onTurn = null;
  /** A click on a sticker, without a drag: its place. @type {((place: number, event: PointerEvent) => void) | null} */
  onPick = null;
  /** The pointer is over a sticker: its place and the two turns of its layers; or no longer. @type {((place: number | null, turns: LayerTurn[]) => void) | null} */
  onPoint = null;
  /** A hand changed the look. @type {((look: Look) => void) | null} */
  onLook = null;
  /** It begins or ends to move. @type {((busy: boolean) => void) | null} */
  onBusy = null;

  /**
   * @param {HTMLElement} host which it fills; its size is that of the view
   * @param {Partial<ViewSettings> & {label?: string}} [options]
   */
  constructor(host, { label = 'The cube: arrow keys look around it', ...settings } = {}) {
    this.host = host;
    /** True if hands may turn the cube now. */
    this.turnable = true;
    /** Holds all that is drawn. */
    this.element = document.createElement('div');
    /** The cube in 3D; it has the focus, and takes what hands do, when the cube is unfolded as well. */
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', label);
    for (const { style } of [this.element, this.canvas]) style.cssText = FILLING;
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    this.element.append(this.canvas);
    host.append(this.element);
    this.#picture = new Picture(this.element, this.canvas, { redraw: () => this.redraw(), failed: () => this.#tellBusy() });
    this.#hands = new Hands(this.canvas, this.#grip());
    this.set(settings);
    this.#unwatch = this.#watch();
  }

  // ---- what is shown ----

  /** Shows a model from now on. Of the one before only the marks stay, if the sizes are the same. @param {CubeModel | null} model */
  show(model) {
    this.#unsubscribe();
    this.#model = model;
    this.#unsubscribe = model ? model.subscribe((change) => this.#model === model && this.#changed(change)) : () => {};
    this.#made = [];
    this.#drop();
    this.#jump();
  }

  get model() {
    return this.#model;
  }

  /** @param {Partial<ViewSettings>} settings */
  set(settings) {
    Object.assign(this.#settings, settings);
    this.#motion.speed = this.#settings.speed;
    this.#picture.settings = this.#settings;
    this.#pointed = null;
    this.redraw();
  }

  get settings() {
    return { ...this.#settings };
  }

  /** Marks stickers, until they are marked otherwise. @param {Mark[]} marks */
  mark(marks) {
    const bits = new Uint8Array(6 * this.#motion.size ** 2);
    for (const { places, kind } of marks) for (const place of places) bits[place] |= MARKS[kind];
    this.#marks = bits.some(Boolean) ? bits : null;
    this.#marked = performance.now();
    this.redraw();
  }

  /**
   * Looks at the cube from elsewhere; null: as at first.
   * @param {number | null} yaw
   * @param {number} [pitch] radians
   * @param {number} [zoom]
   */
  look(yaw, pitch = HOME.pitch, zoom) {
    const { camera } = this.#picture;
    if (yaw === null) camera.look(HOME.yaw, HOME.pitch, HOME.zoom);
    else camera.look(yaw, pitch, zoom);
    this.redraw();
  }

  /** @returns {Look} */
  get looking() {
    const { yaw, pitch, zoom } = this.#picture.camera;
    return { yaw, pitch, zoom };
  }

  resetLook() {
    this.look(null);
    tell(this.onLook, this.looking);
  }

  /** True if the browser can draw the cube in 3D. */
  get hasSpace() {
    return this.#picture.hasSpace;
  }

  /** True if the cube is unfolded now, because that was requested or there is no WebGL. */
  get isFlat() {
    return this.#picture.isFlat;
  }

  /** True if something moves now, or must still be loaded. */
  get busy() {
    return this.#motion.busy || this.#held !== null || this.#picture.isLoading;
  }

  /** The angle by which the layer that a hand holds is turned, in radians, right-handed about its axis; null if none is
   * held. */
  get heldAngle() {
    return this.#held?.angle ?? null;
  }

  /** Draws it again with the next frame. */
  redraw() {
    if (!this.#frame && this.#motion.size && this.#visible) this.#frame = requestAnimationFrame(() => this.#draw());
    this.#tellBusy();
  }

  #tellBusy() {
    if (this.busy === this.#busy) return;
    this.#busy = this.busy;
    tell(this.onBusy, this.#busy);
  }

  /** Ends it, and takes it out of the host. */
  close() {
    this.show(null);
    this.#unwatch();
    this.#hands.close();
    this.#picture.close();
    cancelAnimationFrame(this.#frame);
    this.element.remove();
  }

  /** The middle of a sticker in CSS pixels of the view, or null if it cannot be seen. @param {number} place @returns {[number, number] | null} */
  placeOnScreen(place) {
    return this.#picture.middleOf(place);
  }

  // ---- following the model ----

  /** @param {ModelChange} change */
  #changed(change) {
    const model = /** @type {CubeModel} */ (this.#model);
    if (model.size !== this.#motion.size) this.#jump();
    else if (change.type === 'turned' && change.turns) this.#turned(change.turns);
    else if (change.type === 'redrawn' || change.type === 'state') this.#redrawn();
  }

  /** @param {LayerTurn[]} turns */
  #turned(turns) {
    if (this.#made.length > 0 && turns.length === 1 && isSameTurn(turns[0], this.#made[0])) {
      this.#made.shift();
      return;
    }
    this.#unpoint();
    this.#motion.turn(turns);
    this.#turning();
  }

  /** Forgets what the pointer was put on, which is no longer there once the cube is turned. */
  #unpoint() {
    if (!this.#held && !this.#motion.busy) this.#pointed = null;
  }

  /** Turns are on their way that no hand of this view made. */
  #turning() {
    if ((still.matches || document.hidden || !this.#visible) && !this.#held) this.#motion.finish();
    this.redraw();
  }

  /** The model changed otherwise. If the newest turns were taken back, they are seen to turn back. */
  #redrawn() {
    const { stickers } = /** @type {CubeModel} */ (this.#model);
    if (isSame(stickers, this.#motion.stickers)) return;
    this.#unpoint();
    if (this.#motion.turnBackTo(stickers)) this.#turning();
    else this.#jump();
  }

  /** Shows what the model is now, without animation. A layer that is held stays so, if the cube is as large. */
  #jump() {
    const { size, stickers } = this.#model ?? { size: 0, stickers: new Uint8Array(0) };
    if (size !== this.#motion.size) {
      this.#drop();
      this.#marks = null;
    }
    this.#motion.jump(size, stickers);
    this.#picture.size = size;
    if (size === 0) this.element.hidden = true;
    this.redraw();
  }

  /** Shows the state of the model once nothing moves, in case a change was missed. */
  #settle() {
    if (this.#model && this.#made.length === 0 && !this.busy) this.#redrawn();
  }

  // ---- hands ----

  /** @returns {import('./hands.js').Grip} */
  #grip() {
    return {
      pick: (x, y) => this.#picture.pick(x, y),
      size: () => this.#motion.size,
      turnable: () => this.turnable && this.onTurn !== null && this.#settings.grip === 'turn',
      lookable: () => this.#settings.grip !== 'none',
      unfolded: () => this.isFlat,
      begin: (way) => this.#begin(way),
      drag: (angle) => this.#drag(angle),
      release: (quarters) => this.#release(quarters),
      turnLook: (yaw, pitch) => this.#lookBy(yaw, pitch, 1),
      zoom: (factor) => this.#lookBy(0, 0, factor),
      resetLook: () => this.resetLook(),
      point: (hit) => this.#point(hit),
      click: (hit, event) => tell(this.onPick, hit.place, event),
      picks: () => this.onPick !== null,
    };
  }

  /** @param {Way} way */
  #begin({ axis, low, high }) {
    this.#motion.finish();
    this.#held = { layers: { axis, low, high }, angle: 0 };
    this.redraw();
  }

  /** @param {number} angle */
  #drag(angle) {
    if (this.#held) this.#held.angle = angle;
    this.redraw();
  }

  /** The layer comes to rest; it goes on from where the hand left it. @param {number} quarters */
  #release(quarters) {
    const held = this.#held;
    if (!held) return;
    const turn = layerTurn(this.#motion.size, held.layers.axis, held.layers.low, quarters);
    this.#held = null;
    this.#motion.release(held, quarters, turn);
    this.redraw();
    if (turn) this.#report(turn);
  }

  /** Lets the model make a turn that is shown already. @param {LayerTurn} turn */
  #report(turn) {
    this.#made.push(turn);
    const model = this.#model;
    const settle = () => {
      if (this.#model === model) this.#made = this.#made.filter((one) => one !== turn);
      this.#settle();
    };
    /** @type {unknown} */
    let answer;
    try {
      answer = this.onTurn?.(turn);
    } finally {
      if (answer instanceof Promise) answer.then(settle, settle);
      else settle();
    }
  }

  /** Lets go of a layer without a word. */
  #drop() {
    this.#hands.drop();
    this.#held = null;
    this.#pointed = null;
  }

  /** @param {number} yaw @param {number} pitch @param {number} factor @returns {boolean} whether it looks otherwise now */
  #lookBy(yaw, pitch, factor) {
    if (this.isFlat) return false;
    const before = this.looking;
    this.look(before.yaw + yaw, before.pitch + pitch, before.zoom * factor);
    const after = this.looking;
    if (before.yaw === after.yaw && before.pitch === after.pitch && before.zoom === after.zoom) return false;
    tell(this.onLook, after);
    return true;
  }

  /** @param {Hit | null} hit */
  #point(hit) {
    if (hit?.place === this.#pointed?.place) return;
    this.#pointed = hit;
    if (this.onPoint) tell(this.onPoint, hit?.place ?? null, hit ? this.#waysOf(hit).flatMap(({ axis, low }) => layerTurn(this.#motion.size, axis, low, 1) ?? []) : []);
    this.redraw();
  }

  /** @param {Hit} hit */
  #waysOf(hit) {
    return [wayAlong(hit, this.#motion.size, 'right'), wayAlong(hit, this.#motion.size, 'down')];
  }

  // ---- drawing ----

  #draw() {
    this.#frame = 0;
    const moving = this.#held ?? this.#motion.at(performance.now());
    this.element.hidden = this.#motion.size === 0;
    if (!this.#picture.fit()) return;
    const scene = this.#scene(moving);
    this.#picture.draw(scene);
    this.frames++;
    if (this.#motion.busy || scene.pulse > 0) this.redraw();
    else this.#rest();
  }

  /** A frame in which nothing moves on its own was drawn. */
  #rest() {
    this.#tellBusy();
    this.#settle();
  }

  /** @param {{layers: Layers, angle: number} | null} moving @returns {Scene} */
  #scene(moving) {
    const { palette, letters, hints } = this.#settings;
    const since = (performance.now() - this.#marked) / PULSE_MS;
    const pulses = this.#marks && since < PULSES && !still.matches;
    return {
      n: this.#motion.size,
      stickers: this.#motion.shown,
      marks: this.#marks,
      palette,
      letters,
      moving: moving?.layers ?? null,
      angle: moving?.angle ?? 0,
      lit: this.#held ? [this.#held.layers] : this.#pointed && !moving && this.turnable && this.onTurn ? this.#waysOf(this.#pointed) : [],
      hints: hints ? HINTS : 0,
      pulse: pulses ? Math.max(1e-3, Math.sin(since * Math.PI) ** 2) : 0,
    };
  }

  // ---- the world around ----

  /** Follows the size of the view, and whether it can be seen. @returns {() => void} ends that */
  #watch() {
    const sizes = new ResizeObserver(() => this.redraw());
    sizes.observe(this.host);
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      this.#visible = isIntersecting;
      if (!isIntersecting && !this.#held) this.#motion.finish();
      this.redraw();
    });
    seen.observe(this.host);
    return () => {
      sizes.disconnect();
      seen.disconnect();
    };
  }
}
