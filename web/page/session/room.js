// room.js: the live cube of a session on the stage, until it is left and has its answers.

import { errorText, t } from '../words.js';


/**
 * Opens the cube of a session. Fails if it cannot be read, or if another one is opened meanwhile; then what was open
 * before stays open. `connect` opens its live cube; `rightsOf` says what may be done with it (rights.js); `opening`: as
 * of app.beginOpening().
 */
export async function enterRoom(app, session, connect, rightsOf, opening = app.beginOpening()) {
  opening.throwIfAborted();
  const abort = new AbortController();
  const giveUp = () => abort.abort(opening.reason);
  opening.addEventListener('abort', giveUp);
  let room = null;
  const onChange = (change) => room && (room === app.room ? app.receive(change) : receiveLeft(app, change));
  try {
    const cube = await connect({ signal: abort.signal, onChange });
    opening.throwIfAborted();
    room = { session, cube, link: null, rightsOf, leave: () => leave(app, cube, abort) };
    app.enter(room);
  } finally {
    opening.removeEventListener('abort', giveUp);
  }
}

/** Leaves a cube. Changes that wait for the server are still sent: the cube is closed once it has their answers. */
function leave(app, cube, abort) {
  if (cube.waiting === 0) {
    abort.abort();
    return;
  }
  app.left.add(cube);
  cube.settled().then(() => {
    app.left.delete(cube);
    abort.abort();
  });
}

/** Receives the events of a cube that was left before all its changes had answers. */
function receiveLeft(app, { type, problem }) {
  if (type === 'refused') app.notify(t('Your last change of the other cube was not kept: {why}', { why: errorText(problem) }));
}
