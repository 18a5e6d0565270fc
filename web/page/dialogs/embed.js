// embed.js: code that shows the cube in a page of somebody's own: in a frame, or as <cubed-cube> by its script, which a
// hash protects. elementCode() and frameCode() are pure.

import { base } from '../base.js';
import { writeLink } from '../open/links.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { reach } from '../session/reach.js';
import { cubed } from '../session/server.js';
import { openDialog } from './dialog.js';
import { t } from '../words.js';

const ORIGINS = `${base}/docs/reference/access#pages-of-other-origins`;
const NOBODY = t('Only people with a link may see this cube, so a page of others cannot show it. An owner can change that under “Rules”: people without a link may watch.');

const isUntouched = (facelets) => /^(U+)(R+)(F+)(D+)(L+)(B+)$/.test(facelets);
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * Returns what is shown of a cube: a session as it is at any time, an algorithm, or the cube as it is now.
 * @returns {{session: string} | {alg: string, size: number, cube: string | null}}
 */
export function shownOf({ session = null, moves = [], size, facelets }) {
  if (session) return { session };
  return { alg: moves.join(' '), size, cube: isUntouched(facelets) ? null : facelets };
}

/** The address of /embed that shows it. `server`: the address of a server, with its base path. */
const embedOf = (server, shown) => `${server}/embed#${shown.session ? `session=${shown.session}` : writeLink(shown)}`;

export const frameCode = (server, shown) => `<iframe title="A Rubik's cube" width="400" height="440" src="${escape(embedOf(server, shown))}"></iframe>`;

/** `script`: what a server says of its script: its address and its hash. */
export function elementCode(server, shown, { address, integrity }) {
  const { session, alg, size, cube } = shown;
  const attributes = session ? { session, server } : { ...(alg && { alg }), ...(cube && { cube }), ...(!cube && size !== 3 && { size }) };
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`).join('');
  return `<script async src="${address}" integrity="${integrity}" crossorigin></script>\n<cubed-cube${text}></cubed-cube>`;
}

function codeBox(id, title, words, code) {
  const copy = prepareCopy(element('button', { type: 'button', id: `copy-${id}` }, t('Copy')), () => code);
  return element('section', { class: 'column' }, element('h3', {}, title), element('p', { class: 'faint' }, words),
    element('pre', { class: 'command', id, tabindex: 0 }, element('code', {}, code)), copy);
}

/** Describes the stage: a way through moves, those of the link that was opened, or the cube. */
function stageOf(app) {
  const { session, cube, link } = app.room;
  if (session) return shownOf({ session: session.id });
  const way = Array.isArray(app.shown?.moves) ? app.shown : link?.playback;
  if (!way) return shownOf({ size: cube.size, facelets: cube.facelets });
  const facelets = Array.from(way.stickersAt(0), (face) => 'URFDLB'[face]).join('');
  return shownOf({ moves: way.moves, size: way.size, facelets });
}

/** Shows the code in a dialog. `shown`: of shownOf(). */
export async function openEmbedding(app, shown = stageOf(app)) {
  if (shown.session && app.cube.settings.access === 'none') return openDialog(t('Show it in a page'), element('p', {}, NOBODY));
  const [{ origin }, { element: script }] = await Promise.all([reach(), cubed.transport.json({ path: '/v1' })]);
  const outside = origin ?? location.origin;
  const server = outside + base;
  const live = shown.session && element('p', { class: 'faint' }, t('The element follows the cube if the server allows your page to ask it:'), ' ', element('a', { href: ORIGINS, target: '_blank' }, t('pages of other origins')), '.');
  return openDialog(t('Show it in a page'),
    element('p', {}, shown.session ? t('Everybody who opens your page sees the cube as it is being turned. Nobody can turn it there.') : t('Copy this into the HTML of your own page.')),
    codeBox('frame-code', t('A frame'), t('Works in every page.'), frameCode(server, shown)),
    codeBox('element-code', t('An element'), t('Your page can style it and hear of turns. The hash makes sure that the script is this one.'), elementCode(server, shown, { address: outside + script.script, integrity: script.integrity })),
    ...[live].filter(Boolean));
}
