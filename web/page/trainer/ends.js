// ends.js: when a cube on the page has reached what is trained: an oriented last layer, a cross, a block. Pure.
//
// A cube may be held in any way. Where it matters, colours are those of the centres as it is held.

import { FACES, fromFacelets, turnedAll } from '../../client/cube.js';
import { parseMoves } from '../../client/moves.js';

const AREA = 9;
const ROTATIONS = ['', 'x', 'x2', "x'", 'z', "z'"].flatMap((tip) => ['', 'y', 'y2', "y'"].map((turn) => `${tip} ${turn}`));
const U_TURNS = ['', 'U', 'U2', "U'"];

const SOLVED = fromFacelets(Array.from(FACES, (face) => face.repeat(AREA)).join(''));
const PLACES = Uint8Array.from({ length: 6 * AREA }, (_, place) => place);

/** After these moves, from which place each sticker came. */
const cameFrom = (moves) => turnedAll(PLACES, 3, parseMoves(moves, 3));

/** A mask: the faces U, R, F, D, L, B, with x where it counts; as the places of each face. */
const maskOf = (text) => text.split(' ').map((face, at) => Array.from(face, (mark, i) => (mark === 'x' ? at * AREA + i : -1)).filter((place) => place >= 0));

/**
 * The stickers that count at the end, held with the last layer at U, the cross at D, or the block at DBL. On each face,
 * those that count have one colour. `uTurns`: the last layer may be turned.
 */
const MASKS = {
  oll: { mask: maskOf('xxxxxxxxx ...xxxxxx ...xxxxxx xxxxxxxxx ...xxxxxx ...xxxxxx') },
  coll: { mask: maskOf('xxxxxxxxx x.xxxxxxx x.xxxxxxx xxxxxxxxx x.xxxxxxx x.xxxxxxx'), uTurns: true },
  cmll: { mask: maskOf('x.x...x.x x.xxxxxxx x.xx.xx.x x.xx.xx.x x.xxxxxxx x.xx.xx.x'), uTurns: true },
  f2l: { mask: maskOf('......... ...xxxxxx ...xxxxxx xxxxxxxxx ...xxxxxx ...xxxxxx') },
  zbls: { mask: maskOf('.x.xxx.x. ...xxxxxx ...xxxxxx xxxxxxxxx ...xxxxxx ...xxxxxx') },
  cross: { mask: maskOf('......... ....x..x. ....x..x. .x.xxx.x. ....x..x. ....x..x.'), at: 'D' },
  '2x2x2': { mask: maskOf('......... ......... ......... ...xx.xx. ...xx.xx. ....xx.xx'), at: 'DBL' },
};

/** The ends of sets; of those that are not here, the solved cube. */
const ENDS = { oll: 'oll', coll: 'coll', ollcp: 'coll', cmll: 'cmll', f2l: 'f2l', zbls: 'zbls', wv: 'oll' };

/** The two stickers of each edge: first the one at U or D, or else at F or B. */
const EDGES = [[7, 19], [5, 10], [1, 46], [3, 37], [28, 25], [32, 16], [34, 52], [30, 43], [23, 12], [21, 41], [50, 39], [48, 14]];

const centre = (face) => FACES.indexOf(face) * AREA + 4;

/** Ways to look at a cube, and to turn its last layer where that is free: each as the places that are seen. */
const views = { false: null, true: null };
function viewsOf(uTurns) {
  views[uTurns] ??= ROTATIONS.flatMap((rotation) => (uTurns ? U_TURNS : ['']).map((turn) => cameFrom(`${rotation} ${turn}`)));
  return views[uTurns];
}

const isUniform = (stickers, view, mask) => mask.every((places) => places.every((place) => stickers[view[place]] === stickers[view[places[0]]]));

/** Returns true if the colours of `place` are those that are seen at the faces `at`, in any order. */
const isAt = (stickers, view, at, place) => {
  const seen = Array.from(at, (face) => FACES[stickers[view[centre(face)]]]);
  return Array.from(place.toUpperCase()).every((face) => seen.includes(face));
};

/** Returns true if all edges can be solved without quarter turns of F and B, as the cube is seen. */
function edgesOriented(stickers, view) {
  const axis = new Map(['UD', 'FB', 'RL'].flatMap((faces, i) => Array.from(faces, (face) => [stickers[view[centre(face)]], i])));
  return EDGES.every(([first, second]) => {
    const [a, b] = [axis.get(stickers[view[first]]), axis.get(stickers[view[second]])];
    return b === 0 ? false : a === 0 || a === 1;
  });
}

/**
 * Returns the test for the end of the trained step; null: the step ends with the solved cube.
 * @param {{set?: string, goal?: string, place?: string}} training
 * @returns {((stickers: Uint8Array) => boolean) | null}
 */
export function endOf({ set, goal, place }) {
  if (goal === 'eo') return (stickers) => viewsOf(false).some((view) => isAt(stickers, view, 'FB', place) && edgesOriented(stickers, view));
  const end = MASKS[goal ?? ENDS[set]];
  if (!end) return null;
  return (stickers) => viewsOf(end.uTurns === true).some((view) => isUniform(stickers, view, end.mask) && (!end.at || isAt(stickers, view, end.at, place)));
}

/**
 * A scramble of a 3x3x3 as seen with the last layer at U, if two layers are solved; else as it is. The server gives the
 * cases of OLL and PLL on any face.
 */
export function lastLayerUp(moves) {
  const stickers = turnedAll(SOLVED, 3, parseMoves(moves, 3));
  const rotation = ROTATIONS.find((one) => isUniform(stickers, cameFrom(one), MASKS.f2l.mask));
  if (!rotation?.trim()) return moves;
  const seen = turnedAll(SOLVED, 3, parseMoves(rotation, 3));
  return moves.replace(/[URFDLB]/g, (face) => FACES[Array.from(FACES).findIndex((at) => seen[centre(at)] === FACES.indexOf(face))]);
}
