// picture.js: the picture of a cube on a canvas, in 3D or unfolded; and which sticker is under a point of it.
//
// Points and frames are in CSS pixels of the canvas, unless they are said to be in pixels of the device.

import { Camera } from './camera.js';
import { Solid } from './solid.js';

/**
 * @import {Hit} from './camera.js'
 * @import {Eye, Scene} from './solid.js'
 */

const PIXELS_MAX = 2; // of the device, for one of CSS
/** Hint stickers need room about the cube; so does the picture from behind, where the view is about as high as wide. */
const HINTS_FILL = 0.7;
const BACK_FILL = 0.88;
/** The edge of the picture from behind, as a share of the shorter side of the view. */
const BACK_MIN = 0.2;
const BACK_MAX = 0.3;

export class Picture {
  /** Draws the cube unfolded, once that was needed and is loaded. @type {import('./flat.js').Flat | null} */
  #flat = null;
  /** Until it was drawn for the first time. @type {Promise<void> | null} */
  #loading = null;
  /** The context that shows the pictures in 3D. @type {ReturnType<Solid['targetOf']> | null} */
  #target;
  #isSolid = false; // the picture in 3D is there
  #isLost = false;
  #unlisten;
  camera = new Camera();
  /** The number of stickers on an edge; 0: nothing is shown. */
  size = 0;
  /** The choice of pictures: see ViewSettings. */
  settings = { hints: false, back: false, unfolded: false };

  /**
   * @param {HTMLElement} root which holds the canvas
   * @param {HTMLCanvasElement} canvas
   * @param {{redraw: () => void, failed: () => void}} calls `redraw`: it should be drawn again; `failed`: code did not load
   */
  constructor(root, canvas, calls) {
    this.root = root;
    this.canvas = canvas;
    this.calls = calls;
    this.#target = Solid.shared?.targetOf(canvas) ?? null;
    this.#unlisten = Solid.shared?.listen(() => this.#contextChanged()) ?? (() => {});
    this.#isLost = Solid.shared?.ready === false;
  }

  close() {
    this.#unlisten();
  }

  /** True if the browser can draw the cube in 3D. */
  get hasSpace() {
    return Solid.shared !== null;
  }

  /** True if the cube is unfolded now, because that was requested or there is no WebGL. */
  get isFlat() {
    return this.settings.unfolded || !this.hasSpace || this.#isLost;
  }

  /** True if code must still be loaded before it can be drawn. */
  get isLoading() {
    return this.#loading !== null;
  }

  /** Makes the canvas as large as the view. @returns {boolean} whether there is anything to draw on */
  fit() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((edge) => Math.round(edge * this.#scale));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    return width > 0 && height > 0 && this.size > 0;
  }

  /** @param {Scene} scene */
  draw(scene) {
    if (this.#flat) this.#loading = null;
    if (this.isFlat) this.#drawFlat(scene);
    else this.#drawSolid(scene);
  }

  /** Finds the sticker under a point. @param {number} x @param {number} y @returns {Hit | null} */
  pick(x, y) {
    if (this.size === 0) return null;
    if (this.isFlat) return this.#flat?.pick(x, y, this.size) ?? null;
    return this.#eyes.reverse().reduce((hit, { camera, frame, fill }) => hit ?? camera.pick(x, y, frame, fill, this.size), /** @type {Hit | null} */ (null));
  }

  /** The middle of a sticker, or null if it cannot be seen. @param {number} place @returns {[number, number] | null} */
  middleOf(place) {
    const n = this.size;
    if (this.isFlat) return this.#flat?.middleOf(place, n) ?? null;
    const [face, row, column] = [Math.floor(place / (n * n)), Math.floor(place / n) % n, place % n];
    const [{ camera, frame, fill }] = this.#eyes;
    const at = camera.projectPlace(n, face, row, column, frame, fill);
    return this.pick(...at)?.place === place ? at : null;
  }

  /** Pixels of the device for one of CSS. */
  get #scale() {
    return Math.min(window.devicePixelRatio || 1, PIXELS_MAX);
  }

  /** From where the cube is seen, and where: the last one covers the others. @returns {Eye[]} */
  get #eyes() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { hints, back } = this.settings;
    const short = Math.min(width, height);
    const ratio = Math.max(width, height) / short;
    const fill = hints ? HINTS_FILL : back && ratio < 1.1 ? BACK_FILL : 1;
    const eyes = [{ camera: this.camera, fill, frame: { left: 0, top: 0, width, height } }];
    if (!back) return eyes;
    const edge = short * Math.min(Math.max(BACK_MIN, BACK_MAX * ratio - 0.1), BACK_MAX);
    return [...eyes, { camera: this.camera.opposite, fill: 1, frame: { left: width - edge, top: 0, width: edge, height: edge } }];
  }

  /** @param {Scene} scene */
  #drawSolid(scene) {
    const solid = Solid.shared;
    if (!solid?.ready || !this.#target) return; // the last drawing stays until the context is back
    solid.draw(this.#target, scene, this.#eyes, this.#scale);
    if (!this.#isSolid) this.#flat?.hide();
    this.#isSolid = true;
  }

  /** @param {Scene} scene */
  #drawFlat(scene) {
    if (!this.#flat) return this.#loadFlat(); // the last drawing stays until then
    if (this.#isSolid) this.#blank();
    this.#isSolid = false;
    this.#flat.draw(scene);
  }

  /** Few need it, so the first screen does without. */
  #loadFlat() {
    this.#loading ??= import('./flat.js').then(({ Flat }) => {
      this.#flat = new Flat(this.root, this.canvas, () => this.#scale);
      this.calls.redraw();
    }, () => {
      this.#loading = null; // the next frame tries again
      this.calls.failed();
    });
  }

  #blank() {
    if (!this.#target) return;
    if ('transferFromImageBitmap' in this.#target) this.#target.transferFromImageBitmap(null);
    else this.#target.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** The pictures of a lost context are lost as well: until it is back the cube is unfolded. */
  #contextChanged() {
    this.#isLost = !Solid.shared?.ready;
    this.calls.redraw();
  }
}
