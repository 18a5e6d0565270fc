// meaning.js: what a move means, in words and as a small picture. Pure but for the picture.

import { parseMoves } from '../../client/moves.js';
import { svg } from '../parts/element.js';

const SIDES = { U: 'the top', R: 'the right side', F: 'the front', D: 'the bottom', L: 'the left side', B: 'the back' };

/** The direction in which the visible part of a side moves in a clockwise and a counterclockwise quarter turn. */
const WAYS = {
  U: ['its front edge goes to the left', 'its front edge goes to the right'],
  D: ['its front edge goes to the right', 'its front edge goes to the left'],
  R: ['at the front it goes up', 'at the front it comes down, towards you'],
  L: ['at the front it comes down, towards you', 'at the front it goes up'],
  F: ['its upper edge goes to the right', 'its upper edge goes to the left'],
  B: ['its upper edge goes to the left', 'its upper edge goes to the right'],
};

/** Names the part that is turned: "the right side", "layer 3, counted from the right side". */
function partOf({ face, from, to }, n) {
  if (from === 1 && to === n) return `the whole cube like ${SIDES[face]}`;
  if (from === 1 && to === 1) return SIDES[face];
  if (from !== to) return from === 1 ? `${to} layers together, from ${SIDES[face]} on` : `layers ${from} to ${to}, counted from ${SIDES[face]}`;
  return n === 3 ? `the middle layer, like ${SIDES[face]}` : `layer ${from}, counted from ${SIDES[face]}`;
}

/** A move in words: "the right side, counterclockwise: at the front it comes down, towards you". Null if it is not a move. */
export function meaningOf(move, n) {
  const turns = parseMoves(move, n);
  if (turns?.length !== 1) return null;
  const [turn] = turns;
  const part = partOf(turn, n);
  if (Math.abs(turn.turns) === 2) return `${part}, half a turn`;
  if (turn.turns === 0) return `${part}, not at all`;
  const clockwise = turn.turns === 1;
  return `${part}, a quarter ${clockwise ? 'clockwise' : 'counterclockwise'}: ${WAYS[turn.face][clockwise ? 0 : 1]}`;
}

/** Arrows on a front of 30 by 30: a line along the layer that turns, or a circle. */
const LINES = {
  R: [25, 26, 25, 4], L: [5, 4, 5, 26], U: [26, 5, 4, 5], D: [4, 25, 26, 25], M: [15, 4, 15, 26], E: [4, 15, 26, 15],
};

/** A small picture of a turn, seen from the front: which layer, and which way. */
export function pictureOfMove(move, n) {
  const [turn] = parseMoves(move, n) ?? [];
  const root = svg('svg', { viewBox: '0 0 30 30', class: 'move-picture', 'aria-hidden': 'true' });
  root.append(svg('path', { class: 'grid', d: 'M1 1h28v28H1zM10.3 1v28M19.7 1v28M1 10.3h28M1 19.7h28' }));
  if (!turn) return root;
  const back = turn.turns < 0;
  const inner = turn.from > 1 && turn.from === turn.to && n === 3;
  const line = LINES[inner ? { L: 'M', R: 'M', U: 'E', D: 'E' }[turn.face] : turn.face];
  const flipped = back !== (inner && (turn.face === 'R' || turn.face === 'U'));
  if (line) {
    const [x1, y1, x2, y2] = flipped ? [line[2], line[3], line[0], line[1]] : line;
    root.append(svg('path', { class: 'arrow', d: `M${x1} ${y1}L${x2} ${y2}${headOf(x1, y1, x2, y2)}` }));
  } else {
    const clockwise = (turn.face === 'F') !== back;
    const arc = clockwise ? 'M6 15A9 9 0 1 1 24 15l-3.6-3.4M24 15l3.2-3.8' : 'M24 15A9 9 0 1 0 6 15l-3.2-3.8M6 15l3.6-3.4';
    root.append(svg('path', { class: turn.face === 'B' ? 'arrow behind' : 'arrow', d: arc }));
  }
  if (Math.abs(turn.turns) === 2) root.append(svg('text', { x: 15, y: 19, class: 'twice' }, '2×'));
  return root;
}

/** The head of an arrow that goes straight. */
function headOf(x1, y1, x2, y2) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const [px, py] = [dy, dx];
  return `L${x2 - 4 * dx + 4 * px} ${y2 - 4 * dy + 4 * py}M${x2} ${y2}L${x2 - 4 * dx - 4 * px} ${y2 - 4 * dy - 4 * py}`;
}
