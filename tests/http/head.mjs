// head.mjs: HEAD of every address that GET knows, each behind another request on a connection that is kept: the answer has
// a head and nothing else, and what follows on the connection is the next answer or its end.
//
//     node tests/http/head.mjs PATH_TO_BINARY
import { readFileSync } from 'node:fs';
import { check, connect, finish, GOOD, HOST, start } from './support/server.mjs';

const server = await start('--rate-limit', 'off');
const url = `http://127.0.0.1:${server.port}`;
const post = (path, body, headers = {}) => fetch(url + path, {
  method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
});
const session = await (await post('/v1/sessions', { size: 3, access: 'edit' })).json();
const solve = await (await post('/v1/solves', { scramble: "R U R'", solution: "R U' R'" })).json();
const hard = { cube: { size: 3, moves: "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2" } };
const job = await (await post('/v1/solve', { ...hard, method: 'optimal', wait_ms: 0, timeout_ms: 60000 })).json();
check('a job that runs', job.id !== undefined, JSON.stringify(job));
const names = { name: 'cross', id: session.id, job_id: job.id, solve_id: solve.id ?? 'AAAAAAAAAAAAAAAA' };
const queries = {
  '/v1/apply': ['?size=3&moves=R', '?size=100&as=poses'],
  '/v1/facts': ['?size=3'],
  '/v1/image.svg': ['?size=3'],
  '/v1/scramble': ['?size=3', '?size=100&count=3', '?size=3&count=100'],
};

/** Sends HEAD between two other requests; what came behind the first answer. */
async function behind(path, accept) {
  const client = connect(server.port);
  await client.ready;
  client.socket.write(GOOD);
  await client.until(({ text }) => text.endsWith('}') || text.endsWith('}\n'));
  const before = client.text.length;
  client.socket.write(`HEAD ${path} HTTP/1.1\r\n${HOST}\r\nAccept: ${accept}\r\n\r\n`);
  await client.until(({ text }) => text.indexOf('\r\n\r\n', before) > 0);
  client.socket.write(GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const closed = await client.until((now) => now.closed);
  client.socket.destroy();
  const text = client.text.slice(before);
  const end = text.indexOf('\r\n\r\n') + 4;
  return { head: text.slice(0, end), rest: text.slice(end), closed };
}

/** Returns true if GET of the path is answered in chunks. */
async function streams(path, accept) {
  const leave = new AbortController();
  const answer = await fetch(url + path, { headers: { accept }, signal: leave.signal });
  leave.abort();
  return answer.headers.get('transfer-encoding') === 'chunked';
}

const { paths } = JSON.parse(readFileSync(new URL('../../build/openapi.json', import.meta.url), 'utf8'));
let asked = 0;
let streamed = 0;
for (const [route, { get }] of Object.entries(paths)) {
  if (!get) continue;
  const path = route.replace(/\{(\w+)\}/g, (_, name) => names[name]);
  for (const query of queries[route] ?? ['']) {
    for (const accept of ['*/*', 'application/x-ndjson', 'text/event-stream', 'text/plain']) {
      const { head, rest, closed } = await behind(path + query, accept);
      asked++;
      const what = `HEAD ${path}${query} as ${accept}`;
      check(`${what}: a head`, /^HTTP\/1\.1 [2-4]\d\d /.test(head), head.slice(0, 60));
      check(`${what}: nothing behind it but the next answer`, rest === '' || rest.startsWith('HTTP/1.1 200 '), rest.slice(0, 40));
      check(`${what}: the connection ends`, closed);
      check(`${what}: it is told where there is no next answer`, rest !== '' || /\r\nConnection: close\r\n/i.test(head), head);
      if (/ 200 /.test(head) && rest === '' && (await streams(path + query, accept))) streamed++;
    }
  }
}
check('many were asked for', asked > 80, asked);
check('scrambles and the events of a job are streams', streamed >= 5, streamed);
const made = await (await fetch(`${url}/v1/scramble?size=100&count=3`)).json();
check('GET still has all of it', made.scrambles?.length === 3, Object.keys(made).join());
const stopped = await server.stop();
check('a clean end', stopped.code === 0, server.errors());
finish();
