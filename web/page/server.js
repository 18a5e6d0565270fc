// server.js: the server that this page came from, for all parts of the page.

import { Cubed } from '../client/client.js';

export const cubed = new Cubed(location.origin);

addEventListener('online', () => cubed.feed.reconnect());
addEventListener('offline', () => cubed.feed.reconnect());
