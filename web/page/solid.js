// solid.js: the cube in 3D, by WebGL2.
//
// A cube of any size is three boxes: the layers below the turning ones, the turning ones, and those above. The colours are a texture of
// n by 6n numbers, and the fragment shader finds the sticker it is on; so a 100x100x100 costs what a 2x2x2 costs.

import { FACES, SIDES } from '../client/cube.js';
import { COLOURS, INKS } from './net.js';

const VERTEX = `#version 300 es
in vec3 place; in vec3 normal; in vec2 cell; in float side; in float turning;
uniform mat4 projection; uniform mat3 look; uniform mat3 turn; uniform float away;
out vec2 on; flat out float face; out float light;
void main() {
  mat3 model = turning > 0.5 ? look * turn : look;
  vec3 seen = model * place;
  gl_Position = projection * vec4(seen.xy, seen.z - away, 1.0);
  on = cell; face = side;
  light = 0.8 + 0.2 * max(0.0, dot(model * normal, normalize(vec3(0.25, 0.6, 0.9))));
}`;

const FRAGMENT = `#version 300 es
precision highp float; precision highp usampler2D;
in vec2 on; flat in float face; in float light;
uniform usampler2D stickers; uniform sampler2D letters; uniform vec3 colours[6]; uniform vec3 inks[6];
uniform float size; uniform float lettered;
out vec4 colour;
const vec3 plastic = vec3(0.085, 0.094, 0.114);
void main() {
  if (face < -0.5) { colour = vec4(plastic, 1.0); return; }
  vec2 place = clamp(floor(on), 0.0, size - 1.0);
  vec2 inside = on - place - 0.5;
  uint index = texelFetch(stickers, ivec2(place.x, face * size + place.y), 0).r;
  vec2 corner = abs(inside) - 0.32;
  float beyond = length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - 0.13;
  float pixel = max(length(vec2(dFdx(on.x), dFdy(on.x))), length(vec2(dFdx(on.y), dFdy(on.y))));
  float cover = mix(1.0 - smoothstep(-0.5 * pixel, 0.5 * pixel, beyond), 0.8, smoothstep(0.25, 0.8, pixel));
  vec3 paint = colours[index];
  if (lettered > 0.5) {
    vec2 at = (inside / 0.9 + 0.5);
    at = vec2((clamp(at.x, 0.02, 0.98) + float(index)) / 6.0, at.y);
    paint = mix(paint, inks[index], textureGrad(letters, at, dFdx(on) / 5.4, dFdy(on) / 5.4).a);
  }
  colour = vec4(mix(plastic, paint, cover) * light, 1.0);
}`;

const FLOATS = 10; // place 3, normal 3, cell 2, side, turning
const HALF = 1; // half the edge of the cube
const AWAY = 6.5;
const ZOOM = 3.55; // every corner stays visible in every view

function compile(gl, type, source) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

/** A picture with the letters of the colours side by side. */
function letterImage() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [6 * 64, 64];
  const context = canvas.getContext('2d');
  context.font = '600 38px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  [...FACES].forEach((letter, i) => context.fillText(letter, i * 64 + 32, 34));
  return canvas;
}

/** Rotation about an axis, right-handed, by columns, as WebGL expects. */
export function rotation(axis, angle) {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  matrix[a * 3 + a] = matrix[b * 3 + b] = Math.cos(angle);
  matrix[a * 3 + b] = Math.sin(angle);
  matrix[b * 3 + a] = -Math.sin(angle);
  return matrix;
}

function multiply(left, right) {
  return right.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + left[k * 3 + (i % 3)] * right[Math.floor(i / 3) * 3 + k], 0));
}

/** The corners of one face of the box of the layers low..high (0 .. n) along an axis; six vertices. */
function sideOfBox(vertices, side, n, axis, low, high, turning) {
  const { axis: outward, sign, right, down } = SIDES[side];
  const range = [(2 * low) / n - 1, (2 * high) / n - 1].map((edge) => edge * HALF);
  const inner = outward === axis && (sign > 0 ? high < n : low > 0);
  for (const [u, v] of [[-1, -1], [-1, 1], [1, 1], [-1, -1], [1, 1], [1, -1]]) {
    const place = [0, 0, 0];
    const normal = [0, 0, 0];
    normal[outward] = sign;
    place[outward] = sign * HALF;
    place[right[0]] = right[1] * u * HALF;
    place[down[0]] = down[1] * v * HALF;
    place[axis] = Math.min(Math.max(place[axis], range[0]), range[1]);
    const cell = [right, down].map(([along, way]) => ((way * place[along]) / HALF + 1) * (n / 2));
    vertices.push(...place, ...normal, ...cell, inner ? -1 : side, turning);
  }
}

export class Solid {
  /** Throws if there is no WebGL2. */
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl2', { antialias: true, alpha: true });
    if (!this.gl) throw new Error('no WebGL2');
    this.yaw = -0.62;
    this.pitch = 0.5;
    this.#prepare();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => this.#prepare());
  }

  #prepare() {
    const { gl } = this;
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.where = Object.fromEntries(
      ['projection', 'look', 'turn', 'away', 'stickers', 'letters', 'colours', 'inks', 'size', 'lettered'].map((name) => [name, gl.getUniformLocation(program, name)]),
    );
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    let offset = 0;
    for (const [name, count] of [['place', 3], ['normal', 3], ['cell', 2], ['side', 1], ['turning', 1]]) {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, count, gl.FLOAT, false, FLOATS * 4, offset * 4);
      offset += count;
    }
    this.#textures();
    const shares = (colours) => colours.flatMap((text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255));
    gl.uniform3fv(this.where.colours, shares(COLOURS));
    gl.uniform3fv(this.where.inks, shares(INKS));
    gl.uniform1f(this.where.away, AWAY);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
  }

  #textures() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, letterImage());
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.uniform1i(this.where.letters, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.uniform1i(this.where.stickers, 0);
    this.shown = null;
  }

  /** The view: how far it is turned to the side and up. */
  look(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.pitch + pitch));
  }

  #fit() {
    const { gl, canvas } = this;
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    const zoom = ZOOM * Math.min(1, width / height);
    const [near, far] = [AWAY - 2, AWAY + 2];
    gl.uniformMatrix4fv(this.where.projection, false, [
      (zoom * height) / width, 0, 0, 0, 0, zoom, 0, 0,
      0, 0, (near + far) / (near - far), -1, 0, 0, (2 * near * far) / (near - far), 0,
    ]);
  }

  /** Draws the stickers; with `turn` (of turnInSpace) its layers are turned by `angle`. */
  draw(stickers, n, letters, turn = null, angle = 0) {
    const { gl, where } = this;
    if (gl.isContextLost()) return;
    this.#fit();
    if (this.shown !== stickers) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, n, 6 * n, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, stickers);
      this.shown = stickers;
    }
    const vertices = [];
    const { axis, low, high } = turn ?? { axis: 0, low: 0, high: n };
    for (const [from, to, turning] of [[0, low, 0], [low, high, 1], [high, n, 0]]) {
      for (let side = 0; from < to && side < 6; side++) sideOfBox(vertices, side, n, axis, from, to, turning);
    }
    gl.uniformMatrix3fv(where.look, false, multiply(rotation(0, this.pitch), rotation(1, this.yaw)));
    gl.uniformMatrix3fv(where.turn, false, rotation(axis, angle));
    gl.uniform1f(where.size, n);
    gl.uniform1f(where.lettered, letters ? 1 : 0);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.DYNAMIC_DRAW);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawArrays(gl.TRIANGLES, 0, vertices.length / FLOATS);
  }
}
