// local.js: the cube of the first screen. It belongs to this browser alone, and is found again after a reload.

import { LocalCube } from '../../client/local.js';
import { storageOf } from '../settings.js';

const KEY = 'cubed.local';

/** The cube of the last visit with its history; a scrambled one at the first. */
export function loadLocal(settings) {
  try {
    const kept = storageOf()?.getItem(KEY);
    if (kept) return new LocalCube(JSON.parse(kept));
  } catch {
    // Not a cube: begin again.
  }
  const cube = new LocalCube({ size: settings.get('size') });
  cube.scramble();
  return cube;
}

/** Keeps the cube of this page alone whenever it changes, unless it is a guest (app.openLocal). */
export function rememberLocal(app) {
  const keep = () => {
    const { session, cube, guest } = app.room;
    if (session || guest) return;
    const { size, facelets } = cube;
    for (const kept of [cube, { size, facelets }]) {
      try {
        return storageOf()?.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Storage is full: without its history. Or it is forbidden: the cube lasts as long as the page.
      }
    }
  };
  for (const type of ['entry', 'room']) app.on(type, keep);
}
