// links.js: links to an algorithm that is watched without any session: writes and reads them, and opens them.
//
//     /#alg=R+U+R'+U'&setup=F&size=3&view=net
//
// `alg`: the moves to watch; `setup`: moves before them, or `cube`: the facelets that they begin with; `view`: 3d or net.
// The query of an address may have the same parameters (/?alg=...), as in links of other sites and in those that the page
// gives away: only what is in the query reaches the server, which makes a preview of it. readLink(), readQuery() and
// writeLink() are pure and tested without a browser.

import { home } from '../base.js';
import { SIZE_MAX, SIZE_MIN } from '../cube/sizes.js';
import { errorText, t } from '../words.js';

/** Parameters of a link, with what is wrong with a value; null: nothing. */
const PARAMETERS = {
  alg: () => null,
  setup: () => null,
  size: (text) => (/^[1-9]\d{0,2}$/.test(text) && text >= SIZE_MIN && text <= SIZE_MAX ? null : t('must be a number from {least} to {most}', { least: SIZE_MIN, most: SIZE_MAX })),
  cube: (text) => (/^[URFDLB]+$/.test(text) ? null : t('must be the letters of all stickers: U, R, F, D, L or B')),
  view: (text) => (['3d', 'net'].includes(text) ? null : t('is 3d or net')),
};

const NAMES = Object.keys(PARAMETERS).join(', ');

/** Moves as some sites write them in addresses: R_U_R-_U-. */
export const asMoves = (text) => (/_|[A-Za-z0-9]-$/.test(text) ? text.replaceAll('_', ' ').replace(/-(?=[\s)\],:]|$)/g, "'") : text);

/** The readers of values that are not plain text. */
const READ = { size: Number, alg: asMoves, setup: asMoves };

const noCube = (n, size) => (size === null
  ? t('The link cannot be shown: no cube has {n} stickers.', { n })
  : t('The link cannot be shown: no cube has {n} stickers and size {size}.', { n, size }));

/**
 * Reads what a link shows; or `problem`, in words.
 * @param {string} fragment without the #
 */
export function readLink(fragment) {
  const link = { alg: '', setup: '', size: 3, cube: null, view: '3d' };
  const seen = new Set();
  for (const [name, value] of new URLSearchParams(fragment)) {
    if (!Object.hasOwn(PARAMETERS, name)) return { problem: t('The link has an unknown part "{name}". It can have {names}.', { name, names: NAMES }) };
    if (seen.has(name)) return { problem: t('The link has "{name}" twice.', { name }) };
    seen.add(name);
    const wrong = PARAMETERS[name](value);
    if (wrong) return { problem: t('The link cannot be shown: {name} {wrong}, not "{value}".', { name, wrong, value }) };
    link[name] = (READ[name] ?? String)(value.trim());
  }
  if (link.cube && !seen.has('size')) link.size = Math.round(Math.sqrt(link.cube.length / 6));
  if (link.cube && (link.size < SIZE_MIN || link.cube.length !== 6 * link.size ** 2)) return { problem: noCube(link.cube.length, seen.has('size') ? link.size : null) };
  if (link.cube && link.setup) return { problem: t('The link has both cube and setup: it can begin with one of them.') };
  return link;
}

/** The fragment for a query. Parameters that links do not have (utm_source) are left out; '' if nothing is left. */
export function readQuery(search) {
  return String(new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => Object.hasOwn(PARAMETERS, name))));
}

/** The characters of moves that may stand in an address as they are. */
const plain = (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');

/** The fragment of a link, without the #. What is as usual is left out. */
export function writeLink({ alg = '', setup = '', size = 3, cube = null, view = '3d' }) {
  const parts = [['alg', alg], ['setup', setup], ['size', size === 3 || cube ? '' : String(size)], ['cube', cube ?? ''], ['view', view === '3d' ? '' : view]];
  return parts.filter(([, value], i) => value || i === 0).map(([name, value]) => `${name}=${plain(value)}`).join('&');
}

/** The address of a picture of a cube, drawn by the server. */
export function pictureOf({ server = '', type = 'svg', size, facelets, pixels }) {
  const query = [`size=${size}`, `facelets=${facelets}`, ...(pixels ? [`pixels=${pixels}`] : [])];
  return `${server}/v1/image.${type}?${query.join('&')}`;
}

// ---- opening; only in browsers ----

async function readMoves(name, text, size) {
  try {
    return await (await import('../cube/plain.js')).plainMoves(text, size);
  } catch (error) {
    throw new Error(t('The link cannot be shown. Its part {name}: {why}', { name, why: errorText(error) }), { cause: error });
  }
}

/** The cube and the moves of a link. */
async function modelsOf(link) {
  const [{ LocalCube }, { Playback }] = await Promise.all([import('../../client/local.js'), import('../../client/playback.js')]);
  const [setup, alg] = await Promise.all([readMoves('setup', link.setup, link.size), readMoves('alg', link.alg, link.size)]);
  const solved = new LocalCube({ size: link.size, facelets: link.cube ?? undefined });
  if (setup) solved.turn(setup);
  const cube = new LocalCube({ size: link.size, facelets: solved.facelets });
  const playback = new Playback({ size: link.size, facelets: cube.facelets, moves: alg.split(' ').filter(Boolean) });
  playback.title = t('Algorithm');
  return { cube, playback };
}

/** Shows what a link says, or what is wrong with it. */
export async function openLink(app, fragment) {
  const signal = app.beginOpening();
  try {
    const link = readLink(fragment);
    if (link.problem) throw new Error(link.problem);
    const { cube, playback } = await modelsOf(link);
    if (signal.aborted) return; // another cube is opened
    app.openLocal(cube, { link: { playback: playback.length > 0 ? playback : null } });
    if (playback.length > 0) {
      app.show(playback);
      if (app.front === 'turn') app.panel('history'); // which lists the moves; a tab that was chosen meanwhile stays
    }
    app.view.set({ unfolded: link.view === 'net' || app.settings.get('unfolded') });
  } catch (error) {
    if (signal.aborted) return;
    if (!app.room) {
      history.replaceState(null, '', home); // the way back does not lead here again
      app.openLocal((await import('./local.js')).loadLocal(app.settings));
    }
    app.notify(error);
  }
}
