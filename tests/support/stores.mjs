// The stores that a test runs on, as its environment says:
//
//   CUBED_TEST_STORE=postgresql   only on that one (memory, sqlite, postgresql; several, with spaces between)
//   CUBED_TEST_NODES=3            three nodes on it, each connection to a random one
//   CUBED_TEST_SEED=N             the same ones as in the run that printed this

import { join } from 'node:path';
import { Server, temporaryDirectory } from '../api/server.mjs';
import { Nodes, seedOfRun } from './nodes.mjs';
import { Postgres } from './postgres.mjs';

const NODES = Number(process.env.CUBED_TEST_NODES ?? 1);

const locations = {
  memory: () => 'memory:',
  sqlite: () => `sqlite:${join(temporaryDirectory(), 'test.db')}`,
  postgresql: async () => (await Postgres.shared()).store(),
};

/** The locations (`--store`) of new, empty stores. */
export function newStores() {
  const names = process.env.CUBED_TEST_STORE ?? (NODES > 1 ? 'postgresql' : 'memory sqlite');
  return Promise.all(names.split(' ').map((name) => locations[name]()));
}

let seed;

/** A server on this store, or the nodes of the run. */
export function startServers(binary, store) {
  if (NODES === 1) return Server.start(binary, store);
  if (seed === undefined) console.log(`${NODES} nodes, CUBED_TEST_SEED=${(seed = seedOfRun())}`);
  return Nodes.start(binary, store, NODES, { seed });
}
