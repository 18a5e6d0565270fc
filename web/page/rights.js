// rights.js: what the person at this page may do with the cube that is open, before the server has to refuse it.

/**
 * `why` says in words why the cube may not be turned.
 * @returns {{turn: boolean, own: boolean, undo: boolean, redo: boolean, why: string | null}}
 */
export function rightsOf({ session, cube }) {
  if (!session) return { turn: true, own: true, undo: cube.undoable > 0, redo: cube.redoable > 0, why: null };
  const turn = cube.settings.access === 'edit' || session.token !== null;
  return { turn, own: session.token !== null, undo: turn && cube.revision > 0, redo: turn, why: turn ? null : 'You are watching this cube.' };
}
