// flat.js: the unfolded cube, on a canvas in two dimensions.
//
// All of it is drawn once for each state, on a sheet: a pixel for each sticker, enlarged, under a mask of lines that is
// made once for each size. A frame is a copy of the sheet and, where layers turn, of at most ten parts of it; so a frame of
// a 100x100x100 costs what one of a 2x2x2 costs.

import { FACES, SIDES } from '../cube.js';
import { cellAt } from './camera.js';
import { rgbOf, UNKNOWN } from './palette.js';
import { wayAlong } from './turns.js';

/**
 * @import {Hit} from './camera.js'
 * @import {Layers, Scene} from './solid.js'
 */

/** The places of the faces in the unfolding, in columns and rows of faces. */
const UNFOLDED = [[1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [3, 1]];
const GAP = 0.04; // between faces

/** Cells narrower than this have no lines between them, and no letters if narrower than that. */
const LINED = 3;
const LETTERED = 7;
const ROUND = 10;

/**
 * Where the faces are, in pixels of the device.
 * @typedef {{left: number, top: number, face: number, gap: number}} Layout
 */

/**
 * @param {number} width
 * @param {number} height
 * @param {number} n
 * @returns {Layout}
 */
function layoutOf(width, height, n) {
  const most = Math.floor(Math.min(width / (4 + 3 * GAP), height / (3 + 2 * GAP)) * 0.98);
  const even = Math.floor(most / n) * n; // all cells as wide
  const face = even >= 0.92 * most ? even : most;
  const gap = Math.round(face * GAP);
  return { left: Math.round((width - 4 * face - 3 * gap) / 2), top: Math.round((height - 3 * face - 2 * gap) / 2), face, gap };
}

/** The upper left corner of a face. @param {Layout} layout @param {number} side @returns {[number, number]} */
const cornerOf = ({ left, top, face, gap }, side) => [left + UNFOLDED[side][0] * (face + gap), top + UNFOLDED[side][1] * (face + gap)];

/** @param {number} width @param {number} height */
function canvasOf(width, height) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, width), Math.max(1, height)];
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
}

/**
 * The strip of a layer on a face, as a frame in which the first coordinate runs along the way of the stickers and the
 * second along the axis, both from 0 to 1.
 * @param {Layout} layout
 * @param {number} side
 * @param {number} axis
 */
function stripOf(layout, side, axis) {
  const { right } = SIDES[side];
  const along = right[0] === axis ? 'down' : 'right';
  const across = along === 'right' ? 'down' : 'right';
  const { spin } = wayAlong({ face: side, row: 0, column: 0 }, 1, along);
  const way = { right: [0, 0], down: [0, 0] };
  const index = { right: 0, down: 1 };
  const up = SIDES[side][across][1];
  way[along][index[along]] = spin * layout.face;
  way[across][index[across]] = up * layout.face;
  const origin = cornerOf(layout, side);
  if (spin < 0) origin[index[along]] += layout.face;
  if (up < 0) origin[index[across]] += layout.face;
  return new DOMMatrix([...way[along], ...way[across], ...origin]);
}

/** The face from which a quarter about an axis brings stickers to a face. @param {number} side @param {number} axis */
function sourceOf(side, axis) {
  const to = SIDES[side];
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3]; // a turns to b, b to -a
  const from = to.axis === b ? [a, to.sign] : [b, -to.sign];
  return SIDES.findIndex((one) => one.axis === from[0] && one.sign === from[1]);
}

