// streams.mjs: answers that are made while they are read: slow readers, readers that leave, and what they cost the others.
//
//     node tests/http/streams.mjs PATH_TO_BINARY [CLIENTS]
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { alive, check, finish, sleep, start } from './support/server.mjs';

const clients = Number(process.argv[3] ?? 20);
const LINES = 20000;
// An answer of some 50 MB: nobody has it in memory.
const BODY = '{"size":2,"moves":"R U"}\n'.repeat(LINES);
const TARGET = '/v1/convert?as=poses,flatten,faces';
const MEMORY_KB = 200000;

/** Sends the request; resolves with the answer as soon as its head is there. */
const begin = (port) => new Promise((resolve, reject) => {
  const request = http.request({
    port, host: '127.0.0.1', method: 'POST', path: TARGET, agent: false,
    headers: { 'content-type': 'application/x-ndjson', 'content-length': BODY.length },
  }, resolve);
  request.on('error', reject);
  request.end(BODY);
});

/** Reads to the end, `pause` ms after each megabyte; answers the number of lines. */
async function read(answer, pause) {
  let lines = 0, bytes = 0, next = 1 << 20;
  for await (const piece of answer) {
    for (const byte of piece) lines += byte === 10;
    bytes += piece.length;
    if (pause && bytes >= next) {
      next += 1 << 20;
      await sleep(pause);
    }
  }
  return lines;
}

const memory = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

const server = await start();
const { port } = server;

const [quick, slow] = await Promise.all([begin(port).then((answer) => read(answer, 0)), begin(port).then((answer) => read(answer, 20))]);
check('a quick reader gets every line', quick === LINES, `${quick} lines`);
check('a slow reader gets every line', slow === LINES, `${slow} lines`);

const answers = await Promise.all(Array.from({ length: clients }, () => begin(port)));
check('others are served while many do not read', (await alive(port)).good);
for (const answer of answers) answer.destroy();
check('others are served when they have left', (await alive(port)).good);
check('memory does not grow with the answers', memory(server.child.pid) < MEMORY_KB, `${memory(server.child.pid)} kB`);

const last = await begin(port);
await server.stop();
const cut = await read(last, 0).then((lines) => lines, () => -1);
check('a server that stops ends what it began, or cuts it for all to see', cut === LINES || cut === -1, `${cut} lines`);
finish();
