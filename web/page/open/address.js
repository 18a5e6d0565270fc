// address.js: what an address of this page means. Pure: used by tests without a browser.
//
//     /                       a scrambled cube of this page alone
//     /c/ID, /c/ID#SECRET     a stored cube; the secret leaves the address bar as soon as it is read
//     /c/ID#TOKEN             the same, as links were written before: a token is ID_SECRET
//     /#ID, /#ID.TOKEN        the same, as they were written before that
//     /#alg=...&setup=...     an algorithm to watch, without any session (links.js)
//
// Before each there may be the base path of a server.

import { base } from '../base.js';

const ID = /^[0-9a-z]{16}$/;

/** The token that a link to a cube has after its #: all of it, or without the id that the link has anyway. */
const tokenOf = (id, fragment) => (fragment === '' || fragment.includes('_') ? fragment : `${id}_${fragment}`) || null;

/**
 * @param {{pathname: string, hash: string}} location
 * @returns {{kind: 'start'} | {kind: 'session', id: string, token: string | null} | {kind: 'link', fragment: string}
 *   | {kind: 'unknown', text: string}}
 */
export function readAddress({ pathname, hash }) {
  const fragment = hash.replace(/^#/, '');
  const path = /\/c\/([^/]+)$/.exec(pathname);
  if (path) return ID.test(path[1]) ? { kind: 'session', id: path[1], token: tokenOf(path[1], fragment) } : { kind: 'unknown', text: path[1] };
  if (fragment === '') return { kind: 'start' };
  if (fragment.includes('=')) return { kind: 'link', fragment };
  const [id, token] = fragment.split('.');
  return ID.test(id) ? { kind: 'session', id, token: token || null } : { kind: 'unknown', text: fragment };
}

/** Reads a text that was typed or pasted to open a cube: its id, or any link to it. Null if it is neither. */
export function readPasted(text) {
  const typed = text.trim();
  if (ID.test(typed)) return { id: typed, token: null };
  try {
    const found = readAddress(new URL(typed, 'http://local/'));
    return found.kind === 'session' ? { id: found.id, token: found.token } : null;
  } catch {
    return null;
  }
}

/** The path of a cube. */
export const pathOf = (id) => `${base}/c/${id}`;

/** The end of a link, after its path: the token without the id that it begins with. */
const fragmentOf = (id, token) => (token ? `#${token.startsWith(`${id}_`) ? token.slice(id.length + 1) : token}` : '');

/** A link that gives the rights of a token, or none beyond those that everybody has. `origin`: that of the reader's way here. */
export const linkOf = (id, token = null, origin = globalThis.location.origin) => `${origin}${pathOf(id)}${fragmentOf(id, token)}`;
