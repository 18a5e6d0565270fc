// searching.mjs: what the conversations about searches share.
import { Client } from './client.mjs';
import { Cube } from './model.mjs';
import { Server } from './server.mjs';
import { until } from '../support/patience.mjs';

/** A cube for which no search ends by itself, not while a test has patience: all edges flipped, 20 moves from solved. */
export const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
export const ENDLESS = { cube: { size: 3, moves: SUPERFLIP }, improve: true, timeout_ms: 300000 };

export const solved = ({ size, facelets }) => [...'URFDLB'].every((_, i) => new Set(facelets.slice(i * size ** 2, (i + 1) * size ** 2)).size === 1);

/** Returns true if the solution solves the cube that these moves scramble. */
export const solves = (size, moves, solution) => solved(new Cube(size).apply(`${moves} ${solution}`.trim()));

/** A number of /metrics. */
export async function metric(client, name) {
  const { text } = await client.get('/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)[1]);
}

/** Waits until a number of /metrics is this, or fits. */
export const becomes = (client, name, wanted) =>
  until(async () => [true, wanted].includes(typeof wanted === 'function' ? wanted(await metric(client, name)) : await metric(client, name)), `${name} is ${wanted}`, 20);

/** A server of its own, with these flags. */
export async function alone(talk, flags, tell) {
  const server = await Server.start(talk.binary, 'memory:', flags);
  const client = new Client(server.url);
  try {
    await tell(client, server);
  } finally {
    client.close();
    await server.stop();
  }
}
