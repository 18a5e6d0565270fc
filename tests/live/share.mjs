// share.mjs: several who turn and watch one cube: one quick, one slow, one that comes and goes, one with long polls; and the
// server is killed in the midst of it, again and again. All see every revision once, in order, and end with the same cube.
//
//     node tests/live/share.mjs PATH_TO_BINARY [ENTRIES, 10000] [KILLS, 3] [SEED]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, finish, sleep, start } from '../http/support/server.mjs';
import { ask, generator, session, Watcher } from './support.mjs';

const entries = Number(process.argv[3] ?? 10000);
const kills = Number(process.argv[4] ?? 3);
const seed = Number(process.argv[5] ?? Date.now() % 2 ** 31);
const random = generator(seed);
const directory = mkdtempSync(join(tmpdir(), 'cubed-live-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const WRITERS = 8;

let server;
let port;
async function restart() {
  server = await start('--store', `sqlite:${join(directory, 'live.db')}`, '--listen', `127.0.0.1:${port ?? 0}`, '--ping-interval-ms', '300', '--rate-limit', 'off');
  port = server.port;
}

await restart();
const path = await session(port);
const quick = new Watcher(path, '?cube=true');
const slow = new Watcher(path);
const restless = new Watcher(path, '?cube=true');
const all = [quick, slow, restless];
for (const watcher of all) check('a stream begins', (await watcher.open(port)) === 200);

let done = false;
let down = false;
const answered = new Map();
let head = 0;

async function write() {
  while (head < entries) {
    const moves = Array.from({ length: 1 + random(3) }, () => 'URFDLB'[random(6)] + ['', "'", '2'][random(3)]).join(' ');
    const roll = random(100);
    const answer = roll < 80 ? await ask(port, 'POST', `${path}/moves`, { moves })
      : await ask(port, 'POST', `${path}/${roll < 95 ? 'undo' : 'reset'}`, {});
    if (answer?.status === 200) {
      if (answered.has(answer.json.revision)) check('a revision is answered once', false, answer.json.revision);
      answered.set(answer.json.revision, answer.json.entry);
      head = Math.max(head, answer.json.revision);
    } else {
      await sleep(5);
    }
  }
}

/** A watcher that was cut off goes on where it was, like an EventSource. */
async function keep(watcher) {
  while (!done) {
    if (watcher.ended && !down) await watcher.open(port);
    await sleep(10);
  }
}

async function be_slow() {
  while (!done) {
    slow.pause();
    await sleep(100 + random(400));
    slow.resume();
    await sleep(5 + random(20));
  }
  slow.resume();
}

async function be_restless() {
  while (!done) {
    await sleep(20 + random(200));
    restless.close();
  }
}

const polled = [];
async function poll() {
  while (!done || polled.length < head) {
    const answer = await ask(port, 'GET', `${path}/history?after=${polled.length}&wait_ms=2000&limit=500`);
    if (answer?.status === 200) polled.push(...answer.json.items);
    else await sleep(10);
  }
}

async function kill_at_times() {
  for (let i = 1; i <= kills; i++) {
    while (head < (entries * i) / (kills + 1)) await sleep(5);
    down = true;
    server.child.kill('SIGKILL');
    await server.ended;
    check('no sanitizer has found anything', !/Sanitizer/.test(server.errors()), server.errors());
    await restart();
    down = false;
  }
}

const others = [...all.map(keep), be_slow(), be_restless(), poll()];
await Promise.all([...Array.from({ length: WRITERS }, write), kill_at_times()]);
const { json: newest } = await ask(port, 'GET', path);
head = newest.revision;
// They may be behind, and catch up.
const caught = await Promise.all(all.map((watcher) => watcher.at(head)));
done = true;
await Promise.all(others);

const names = ['the quick one', 'the slow one', 'the restless one'];
all.forEach((watcher, i) => {
  check(`${names[i]} has seen all`, caught[i] && watcher.entries === head - watcher.from, `${watcher.entries} entries from ${watcher.from} to ${watcher.revision}, not ${head}; ${watcher.connects} streams, seed ${seed}`);
  check(`${names[i]} in order, once`, watcher.fault === null, `${watcher.fault}, seed ${seed}`);
  check(`${names[i]} needed no resync`, watcher.resyncs === 0 && watcher.states === 1, `${watcher.resyncs} resyncs, ${watcher.states} states`);
});
check('the restless one came often', restless.connects > 3, restless.connects);
for (const watcher of [quick, restless]) check('the same cube', watcher.facelets === newest.cube.facelets, `${watcher.facelets}, seed ${seed}`);
check('long polls have seen all', polled.length === head && polled.every((entry, i) => entry.revision === i + 1), polled.length);
check('what was answered is what was seen', [...answered].every(([revision, entry]) => polled[revision - 1]?.moves === entry.moves && polled[revision - 1]?.time === entry.time), `seed ${seed}`);
all.forEach((watcher) => watcher.close());
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
finish();
