// The unfolded cube as the page writes it, against the server's. (tests/clients/turns.mjs has the turns.)
// Usage: node net.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets } from '../../clients/js/src/index.js';
import { textNet } from '../../web/page/net.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

for (const size of [2, 3, 4, 11]) {
  await check(`${size}x${size}x${size}`, async () => {
    const { cube } = await cubed.apply({ size, moves: 'R U F2' });
    assert.equal(textNet(fromFacelets(cube.facelets), size).trimEnd(), (await cubed.net({ size, moves: 'R U F2' })).trimEnd());
  });
}

await server.stop();
finish();
