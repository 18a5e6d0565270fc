// The queue of searches: limits, fairness, time, and the end of the server.

import assert from 'node:assert/strict';
import http from 'node:http';
import { Client } from '../client.mjs';
import { alone, becomes, ENDLESS, metric, SUPERFLIP, solves } from '../searching.mjs';
import { Server } from '../server.mjs';
import { sleep, until as waitUntil } from '../../support/patience.mjs';

export const storeless = true;

export default [
  ['a client at its limit of jobs does not delay others', (talk) =>
    alone(talk, ['--solve-threads', '3', '--rate-limit', 'on', '--trusted-proxy', '127.0.0.1'], async (client) => {
      const from = (address) => ({ headers: { 'x-forwarded-for': address } });
      const endless = { cube: ENDLESS.cube, method: 'optimal', timeout_ms: 300000, wait_ms: 0 };
      await client.expect(200, 'POST', '/v1/solve', { cube: ENDLESS.cube, until: { name: 'cross' }, wait_ms: 60000 }); // the tables are there
      const jobs = [];
      for (let i = 0; i < 16; i++) jobs.push((await client.expect(202, 'POST', '/v1/solve', endless, from('192.0.2.1'))).id);
      await client.expect(429, 'POST', '/v1/solve', endless, from('192.0.2.1'));
      // It is answered while those of the first client, which take minutes, are searched for.
      await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: "R U F2 L D B'" }, until: { name: 'cross' }, wait_ms: 60000 }, from('192.0.2.2'));
      // A long one of somebody else has its share: as much search time as all of the first client's have.
      const { id } = await client.expect(202, 'POST', '/v1/solve', endless, from('192.0.2.3'));
      let job;
      do {
        await sleep(50);
        job = await client.expect(200, 'GET', `/v1/jobs/${id}`, undefined, from('192.0.2.3'));
      } while (job.progress.elapsed_ms < 3000); // bound: it waits for as long
      const others = await Promise.all(jobs.map((other) => client.expect(200, 'DELETE', `/v1/jobs/${other}`, undefined, from('192.0.2.4'))));
      assert.ok(others.every(({ status, result }) => status === 'cancelled' && result.complete === false));
      const mine = await client.expect(200, 'DELETE', `/v1/jobs/${id}`, undefined, from('192.0.2.4'));
      assert.ok(mine.result.time_ms > 0.25 * mine.progress.elapsed_ms, `${mine.result.time_ms} of ${mine.progress.elapsed_ms} ms`);
    })],

  ['a few clients do not fill the queue', (talk) =>
    alone(talk, ['--solve-threads', '2', '--max-jobs', '20', '--rate-limit', 'on', '--trusted-proxy', '127.0.0.1'], async (client) => {
      const ask = (address) => client.post('/v1/solve', { ...ENDLESS, wait_ms: 0 }, { headers: { 'x-forwarded-for': address } });
      for (let i = 0; i < 6; i++) {
        for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) assert.ok([202, 429].includes((await ask(address)).status));
      }
      const refused = await ask('192.0.2.1');
      assert.deepEqual([refused.status, refused.json.type], [429, 'urn:cubed:problem:rate-limited']);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      for (const address of ['192.0.2.5', '192.0.2.6']) assert.equal((await ask(address)).status, 202);
    })],

  ['if a client disconnects, its waiting searches are dropped', (talk) =>
    alone(talk, ['--solve-threads', '2'], async (client) => {
      const { id } = await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
      const { hostname, port } = new URL(client.url);
      const body = JSON.stringify({ ...ENDLESS, wait_ms: 60000 });
      const requests = [1, 2, 3].map(() => {
        const request = http.request({ hostname, port, method: 'POST', path: '/v1/solve', headers: { 'content-type': 'application/json', 'content-length': body.length } });
        request.on('error', () => {});
        request.end(body);
        return request;
      });
      await becomes(client, 'cubed_jobs_queued', 3);
      requests.forEach((request) => request.destroy());
      await becomes(client, 'cubed_jobs_queued', 0);
      assert.equal((await client.expect(200, 'DELETE', `/v1/jobs/${id}`)).status, 'cancelled');
    })],

  ['a client that leaves before its answer frees its thread', async ({ client }) => {
    for (const wait of [0, 500]) {
      const { hostname, port } = new URL(client.url);
      const body = JSON.stringify({ ...ENDLESS, wait_ms: 60000 });
      const request = http.request({ hostname, port, method: 'POST', path: '/v1/solve', headers: { 'content-type': 'application/json', 'content-length': body.length } });
      request.on('error', () => {});
      request.end(body);
      await becomes(client, 'cubed_jobs_running', 1);
      await sleep(wait);
      request.destroy();
      await becomes(client, 'cubed_jobs_running', 0);
    }
  }],

  ['a full queue is 503 with Retry-After; short searches overtake long ones', (talk) =>
    alone(talk, ['--solve-threads', '2', '--max-jobs', '2'], async (client) => {
      // Jobs that wait for their tables count as waiting: these are made first.
      await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R' }, wait_ms: 60000 });
      const jobs = [];
      for (let i = 0; i < 3; i++) {
        jobs.push(await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 }));
        await becomes(client, 'cubed_jobs_queued', Math.max(0, i));
      }
      const full = await client.post('/v1/solve', { ...ENDLESS, wait_ms: 0 });
      assert.deepEqual([full.status, full.json.type], [503, 'urn:cubed:problem:busy']);
      assert.ok(Number(full.headers['retry-after']) > 0);
      assert.ok((await client.expect(200, 'GET', `/v1/jobs/${jobs[2].id}`)).progress.ahead <= 1); // 0 when it has had a slice
      const waiting = await client.expect(200, 'DELETE', `/v1/jobs/${jobs[2].id}`);
      assert.equal(waiting.status, 'cancelled');
      jobs[2] = await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
      const still = await client.post('/v1/solve', { ...ENDLESS, wait_ms: 0 });
      assert.equal(still.status, 503);
      const short = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R U F' }, wait_ms: 60000 });
      assert.equal(short.length, 3);
      for (const { id } of jobs) await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
      await becomes(client, 'cubed_jobs_running', 0);
    })],

  ['with a single thread, the first long search does not block short ones', (talk) =>
    alone(talk, ['--solve-threads', '1'], async (client) => {
      await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
      await becomes(client, 'cubed_jobs_running', 1);
      assert.equal((await client.expect(200, 'POST', '/v1/solve', { cube: { size: 2, moves: 'R U F' }, wait_ms: 60000 })).length, 3);
    })],

  ['a search whose time ends while its tables are generated does not delay others', (talk) =>
    alone(talk, [], async (client) => {
      const ask = (body) => client.expect(200, 'POST', '/v1/solve', { wait_ms: 60000, ...body });
      await ask({ cube: { size: 3, moves: 'R' } }); // its tables are there now
      const big = { cube: { size: 5, moves: 'Rw U 2F' } };
      const begin = performance.now();
      const none = await ask({ ...big, timeout_ms: 1 });
      assert.deepEqual([none.solution, none.complete], [null, false]);
      const solvedAlready = await ask({ cube: { size: 6, moves: 'x' }, timeout_ms: 1 });
      assert.deepEqual([solvedAlready.solution, solvedAlready.complete], ['', true]);
      const waits = [1, 2, 3, 4].map(() => client.expect(202, 'POST', '/v1/solve', { ...big, timeout_ms: 300000, wait_ms: 0 }));
      const jobs = await Promise.all(waits);
      assert.equal((await ask({ cube: { size: 3, moves: 'R U' } })).length, 2);
      const took = performance.now() - begin;
      for (const { id } of jobs.slice(1)) await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
      let job;
      do {
        await sleep(50);
        job = await client.expect(200, 'GET', `/v1/jobs/${jobs[0].id}`);
      } while (job.status !== 'done');
      assert.ok(solves(5, big.cube.moves, job.result.solution));
      assert.ok(took < performance.now() - begin, 'before the tables were there');
    })],

  ['no address can occupy all threads', (talk) =>
    alone(talk, ['--solve-threads', '3', '--max-jobs-per-address', '3', '--rate-limit', 'on', '--trusted-proxy', '127.0.0.1'], async (client) => {
      const from = (address) => ({ headers: { 'x-forwarded-for': address } });
      for (let i = 0; i < 2; i++) await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 }, from('192.0.2.1'));
      await becomes(client, 'cubed_jobs_running', 2);
      const brief = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 2, moves: 'R U F' }, wait_ms: 60000 }, from('192.0.2.1'));
      assert.equal(brief.length, 3, 'a short one of the same client');
      await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 }, from('192.0.2.1'));
      const more = await client.post('/v1/solve', { ...ENDLESS, wait_ms: 0 }, from('192.0.2.1'));
      assert.deepEqual([more.status, more.json.type], [429, 'urn:cubed:problem:rate-limited']);
      const other = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R U F' }, wait_ms: 60000 }, from('192.0.2.2'));
      assert.equal(other.length, 3);
    })],

  ['a result is kept for a while, then dropped', (talk) =>
    alone(talk, ['--job-keep-ms', '300'], async (client) => {
      const { id } = await client.expect(202, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R' }, wait_ms: 0 });
      await becomes(client, 'cubed_jobs_kept', 0);
      await client.expect(404, 'GET', `/v1/jobs/${id}`);
    })],

  ['a shutdown does not wait for searches', async (talk) => {
    const server = await Server.start(talk.binary, 'memory:');
    const client = new Client(server.url);
    const waits = client.post('/v1/solve', { ...ENDLESS, wait_ms: 60000 });
    const { id } = await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
    const events = (await fetch(`${server.url}/v1/jobs/${id}/events`)).text();
    await waitUntil(async () => (await metric(client, 'cubed_jobs_running')) + (await metric(client, 'cubed_jobs_queued')) === 2, 'both are searched for');
    const { code } = await server.stop();
    assert.equal(code, 0);
    assert.deepEqual([(await waits).status, (await waits).json.type], [503, 'urn:cubed:problem:shutting-down']);
    assert.match(await events, /event: /);
    client.close();
  }],

  ['a search without proof says which tables it used and which would help', async (talk) =>
    alone(talk, ['--solve-memory', '0'], async (client) => {
      const question = { cube: { size: 3, moves: SUPERFLIP }, method: 'optimal', wait_ms: 60000 };
      const answer = await client.expect(200, 'POST', '/v1/solve', { ...question, timeout_ms: 1 });
      assert.deepEqual([answer.complete, answer.tables.making], [false, null]);
      const proved = await client.expect(200, 'POST', '/v1/solve', { ...question, cube: { size: 3, moves: 'R U' } });
      assert.deepEqual([proved.complete, proved.tables], [true, undefined]);
      const { used, larger } = (await client.expect(200, 'POST', '/v1/solve', { ...question, timeout_ms: 2500 })).tables;
      assert.deepEqual([used, larger.map(({ name }) => name)], ['small', ['medium', 'large']]);
      assert.deepEqual([larger[1].command, larger[1].option], ['cubed tables build optimal-3-large', '--tables large']);
      const { items } = await client.expect(200, 'GET', '/v1/solvers');
      const { tables } = items.find(({ name, sizes }) => name === 'optimal' && sizes.min === 3);
      assert.deepEqual(tables.map(({ name, loaded, making }) => [name, loaded, making]), [['small', true, false], ['medium', false, false], ['large', false, false]]);
      assert.deepEqual(larger.map(({ bytes }) => bytes), tables.slice(1).map(({ bytes }) => bytes));
    })],

  ['a long search has larger tables made beside it, which a shutdown stops', async (talk) =>
    alone(talk, [], async (client, server) => {
      const question = { cube: { size: 3, moves: SUPERFLIP }, method: 'optimal', timeout_ms: 60000, wait_ms: 0 };
      const { id } = await client.expect(202, 'POST', '/v1/solve', question);
      await becomes(client, 'cubed_jobs_running', 1);
      let making;
      do {
        await sleep(50);
        const { items } = await client.expect(200, 'GET', '/v1/solvers');
        const { tables } = items.find(({ name, sizes }) => name === 'optimal' && sizes.min === 3);
        making = tables.filter((one) => one.making).map(({ name }) => name);
      } while (making.length === 0);
      assert.deepEqual(making, ['medium']);
      assert.ok((await metric(client, 'cubed_solver_tables_opening')) > 0 && (await metric(client, 'cubed_solver_tables_bytes')) > 0);
      const { result } = await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
      assert.deepEqual([result.complete, result.tables.used, result.tables.making], [false, 'small', 'medium']);
      await server.stop();
      assert.doesNotMatch(server.log, /msg=stopping[^]*tables=\S*medium/);
    })],
];
