// flat.js: the unfolded cube, on a canvas in two dimensions for each face.
//
// The stickers of a face are drawn once for each state, on a sheet: a pixel for each, enlarged, under a mask of lines that
// is made once for each size. A frame copies sheets and, where layers turn, parts of them; so a frame of a 100x100x100 costs
// what one of a 2x2x2 costs. A canvas is drawn only if what it shows has changed: what a browser spends on a frame is mostly
// the size of the canvases that changed.

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
 * The places of the faces, in pixels of the device.
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
 * second along the axis, both from 0 to 1; in pixels from the corner of the face.
 * @param {number} face pixels of its edge
 * @param {number} side
 * @param {number} axis
 */
function stripOf(face, side, axis) {
  const { right } = SIDES[side];
  const along = right[0] === axis ? 'down' : 'right';
  const across = along === 'right' ? 'down' : 'right';
  const { spin } = wayAlong({ face: side, row: 0, column: 0 }, 1, along);
  const way = { right: [0, 0], down: [0, 0] };
  const index = { right: 0, down: 1 };
  const up = SIDES[side][across][1];
  way[along][index[along]] = spin * face;
  way[across][index[across]] = up * face;
  const origin = [0, 0];
  if (spin < 0) origin[index[along]] = face;
  if (up < 0) origin[index[across]] = face;
  return new DOMMatrix([...way[along], ...way[across], ...origin]);
}

/** The face from which a quarter about an axis brings stickers to a face. @param {number} side @param {number} axis */
function sourceOf(side, axis) {
  const to = SIDES[side];
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3]; // a turns to b, b to -a
  const from = to.axis === b ? [a, to.sign] : [b, -to.sign];
  return SIDES.findIndex((one) => one.axis === from[0] && one.sign === from[1]);
}

/**
 * The rectangle of some layers in a strip.
 * @param {DOMMatrix} strip
 * @param {number} low
 * @param {number} high both 0 to 1
 * @returns {[number, number, number, number]}
 */
