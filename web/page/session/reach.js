// reach.js: the address at which other devices open this page, and what to say if there is none.

import { base } from '../base.js';
import { prepareCopy } from '../parts/clipboard.js';
import { element } from '../parts/element.js';
import { cubed } from './server.js';
import { t } from '../words.js';

const HELP = `${base}/docs/guide/play-together#in-your-home-network`;
/** Names and addresses by which every device means itself. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Finds the way by which other devices reach this server. `origin`: that of links to it, which is the origin of this page or, if it was opened
 * on the server's own device, an address of that in the network; null if there is none. `lan`: true if the server lets
 * other devices in.
 */
export async function reach() {
  if (!LOOPBACK.test(location.hostname)) return { origin: location.origin, lan: true };
  const { lan, addresses } = await cubed.transport.json({ path: '/v1' });
  return { origin: addresses[0] ?? null, lan };
}

const startForAll = () => [
  element('p', {}, t('To let phones and computers in your network in, stop the server and start it with:')),
  element('pre', { class: 'command', tabindex: 0 }, element('code', {}, 'cubed --lan')),
  element('p', { class: 'faint' }, t('or, if you started it with “make run”, with “make lan”. Your cubes are kept.'), ' ', element('a', { href: HELP, target: '_blank' }, t('More'))),
];

const joinNetwork = () => [
  element('p', { class: 'unreached' }, t('This device has no address in a network at present. Connect it to the network of the others, by Wi-Fi or by cable, and try again.'), ' ', element('a', { href: HELP, target: '_blank' }, t('More'))),
];

/** Says that a link would work only here, and what to do; for other windows and browsers of this device it can be copied. */
export const onlyHere = (url, { lan }) => [
  element('p', {}, t('Every device calls itself {name}: on another one, a link to this page would not work.', { name: location.hostname })),
  ...(lan ? joinNetwork() : startForAll()),
  prepareCopy(element('button', { id: 'copy-here', class: 'quiet', type: 'button' }, t('Copy a link for this device')), () => url),
];
