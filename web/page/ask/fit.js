// fit.js: which stickers a pattern is about, where it fits a cube (docs/reference/patterns.md).

import { FACES, SIDES } from '../../client/cube.js';
import { cubieOf, placeOn } from '../cube/cubies.js';

const vector = (axis, sign) => [0, 1, 2].map((one) => (one === axis ? sign : 0));
const negative = (v) => v.map((part) => -part);
const plus = (...all) => [0, 1, 2].map((i) => all.reduce((sum, v) => sum + v[i], 0));
const times = (v, factor) => v.map((part) => part * factor);

/** A view of the cube: outward from A, and what is up and right there. `rotation` is clockwise from the face's own up. */
function viewOf({ face, rotation }) {
  const { axis, sign, right, down } = SIDES[FACES.indexOf(face)];
  const round = [negative(vector(...down)), vector(...right), vector(...down), negative(vector(...right))];
  const quarters = rotation / 90;
  return { out: vector(axis, sign), up: round[quarters], right: round[(quarters + 1) % 4] };
}

/** Returns the directions outward, right and down of each of the six arrays, around A laid flat. */
function arraysOf({ out, up, right }) {
  const [back, below, left] = [negative(out), negative(up), negative(right)];
  return [
    [out, right, below], [up, right, out], [right, back, below], [left, out, below], [below, right, back], [back, right, up],
  ];
}

const faceWith = (normal) => SIDES.findIndex(({ axis, sign }) => normal[axis] === sign);

/** The places of the six arrays, item by item. @param {{face: string, rotation: number}} match */
export function placesOfArrays(match, n) {
  return arraysOf(viewOf(match)).flatMap(([normal, right, down]) => {
    const face = faceWith(normal);
    return Array.from({ length: n * n }, (_, i) => {
      const at = plus(times(normal, n - 1), times(right, 2 * (i % n) + 1 - n), times(down, 2 * Math.floor(i / n) + 1 - n));
      return placeOn(face, at.map((part) => part + 0), n);
    });
  });
}

/** The items of a pattern of colours, as one list. */
const itemsOf = (faces) => (typeof faces === 'string' ? [...faces.replace(/\s/g, '')] : faces.flat(Infinity).map(String));

/** The places of a piece that a pattern names, as it is seen: F is A, U what is above it. */
function placesOfPiece(name, { out, up, right }, n) {
  const directions = { F: out, B: negative(out), U: up, D: negative(up), R: right, L: negative(right) };
  const sum = plus(...Array.from(name, (letter) => directions[letter]));
  const [first] = Array.from(name, (letter) => faceWith(directions[letter]));
  if (name.length === 3) return cubieOf(placeOn(first, times(sum, n - 1), n), n);
  const along = [0, 1, 2].find((axis) => sum[axis] === 0);
  const places = [];
  for (let layer = 3 - n; layer < n - 1; layer += 2) {
    const at = times(sum, n - 1);
    at[along] = layer;
    places.push(...cubieOf(placeOn(first, at, n), n));
  }
  return places;
}

/** Returns true if the stickers at the places of the items are as the items require. */
function suits(items, places, stickers) {
  const bound = {};
  return items.every((item, i) => {
    const colour = stickers[places[i]];
    if (item === '*') return true;
    if (/[1-6]/.test(item)) return (bound[item] ??= colour) === colour;
    return 'URFDLB'.indexOf(item) === colour;
  });
}

/**
 * The places that a pattern is about where it fits.
 * @param {any} pattern as the server answers it, without references to other patterns
 * @param {{face: string, rotation: number}} match
 * @param {Uint8Array} stickers
 * @returns {number[]}
 */
export function placesOfFit(pattern, match, stickers, n) {
  if (pattern.all) return [...new Set(pattern.all.flatMap((part) => placesOfFit(part, match, stickers, n)))];
  if (pattern.any) {
    const parts = pattern.any.map((part) => placesOfFit(part, match, stickers, n));
    return parts.find((places) => places.length > 0) ?? [];
  }
  if (pattern.pieces) return Object.keys(pattern.pieces).flatMap((name) => placesOfPiece(name, viewOf(match), n));
  if (!pattern.faces) return [];
  const items = itemsOf(pattern.faces);
  const places = placesOfArrays(match, n);
  return suits(items, places, stickers) ? places.filter((_, i) => items[i] !== '*') : [];
}

/** Returns the colour of each place of a cube held with the pattern's A in front or on top; 6 if any colour will do. */
export function exampleOf(pattern, match, colours, n) {
  const stickers = new Uint8Array(6 * n * n).fill(6);
  const places = placesOfArrays(match, n);
  const paint = (part) => {
    if (part.all) return part.all.forEach(paint);
    if (part.any) return paint(part.any[0]);
    if (part.pieces) {
      for (const name of Object.keys(part.pieces)) {
        for (const place of placesOfPiece(name, viewOf(match), n)) stickers[place] = colours.solved[place];
      }
      return undefined;
    }
    if (!part.faces) return undefined;
    itemsOf(part.faces).forEach((item, i) => {
      if (/[1-6]/.test(item)) stickers[places[i]] = colours.bound[item];
      else if (item !== '*') stickers[places[i]] = 'URFDLB'.indexOf(item);
    });
    return undefined;
  };
  paint(pattern);
  return stickers;
}
