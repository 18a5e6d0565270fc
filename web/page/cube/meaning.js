// meaning.js: what a move means, in words and as a small picture. Pure but for the picture.

import { parseMoves } from '../../client/moves.js';
import { svg } from '../parts/element.js';
import { t } from '../words.js';

const SIDES = { U: t('the top'), R: t('the right side'), F: t('the front'), D: t('the bottom'), L: t('the left side'), B: t('the back') };

/** The direction in which the visible part of a side moves in a clockwise and a counterclockwise quarter turn. */
const WAYS = {
  U: [t('its front edge goes to the left'), t('its front edge goes to the right')],
  D: [t('its front edge goes to the right'), t('its front edge goes to the left')],
  R: [t('at the front it goes up'), t('at the front it comes down, towards you')],
  L: [t('at the front it comes down, towards you'), t('at the front it goes up')],
  F: [t('its upper edge goes to the right'), t('its upper edge goes to the left')],
  B: [t('its upper edge goes to the left'), t('its upper edge goes to the right')],
};

/** Names the part that is turned: t("the right side"), "layer 3, counted from the right side". */
function partOf({ face, from, to }, n) {
  const side = SIDES[face];
  if (from === 1 && to === n) return t('the whole cube like {side}', { side });
  if (from === 1 && to === 1) return side;
  if (from !== to) return from === 1 ? t('{n} layers together, from {side} on', { n: to, side }) : t('layers {from} to {to}, counted from {side}', { from, to, side });
  return n === 3 ? t('the middle layer, like {side}', { side }) : t('layer {n}, counted from {side}', { n: from, side });
}

/** A move in words: "the right side, counterclockwise: at the front it comes down, towards you". Null if it is not a move. */
export function meaningOf(move, n) {
  const turns = parseMoves(move, n);
  if (turns?.length !== 1) return null;
  const [turn] = turns;
  const part = partOf(turn, n);
  if (Math.abs(turn.turns) === 2) return t('{part}, half a turn', { part });
  if (turn.turns === 0) return t('{part}, not at all', { part });
  const clockwise = turn.turns === 1;
  const values = { part, way: WAYS[turn.face][clockwise ? 0 : 1] };
  return clockwise ? t('{part}, a quarter clockwise: {way}', values) : t('{part}, a quarter counterclockwise: {way}', values);
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
