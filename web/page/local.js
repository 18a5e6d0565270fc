// local.js: the cube of the first screen. It belongs to this browser alone, and is found again after a reload.

import { LocalCube } from '../client/local.js';
import { storageOf } from './settings.js';

const KEY = 'cubed.local';

function read() {
  try {
    return JSON.parse(storageOf()?.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

/** The cube of the last visit; a scrambled one at the first. */
export function loadLocal(settings) {
  const kept = read();
  try {
    if (kept) return new LocalCube({ size: kept.size, facelets: kept.facelets });
  } catch {
    // Not a cube: begin again.
  }
  const cube = new LocalCube({ size: settings.get('size') });
  cube.scramble();
  return cube;
}

/** Keeps the cube of this page alone whenever it changes; not one that came with a link. */
export function rememberLocal(app) {
  const keep = () => {
    if (app.session || app.cube.guest) return;
    try {
      storageOf()?.setItem(KEY, JSON.stringify({ size: app.cube.size, facelets: app.cube.facelets }));
    } catch {
      // Storage is full or forbidden: the cube lasts as long as the page.
    }
  };
  for (const type of ['turned', 'redrawn', 'room']) app.on(type, keep);
}
