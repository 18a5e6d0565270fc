// rights.js: what the person at this page may do with the cube of a session, before the server has to refuse it. Pure.

import { t } from '../words.js';



const RANK = { viewer: 1, editor: 2, owner: 3 };

/** The role of this person: by their token or by the access of the session, whichever allows more. */
export function roleOf(cube) {
  const own = cube.you?.role ?? 'viewer';
  return cube.settings.access === 'edit' && RANK[own] < RANK.editor ? 'editor' : own;
}

/**
 * Returns true if an actor is this person: by their token, by another token of theirs (`mine`: ids), or as the owner on
 * another device, since the page makes tokens of owners for nobody else. An owner with another name is another person.
 */
export function isSelf(actor, you, mine = []) {
  if (!actor?.id || !you) return false;
  if (actor.id === you.id || mine.includes(actor.id)) return true;
  return you.role === 'owner' && actor.role === 'owner' && (!actor.label || actor.label === you.label);
}

/** Returns the name of a person, or else what is known of them. */
export const nameOf = (person) => person?.label ?? ({ owner: t('the owner'), editor: t('somebody without a name'), viewer: t('somebody who watches') }[person?.role] ?? t('somebody without a name'));

/**
 * Returns whose turn it is by the turn policy: `yours`, and otherwise in words.
 * @returns {{yours: boolean, text: string | null}}
 */
export function whoseTurn({ settings, standing, you }) {
  const policy = settings.turn_policy ?? 'free';
  if (policy === 'free' || !standing || standing.undoable === 0) return { yours: true, text: null };
  const self = you?.id ?? null;
  if (policy === 'alternate') {
    const yours = (standing.last?.id ?? null) !== self;
    return { yours, text: yours ? t('It is your turn.') : t('You have turned: now it is the turn of somebody else.') };
  }
  const yours = (standing.next?.id ?? null) === self;
  return { yours, text: yours ? t('It is your turn.') : t('It is the turn of {name}.', { name: nameOf(standing.next) }) };
}

/** Returns the number of entries that can be undone: all of them by an owner, only their own newest ones by an
 * editor. */
function undoOf(cube, role) {
  const undoable = cube.undoable ?? cube.standing?.undoable ?? cube.revision;
  if (role === 'viewer' || undoable === 0) return false;
  return role === 'owner' || cube.waiting > 0 || !cube.standing || (cube.standing.last?.id ?? null) === (cube.you?.id ?? null);
}

/**
 * `why` says in words why the cube may not be turned.
 * @returns {{turn: boolean, own: boolean, undo: boolean, redo: boolean, why: string | null}}
 */
export function rightsOf(cube) {
  const role = roleOf(cube);
  const mine = whoseTurn(cube);
  const may = role !== 'viewer';
  return {
    turn: may && mine.yours,
    own: role === 'owner',
    undo: undoOf(cube, role),
    redo: may && (cube.redoable ?? cube.standing?.redoable ?? 1) > 0,
    why: may ? (mine.yours ? null : mine.text) : t('You are watching. Ask for a link to turn.'),
  };
}
