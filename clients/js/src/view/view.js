// view.js: shows a cube in an element, in 3D or unfolded, follows its turns, and lets hands turn it.
//
// What is shown is a model (a LiveCube, a LocalCube, a Playback): `{size, stickers, subscribe(listener)}`. It reports
// `turned`, which is animated, and anything else that changed the stickers, which is shown at once. A turn by hand is shown
// before the model knows of it: `onTurn` tells the model, and if that does not turn, the layer goes back.

import { isSame, turned, turnInSpace } from '../cube.js';
import { inverseTurn } from '../moves.js';
import { Animation } from './animation.js';
import { Camera, HOME } from './camera.js';
import { Hands } from './hands.js';
import { PALETTES } from './palette.js';
import { Solid } from './solid.js';
import { isSameTurn, layerTurn, wayAlong } from './turns.js';

/**
 * @import {LayerTurn} from '../moves.js'
 * @import {Hit} from './camera.js'
 * @import {Palette} from './palette.js'
 * @import {Eye, Layers, Scene} from './solid.js'
 * @import {Way} from './turns.js'
 */

/**
 * What a view can show. `by`: `here` and `others` are animated, and so is `hand` unless the hand was this view's.
 * @typedef {{type: string, turns?: LayerTurn[], by?: string}} ModelChange
 * @typedef {{size: number, stickers: Uint8Array, subscribe: (listener: (change: any) => void) => (() => void)}} CubeModel
 */

/**
 * How a view looks. `hints`: the stickers of the far sides float behind the cube; `back`: a second, small picture shows it
 * from behind; `unfolded`: flat instead of in 3D; `grip`: whether hands may turn (`turn`), only look around (`look`), or
 * nothing (`none`); `speed`: how many times as fast as usual turns are shown.
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

/** A layer that is let go comes to rest within this time, and sooner if it is nearly there. */
const SNAP_MS = 190;
const SNAP_LEAST_MS = 60;
const QUARTER = Math.PI / 2;

/** So many of the newest turns can be seen to be taken back. */
const PAST_MAX = 12;

const PIXELS_MAX = 2; // of the device, for one of CSS
const HINTS = 0.75;
const HINTS_FILL = 0.7;
const BACK_SHARE = 0.3;

/** Without a browser the module can still be imported. */
const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)') ?? { matches: false };

