// sessions.js: opens stored cubes on the stage, with the tokens that this browser holds. Loaded when the first one is
// opened.
//
// Who opens a shared link gets a token of their own, made with that of the link: so everybody has a name of their
// own. The link's token works as well if the session has no room for more.

import { LocalCube } from '../../client/local.js';
import { pathOf } from '../open/address.js';
import { loadLocal } from '../open/local.js';
import { guestName } from './names.js';
import { prepareNameTags } from './nametag.js';
import { countPeople } from './presence.js';
import { isSelf, rightsOf } from './rights.js';
import { enterRoom } from './room.js';
import { cubed } from './server.js';
import { loadMore } from '../sheet.js';
import { allowsMore, tokens } from './tokens.js';
import { t } from '../words.js';

/** Problems with which the token of a link is used as it is. */
const NO_GUEST = ['tokens-full', 'rate-limited', 'role-too-small', 'storage-full', 'busy'];

/** The meaning of problems in opening a cube, for somebody who plays. */
const MEANS = {
  'not-found': t('There is no cube at this address, or only people with a link may see it.'),
  gone: t('This cube was deleted.'),
};
/** The messages for the ends of a session, after which its token is worth nothing. */
const ENDED = { deleted: t('The cube was deleted. Here is one of your own.'), revoked: t('Your link to the cube is no longer valid. Here is one of your own.') };
const NO_LONGER = t('Your link to this cube is no longer valid. Ask for a new one to turn it.');

const prepared = new WeakSet();

/**
 * Opens a session: with the token of a link, else with the one that is kept, else with the rights that everybody has.
 * Resolves with what there is to say of that, or null. Fails if another cube is opened meanwhile: `signal`, as of
 * app.beginOpening().
 */
export async function openRoom(app, id, link = null, signal = app.beginOpening()) {
  prepare(app);
  try {
    return await openWith(app, id, link, signal);
  } catch (problem) {
    throw MEANS[problem.kind] ? new Error(MEANS[problem.kind], { cause: problem }) : problem;
  }
}

async function openWith(app, id, link, signal) {
  const { kept, note = null } = link ? await tokenOfLink(app, id, link) : { kept: tokens.of(id) };
  const open = (session) => enterRoom(app, session, (options) => session.live(options), rightsOf, signal);
  try {
    await open(cubed.session(id, { token: kept?.token ?? null }));
  } catch (problem) {
    if (problem.kind === 'gone') tokens.forget(id);
    if (problem.kind !== 'token-invalid' || !kept) throw problem;
    tokens.forget(id);
    await open(cubed.session(id, { token: null }));
    return NO_LONGER;
  }
  if (kept) tokens.keep({ id, name: app.cube.settings.name ?? null, size: app.cube.size });
  await sendName(app);
  return note;
}

/** Returns the token to open a session with, for somebody who has a link. */
async function tokenOfLink(app, id, link) {
  const kept = tokens.of(id);
  if (kept && [kept.token, kept.link].includes(link)) return { kept };
  try {
    const { you } = await cubed.session(id, { token: link }).read({ as: 'none' });
    // Without an id it is the token of another session.
    return { kept: you.id && allowsMore(you.role, kept?.role) ? await adopt(app, id, link, you) : kept };
  } catch (problem) {
    if (problem.kind !== 'token-invalid') throw problem;
    return { kept, note: kept ? null : NO_LONGER };
  }
}

/** An own token, made with that of the link. */
async function adopt(app, id, link, { role, id: linkId, label: linkLabel }) {
  const mine = role === 'owner' ? [linkId] : []; // an owner's link is for nobody else: what was done by it is their own
  const said = app.settings.get('name') || (role === 'owner' && linkLabel) || undefined;
  const given = said || role !== 'editor' ? null : guestName(); // an editor is seen by others, so they need a name
  for (const wanted of role === 'viewer' ? [role] : [role, 'viewer']) {
    const label = said ?? (wanted === 'editor' ? given : null);
    try {
      const made = await cubed.session(id, { token: link }).tokens.create({ role: wanted, ...(label && { label }) });
      if (label && label === given) app.settings.set('name', given);
      return tokens.keep({ id, token: made.token, role: wanted, link: wanted === 'owner' ? null : link, mine });
    } catch (problem) {
      if (!NO_GUEST.includes(problem.kind)) throw problem;
      if (problem.kind !== 'role-too-small') break;
    }
  }
  return tokens.keep({ id, token: link, role, link: role === 'owner' ? null : link }); // an owner's is not for friends
}