/** The rectangle of some layers in a strip. @param {DOMMatrix} strip @param {number} low @param {number} high both 0 to 1 @returns {[number, number, number, number]} */
function rectOf(strip, low, high) {
  const [a, b] = [strip.transformPoint({ x: 0, y: low }), strip.transformPoint({ x: 1, y: high })];
  return [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
}

/** The faces at the ends of some layers. @param {Layers} layers @param {number} n */
function capsOf({ axis, low, high }, n) {
  return SIDES.flatMap((side, i) => (side.axis === axis && (side.sign > 0 ? high === n : low === 0) ? [i] : []));
}

export class Flat {
  #key = ''; // what the mask, the letters and the size of the sheet were made for
  /** @type {Layout} */
  #layout = { left: 0, top: 0, face: 0, gap: 0 };
  #sheet = canvasOf(1, 1);
  #pixels = canvasOf(1, 1); // one for each sticker
  /** @type {HTMLCanvasElement | null} */
  #mask = null;
  /** @type {HTMLCanvasElement | null} */
  #letters = null;
  /** @type {Uint8Array | null} */
  #stickers = null; // what the sheet has

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   */
  draw(context, scene) {
    const { width, height } = context.canvas;
    this.#prepare(scene, width, height);
    if (this.#stickers !== scene.stickers) this.#paint(scene);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#sheet.canvas, 0, 0);
    if (scene.moving && scene.angle !== 0) this.#move(context, scene.moving, scene.angle, scene.n);
    for (const layers of scene.lit) this.#light(context, layers, scene);
    if (scene.marks && !scene.moving) this.#mark(context, scene);
  }

  /**
   * The sticker under a point, in pixels of the device.
   * @param {number} x
   * @param {number} y
   * @param {number} width of the canvas
   * @param {number} height
   * @param {number} n
   * @param {number} scale pixels of the device in one of CSS
   * @returns {Hit | null}
   */
  pick(x, y, width, height, n, scale) {
    const layout = layoutOf(width, height, n);
    for (let face = 0; face < 6; face++) {
      const [left, top] = cornerOf(layout, face);
      const [u, v] = [(2 * (x - left)) / layout.face - 1, (2 * (y - top)) / layout.face - 1];
      if (Math.abs(u) > 1 || Math.abs(v) > 1) continue;
      const unit = layout.face / 2 / scale;
      return { ...cellAt(n, face, u, v), at: [u, v], right: [unit, 0], down: [0, unit] };
    }
    return null;
  }

  /** The middle of a sticker. @param {number} place @param {number} width @param {number} height @param {number} n @returns {[number, number]} */
  middleOf(place, width, height, n) {
    const layout = layoutOf(width, height, n);
    const [left, top] = cornerOf(layout, Math.floor(place / (n * n)));
    const [row, column] = [Math.floor(place / n) % n, place % n];
    return [left + ((column + 0.5) * layout.face) / n, top + ((row + 0.5) * layout.face) / n];
  }

  /** @param {Scene} scene @param {number} width @param {number} height */
  #prepare({ n, palette, letters }, width, height) {
    const key = [width, height, n, letters, ...palette.colours, palette.plastic, palette.stickerless].join();
    if (key === this.#key) return;
    this.#key = key;
    this.#stickers = null;
    this.#layout = layoutOf(width, height, n);
    this.#sheet = canvasOf(width, height);
    this.#pixels = canvasOf(n, 6 * n);
    const cell = this.#layout.face / n;
    this.#mask = cell > LINED ? maskOf(this.#layout.face, n, palette) : null;
    this.#letters = letters && cell >= LETTERED ? lettersOf(cell, palette) : null;
  }

  /** Draws the stickers on the sheet. @param {Scene} scene */
  #paint({ n, stickers, palette }) {
    this.#stickers = stickers;
    const image = new ImageData(n, 6 * n);
    const cells = new Uint32Array(image.data.buffer);
    const colours = new Uint32Array(Uint8Array.from([...palette.colours, UNKNOWN].flatMap((colour) => [...rgbOf(colour), 255])).buffer);
    for (let i = 0; i < stickers.length; i++) cells[i] = colours[Math.min(stickers[i], 6)];
    this.#pixels.putImageData(image, 0, 0);
    const sheet = this.#sheet;
    const { face } = this.#layout;
    sheet.imageSmoothingEnabled = false;
    for (let side = 0; side < 6; side++) {
      const [x, y] = cornerOf(this.#layout, side);
      sheet.drawImage(this.#pixels.canvas, 0, side * n, n, n, x, y, face, face);
      if (this.#mask) sheet.drawImage(this.#mask, x, y);
      if (this.#letters) this.#write(this.#letters, stickers.subarray(side * n * n, (side + 1) * n * n), x, y, n);
    }
  }

  /** @param {HTMLCanvasElement} letters @param {Uint8Array} stickers @param {number} x @param {number} y @param {number} n */
  #write(letters, stickers, x, y, n) {
    const edge = letters.height;
    const cell = this.#layout.face / n;
    stickers.forEach((colour, place) => {
      const [column, row] = [place % n, Math.floor(place / n)];
      const shift = (cell - edge) / 2;
      const to = [x + column * cell + shift, y + row * cell + shift].map(Math.round);
      this.#sheet.drawImage(letters, Math.min(colour, 6) * edge, 0, edge, edge, to[0], to[1], edge, edge);
    });
  }

  /**
   * Draws the layers as they are on the way: each strip leaves its face and comes to the next one.
   * @param {CanvasRenderingContext2D} context
   * @param {Layers} layers
   * @param {number} angle
   * @param {number} n
   */
  #move(context, layers, angle, n) {
    const { axis } = layers;
    const [low, high] = [layers.low / n, layers.high / n];
    const faces = angle / (Math.PI / 2);
    const whole = Math.floor(faces);
    context.imageSmoothingEnabled = false;
    for (let side = 0; side < 6; side++) {
      if (SIDES[side].axis === axis) continue;
      const to = stripOf(this.#layout, side, axis);
      context.save();
      context.beginPath();
      context.rect(...rectOf(to, low, high));
      context.clip();
      let source = side;
      for (let i = 0; i < ((whole % 4) + 4) % 4; i++) source = sourceOf(source, axis);
      for (const shift of [faces - whole, faces - whole - 1]) {
        const from = stripOf(this.#layout, source, axis);
        const rect = rectOf(from, low, high);
        context.setTransform(to.translate(shift, 0).multiply(from.inverse()));
        context.drawImage(this.#sheet.canvas, ...rect, ...rect);
        source = sourceOf(source, axis);
      }
      context.restore();
    }
    context.imageSmoothingEnabled = true;
    for (const side of capsOf(layers, n)) this.#rotate(context, side, -SIDES[side].sign * angle);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} side @param {number} angle clockwise */
  #rotate(context, side, angle) {
    const { face } = this.#layout;
    const [x, y] = cornerOf(this.#layout, side);
    context.clearRect(x, y, face, face);
    context.save();
    context.translate(x + face / 2, y + face / 2);
    context.rotate(angle);
    context.drawImage(this.#sheet.canvas, x, y, face, face, -face / 2, -face / 2, face, face);
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {Layers} layers @param {Scene} scene */
  #light(context, layers, { n }) {
    context.fillStyle = 'rgba(255, 255, 255, 0.3)';
    for (let side = 0; side < 6; side++) {
      if (SIDES[side].axis === layers.axis) continue;
      const rect = rectOf(stripOf(this.#layout, side, layers.axis), layers.low / n, layers.high / n);
      context.fillRect(...rect);
    }
  }

  /** Marks are told apart by their form. @param {CanvasRenderingContext2D} context @param {Scene} scene */
  #mark(context, { n, marks, pulse }) {
    const cell = this.#layout.face / n;
    const { width, height } = context.canvas;
    /** @type {Uint8Array} */ (marks).forEach((mark, place) => {
      if (mark === 0) return;
      const [x, y] = this.middleOf(place, width, height, n);
      const path = new Path2D();
      const half = cell * (0.4 - 0.03 * pulse);
      if (mark & 3) path.roundRect(x - half, y - half, 2 * half, 2 * half, cell * 0.1);
      const arm = cell * 0.26;
      for (const way of mark & 4 ? [-1, 1] : []) {
        path.moveTo(x - arm, y - way * arm);
        path.lineTo(x + arm, y + way * arm);
      }
      context.setLineDash(mark & 2 && !(mark & 1) ? [half * 0.6, half * 0.4] : []);
      for (const [colour, wide] of /** @type {[string, number][]} */ ([['#0b0c0e', 0.17], ['#ffffff', 0.09]])) {
        context.strokeStyle = colour;
        context.lineWidth = Math.max(1, cell * (wide + 0.03 * pulse));
        context.stroke(path);
      }
      context.setLineDash([]);
    });
  }
}

/**
 * The plastic of a face, with a hole for each sticker.
 * @param {number} face
 * @param {number} n
 * @param {import('./palette.js').Palette} palette
 */
function maskOf(face, n, { plastic, stickerless }) {
  const context = canvasOf(face, face);
  const cell = face / n;
  const line = Math.max(stickerless ? 0.5 : 1, cell * (stickerless ? 0.025 : 0.08));
  const radius = cell < ROUND ? 0 : cell * (stickerless ? 0.06 : 0.12);
  context.fillStyle = plastic;
  context.fillRect(0, 0, face, face);
  context.globalCompositeOperation = 'destination-out';
  context.beginPath();
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      context.roundRect(column * cell + line / 2, row * cell + line / 2, cell - line, cell - line, radius);
    }
  }
  context.fill();
  return context.canvas;
}

/**
 * The letters of the colours side by side.
 * @param {number} cell
 * @param {import('./palette.js').Palette} palette
 */
function lettersOf(cell, { inks }) {
  const edge = Math.floor(cell);
  const context = canvasOf(7 * edge, edge);
  context.font = `600 ${edge * 0.55}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  [...FACES].forEach((letter, i) => {
    context.fillStyle = inks[i];
    context.fillText(letter, (i + 0.5) * edge, edge * 0.53);
  });
  return context.canvas;
}
