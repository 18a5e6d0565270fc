// goals.js: goals that are trained at a distance: what the server makes scrambles for, with their words. Pure.

import { FACES } from '../../client/cube.js';
import { t } from '../words.js';

/** `places` as of GET /v1/scramble; `most` turns away; `place` and `distance` are what is trained at first. */
export const GOALS = [
  { name: 'cross', title: 'Cross', places: [...FACES], most: 8, place: 'U', distance: 5 },
  { name: '2x2x2', title: 'Block of 2x2x2', places: ['UFR', 'UFL', 'UBL', 'UBR', 'DFR', 'DFL', 'DBL', 'DBR'], most: 8, place: 'DBL', distance: 5 },
  { name: 'eo', title: 'Edge orientation', places: ['fb', 'rl', 'ud'], most: 7, place: 'fb', distance: 5 },
];

/** A place in words: with the names of the colours that are at the faces U, R, F, D, L, B. */
export function placeWords(place, colours) {
  const names = Array.from(place.toUpperCase(), (letter) => colours[FACES.indexOf(letter)]);
  return place === place.toLowerCase() ? `${t('{a} and {b}', { a: names[0], b: names[1] })} (${t('{a} and {b}', { a: place[0].toUpperCase(), b: place[1].toUpperCase() })})` : `${names.join('-')} (${place})`;
}

/** "5 turns away", as it is chosen. */
export const distanceWords = (distance) => t('{n} turn away|{n} turns away', { n: distance });
