// modules.mjs: a server without modules says what it has not, and how to get it. Usage: node modules.mjs [path of its binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { check, finish } from './report.mjs';
import { binaryArgument, Server, temporaryDirectory } from './server.mjs';

const binary = binaryArgument();
const folder = temporaryDirectory();
const LOCATION = 'postgresql://cubed:secret@nowhere/cubed';

/** Runs a command to its end. */
const run = (...words) => spawnSync(binary, words, { encoding: 'utf8', cwd: folder });

await check('a store on PostgreSQL is refused by the name of its module, and without the password', () => {
  const { status, stderr } = run('--store', LOCATION, '--listen', '127.0.0.1:0');
  assert.equal(status, 1);
  assert.match(stderr, /needs the module postgres/);
  assert.match(stderr, /make MODULES=postgres/);
  assert.ok(!stderr.includes('secret'), stderr);
});

const server = await Server.start(binary, `sqlite:${join(folder, 'served.db')}`);

await check('a cube can be created, turned and read', async () => {
  const post = (path, body) => fetch(server.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const session = await (await post('/v1/sessions', { size: 3, access: 'edit' })).json();
  const moved = await post(`/v1/sessions/${session.id}/moves`, { moves: "R U R' U'" });
  assert.equal(moved.status, 200);
  const read = await (await fetch(`${server.url}/v1/sessions/${session.id}`)).json();
  assert.equal(read.facelets, (await moved.json()).facelets);
});

await server.stop();

await check('and so are the databases of commands', () => {
  for (const words of [['verify', '--store', LOCATION], ['migrate', LOCATION, 'sqlite:a.db'], ['migrate', 'sqlite:served.db', LOCATION]]) {
    const { status, stderr } = run(...words);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /needs the module postgres/);
    assert.ok(!stderr.includes('secret'), stderr);
  }
});

finish();