export class CubeView {
  /** @type {CubeModel | null} */
  #model = null;
  #unsubscribe = () => {};
  #animation = new Animation();
  #camera = new Camera();
  /** Draws the cube unfolded, once that was needed and is loaded. @type {import('./flat.js').Flat | null} */
  #flat = null;
  /** Until it was drawn for the first time. @type {Promise<void> | null} */
  #loading = null;
  #hands;
  #isSolid = false; // the picture in 3D is there
  /** What shows the pictures in 3D. @type {ReturnType<Solid['targetOf']> | null} */
  #target;
  #n = 0;
  /** What is shown when all animations have ended. @type {Uint8Array} */
  #now = new Uint8Array(0);
  /** Turns by hand that the model has not made yet. @type {LayerTurn[]} */
  #made = [];
  /** The newest turns, and the stickers before each. @type {{turn: LayerTurn, before: Uint8Array}[]} */
  #past = [];
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
  #lost = false;
  #closing;
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
    /** Whether hands may turn the cube now. */
    this.turnable = true;
    /** Holds all that is drawn. */
    this.element = document.createElement('div');
    Object.assign(this.element.style, { position: 'absolute', inset: '0' });
    /** The cube in 3D; it has the focus, and takes what hands do, when the cube is unfolded as well. */
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', label);
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', userSelect: 'none', webkitUserSelect: 'none' });
    this.canvas.style.setProperty('-webkit-tap-highlight-color', 'transparent');
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    this.element.append(this.canvas);
    host.append(this.element);
    this.#target = Solid.shared?.targetOf(this.canvas) ?? null;
    this.#hands = new Hands(this.canvas, this.#grip());
    this.#closing = [this.#watch()];
    this.set(settings);
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
    this.#animation.speed = this.#settings.speed;
    this.#pointed = null;
    this.redraw();
  }

  get settings() {
    return { ...this.#settings };
  }

  /** Marks stickers, until they are marked otherwise. @param {Mark[]} marks */
  mark(marks) {
    const bits = new Uint8Array(6 * this.#n * this.#n);
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
    if (yaw === null) this.#camera.look(HOME.yaw, HOME.pitch, HOME.zoom);
    else this.#camera.look(yaw, pitch, zoom);
    this.redraw();
  }

  /** @returns {Look} */
  get looking() {
    const { yaw, pitch, zoom } = this.#camera;
    return { yaw, pitch, zoom };
  }

  resetLook() {
    this.look(null);
    this.onLook?.(this.looking);
  }

  /** Whether the browser can draw the cube in 3D. */
  get hasSpace() {
    return Solid.shared !== null;
  }

  /** Whether something moves now, or is still to be loaded. */
  get busy() {
    return this.#animation.busy || this.#held !== null || this.#loading !== null;
  }

  /** How far the layer that a hand holds is turned, in radians, right-handed about its axis; null if none is held. */
  get heldAngle() {
    return this.#held?.angle ?? null;
  }

  /** Draws it again with the next frame. */
  redraw() {
    if (!this.#frame && this.#n && this.#visible) this.#frame = requestAnimationFrame(() => this.#draw());
    this.#tellBusy();
  }

  #tellBusy() {
    if (this.busy === this.#busy) return;
    this.#busy = this.busy;
    this.onBusy?.(this.#busy);
  }

  /** Ends it, and takes it out of the host. */
  close() {
    this.show(null);
    this.#closing.forEach((close) => close());
    this.#hands.close();
    cancelAnimationFrame(this.#frame);
    this.element.remove();
  }

  /** The middle of a sticker in CSS pixels of the view, or null if it cannot be seen. @param {number} place @returns {[number, number] | null} */
  placeOnScreen(place) {
    const n = this.#n;
    const [face, row, column] = [Math.floor(place / (n * n)), Math.floor(place / n) % n, place % n];
    if (this.isFlat) {
      if (!this.#flat) return null;
      const scale = this.#scale;
      const [x, y] = this.#flat.middleOf(place, this.canvas.width, this.canvas.height, n);
      return [x / scale, y / scale];
    }
    const at = this.#camera.projectPlace(n, face, row, column, this.#view, this.#fill);
    return this.#pick(...at)?.place === place ? at : null;
  }

  // ---- following the model ----

  /** @param {ModelChange} change */
  #changed(change) {
    const model = /** @type {CubeModel} */ (this.#model);
    if (model.size !== this.#n) this.#jump();
    else if (change.type === 'turned' && change.turns) this.#turned(change.turns);
    else if (change.type === 'redrawn' || change.type === 'state') this.#redrawn();
  }

  /** @param {LayerTurn[]} turns */
  #turned(turns) {
    if (this.#made.length > 0 && turns.length === 1 && isSameTurn(turns[0], this.#made[0])) {
      this.#made.shift();
      return;
    }
    this.#turn(turns);
  }

  /** Shows turns one after the other. @param {LayerTurn[]} turns */
  #turn(turns) {
    const time = performance.now();
    if (!this.#held && !this.#animation.busy && this.#pointed) this.#pointed = null;
    for (const turn of turns) {
      const before = this.#now;
      this.#now = turned(before, this.#n, turn);
      this.#remember(turn, before);
      const { quarters, ...layers } = turnInSpace(turn, this.#n);
      this.#animation.push({ layers, from: 0, to: quarters * QUARTER, after: this.#now }, time);
    }
    if ((still.matches || document.hidden || !this.#visible) && !this.#held) this.#animation.finish();
    this.redraw();
  }

  /** @param {LayerTurn} turn @param {Uint8Array} before */
  #remember(turn, before) {
    this.#past.push({ turn, before });
    if (this.#past.length > PAST_MAX) this.#past.shift();
  }

  /** The model changed otherwise. If the newest turns were taken back, they are seen to turn back. */
  #redrawn() {
    const { stickers } = /** @type {CubeModel} */ (this.#model);
    if (isSame(stickers, this.#now)) return;
    for (let i = this.#past.length - 1; i >= 0; i--) {
      if (!isSame(this.#past[i].before, stickers)) continue;
      const back = this.#past.splice(i).reverse().map(({ turn }) => inverseTurn(turn));
      const length = this.#past.length;
      this.#turn(back);
      this.#past.length = length;
      return;
    }
    this.#jump();
  }

  /** Shows what the model is now, without animation. A layer that is held stays so, if the cube is as large. */
  #jump() {
    const { size, stickers } = this.#model ?? { size: 0, stickers: new Uint8Array(0) };
    if (size !== this.#n) {
      this.#drop();
      this.#marks = null;
    }
    this.#n = size;
    this.#now = stickers;
    this.#past = [];
    this.#animation.jump(stickers);
    if (size === 0) this.element.hidden = true;
    this.redraw();
  }

  /** What is shown is what the model has, whatever was missed. */
  #settle() {
    if (this.#model && this.#made.length === 0 && !this.busy) this.#redrawn();
  }

  // ---- hands ----

  /** @returns {import('./hands.js').Grip} */
  #grip() {
    return {
      pick: (x, y) => this.#pick(x, y),
      size: () => this.#n,
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
      click: (hit, event) => this.onPick?.(hit.place, event),
      picks: () => this.onPick !== null,
    };
  }

  /** @param {Way} way */
  #begin({ axis, low, high }) {
    this.#animation.finish();
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
    const { layers, angle } = held;
    const turn = layerTurn(this.#n, layers.axis, layers.low, quarters);
    const time = performance.now();
    if (turn) this.#animation.finish(); // what others turned meanwhile came before
    this.#held = null;
    const before = this.#now;
    const rest = { layers, from: angle, to: quarters * QUARTER, lastsMs: still.matches ? 1 : this.#snapMs(angle, quarters) };
    if (!turn) {
      this.#animation.unshift({ ...rest, after: this.#animation.shown }, time);
      return this.redraw();
    }
    this.#now = turned(before, this.#n, turn);
    this.#remember(turn, before);
    this.#animation.push({ ...rest, after: this.#now }, time);
    this.redraw();
    this.#tell(turn);
  }

  /** @param {number} angle @param {number} quarters */
  #snapMs(angle, quarters) {
    return Math.max(SNAP_LEAST_MS, SNAP_MS * Math.min(1, Math.abs(quarters * QUARTER - angle) / (QUARTER / 2)));
  }

  /** Lets the model make a turn that is shown already. @param {LayerTurn} turn */
  #tell(turn) {
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
    this.onLook?.(after);
    return true;
  }

  /** @param {Hit | null} hit */
  #point(hit) {
    if (hit?.place === this.#pointed?.place) return;
    this.#pointed = hit;
    if (this.onPoint) this.onPoint(hit?.place ?? null, hit ? this.#waysOf(hit).flatMap(({ axis, low }) => layerTurn(this.#n, axis, low, 1) ?? []) : []);
    this.redraw();
  }

  /** @param {Hit} hit */
  #waysOf(hit) {
    return [wayAlong(hit, this.#n, 'right'), wayAlong(hit, this.#n, 'down')];
  }

  /** @param {number} x @param {number} y @returns {Hit | null} */
  #pick(x, y) {
    if (this.#n === 0) return null;
    if (this.isFlat) {
      const scale = this.#scale;
      return this.#flat?.pick(x * scale, y * scale, this.canvas.width, this.canvas.height, this.#n, scale) ?? null;
    }
    if (this.#settings.back) {
      const behind = this.#camera.opposite.pick(x, y, this.#backFrame, 1, this.#n);
      if (behind) return behind;
    }
    return this.#camera.pick(x, y, this.#view, this.#fill, this.#n);
  }

  // ---- drawing ----

  /** Whether the cube is unfolded now: it was asked for, or there is no WebGL. */
  get isFlat() {
    return this.#settings.unfolded || !this.hasSpace || this.#lost;
  }

  get #scale() {
    return Math.min(window.devicePixelRatio || 1, PIXELS_MAX);
  }

  /** The view in CSS pixels. */
  get #view() {
    return { left: 0, top: 0, width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }

  get #fill() {
    return this.#settings.hints ? HINTS_FILL : 1;
  }

  /** The small picture from behind, in CSS pixels: in the upper right corner. */
  get #backFrame() {
    const { width, height } = this.#view;
    const edge = Math.round(Math.min(width, height) * BACK_SHARE);
    return { left: width - edge, top: 0, width: edge, height: edge };
  }

  #draw() {
    this.#frame = 0;
    const moving = this.#held ?? this.#animation.at(performance.now());
    if (!this.#fit()) return;
    const scene = this.#scene(moving);
    if (this.#flat) this.#loading = null;
    if (this.isFlat) this.#drawFlat(scene);
    else this.#drawSolid(scene);
    this.frames++;
    if (this.#animation.busy || scene.pulse > 0) this.redraw();
    else this.#rest();
  }

  /** @param {Scene} scene */
  #drawFlat(scene) {
    if (!this.#flat) return this.#loadFlat(); // what was drawn stays until then
    if (this.#isSolid) this.#blank();
    this.#isSolid = false;
    this.#flat.draw(scene, this.canvas.width, this.canvas.height, this.#scale);
  }

  /** Few need it, so the first screen does without. */
  #loadFlat() {
    this.#loading ??= import('./flat.js').then(({ Flat }) => {
      this.#flat = new Flat(this.element);
      this.redraw();
    }, () => {
      this.#loading = null; // the next frame tries again
      this.#tellBusy();
    });
  }

  /** @param {Scene} scene */
  #drawSolid(scene) {
    const solid = Solid.shared;
    if (!solid?.ready || !this.#target) return; // what was drawn stays until the context is back
    solid.draw(this.#target, scene, this.#eyes());
    if (!this.#isSolid) this.#flat?.hide();
    this.#isSolid = true;
  }

  #blank() {
    if (!this.#target) return;
    if ('transferFromImageBitmap' in this.#target) this.#target.transferFromImageBitmap(null);
    else this.#target.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** A frame in which nothing moves on its own was drawn. */
  #rest() {
    this.#tellBusy();
    this.#settle();
  }

  /** Makes the canvas as large as the view. @returns {boolean} whether there is anything to draw on */
  #fit() {
    const { canvas } = this;
    this.element.hidden = this.#n === 0;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((edge) => Math.round(edge * this.#scale));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    return width > 0 && height > 0 && this.#n > 0;
  }

  /** @param {{layers: Layers, angle: number} | null} moving @returns {Scene} */
  #scene(moving) {
    const { palette, letters, hints } = this.#settings;
    const since = (performance.now() - this.#marked) / PULSE_MS;
    const pulses = this.#marks && since < PULSES && !still.matches;
    return {
      n: this.#n,
      stickers: this.#animation.shown,
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

  /** @returns {Eye[]} in pixels of the device */
  #eyes() {
    const { width, height } = this.canvas;
    /** @type {Eye[]} */
    const eyes = [{ camera: this.#camera, fill: this.#fill, frame: { left: 0, top: 0, width, height } }];
    if (this.#settings.back) {
      const frame = this.#backFrame;
      const edge = Math.round(frame.width * this.#scale);
      eyes.push({ camera: this.#camera.opposite, fill: 1, frame: { left: width - edge, top: 0, width: edge, height: edge } });
    }
    return eyes;
  }

  // ---- the world around ----

  /** Follows the size of the view, whether it can be seen, and whether WebGL is there. @returns {() => void} ends that */
  #watch() {
    const sizes = new ResizeObserver(() => this.redraw());
    sizes.observe(this.host);
    const seen = new IntersectionObserver(([{ isIntersecting }]) => {
      this.#visible = isIntersecting;
      if (!isIntersecting && !this.#held) this.#animation.finish();
      this.redraw();
    });
    seen.observe(this.host);
    const unlisten = Solid.shared?.listen(() => this.#contextChanged()) ?? (() => {});
    this.#lost = Solid.shared?.ready === false;
    return () => {
      sizes.disconnect();
      seen.disconnect();
      unlisten();
    };
  }

  /** The pictures of a lost context are lost as well: until it is back the cube is unfolded. */
  #contextChanged() {
    this.#lost = !Solid.shared?.ready;
    this.redraw();
  }
}