function rectOf(strip, low, high) {
  const [a, b] = [strip.transformPoint({ x: 0, y: low }), strip.transformPoint({ x: 1, y: high })];
  return [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
}

/** Returns true if some of the layers' stickers are on a face. @param {Layers} layers @param {number} side @param {number} n */
function touches({ axis, low, high }, side, n) {
  const { axis: normal, sign } = SIDES[side];
  return normal !== axis || (sign > 0 ? high === n : low === 0);
}

/**
 * The drawing of a face: on its canvas, which is seen, and its stickers, on the sheet.
 * @typedef {{shown: CanvasRenderingContext2D, sheet: CanvasRenderingContext2D, state: string, version: number}} Face
 */

export class Flat {
  #root;
  #canvas;
  #scale;
  #key = ''; // the key of the masks, the letters and the sizes
  /** @type {Layout} */
  #layout = { left: 0, top: 0, face: 0, gap: 0 };
  /** @type {Face[]} */
  #faces = [];
  #pixels = canvasOf(1, 1); // one for each sticker of a face
  /** @type {HTMLCanvasElement | null} */
  #mask = null;
  /** @type {HTMLCanvasElement | null} */
  #letters = null;
  /** @type {Uint8Array | null} */
  #stickers = null; // the stickers on the sheets

  /**
   * @param {HTMLElement} root to which its canvases are added when they are needed
   * @param {HTMLCanvasElement} canvas as large as the view
   * @param {() => number} scale pixels of the device in one of CSS
   */
  constructor(root, canvas, scale) {
    this.#root = root;
    this.#canvas = canvas;
    this.#scale = scale;
  }

  /** Takes its canvases away. */
  hide() {
    for (const { shown } of this.#faces) shown.canvas.hidden = true;
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#prepare(scene);
    this.#paint(scene);
    this.#faces.forEach((face, side) => {
      face.shown.canvas.hidden = false;
      const state = this.#stateOf(scene, side);
      if (state === face.state) return;
      face.state = state;
      this.#drawFace(face.shown, scene, side);
    });
  }

  /** The sticker under a point, in pixels of CSS. @param {number} x @param {number} y @param {number} n @returns {Hit | null} */
  pick(x, y, n) {
    const scale = this.#scale();
    const layout = layoutOf(this.#canvas.width, this.#canvas.height, n);
    for (let face = 0; face < 6; face++) {
      const [left, top] = cornerOf(layout, face);
      const [u, v] = [(2 * (x * scale - left)) / layout.face - 1, (2 * (y * scale - top)) / layout.face - 1];
      if (Math.abs(u) > 1 || Math.abs(v) > 1) continue;
      const unit = layout.face / 2 / scale;
      return { ...cellAt(n, face, u, v), at: [u, v], right: [unit, 0], down: [0, unit] };
    }
    return null;
  }

  /** The middle of a sticker, in pixels of CSS. @param {number} place @param {number} n @returns {[number, number]} */
  middleOf(place, n) {
    const layout = layoutOf(this.#canvas.width, this.#canvas.height, n);
    const [left, top] = cornerOf(layout, Math.floor(place / (n * n)));
    const [row, column] = [Math.floor(place / n) % n, place % n];
    const scale = this.#scale();
    return [(left + ((column + 0.5) * layout.face) / n) / scale, (top + ((row + 0.5) * layout.face) / n) / scale];
  }

  // ---- sheets ----

  /** @param {Scene} scene */
  #prepare({ n, palette, letters }) {
    const { width, height } = this.#canvas;
    const scale = this.#scale();
    const key = [width, height, scale, n, letters, ...palette.colours, palette.plastic, palette.stickerless].join();
    if (key === this.#key) return;
    this.#key = key;
    this.#stickers = null;
    this.#layout = layoutOf(width, height, n);
    const { face } = this.#layout;
    this.#pixels = canvasOf(n, n);
    const cell = face / n;
    this.#mask = cell > LINED ? maskOf(face, n, palette) : null;
    this.#letters = letters && cell >= LETTERED ? lettersOf(cell, palette) : null;
    for (const { shown } of this.#faces) shown.canvas.remove();
    this.#faces = UNFOLDED.map((_, side) => this.#makeFace(side, scale));
  }

  /** @param {number} side @param {number} scale @returns {Face} */
  #makeFace(side, scale) {
    const { face } = this.#layout;
    const shown = canvasOf(face, face);
    const [left, top] = cornerOf(this.#layout, side);
    const place = { position: 'absolute', left, top, width: face, height: face };
    for (const [name, value] of Object.entries(place)) shown.canvas.style.setProperty(name, typeof value === 'number' ? `${value / scale}px` : value);
    shown.canvas.style.pointerEvents = 'none';
    shown.canvas.setAttribute('aria-hidden', 'true');
    this.#root.append(shown.canvas);
    return { shown, sheet: canvasOf(face, face), state: '', version: 0 };
  }

  /** Draws the stickers of faces that changed on their sheets. @param {Scene} scene */
  #paint({ n, stickers, palette }) {
    if (this.#stickers === stickers) return;
    const before = this.#stickers;
    this.#stickers = stickers;
    const colours = new Uint32Array(Uint8Array.from([...palette.colours, UNKNOWN].flatMap((colour) => [...rgbOf(colour), 255])).buffer);
    this.#faces.forEach((face, side) => {
      const mine = stickers.subarray(side * n * n, (side + 1) * n * n);
      if (before && mine.every((colour, i) => colour === before[side * n * n + i])) return;
      face.version++;
      this.#paintFace(face.sheet, mine, colours, n);
    });
  }

  /** @param {CanvasRenderingContext2D} sheet @param {Uint8Array} stickers @param {Uint32Array} colours @param {number} n */
  #paintFace(sheet, stickers, colours, n) {
    const image = new ImageData(n, n);
    const cells = new Uint32Array(image.data.buffer);
    for (let i = 0; i < stickers.length; i++) cells[i] = colours[Math.min(stickers[i], 6)];
    this.#pixels.putImageData(image, 0, 0);
    const { face } = this.#layout;
    sheet.imageSmoothingEnabled = false;
    sheet.drawImage(this.#pixels.canvas, 0, 0, n, n, 0, 0, face, face);
    if (this.#mask) sheet.drawImage(this.#mask, 0, 0);
    if (this.#letters) this.#write(sheet, this.#letters, stickers, n);
  }

  /** @param {CanvasRenderingContext2D} sheet @param {HTMLCanvasElement} letters @param {Uint8Array} stickers @param {number} n */
  #write(sheet, letters, stickers, n) {
    const edge = letters.height;
    const cell = this.#layout.face / n;
    const shift = (cell - edge) / 2;
    stickers.forEach((colour, place) => {
      const [x, y] = [place % n, Math.floor(place / n)].map((step) => Math.round(step * cell + shift));
      sheet.drawImage(letters, Math.min(colour, 6) * edge, 0, edge, edge, x, y, edge, edge);
    });
  }

  // ---- frames ----

  /** All that decides how a face looks now. @param {Scene} scene @param {number} side */
  #stateOf({ n, moving, angle, lit, marks, pulse }, side) {
    /** @param {Layers} layers */
    const name = ({ axis, low, high }) => `${axis}.${low}.${high}`;
    const versions = moving ? this.#faces.map(({ version }) => version) : [this.#faces[side].version];
    const turn = moving && touches(moving, side, n) ? `${name(moving)}:${angle}:${versions}` : String(this.#faces[side].version);
    const own = marks?.subarray(side * n * n, (side + 1) * n * n);
    const marked = own && !moving && own.some(Boolean) ? `${pulse}:${own}` : '';
    return [turn, ...lit.filter(({ axis }) => axis !== SIDES[side].axis).map(name), marked].join(' ');
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {number} side */
  #drawFace(context, scene, side) {
    const { face } = this.#layout;
    const { n, moving, angle, lit, marks } = scene;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, face, face);
    const turns = moving && angle !== 0 && touches(moving, side, n) ? moving : null;
    if (turns && turns.axis === SIDES[side].axis) this.#rotate(context, side, -SIDES[side].sign * angle);
    else context.drawImage(this.#faces[side].sheet.canvas, 0, 0);
    if (turns && turns.axis !== SIDES[side].axis) this.#move(context, side, turns, angle, n);
    for (const layers of lit) this.#light(context, side, layers, n);
    if (marks && !moving) this.#mark(context, side, scene);
  }

  /**
   * Draws the part of the layers as it is on the way: the strip leaves the face, and the one before comes to it.
   * @param {CanvasRenderingContext2D} context
   * @param {number} side
   * @param {Layers} layers
   * @param {number} angle
   * @param {number} n
   */
  #move(context, side, { axis, low, high }, angle, n) {
    const { face } = this.#layout;
    const faces = angle / (Math.PI / 2);
    const whole = Math.floor(faces);
    const to = stripOf(face, side, axis);
    context.save();
    context.imageSmoothingEnabled = false;
    context.beginPath();
    context.rect(...rectOf(to, low / n, high / n));
    context.clip();
    let source = side;
    for (let i = 0; i < ((whole % 4) + 4) % 4; i++) source = sourceOf(source, axis);
    for (const shift of [faces - whole, faces - whole - 1]) {
      const from = stripOf(face, source, axis);
      const rect = rectOf(from, low / n, high / n);
      context.setTransform(to.translate(shift, 0).multiply(from.inverse()));
      context.drawImage(this.#faces[source].sheet.canvas, ...rect, ...rect);
      source = sourceOf(source, axis);
    }
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} side @param {number} angle clockwise */
  #rotate(context, side, angle) {
    const half = this.#layout.face / 2;
    context.save();
    context.translate(half, half);
    context.rotate(angle);
    context.drawImage(this.#faces[side].sheet.canvas, -half, -half);
    context.restore();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} side @param {Layers} layers @param {number} n */
  #light(context, side, { axis, low, high }, n) {
    if (SIDES[side].axis === axis) return;
    context.fillStyle = 'rgba(255, 255, 255, 0.3)';
    context.fillRect(...rectOf(stripOf(this.#layout.face, side, axis), low / n, high / n));
  }

  /** Marks differ in shape. @param {CanvasRenderingContext2D} context @param {number} side @param {Scene} scene */
  #mark(context, side, { n, marks, pulse }) {
    const cell = this.#layout.face / n;
    /** @type {Uint8Array} */ (marks).subarray(side * n * n, (side + 1) * n * n).forEach((mark, place) => {
      if (mark === 0) return;
      const [x, y] = [((place % n) + 0.5) * cell, (Math.floor(place / n) + 0.5) * cell];
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
