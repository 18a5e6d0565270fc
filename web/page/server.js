// server.js: the server that this page came from, for all parts of the page.

import { Cubed } from '../client/client.js';

/** After this time without an event the page asks whether the server still answers. */
const QUIET_MS = 4000;

export const cubed = new Cubed(location.origin, { quietMs: QUIET_MS });

addEventListener('online', () => cubed.feed.reconnect());
addEventListener('offline', () => cubed.feed.reconnect());