/** Sends the name of this person, so that it becomes that of their token, here and in every session that they open. */
async function sendName(app) {
  const { session, cube } = app.room;
  const label = app.settings.get('name') || null;
  const kept = session && tokens.of(session.id);
  if (!label || !cube.you?.id || cube.you.label === label || kept?.token === kept?.link) return;
  try {
    const { label: taken } = await session.tokens.rename('self', label);
    cube.you = { ...cube.you, label: taken };
    app.report('standing');
  } catch (problem) {
    app.notify(problem);
  }
}

function prepare(app) {
  if (prepared.has(app)) return;
  prepared.add(app);
  app.isSelf = (actor) => app.session !== null && isSelf(actor, app.cube.you, tokens.of(app.session.id)?.mine);
  const tags = prepareNameTags(app);
  let reactions = null; // nobody reacts alone
  app.on('presence', () => {
    if (countPeople(app) > 1) reactions ??= app.need(() => loadMore(() => import('./reactions.js')), ({ prepareReactions }) => prepareReactions(app, tags));
  });
  app.settings.on('name', () => app.session && sendName(app));
  app.on('settings', ({ settings }) => {
    const { session } = app.room;
    if (session && tokens.of(session.id)) tokens.keep({ id: session.id, name: settings.name ?? null });
  });
  app.on('ended', ({ problem, reason }) => {
    if (ENDED[reason]) tokens.forget(app.session.id);
    app.openLocal(loadLocal(app.settings));
    app.notify(problem ?? ENDED[reason] ?? t('This cube can no longer be watched.'));
  });
}

/** Entries of a cube of this page alone that stay separate in a session; what was before them becomes one. */
const SEPARATE = 20;

/** Statuses with which the server refuses too many moves. */
const TOO_MANY_MOVES = [413, 422];

const movesOf = (entries) => entries.map(({ moves }) => moves).filter(Boolean).join(' ');

/** Makes a session of a cube of this page alone, with what was done since its scramble, and opens it. */
export async function shareRoom(app, cube, body) {
  const { inForce } = cube;
  const since = inForce.map(({ kind }) => kind).lastIndexOf('scramble') + 1;
  const { size, facelets: start } = cube.toJSON();
  const begin = new LocalCube({ size, facelets: start });
  begin.turn(movesOf(inForce.slice(0, since)));
  const done = inForce.slice(since);
  const history = [movesOf(done.slice(0, -SEPARATE)), ...done.slice(-SEPARATE).map(({ moves }) => moves)].filter(Boolean);
  try {
    return await createRoom(app, { ...body, cube: { size, facelets: begin.facelets } }, { history });
  } catch (problem) {
    if (!TOO_MANY_MOVES.includes(problem.status)) throw problem;
    return createRoom(app, { ...body, cube: { size, facelets: cube.facelets } });
  }
}

/**
 * Makes a session, keeps its token and opens it. `options`: a token to read the cube with that it is copied from, and
 * `history`: moves to make first, an entry each.
 * @returns {Promise<import('../../client/session.js').Session>}
 */
export async function createRoom(app, body, { history = [], ...options } = {}) {
  const session = await cubed.createSession(body, options);
  try {
    for (const moves of history) await session.turn(moves);
  } catch (problem) {
    session.remove().catch(() => {}); // nobody knows it yet
    throw problem;
  }
  tokens.keep({ id: session.id, token: session.token, role: 'owner', name: body.name ?? null, size: session.details.size });
  await app.go(pathOf(session.id));
  return session;
}
