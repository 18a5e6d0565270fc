// server.js: the server that this page came from, for all parts of the page.

import { Cubed } from '../../client/client.js';
import { SharedFeed } from '../../client/shared/feed.js';
import { server } from '../base.js';

/** After this time without an event the page asks whether the server still answers. */
const QUIET_MS = 4000;

export const cubed = new Cubed(server(), { quietMs: QUIET_MS });
cubed.feed = new SharedFeed(cubed.transport); // all tabs have one connection for events

addEventListener('online', () => cubed.feed.reconnect());
addEventListener('offline', () => cubed.feed.reconnect());
