// solid.js: the cube in 3D, by WebGL2.
//
// A cube of any size is three boxes: the layers below the turning ones, the turning ones, and those above. The colours are
// a texture of n by 6n numbers, and the fragment shader finds the sticker it is on; so a 100x100x100 costs what a 2x2x2
// costs.
//
// Browsers allow few WebGL contexts, 16 in all: all views of a page share one, which draws into a canvas that nobody sees.
// Each view gets the picture that was drawn for it: handed over without a copy where the browser can, or copied.

import { FACES, SIDES } from '../cube.js';
import { AWAY, rotation } from './camera.js';
import { rgbOf, UNKNOWN } from './palette.js';
import { FRAGMENT, VERTEX } from './shaders.js';

/**
 * @import {Camera} from './camera.js'
 * @import {Palette} from './palette.js'
 */

/**
 * Layers low to high, not including high, along an axis.
 * @typedef {{axis: number, low: number, high: number}} Layers
 */

/**
 * The picture to draw. `moving`: these layers are turned by `angle`. `lit`: these are lit. `marks`: of each place the
 * bits of shaders.js. `hints`: how far the stickers of the far sides float behind the cube, 0: they are not drawn.
 * @typedef {{n: number, stickers: Uint8Array, marks: Uint8Array | null, palette: Palette, letters: boolean,
 *   moving: Layers | null, angle: number, lit: Layers[], hints: number, pulse: number}} Scene
 */

/** A part of a picture in which a camera shows the scene, in pixels of CSS. @typedef {{camera: Camera, fill: number,
 *   frame: import('./camera.js').Frame}} Eye */

const FLOATS = 10; // place 3, normal 3, cell 2, side, turning
const UNIFORMS = [
  'projection', 'look', 'turn', 'away', 'lift', 'stickers', 'letters', 'colours', 'inks', 'plastic', 'lit', 'size',
  'lettered', 'stickerless', 'pulse',
];
const LETTER_PIXELS = 64;

/**
 * @param {WebGL2RenderingContext} gl
 * @param {number} type
 * @param {string} source
 */
function compile(gl, type, source) {
  const shader = /** @type {WebGLShader} */ (gl.createShader(type));
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader) ?? '');
  return shader;
}

/** A picture with the letters of the colours side by side; what is not known has none. */
function letterImage() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [7 * LETTER_PIXELS, LETTER_PIXELS];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.font = '600 38px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  [...FACES].forEach((letter, i) => context.fillText(letter, (i + 0.5) * LETTER_PIXELS, 34));
  return canvas;
}

/**
 * The corners of one face of the box of some layers; six vertices.
 * @param {number[]} vertices to these they are added
 * @param {number} side
 * @param {number} n
 * @param {Layers} layers
 * @param {number} turning 1: the box is turning
 */
function sideOfBox(vertices, side, n, { axis, low, high }, turning) {
  const { axis: outward, sign, right, down } = SIDES[side];
  const range = [(2 * low) / n - 1, (2 * high) / n - 1];
  const inner = outward === axis && (sign > 0 ? high < n : low > 0);
  for (const [u, v] of [[-1, -1], [-1, 1], [1, 1], [-1, -1], [1, 1], [1, -1]]) {
    const place = [0, 0, 0];
    const normal = [0, 0, 0];
    normal[outward] = sign;
    place[outward] = sign;
    place[right[0]] = right[1] * u;
    place[down[0]] = down[1] * v;
    place[axis] = Math.min(Math.max(place[axis], range[0]), range[1]);
    const cell = [right, down].map(([along, way]) => (way * place[along] + 1) * (n / 2));
    vertices.push(...place, ...normal, ...cell, inner ? -1 : side, turning);
  }
}

/** @param {Scene} scene */
function verticesOf({ n, moving }) {
  /** @type {number[]} */
  const vertices = [];
  const { axis, low, high } = moving ?? { axis: 0, low: 0, high: n };
  for (const [from, to, turning] of [[0, low, 0], [low, high, 1], [high, n, 0]]) {
    for (let side = 0; from < to && side < 6; side++) sideOfBox(vertices, side, n, { axis, low: from, high: to }, turning);
  }
  return new Float32Array(vertices);
}

/** A canvas that nobody sees, and its context. @returns {[HTMLCanvasElement | OffscreenCanvas, WebGL2RenderingContext]} */
function contextOf() {
  const makers = [() => new OffscreenCanvas(1, 1), () => document.createElement('canvas')];
  for (const make of globalThis.OffscreenCanvas ? makers : makers.slice(1)) {
    const canvas = make();
    const gl = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext('webgl2', { antialias: true, alpha: true }));
    if (gl) return [canvas, gl];
  }
  throw new Error('no WebGL2');
}

/** @param {string[]} colours */
const shares = (colours) => colours.flatMap((colour) => rgbOf(colour).map((value) => value / 255));

export class Solid {
  /** @type {Solid | null | undefined} */
  static #shared;

  /** The one that all views share; null if there is no WebGL2. */
  static get shared() {
    if (Solid.#shared === undefined) {
      try {
        Solid.#shared = new Solid();
      } catch {
        Solid.#shared = null;
      }
    }
    return Solid.#shared;
  }

  /** @type {Record<string, WebGLUniformLocation | null>} */
  #where = {};
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {Uint8Array | null} */
  #stickers = null; // the stickers in the texture
  /** @type {Uint8Array | null} */
  #marks = null;
  #ready = false;

