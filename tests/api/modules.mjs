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

await check('recorded solves are refused by the name of their module', async () => {
  for (const [method, path] of [['GET', ''], ['POST', ''], ['GET', '/stats'], ['POST', '/import'], ['DELETE', '/00000000000000000000'], ['OPTIONS', '']]) {
    const answer = await fetch(`${server.url}/v1/solves${path}`, { method });
    assert.equal(answer.status, 404, method + path);
    const { type, detail, suggestion } = await answer.json();
    assert.match(type, /no-such-route$/);
    assert.match(detail, /built without recorded solves.* make MODULES=times$/);
    assert.equal(suggestion, undefined);
  }
  const { links } = await (await fetch(`${server.url}/v1`)).json();
  assert.deepEqual([links.solve, links.solves], ['/v1/solve', undefined]);
  const { suggestion } = await (await fetch(`${server.url}/v1/solvess`)).json();
  assert.equal(suggestion, '/v1/solvers');
});

await check('the solve of a session is stored all the same', async () => {
  const post = async (path, body, token) => {
    const answer = await fetch(server.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
    return { status: answer.status, json: await answer.json() };
  };
  const { json: { id, token } } = await post('/v1/sessions', { size: 3, scramble: 'R U' });
  const solved = await post(`/v1/sessions/${id}/moves`, { moves: "U'@0 R'@900" }, token);
  assert.equal(solved.status, 200, JSON.stringify(solved.json));
  const { stdout } = run('export', '--store', `sqlite:${join(folder, 'served.db')}`);
  const [solve] = stdout.split('\n').filter((line) => line.startsWith('{"solve"')).map((line) => JSON.parse(line));
  assert.deepEqual([solve.book, solve.time_ms, solve.scramble], [id, 900, 'R U']);
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
