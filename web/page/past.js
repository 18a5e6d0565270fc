// past.js: the history of the cube that is open, as one model for all parts of the page.

import { fromFacelets, toFacelets, turnedAll } from '../client/cube.js';
import { inverseMoves, parseMoves } from '../client/moves.js';
import { Past } from '../client/past.js';

/** By room. */
const pasts = new WeakMap();

/** Takes the entries of a cube of this page back, from its newest cube on. */
function localCubeAt(cube, revision) {
  const undone = cube.entries.slice(revision).reverse().map(({ moves }) => inverseMoves(moves ?? '')).join(' ');
  return toFacelets(turnedAll(cube.stickers, cube.size, parseMoves(undone, cube.size) ?? []));
}

function sourceOf({ session, cube }, { revision, stickers }) {
  const { size } = cube;
  if (!session) {
    return { size, revision, stickers, entries: async (after, limit) => cube.entries.slice(after, after + limit), cubeAt: async (at) => localCubeAt(cube, at) };
  }
  return {
    size,
    revision,
    stickers,
    entries: async (after, limit) => (await session.history({ after, limit }).first()).items,
    cubeAt: async (at) => (await session.cube({ at })).cube.facelets,
  };
}

async function makePast(app, room) {
  const { session, cube } = room;
  const { revision } = cube;
  const waits = session && cube.waiting > 0; // the cube on the screen is ahead of the confirmed one
  const stickers = waits ? fromFacelets((await session.cube({ at: revision })).cube.facelets) : cube.stickers;
  const past = new Past(sourceOf(room, { revision, stickers }));
  past.grow(cube.revision); // by entries that came while it was read
  const ends = [
    app.on('entry', ({ entry }) => room === app.room && past.add(entry)),
    app.on('state', () => room === app.room && past.grow(cube.revision)),
    app.on('room', () => {
      if (room === app.room) return;
      past.close();
      ends.forEach((end) => end());
    }),
  ];
  return past;
}

/** The history of the cube that is open. */
export function pastOf(app) {
  const { room } = app;
  if (!pasts.has(room)) {
    const making = makePast(app, room);
    making.catch(() => pasts.delete(room));
    pasts.set(room, making);
  }
  return pasts.get(room);
}

/**
 * Shows the history on the stage: where it was left, or at the present if the cube was shown. Resolves with null if another
 * cube is open by then.
 */
export async function enterPast(app) {
  const { room } = app;
  const past = await pastOf(app);
  if (app.shown === past) return past;
  await past.seek(past.length);
  if (room !== app.room) return null;
  app.show(past);
  return past;
}

/** Shows the cube after an entry, or after the first moves of the next one. */
export async function showMoment(app, revision, move = 0) {
  const past = await enterPast(app);
  if (!past) return;
  past.pause();
  await past.seekTo(revision, move);
  if (past === app.shown && past.position >= past.length) app.showNow();
}
