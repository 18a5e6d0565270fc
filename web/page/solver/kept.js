// kept.js: the lesson outlasts a reload of the page, and leaving it, in this tab: its answer, and how far it is.

import { toFacelets } from '../../client/cube.js';
import { LocalCube } from '../../client/local.js';

const LESSON = 'cubed.lesson';
const PLACE = 'cubed.lesson.place';

function write(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the lesson lasts as long as the page.
  }
}

function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keeps a way (panels/solver.js) if it is a lesson. */
export function keepLesson(app, { room, playback, question, answer, first, steps }) {
  if (!steps) return;
  watch(app);
  write(LESSON, { where: room.session?.id ?? null, size: playback.size, facelets: toFacelets(playback.stickersAt(0)), question, answer, first });
}

/** Keeps how far it is: {cube: its facelets now, done, position, step, revealed, front: its panel is in front}. */
export const keepPlace = (place) => write(PLACE, place);

/** Another cube takes the place of that of the lesson, which does not come back by itself then. */
export function putAsideLesson() {
  const place = read(PLACE);
  if (place) keepPlace({ ...place, front: false });
}

export function forgetLesson() {
  try {
    sessionStorage.removeItem(LESSON);
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept.
  }
}

/** Returns the lesson that is kept, with its place; null: none, or one of another session. */
function keptHere(app) {
  const [lesson, place] = [read(LESSON), read(PLACE)];
  return lesson && place && lesson.where === (app.session?.id ?? null) ? { ...lesson, ...place } : null;
}

/** The lesson that is kept for the cube that is open, as it is now. */
export function keptLesson(app) {
  const kept = keptHere(app);
  return kept?.size === app.cube.size && kept.cube === app.cube.facelets ? kept : null;
}

let watched = false;

/** Shows the lesson that was in front when its cube was left, whenever the cube is back. */
function watch(app) {
  if (watched) return;
  watched = true;
  app.on('room', () => keptLesson(app)?.front && app.panel('solver'));
}

/** Shows the lesson again that was in front when the page was left. */
export function restoreLesson(app) {
  watch(app);
  const { room } = app;
  const kept = room && keptHere(app);
  if (!kept?.front) return;
  if (keptLesson(app)) app.panel('solver');
  // Another tab has replaced the cube of this browser: the lesson keeps its own.
  else if (!room.session && !room.link) app.openLocal(new LocalCube({ size: kept.size, facelets: kept.cube }), { guest: true });
}
