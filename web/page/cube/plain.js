// plain.js: moves of any text as plain ones, which the page turns by itself.

import { canonicalMoves } from '../../client/moves.js';
import { algorithm } from '../offline/answers.js';
import { t } from '../words.js';

async function read(text, { size, notation }) {
  const answer = await algorithm({ moves: text, size, notation });
  if (answer.expanded === null) throw new Error(t('These are more moves than can be shown.'));
  return answer;
}

export async function plainMoves(text, size) {
  return canonicalMoves(text, size) ?? (await read(text, { size })).expanded;
}

/** Reads a text typed for a cube of this page alone that is not plain moves. A text without any moves is refused, as in a
 * session. */
export async function typedMoves(text, options) {
  const { canonical, expanded } = await read(text, options);
  if (!canonical) throw new Error(t('There are no moves in this text.'));
  return expanded;
}