  constructor() {
    const [canvas, gl] = contextOf();
    this.canvas = canvas;
    this.gl = gl;
    this.#prepare();
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault(); // it may come back
      this.#ready = false;
      this.#listeners.forEach((listener) => listener());
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#prepare();
      this.#listeners.forEach((listener) => listener());
    });
  }

  /** True if it can draw now: not while the context is lost. */
  get ready() {
    return this.#ready && !this.gl.isContextLost();
  }

  /** Calls the listener when `ready` changes. @param {() => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #prepare() {
    const { gl } = this;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program) ?? '');
    gl.useProgram(program);
    this.#where = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    let offset = 0;
    for (const [name, count] of /** @type {[string, number][]} */ ([['place', 3], ['normal', 3], ['cell', 2], ['side', 1], ['turning', 1]])) {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, count, gl.FLOAT, false, FLOATS * 4, offset * 4);
      offset += count;
    }
    this.#textures();
    gl.uniform1f(this.#where.away, AWAY);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    this.#ready = true;
  }

  #textures() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, letterImage());
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.uniform1i(this.#where.letters, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.uniform1i(this.#where.stickers, 0);
    this.#stickers = this.#marks = null;
  }

  /** @param {Scene} scene */
  #fill({ n, stickers, marks }) {
    if (this.#stickers === stickers && this.#marks === marks) return;
    const cells = new Uint8Array(2 * stickers.length);
    for (let i = 0; i < stickers.length; i++) {
      cells[2 * i] = stickers[i];
      if (marks) cells[2 * i + 1] = marks[i];
    }
    const { gl } = this;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG8UI, n, 6 * n, 0, gl.RG_INTEGER, gl.UNSIGNED_BYTE, cells);
    [this.#stickers, this.#marks] = [stickers, marks];
  }

  /**
   * Returns the context with which a view shows its pictures.
   * @param {HTMLCanvasElement} canvas
   * @returns {ImageBitmapRenderingContext | CanvasRenderingContext2D}
   */
  targetOf(canvas) {
    const handsOver = 'transferToImageBitmap' in this.canvas && canvas.getContext('bitmaprenderer');
    return handsOver || /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  }

  /**
   * Draws the scene as the eyes see it, as large as the canvas of the target.
   * @param {ImageBitmapRenderingContext | CanvasRenderingContext2D} target
   * @param {Scene} scene
   * @param {Eye[]} eyes
   * @param {number} scale pixels of the device in one of CSS
   */
  draw(target, scene, eyes, scale) {
    const { gl, canvas } = this;
    const { width, height } = target.canvas;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.#fill(scene);
    this.#describe(scene);
    const vertices = verticesOf(scene);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
    gl.scissor(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    eyes.forEach((eye, i) => this.#see(eye, scale, i === 0 ? scene.hints : 0, vertices.length / FLOATS));
    if ('transferFromImageBitmap' in target) return target.transferFromImageBitmap(/** @type {OffscreenCanvas} */ (canvas).transferToImageBitmap());
    target.clearRect(0, 0, width, height);
    target.drawImage(canvas, 0, 0);
  }

  /** @param {Scene} scene */
  #describe({ n, palette, letters, moving, angle, lit, pulse }) {
    const { gl } = this;
    const where = this.#where;
    gl.uniform3fv(where.colours, shares([...palette.colours, UNKNOWN]));
    gl.uniform3fv(where.inks, shares([...palette.inks, '#000000']));
    gl.uniform3fv(where.plastic, shares([palette.plastic]));
    gl.uniform1f(where.size, n);
    gl.uniform1f(where.lettered, letters ? 1 : 0);
    gl.uniform1f(where.stickerless, palette.stickerless ? 1 : 0);
    gl.uniform1f(where.pulse, pulse);
    gl.uniformMatrix3fv(where.turn, false, rotation(moving?.axis ?? 0, angle));
    const layers = [0, 1].flatMap((i) => (lit[i] ? [lit[i].axis, (2 * lit[i].low) / n - 1 - 1e-4, (2 * lit[i].high) / n - 1 + 1e-4, 1] : [0, 0, 0, 0]));
    gl.uniform4fv(where.lit, layers);
  }

  /**
   * @param {Eye} eye
   * @param {number} scale
   * @param {number} hints
   * @param {number} count of vertices
   */
  #see({ camera, fill, frame }, scale, hints, count) {
    const { gl } = this;
    const where = this.#where;
    const [left, top, width, height] = [frame.left, frame.top, frame.width, frame.height].map((edge) => Math.round(edge * scale));
    const bottom = this.canvas.height - top - height;
    gl.viewport(left, bottom, width, height);
    gl.scissor(left, bottom, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const [x, y] = [frame.width, frame.height].map((edge) => (2 * camera.scale(frame, fill)) / edge);
    const [near, far] = [AWAY - 4, AWAY + 4];
    gl.uniformMatrix4fv(where.projection, false, [x, 0, 0, 0, 0, y, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, (2 * near * far) / (near - far), 0]);
    gl.uniformMatrix3fv(where.look, false, camera.matrix);
    if (hints > 0) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.cullFace(gl.FRONT);
      gl.depthMask(false);
      gl.uniform1f(where.lift, hints);
      gl.drawArrays(gl.TRIANGLES, 0, count);
      gl.depthMask(true);
      gl.cullFace(gl.BACK);
      gl.disable(gl.BLEND);
    }
    gl.uniform1f(where.lift, 0);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }
}
