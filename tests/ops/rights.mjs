// Rights across files: sessions made before there were tokens, what a stolen database gives away, and the incarnation of
// what is restored. Usage: node rights.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const binary = binaryArgument();
const directory = temporaryDirectory();
const store = (name) => `sqlite:${join(directory, name)}`;
const fixture = (name) => new URL(`../data/schema/${name}`, import.meta.url).pathname;

function cubed(...args) {
  const { status, stderr } = spawnSync(binary, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

async function serving(name, run) {
  const server = await Server.start(binary, store(name));
  const client = new Client(server.url);
  try {
    return await run(client);
  } finally {
    client.close();
    assert.equal((await server.stop()).code, 0);
  }
}

/** The incarnation, as the id of an event has it. */
async function incarnation(client) {
  const { path } = await client.session();
  const { text } = await client.get(`${path}/events`, { accept: 'application/x-ndjson' });
  return JSON.parse(text.split('\n')[0]).id.split('-')[0];
}

await check('sessions made before there were tokens stay open, until somebody owns them', async () => {
  cubed('import', fixture('001.ndjson'), '--store', store('old.db'));
  await serving('old.db', async (client) => {
    const anybody = { token: null };
    for (const id of ['krmqjnbb4dr0bgg3', '0t39fqgpg8q0yjks', '8nd8anamhp3apa09']) {
      const path = `/v1/sessions/${id}`;
      await client.expect(200, 'GET', path, undefined, anybody);
      await client.expect(200, 'POST', `${path}/moves`, { moves: 'R' }, anybody);
      await client.expect(200, 'POST', `${path}/undo`, { count: 2 }, anybody);
      await client.expect(200, 'PATCH', path, { access: 'view' }, anybody);
      const early = await client.expect(409, 'POST', `${path}/tokens`, { role: 'editor' }, anybody);
      assert.equal(early.type, 'urn:cubed:problem:last-owner', 'the first is its owner\'s');
      const { token } = await client.expect(201, 'POST', `${path}/tokens`, { role: 'owner' }, anybody);
      for (const [method, target, json] of [['PATCH', path, { name: 'x' }], ['POST', `${path}/tokens`, { role: 'owner' }], ['POST', `${path}/moves`, { moves: 'R' }]]) {
        await client.expect(401, method, target, json, anybody);
      }
      await client.expect(200, 'PATCH', path, { name: 'mine' }, { token });
    }
  });
});

await check('a database of two schemas has the tokens and actors that it had', async () => {
  cubed('import', fixture('002.ndjson'), '--store', store('second.db'));
  await serving('second.db', async (client) => {
    const { items } = await client.expect(200, 'GET', '/v1/sessions/0t39fqgpg8q0yjks/history', undefined, { token: null });
    assert.deepEqual(items.map(({ actor }) => actor && [actor.role, actor.label]), [null, ['owner', null], ['editor', 'Anna'], ['editor', 'Anna']]);
    const session = await client.expect(200, 'GET', '/v1/sessions/0t39fqgpg8q0yjks', undefined, { token: null });
    assert.equal(session.turn_policy, 'alternate');
    await client.expect(401, 'POST', '/v1/sessions/0t39fqgpg8q0yjks/moves', { moves: 'R' }, { token: null });
  });
});

await check('a stolen database gives no token away, nor a key', async () => {
  const secrets = await serving('stolen.db', async (client) => {
    const options = { headers: { 'idempotency-key': 'a-key-that-nobody-guesses' } };
    const made = await client.post('/v1/sessions', { size: 3 }, options);
    const { path } = await client.session();
    const { token } = await client.expect(201, 'POST', `${path}/tokens`, { role: 'editor' }, options);
    return [made.json.token, token].map((text) => text.slice(17)).concat('a-key-that-nobody-guesses');
  });
  cubed('export', join(directory, 'stolen.ndjson'), '--store', store('stolen.db'));
  for (const name of readdirSync(directory).filter((one) => one.startsWith('stolen'))) {
    const bytes = readFileSync(join(directory, name));
    for (const secret of secrets) assert.ok(!bytes.includes(secret), `${name} has it`);
  }
});

await check('what is restored from a backup has another incarnation, each time', async () => {
  const first = await serving('live.db', incarnation);
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.equal(await serving('live.db', incarnation), first);
  const seen = new Set([first]);
  for (const name of ['one.db', 'two.db']) {
    cubed('backup', join(directory, name), '--store', store('live.db'));
    seen.add(await serving(name, incarnation));
  }
  assert.equal(seen.size, 3);
});

finish();
