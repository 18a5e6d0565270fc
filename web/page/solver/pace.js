// pace.js: how fast the moves of a lesson play, remembered in the browser.

import { storageOf } from '../settings.js';
import { t } from '../words.js';

const KEY = 'cubed.lesson.pace';

/** Moves a second; a person turns a cube in the hand meanwhile. 0: each move waits for a press. */
const PACES = { hand: 0, slow: 0.25, normal: 0.5, fast: 1 };
export const NAMES = { hand: t('one move at a time'), slow: t('slow'), normal: t('normal'), fast: t('fast') };

/** Steps that are known play faster by this factor. */
const KNOWN = 2;

/** Returns the name of the pace. Moves do not play by themselves for a person who prefers less motion, unless that was chosen. */
export function chosenPace() {
  const kept = storageOf()?.getItem(KEY);
  return kept in PACES ? kept : matchMedia('(prefers-reduced-motion: reduce)').matches ? 'hand' : 'normal';
}

export function choosePace(name) {
  try {
    storageOf()?.setItem(KEY, name);
  } catch {
    // Storage is full or forbidden: the pace lasts as long as the page.
  }
}

/** Returns the moves a second at a pace; 0: each waits for a press. */
export const movesPerSecond = (name, known) => PACES[name] * (known ? KNOWN : 1);
