// Many cubes solved by one request: a line for each, in order, and fair to others.

import assert from 'node:assert/strict';
import http from 'node:http';
import { Client } from '../client.mjs';
import { Cube } from '../model.mjs';
import { alone, becomes, ENDLESS, solved } from '../searching.mjs';
import { Server } from '../server.mjs';
import { sleep, until } from '../../support/patience.mjs';

const LINES = { 'content-type': 'application/x-ndjson' };

const linesOf = (answer) => answer.text.split('\n').slice(0, -1).map((line) => JSON.parse(line));
const bodyOf = (questions) => questions.map((one) => `${JSON.stringify(one)}\n`).join('');
const send = (client, questions) => client.send('POST', '/v1/solve', { body: bodyOf(questions), headers: LINES });

/** A request that is read as it comes. */
function open(client, questions) {
  const { hostname, port } = new URL(client.url);
  const body = bodyOf(questions);
  const request = http.request({ hostname, port, method: 'POST', path: '/v1/solve', headers: { ...LINES, 'content-length': body.length } });
  request.on('error', () => {});
  request.end(body);
  return request;
}

export const storeless = true;

export default [
  ['each line is answered in order, with an error in place of a bad line', async ({ client }) => {
    const moves = Array.from({ length: 40 }, (_, i) => "R U F' L2 D B ".repeat(i % 7 + 1) + 'U '.repeat(i % 5));
    const good = moves.map((text, i) => ({ cube: { size: i % 3 + 2, moves: text } }));
    const answer = await send(client, good);
    assert.deepEqual([answer.status, answer.type], [200, 'application/x-ndjson']);
    const lines = linesOf(answer);
    assert.equal(lines.length, good.length);
    lines.forEach(({ solution }, i) => assert.ok(solved(new Cube(i % 3 + 2).apply(`${moves[i]} ${solution}`.trim())), `${i}: ${solution}`));
    const none = await client.send('POST', '/v1/solve', { body: ' \n\n', headers: LINES });
    assert.deepEqual([none.status, none.text], [200, '']);
  }],

  ['each 3x3x3 of many has at most 20 turns', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?count=50');
    for (const { length, complete } of linesOf(await send(client, scrambles.map(({ moves }) => ({ size: 3, moves }))))) assert.ok(complete && length <= 20, length);
  }],

  ['a line may have every member of a single request; stored cubes are refused', async ({ client }) => {
    const session = await client.session({ size: 3 });
    const body = [
      { size: 2, moves: 'R U' }, // the cube itself
      { cube: { size: 2, moves: 'R2' }, metric: 'qtm' },
      { cube: { size: 3, moves: 'R U' }, method: 'beginner' },
      { cube: { size: 3, moves: 'R U F2 L' }, until: { name: 'cross' }, max_length: 8 },
      { cube: { size: 3, moves: 'R U' }, until: { cube: { size: 3, moves: 'F' } } },
      { cube: { size: 3, moves: 'R U' }, wait_ms: 5 }, // bound: it is refused
      { cube: { session: session.id } },
      { cube: { size: 3 }, until: { cube: { session: session.id } } },
      { cube: { size: 3 }, until: { name: 'crosss' } },
      { cube: { size: 3, moves: 'Q' } },
      { cube: { size: 3 }, method: 'beginer' },
      [],
      { cube: { size: 2, moves: 'R U' }, max_length: 1 },
    ];
    const lines = linesOf(await send(client, body));
    assert.deepEqual(lines.map(({ line, error }) => (error ? [line, error.status, error.pointer] : null)), [
      null, null, null, null, null, [6, 400, '/wait_ms'], [7, 400, '/cube/session'], [8, 400, '/until/cube/session'],
      [9, 422, '/until/name'], [10, 422, '/cube/moves'], [11, 400, '/method'], [12, 400, ''], null,
    ]);
    assert.deepEqual([lines[0].solution, lines[1].length, lines[4].solution], ["U' R'", 2, "U' R' F"]);
    assert.ok(lines[2].stages.length > 0 && lines[3].optimal && lines[3].method === 'goal');
    assert.deepEqual([lines[12].solution, lines[12].complete], [null, true]);
  }],

  ['a line is answered once it is solved, and long ones leave room for others', (talk) =>
    alone(talk, ['--solve-threads', '2', '--max-jobs', '4'], async (client) => {
      const request = open(client, [{ size: 3, moves: 'R' }, ...Array(20).fill(ENDLESS)]);
      const response = await new Promise((come) => request.on('response', come));
      const first = await new Promise((come) => response.once('data', come));
      assert.equal(JSON.parse(first).length, 1, 'while the next ones are searched for');
      await becomes(client, 'cubed_jobs_running', (n) => n === 1);
      for (let i = 0; i < 5; i++) {
        const short = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R U F' }, wait_ms: 60000 });
        assert.equal(short.length, 3);
        await becomes(client, 'cubed_jobs_queued', (n) => n <= 1);
      }
      request.destroy();
      await becomes(client, 'cubed_jobs_running', (n) => n === 0);
      await becomes(client, 'cubed_jobs_queued', (n) => n === 0);
    })],

  ['a line waits for a full queue until its time is over', (talk) =>
    alone(talk, ['--solve-threads', '2', '--max-jobs', '1'], async (client) => {
      // Jobs that wait for their tables count as waiting: these are made first.
      await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R' }, wait_ms: 60000 });
      const jobs = [];
      for (let i = 0; i < 2; i++) {
        jobs.push(await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 }));
        await becomes(client, 'cubed_jobs_running', (n) => n === 1);
      }
      const [over] = linesOf(await send(client, [{ ...ENDLESS, timeout_ms: 200 }]));
      assert.deepEqual([over.line, over.error.type], [1, 'urn:cubed:problem:busy']);
      const later = send(client, [{ ...ENDLESS, timeout_ms: 2500 }]);
      await sleep(200); // bound: it waits for a place; a slow machine can only hide that it does not
      for (const { id } of jobs) await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
      const [line] = linesOf(await later);
      assert.ok(line.solution && !line.complete);
    })],

  ['searches stop if the client disconnects or does not read', (talk) =>
    alone(talk, [], async (client) => {
      for (const wait of [0, 300]) {
        const request = open(client, Array(50).fill(ENDLESS));
        await becomes(client, 'cubed_jobs_running', (n) => n > 0);
        await sleep(wait);
        request.destroy();
        await becomes(client, 'cubed_jobs_running', (n) => n === 0);
        await becomes(client, 'cubed_jobs_queued', (n) => n === 0);
      }
    })],

  ['a shutdown does not wait for lines, and a partial answer is recognisable', async (talk) => {
    const server = await Server.start(talk.binary, 'memory:');
    const client = new Client(server.url);
    const request = open(client, [{ size: 3, moves: 'R' }, ...Array(50).fill(ENDLESS)]);
    const response = await new Promise((come) => request.on('response', come));
    let cut = false;
    let text = '';
    response.on('error', () => { cut = true; });
    response.on('data', (piece) => { text += piece; });
    await becomes(client, 'cubed_jobs_running', (n) => n > 0);
    assert.equal((await server.stop()).code, 0);
    await until(() => cut, 'the answer is cut');
    const told = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    assert.ok(cut && told.length < 51 && told.slice(1).every(({ error }) => error.type === 'urn:cubed:problem:shutting-down'), text);
    client.close();
  }],
];
