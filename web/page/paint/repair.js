// repair.js: reads the repairs of a diagnosis (docs/reference/diagnosis.md) and does them to stickers.

import { FACES } from '../../client/cube.js';
import { placesNamed } from '../cube/cubies.js';

const RECOLOUR = /^recolour (.+)$/;
const ONE = /facelet (\d+) \([^)]*\) from ([URFDLB]) to ([URFDLB])/g;
const EXCHANGE = /^exchange facelet (\d+) \([^)]*\) and facelet (\d+) \([^)]*\)$/;
const SCHEME = /^exchange the colours ([URFDLB]) and ([URFDLB]) everywhere$/;
const TURN_FACE = /^turn the face ([URFDLB]) (?:a quarter (clockwise|counterclockwise)|by a half)$/;
const FACES_EXCHANGED = /^exchange the faces ([URFDLB]) and ([URFDLB])$/;
const TWIST = /^twist (\S+) (clockwise|counterclockwise)$/;
const FLIP = /^flip (\S+)$/;
const SWAP = /^swap (\S+) and (\S+)$/;

const numberOf = (letter) => FACES.indexOf(letter);

/** The places of a face, row by row. */
const placesOfFace = (face, n) => Array.from({ length: n * n }, (_, i) => face * n * n + i);

/** Returns the places to which the stickers of a square go in a clockwise quarter turn. */
const turnedOnce = (places, n) => places.map((_, i) => places[(i % n) * n + n - 1 - Math.floor(i / n)]);

/**
 * Reads the changes that a repair makes.
 * @param {string} text
 * @param {number} n
 * @returns {{kind: string, places?: number[], colours?: number[], clockwise?: boolean, quarters?: number, others?: number[]} | null}
 */
export function readRepair(text, n) {
  let found;
  if ((found = EXCHANGE.exec(text))) return { kind: 'exchange', places: [Number(found[1]), Number(found[2])] };
  if ((found = SCHEME.exec(text))) return { kind: 'scheme', colours: [numberOf(found[1]), numberOf(found[2])] };
  if ((found = TURN_FACE.exec(text))) return turnOf(numberOf(found[1]), { clockwise: 1, counterclockwise: 3 }[found[2]] ?? 2, n);
  if ((found = FACES_EXCHANGED.exec(text))) return { kind: 'faces', places: placesOfFace(numberOf(found[1]), n), others: placesOfFace(numberOf(found[2]), n) };
  if ((found = TWIST.exec(text))) return { kind: 'twist', places: placesNamed(found[1], n), clockwise: found[2] === 'clockwise' };
  if ((found = FLIP.exec(text))) return { kind: 'flip', places: placesNamed(found[1], n) };
  if ((found = SWAP.exec(text))) return { kind: 'swap', places: placesNamed(found[1], n), others: placesNamed(found[2], n) };
  if (!RECOLOUR.test(text)) return null;
  const changes = [...text.matchAll(ONE)];
  return { kind: 'recolour', places: changes.map((one) => Number(one[1])), colours: changes.map((one) => numberOf(one[3])) };
}

/** A face that is turned: each sticker of `places` goes to the one in `others`. */
function turnOf(face, quarters, n) {
  const places = placesOfFace(face, n);
  let others = places;
  for (let i = 0; i < quarters; i++) others = turnedOnce(others, n);
  return { kind: 'turn', places, others, quarters };
}

/** Moves the sticker of each `from[i]` to `to[i]`, all at once. */
function moveTo(stickers, from, to) {
  const after = stickers.slice();
  from.forEach((place, i) => (after[to[i]] = stickers[place]));
  return after;
}

/**
 * The stickers after a repair.
 * @param {Uint8Array} stickers
 * @param {NonNullable<ReturnType<typeof readRepair>>} repair
 */
export function repaired(stickers, { kind, places = [], others = [], colours = [], clockwise }) {
  const after = stickers.slice();
  switch (kind) {
    case 'recolour':
      places.forEach((place, i) => (after[place] = colours[i]));
      return after;
    case 'scheme':
      return stickers.map((colour) => (colours.includes(colour) ? colours[1 - colours.indexOf(colour)] : colour));
    case 'twist':
      return moveTo(stickers, places, clockwise ? [...places.slice(1), places[0]] : [places.at(-1), ...places.slice(0, -1)]);
    case 'turn':
      return moveTo(stickers, places, others);
    case 'exchange':
    case 'flip':
      return moveTo(stickers, places, [...places].reverse());
    default:
      return moveTo(stickers, [...places, ...others], [...others, ...places]);
  }
}

/** All repairs of a diagnosis, in its order. @param {{repair?: string}[]} problems */
export function repairsOf(problems, n) {
  return problems.filter((problem) => problem.repair).map((problem) => readRepair(problem.repair, n)).filter(Boolean);
}
