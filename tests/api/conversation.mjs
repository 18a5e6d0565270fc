// The API as conversations between a client and a running server, on each store. Every answer is held
// against openapi.yaml (client.mjs). Usage: node conversation.mjs [path of the binary [name of a conversation...]]
//
// CUBED_TEST_STORE and CUBED_TEST_NODES choose other stores (support/stores.mjs).
//
// A conversation is a file in conversations/ that exports a list of [what is promised, async (talk) => ...]. `talk` has
// the client, the store's name and whether it is persistent, and restart(), after which talk.client speaks to a new
// process on the same store. A conversation that takes long and in which no store matters exports `storeless`;
// CUBED_TEST_STORED=1 leaves these out.

import { readdirSync } from 'node:fs';
import { Client } from './client.mjs';
import { binaryArgument } from './server.mjs';
import { check, finish } from './report.mjs';
import { newStores, startServers } from '../support/stores.mjs';

const FOLDER = new URL('./conversations/', import.meta.url);

/** The conversations that look into the file of a database. */
const SQLITE = /the stored receipt is at most/;
const left_out = (store, name) => store === 'postgresql' && SQLITE.test(name);

class Talk {
  constructor(binary, store) {
    this.binary = binary;
    this.location = store;
    this.store = store.split(':')[0];
    this.persistent = this.store !== 'memory';
  }

  async start() {
    this.server = await startServers(this.binary, this.location);
    this.client = new Client(this.server.url);
  }

  async restart(how = 'stop') {
    this.client.close();
    const end = await this.server[how]();
    await this.start();
    return end;
  }

  async end() {
    this.client.close();
    const { code, signal } = await this.server.stop();
    if (code !== 0) throw new Error(`ended with ${code ?? signal}\n${this.server.log}`);
  }
}

const wanted = process.argv.slice(3).map((name) => `${name}.mjs`);
const all = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs')).sort();
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length) throw new Error(`no such conversation: ${unknown.join(', ')}; there are ${all.join(', ')}`);
const files = wanted.length ? wanted : all;
const read = await Promise.all(files.map(async (file) => [file.replace('.mjs', ''), await import(new URL(file, FOLDER))]));
const conversations = read.filter(([, { storeless }]) => !storeless || process.env.CUBED_TEST_STORED !== '1');

for (const store of await newStores()) {
  const talk = new Talk(binaryArgument(), store);
  await talk.start();
  for (const [title, { default: steps }] of conversations) {
    for (const [promise, run] of steps.filter(([name]) => !left_out(talk.store, `${title}: ${name}`))) await check(`${talk.store}, ${title}: ${promise}`, () => run(talk));
  }
  await check(`${talk.store}: ends with 0 when told to`, () => talk.end());
}

finish();
