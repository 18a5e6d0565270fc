// restored.mjs: a database that was restored from a backup counts on with other entries: a client that comes back must begin again.
//
//     node tests/live/restored.mjs PATH_TO_BINARY
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, finish, start } from '../http/support/server.mjs';
import { ask, session, Watcher } from './support.mjs';

const directory = mkdtempSync(join(tmpdir(), 'cubed-restored-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const database = join(directory, 'live.db');
const copy = join(directory, 'copy.db');
const serve = (path) => start('--store', `sqlite:${path}`, '--rate-limit', 'off');
const turn = ({ port }, path, moves) => ask(port, 'POST', `${path}/moves`, { moves });

let server = await serve(database);
const path = await session(server.port);
const watcher = new Watcher(path);
await watcher.open(server.port);
await turn(server, path, 'R');
await turn(server, path, 'U');
const backup = spawnSync(process.argv[2], ['backup', copy, '--store', `sqlite:${database}`], { encoding: 'utf8' });
check('a backup', backup.status === 0, backup.stderr);
await turn(server, path, 'F');
check('three entries are seen', await watcher.at(3));
watcher.close();
await server.stop();

// The same database, stopped and started: the same incarnation.
server = await serve(database);
await turn(server, path, 'D');
await watcher.open(server.port);
check('after a restart it goes on', (await watcher.at(4)) && watcher.resyncs === 0 && watcher.fault === null, watcher.fault);
watcher.close();
await server.stop();

// The backup in its place: revisions 3 and 4 are others now.
server = await serve(copy);
for (const moves of ['L', 'B', 'L', 'B']) await turn(server, path, moves);
await watcher.open(server.port);
check('after a restoration it begins anew', (await watcher.at(6)) && watcher.resyncs === 1, `${watcher.revision} ${watcher.resyncs}`);
await turn(server, path, 'D');
check('and goes on', (await watcher.at(7)) && watcher.fault === null, watcher.fault);
watcher.close();
const end = await server.stop();
check('a clean end', end.code === 0, JSON.stringify(end));
finish();
