// camera.js: from where the cube is seen: where its points are on the screen, and which sticker is under a point of it.
//
// The cube reaches from -1 to 1 on each axis. It is turned by `yaw` about its y axis and then by `pitch` about the x axis
// of the screen; the eye is on the z axis. Points of the screen are in CSS pixels from the upper left corner of the view.

import { SIDES } from '../cube.js';

/** The distance of the eye from the middle of the cube: long, so that parallel edges look nearly parallel. */
export const AWAY = 11;
/** Scales the sphere around the cube, of radius sqrt(3), to 98 % of the shorter side of the view. */
const FIT = (0.98 * Math.sqrt(AWAY ** 2 - 3)) / Math.sqrt(3);

export const HOME = { yaw: -0.62, pitch: 0.5, zoom: 1 };
const ZOOM_MIN = 0.5;
const ZOOM_MAX = 4;

/**
 * A sticker under a point: its face, row, column and place (the number of its facelet); how far from the middle of the
 * face the point is along the face's right and down, -1 to 1; and how many pixels one such unit is on the screen there.
 * @typedef {{face: number, row: number, column: number, place: number, at: [number, number],
 *   right: [number, number], down: [number, number]}} Hit
 */

/** @typedef {{left: number, top: number, width: number, height: number}} Frame */

/**
 * Right-handed rotation about an axis, by columns, as WebGL expects.
 * @param {number} axis
 * @param {number} angle
 */
export function rotation(axis, angle) {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  matrix[a * 3 + a] = matrix[b * 3 + b] = Math.cos(angle);
  matrix[a * 3 + b] = Math.sin(angle);
  matrix[b * 3 + a] = -Math.sin(angle);
  return matrix;
}

/** @param {number[]} left @param {number[]} right 3 by 3, by columns */
export function multiply(left, right) {
  return right.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + left[k * 3 + (i % 3)] * right[Math.floor(i / 3) * 3 + k], 0));
}

/** @param {number[]} matrix @param {number[]} point */
const applied = (matrix, point) => [0, 1, 2].map((i) => matrix[i] * point[0] + matrix[3 + i] * point[1] + matrix[6 + i] * point[2]);

/** The same by the inverse of a rotation. @param {number[]} matrix @param {number[]} point */
const unapplied = (matrix, point) => [0, 1, 2].map((i) => matrix[3 * i] * point[0] + matrix[3 * i + 1] * point[1] + matrix[3 * i + 2] * point[2]);

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * The point of a face, in space.
 * @param {number} face
 * @param {number} u along its right
 * @param {number} v along its down
 */
export function pointOn(face, u, v) {
  const side = SIDES[face];
  const point = [0, 0, 0];
  point[side.axis] = side.sign;
  point[side.right[0]] = side.right[1] * u;
  point[side.down[0]] = side.down[1] * v;
  return point;
}

/**
 * The row, column and place at a point of a face.
 * @param {number} n
 * @param {number} face
 * @param {number} u
 * @param {number} v
 */
export function cellAt(n, face, u, v) {
  const [column, row] = [u, v].map((value) => clamp(Math.floor(((value + 1) / 2) * n), 0, n - 1));
  return { face, row, column, place: (face * n + row) * n + column };
}

export class Camera {
  yaw = HOME.yaw;
  pitch = HOME.pitch;
  zoom = HOME.zoom;

  /** @param {number} yaw @param {number} pitch radians @param {number} [zoom] */
  look(yaw, pitch, zoom = this.zoom) {
    this.yaw = Math.atan2(Math.sin(yaw), Math.cos(yaw)); // -pi to pi
    this.pitch = clamp(pitch, -Math.PI / 2, Math.PI / 2);
    this.zoom = clamp(zoom, ZOOM_MIN, ZOOM_MAX);
  }

  get isHome() {
    return this.yaw === HOME.yaw && this.pitch === HOME.pitch && this.zoom === HOME.zoom;
  }

  get matrix() {
    return multiply(rotation(0, this.pitch), rotation(1, this.yaw));
  }

  /** The camera on the other side of the cube. */
  get opposite() {
    const camera = new Camera();
    camera.look(this.yaw + Math.PI, -this.pitch, 1);
    return camera;
  }

  /**
   * Pixels of one unit at the distance one.
   * @param {Frame} frame
   * @param {number} fill how much of the frame the cube may fill
   */
  scale({ width, height }, fill) {
    return (FIT * this.zoom * fill * Math.min(width, height)) / 2;
  }

  /**
   * Returns the place of a point of the cube on the screen.
   * @param {number[]} point
   * @param {Frame} frame
   * @param {number} fill
   * @returns {[number, number]}
   */
  project(point, frame, fill) {
    const [x, y, z] = applied(this.matrix, point);
    const scale = this.scale(frame, fill) / (AWAY - z);
    return [frame.left + frame.width / 2 + x * scale, frame.top + frame.height / 2 - y * scale];
  }

  /**
   * Returns the place of the middle of a sticker on the screen.
   * @param {number} n
   * @param {number} face
   * @param {number} row
   * @param {number} column
   * @param {Frame} frame
   * @param {number} fill
   */
  projectPlace(n, face, row, column, frame, fill) {
    return this.project(pointOn(face, (2 * column + 1) / n - 1, (2 * row + 1) / n - 1), frame, fill);
  }

  /**
   * The sticker under a point of the screen, or null.
   * @param {number} x
   * @param {number} y
   * @param {Frame} frame
   * @param {number} fill
   * @param {number} n
   * @returns {Hit | null}
   */
  pick(x, y, frame, fill, n) {
    const scale = this.scale(frame, fill);
    const matrix = this.matrix;
    const eye = unapplied(matrix, [0, 0, AWAY]);
    const ray = unapplied(matrix, [(x - frame.left - frame.width / 2) / scale, (frame.top + frame.height / 2 - y) / scale, -1]);
    // The nearest side that is seen from outside and whose plane is met within the side.
    for (let face = 0; face < 6; face++) {
      const { axis, sign, right, down } = SIDES[face];
      if (ray[axis] * sign >= 0) continue;
      const way = (sign - eye[axis]) / ray[axis];
      if (way <= 0) continue;
      const at = eye.map((value, i) => value + way * ray[i]);
      const [u, v] = [right[1] * at[right[0]], down[1] * at[down[0]]];
      if (Math.abs(u) <= 1 && Math.abs(v) <= 1) return this.#hit(n, face, u, v, frame, fill);
    }
    return null;
  }

  /**
   * @param {number} n
   * @param {number} face
   * @param {number} u
   * @param {number} v
   * @param {Frame} frame
   * @param {number} fill
   * @returns {Hit}
   */
  #hit(n, face, u, v, frame, fill) {
    const STEP = 1e-3;
    const at = this.project(pointOn(face, u, v), frame, fill);
    /** @param {number[]} point @returns {[number, number]} */
    const way = (point) => {
      const to = this.project(point, frame, fill);
      return [(to[0] - at[0]) / STEP, (to[1] - at[1]) / STEP];
    };
    return { ...cellAt(n, face, u, v), at: [u, v], right: way(pointOn(face, u + STEP, v)), down: way(pointOn(face, u, v + STEP)) };
  }
}
