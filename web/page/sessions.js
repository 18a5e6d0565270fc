// sessions.js: opens stored cubes on the stage. Loaded when the first one is opened.

import { cubed } from './server.js';

/** Opens a session with a token, or with the rights that everybody has. */
export async function openRoom(app, id, token) {
  const session = cubed.session(id, { token });
  await app.open(session, (options) => session.live(options));
}
