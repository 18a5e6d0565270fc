// turns.js: the turn that a hand makes: which layer moves a sticker along its face, and how it is written.

import { FACES, SIDES } from '../cube.js';

/**
 * @import {LayerTurn} from '../moves.js'
 * @import {Face} from '../types.js'
 */

/**
 * A layer that moves a sticker along a face. Turned by a small right-handed angle about `axis`, it moves the sticker by
 * `spin` times that angle, in units of half the edge of the cube.
 * @typedef {{axis: number, low: number, high: number, spin: number}} Way
 */

/**
 * The layer of a sticker along an axis of its face, from the negative end.
 * @param {{face: number, row: number, column: number}} cell
 * @param {number} n
 * @param {number} axis
 */
function layerOf({ face, row, column }, n, axis) {
  const { right, down } = SIDES[face];
  const [sign, steps] = right[0] === axis ? [right[1], column] : [down[1], row];
  return sign > 0 ? steps : n - 1 - steps;
}

/**
 * @param {{face: number, row: number, column: number}} cell
 * @param {number} n
 * @param {'right' | 'down'} along
 * @returns {Way}
 */
export function wayAlong(cell, n, along) {
  const side = SIDES[cell.face];
  const [tangent, sign] = side[along];
  const axis = 3 - side.axis - tangent;
  // The axis times the normal of the face, as vectors, is the tangent or its opposite.
  const product = (axis + 1) % 3 === side.axis ? 1 : -1;
  const low = layerOf(cell, n, axis);
  return { axis, low, high: low + 1, spin: product * side.sign * sign };
}

/**
 * The turn of one layer by right-handed quarters: counted from the nearer side; the middle one as M, E and S are.
 * @param {number} n
 * @param {number} axis
 * @param {number} layer from the negative end
 * @param {number} quarters
 * @returns {LayerTurn | null} null if nothing is turned
 */
export function layerTurn(n, axis, layer, quarters) {
  const steps = ((quarters % 4) + 4) % 4;
  if (steps === 0) return null;
  const middle = 2 * layer + 1 - n;
  const sign = Math.sign(middle) || (axis === 2 ? 1 : -1);
  const face = /** @type {Face} */ (FACES[SIDES.findIndex((side) => side.axis === axis && side.sign === sign)]);
  const from = sign > 0 ? n - layer : layer + 1;
  const turns = steps === 2 ? 2 : (steps === 1 ? -sign : sign);
  return { face, from, to: from, turns };
}

/**
 * Returns true if two turns do the same.
 * @param {LayerTurn} a
 * @param {LayerTurn} b
 */
export const isSameTurn = (a, b) => a.face === b.face && a.from === b.from && a.to === b.to && (a.turns - b.turns) % 4 === 0;
