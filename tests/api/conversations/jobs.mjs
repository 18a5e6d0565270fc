// A search that takes longer is a job: it can be read, and ended.

import assert from 'node:assert/strict';
import { becomes, ENDLESS, SUPERFLIP, solves } from '../searching.mjs';

export default [
  ['a longer search is a job, whose progress and answer can be read repeatedly', async ({ client }) => {
    const answer = await client.post('/v1/solve', { ...ENDLESS, timeout_ms: 400, wait_ms: 10 }); // bound: it must not be done by then
    assert.equal(answer.status, 202);
    assert.equal(answer.headers.location, `/v1/jobs/${answer.json.id}`);
    const events = await client.get(`${answer.headers.location}/events`, { accept: 'application/x-ndjson' });
    const first = JSON.parse(events.text.split('\n')[0]);
    assert.equal(first.event, 'progress');
    let job;
    do job = await client.expect(200, 'GET', answer.headers.location); while (job.status === 'running' || job.status === 'queued');
    assert.equal(job.status, 'done');
    assert.equal(job.result.complete, false, 'the time was over');
    assert.ok(job.result.time_ms < ENDLESS.timeout_ms && job.progress.nodes > 0);
    assert.ok(solves(3, SUPERFLIP, job.result.solution));
    assert.deepEqual(await client.expect(200, 'GET', answer.headers.location), job);
    const ended = await client.get(`${answer.headers.location}/events`);
    assert.match(ended.text, /^event: end\ndata: \{.*\}\n\n$/);
    assert.deepEqual(JSON.parse(ended.text.split('data: ')[1]), job);
    assert.deepEqual(await client.expect(200, 'DELETE', answer.headers.location), job, 'what has ended stays');
  }],

  ['when the time is over, the best solution so far is the answer', async ({ client }) => {
    const answer = await client.expect(200, 'POST', '/v1/solve', { ...ENDLESS, timeout_ms: 100, wait_ms: 60000 });
    assert.ok(!answer.complete && answer.solution !== null && answer.time_ms < ENDLESS.timeout_ms);
    const none = await client.expect(200, 'POST', '/v1/solve', { cube: ENDLESS.cube, max_length: 5, timeout_ms: 60000, wait_ms: 60000 });
    assert.deepEqual([none.solution, none.length, none.metrics], [null, null, null]);
  }],

  ['DELETE ends a search long before its time', async ({ client }) => {
    await becomes(client, 'cubed_jobs_running', 0);
    const { id } = await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
    await becomes(client, 'cubed_jobs_running', 1);
    const job = await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
    assert.equal(job.status, 'cancelled');
    await becomes(client, 'cubed_jobs_running', 0);
    assert.deepEqual((await client.expect(200, 'GET', `/v1/jobs/${id}`)).status, 'cancelled');
    await client.expect(404, 'GET', '/v1/jobs/00000000000000000000000000');
    await client.expect(404, 'DELETE', '/v1/jobs/x');
  }],

  ['a cancelled search keeps its best solution as long as other results are kept', async ({ client }) => {
    const { id } = await client.expect(202, 'POST', '/v1/solve', { ...ENDLESS, wait_ms: 0 });
    const events = client.get(`/v1/jobs/${id}/events`, { accept: 'application/x-ndjson' });
    let best;
    do best = (await client.expect(200, 'GET', `/v1/jobs/${id}`)).progress.best; while (best === null);
    const job = await client.expect(200, 'DELETE', `/v1/jobs/${id}`);
    assert.deepEqual([job.status, job.problem, job.result.complete, job.result.length <= best], ['cancelled', null, false, true]);
    assert.ok(solves(3, SUPERFLIP, job.result.solution));
    assert.deepEqual(await client.expect(200, 'GET', `/v1/jobs/${id}`), job);
    assert.deepEqual(await client.expect(200, 'DELETE', `/v1/jobs/${id}`), job);
    assert.deepEqual(JSON.parse((await events).text.trim().split('\n').at(-1)), { event: 'end', data: job });
    assert.deepEqual(JSON.parse((await client.get(`/v1/jobs/${id}/events`)).text.split('data: ')[1]), job);
  }],
];
