// dropped.js: what a file is that was dropped on the page: solves, which the timer takes, or a cube, which is painted.

import { canonicalMoves } from '../../client/moves.js';
import { readText } from '../paint/text.js';
import { namesEvents } from '../timer/files.js';
import { t } from '../words.js';

/** Larger files are refused before they are read. */
const BYTES_MAX = 64 * 1024 * 1024;

/** Times as people write them in lists and tables: 12.34, 1:02.3. */
const TIME = /\d[.,]\d{1,3}(?!\d)/;

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the kind of content of a text: 'solves', 'cube' or null. JSON with sessions is a file of csTimer.
 * @param {number} size of the cube that moves are for
 */
export function kindOf(text, size) {
  const plain = text.replace(/^\uFEFF/, '').trim();
  if (!plain || plain.includes('\0')) return null;
  if (isJson(plain) && !/^\d/.test(plain)) return /"session\d+"\s*:|"properties"\s*:/.test(plain) ? 'solves' : 'cube';
  if (namesEvents(plain) && !plain.startsWith('[')) return 'solves';
  const moves = readText(plain, size)?.input?.moves;
  if (moves === undefined || canonicalMoves(plain, size) !== null) return 'cube';
  return TIME.test(plain) ? 'solves' : null;
}

export async function openFile(app, file) {
  const text = file.size > BYTES_MAX ? '' : await file.text().catch(() => ''); // a folder has none
  const kind = kindOf(text, app.cube.size);
  if (kind === null) return app.notify(t('{file} is not understood. Drop solves of csTimer or Twisty Timer, a table or list of times, or a cube as text.', { file: file.name }));
  await app.panel(kind === 'cube' ? 'paint' : 'timer');
  return app.report(kind === 'cube' ? 'cube-text' : 'solves-file', kind === 'cube' ? text : file);
}
