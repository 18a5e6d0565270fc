// The method `fewest`: stages with turns on the scramble and on its inverse.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';
import { solves } from '../searching.mjs';

/** The pattern with which each stage ends. */
const PATTERNS = { eo: 'eo', dr: 'domino', htr: 'htr', finish: 'solved' };

export const storeless = true;

export default [
  ['a solution of few moves has stages with turns on the inverse, each of which reaches its goal', async ({ client }) => {
    const inverted = async (text) => (await client.expect(200, 'POST', '/v1/algorithm', { moves: text, size: 3 })).inverse;
    const joined = (parts) => parts.filter(Boolean).join(' ');
    const solve = (body, query = '') => client.expect(200, 'POST', `/v1/solve${query}`, { method: 'fewest', wait_ms: 60000, ...body });
    const { items } = await client.expect(200, 'GET', '/v1/solvers');
    const { stages: names, base, tables, several, optimal } = items.find(({ name }) => name === 'fewest');
    assert.deepEqual([names, base, tables.length, several, optimal], [['eo', 'dr', 'htr', 'finish'], 'two_phase', 1, false, false]);
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?count=4&seed=fewest');
    for (const [i, { moves: scrambled }] of scrambles.entries()) {
      const moves = joined([i > 1 && 'x y', scrambled]);
      const answer = await solve({ cube: { size: 3, moves }, max_length: 22, timeout_ms: 60000 });
      assert.ok(solves(3, moves, answer.solution) && answer.length <= 22 && answer.length === answer.metrics.htm && answer.complete);
      assert.ok(answer.bound > 4 && answer.bound <= answer.length && !('notation' in answer));
      const sides = { normal: '', inverse: '' };
      for (const { name, axis, moves: written, normal, inverse, metrics, total, steps } of answer.stages) {
        assert.equal(written, joined([normal, inverse && `(${inverse})`]));
        sides.normal = joined([sides.normal, normal]);
        sides.inverse = joined([sides.inverse, inverse]);
        assert.deepEqual([metrics.htm, steps], [joined([normal, inverse]).split(' ').length, []]);
        assert.ok(total <= joined([sides.normal, sides.inverse]).split(' ').length);
        assert.equal(axis === null, name === 'htr' || name === 'finish');
        // The moves that undo those of the inverse go before the scramble, as the cube is held.
        const state = joined([i > 1 && 'x y', await inverted(sides.inverse), scrambled, sides.normal]);
        const { matches } = await client.expect(200, 'POST', '/v1/match', { cube: { size: 3, moves: state }, pattern: { name: PATTERNS[name] } });
        assert.ok(matches.length > 0, `${name} ${axis}: ${state}`);
      }
      assert.equal(answer.stages.at(-1).total, answer.length);
      const whole = joined([sides.normal, await inverted(sides.inverse)]);
      assert.equal((await client.expect(200, 'POST', '/v1/algorithm', { moves: whole, size: 3 })).simplified.split(' ').length, answer.length);
      assert.equal(new Cube(3).apply(whole).facelets, new Cube(3).apply(answer.solution).facelets);
    }
    // It uses all of the time that it is given, and less with the first one that is short enough.
    const [{ moves }] = scrambles;
    const timed = await solve({ cube: { size: 3, moves }, timeout_ms: 300 });
    assert.ok(!timed.complete && timed.length <= 24 && timed.time_ms >= 290, JSON.stringify(timed));
    const improved = await solve({ cube: { size: 3, moves }, timeout_ms: 300, max_length: 24, improve: true });
    assert.ok(!improved.complete && improved.length <= 24);
    const short = await solve({ cube: { size: 3, moves: 'R U2 F L2' } });
    assert.deepEqual([short.solution, short.optimal, short.complete, short.stages.map((one) => one.moves)], ["L2 F' U2 R'", true, true, ["L2 F'", '(R)', 'U2']]);
    assert.deepEqual((await solve({ cube: { size: 3, moves: 'x' } })).stages, []);
    const none = await solve({ cube: { size: 3, moves: 'R U2 F L2' }, max_length: 3 });
    assert.deepEqual([none.solution, none.stages, none.complete, none.bound], [null, null, true, 4]);
    const text = await client.post('/v1/solve', { cube: { size: 3, moves: 'R U2 F L2' }, method: 'fewest' }, { accept: 'text/plain' });
    assert.equal(text.text, "L2 F' U2 R'\n");
    // To another cube, in lines, and as a job.
    const there = await solve({ cube: { size: 3, moves: 'R U' }, until: { cube: { size: 3, moves: 'F' } } });
    assert.equal(new Cube(3).apply(`R U ${there.solution}`).facelets, new Cube(3).apply('F').facelets);
    const body = scrambles.map(({ cube }) => `${JSON.stringify({ cube, method: 'fewest' })}\n`).join('');
    const lines = await client.send('POST', '/v1/solve', { body, headers: { 'content-type': 'application/x-ndjson' } });
    for (const line of lines.text.trimEnd().split('\n').map((one) => JSON.parse(one))) assert.ok(line.length <= 20 && line.complete && line.stages.length > 1, JSON.stringify(line));
    const job = await client.expect(202, 'POST', '/v1/solve', { cube: { size: 3, moves }, method: 'fewest', wait_ms: 0 });
    const stopped = await client.expect(200, 'DELETE', `/v1/jobs/${job.id}`);
    assert.ok(['cancelled', 'done', 'running', 'queued'].includes(stopped.status));
    for (const [body, member] of [
      [{ solutions: 2 }, 'solutions'], [{ metric: 'qtm' }, 'metric'], [{ cube: { size: 4 } }, 'method'], [{ cube: { size: 2 } }, 'method'], [{ goal: 'eo' }, 'method'],
      [{ niss: true }, 'niss'], [{ generators: 'R U' }, 'method'], [{ steps: 1 }, 'steps'], [{ timeout_ms: 0 }, 'timeout_ms'], [{ max_length: 0 }, 'max_length'], [{ method: 'fewst' }, 'method'],
    ]) {
      const problem = await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3, moves }, method: 'fewest', ...body });
      assert.equal(problem.pointer, `/${member}`, JSON.stringify(body));
      if (body.method) assert.equal(problem.suggestion, 'fewest');
    }
    assert.equal((await client.post('/v1/solve', { cube: { size: 3 }, method: 'fewest' }, { accept: 'application/x-ndjson' })).status, 400);
  }],
];
