// embed.js: /embed: a cube for the pages of others, without an account and without rights.
//
//     /embed#alg=R+U+R'+U'&setup=F&size=3&view=net
//     /embed#session=ID
//
// Without a fragment, the query has the same parameters (/embed?alg=...).
//
// `view`: 3d or net; `cube`: facelets; `palette`, `letters`, `hints`, `back`, `speed`, `control` and `player` are the
// attributes of <cubed-cube>.

import '../client/element.js';
import { base, home } from './base.js';
import { asMoves } from './open/links.js';
import { element, icon } from './parts/element.js';

const TEXTS = ['alg', 'setup', 'size', 'cube', 'session', 'palette', 'speed', 'control', 'player'];
/** Moves, which are read as those of links (links.js). */
const MOVES = ['alg', 'setup'];
const SWITCHES = ['letters', 'hints', 'back'];
const OFF = ['', '0', 'no', 'false'];

/** The attributes of the element that a fragment asks for. */
export function attributesOf(fragment) {
  const asked = new URLSearchParams(fragment);
  const read = (name) => (MOVES.includes(name) ? asMoves : String)(asked.get(name).trim());
  const texts = TEXTS.flatMap((name) => (asked.has(name) ? [[name, read(name)]] : []));
  const switches = SWITCHES.flatMap((name) => (asked.has(name) && !OFF.includes(asked.get(name)) ? [[name, '']] : []));
  const unfolded = asked.get('view') === 'net' ? [['unfolded', '']] : [];
  return Object.fromEntries([...texts, ...switches, ...unfolded, ['server', base]]);
}

/** The address of the page that shows the same, with everything around it. */
function pageOf(fragment) {
  const asked = new URLSearchParams(fragment);
  if (asked.has('session')) return `${base}/c/${encodeURIComponent(asked.get('session'))}`;
  const kept = ['alg', 'setup', 'size', 'cube', 'view'].flatMap((name) => (asked.has(name) ? [[name, asked.get(name)]] : []));
  return kept.length > 0 ? `${home}#${new URLSearchParams(kept)}` : home;
}

function show() {
  const fragment = location.hash.slice(1) || location.search.slice(1);
  const cube = document.createElement('cubed-cube');
  for (const [name, value] of Object.entries(attributesOf(fragment))) cube.setAttribute(name, value);
  const open = element('a', { class: 'open', href: pageOf(fragment), target: '_blank', rel: 'noopener', 'aria-label': 'Open in cubed', title: 'Open in cubed' }, icon('M13 4h7v7M20 4l-9 9M10 5H5v14h14v-5'));
  document.body.replaceChildren(element('main', {}, element('h1', { class: 'unseen' }, 'A cube'), cube, open));
}

addEventListener('hashchange', show);
show();
