// For a terminal: GET forms with everything in the query, bodies and answers in plain text.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const query = (parameters) => new URLSearchParams(parameters).toString();
const text = { accept: 'text/plain' };

/** The same answer, whatever it takes. */
const same = (get, post) => assert.deepEqual({ ...get, nodes: 0, time_ms: 0 }, { ...post, nodes: 0, time_ms: 0 });

export const storeless = true;

export default [
  ['a GET answers what the POST answers', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: "R U F'" });
    const { facelets } = new Cube(3).apply("R U F'");
    const { cube: { index, reid } } = await client.expect(200, 'GET', `/v1/apply?${query({ moves: "R U F'", as: 'index,reid' })}`);
    const cubes = [{ moves: "R U F'" }, { size: '3', moves: "R U F'" }, { facelets }, { index }, { reid }, { session: session.id }, { session: session.id, at: '0', moves: 'U' }, { facelets, moves: 'R1 U3', notation: 'kociemba' }];
    for (const given of cubes) {
      const cube = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, name === 'size' || name === 'at' ? Number(value) : value]));
      const both = async (path, parameters, body, options = '') => same(
        await client.expect(200, 'GET', `${path}?${query({ ...given, ...parameters })}`),
        await client.expect(200, 'POST', `${path}${options}`, { cube, ...body }),
      );
      await both('/v1/convert', { as: 'net,cubies', order: 'reid' }, {}, '?as=net,cubies&order=reid');
      await both('/v1/validate', {}, {});
      await both('/v1/match', { pattern: 'f2l', any: 'true' }, { pattern: { name: 'f2l' }, any: true });
      await both('/v1/solve', { method: 'beginner' }, { method: 'beginner' });
      await both('/v1/solve', { until: 'cross', max_length: '12', metric: 'htm' }, { until: { name: 'cross' }, max_length: 12, metric: 'htm' });
    }
    await same(await client.expect(200, 'GET', `/v1/algorithm?${query({ moves: '(R U)3', size: '4', spin: '1' })}`), await client.expect(200, 'POST', '/v1/algorithm', { moves: '(R U)3', size: 4, spin: true }));
    const pattern = '1111 **22 3*3* *4*4 55** ****';
    const { matches } = await client.expect(200, 'GET', `/v1/match?${query({ size: 2, moves: 'R', pattern })}`);
    assert.deepEqual(matches, (await client.expect(200, 'POST', '/v1/match', { cube: { size: 2, moves: 'R' }, pattern })).matches);
    const { solution } = await client.expect(200, 'GET', `/v1/solve?${query({ size: 2, moves: 'R U F', generators: 'R U F', solutions: 1 })}`);
    assert.ok(new Cube(2).apply(`R U F ${solution}`).solved ?? true);
    const moves = await client.expect(200, 'GET', '/v1/validate?facelets=' + 'UUUUUUUURRRRRRRRRUFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB');
    assert.equal(moves.possible, false);
  }],

  ['a GET that is not solved in time is a job', async ({ client }) => {
    const answer = await client.get(`/v1/solve?${query({ moves: 'R U F2', wait_ms: 0 })}`);
    assert.equal(answer.status, 202);
    assert.equal(answer.headers.location, `/v1/jobs/${answer.json.id}`);
    const plain = await client.get(`/v1/solve?${query({ moves: 'R U F2', wait_ms: 0 })}`, text);
    assert.deepEqual([plain.status, plain.type, plain.text], [202, 'text/plain', `${plain.headers.location}\n`]);
    for (const { headers: { location } } of [answer, plain]) {
      let job;
      do job = await client.expect(200, 'GET', location); while (job.status !== 'done' && job.status !== 'failed');
      assert.equal(job.status, 'done');
    }
  }],

  ['what is wrong with a GET is named by its parameter', async ({ client }) => {
    const wrong = async (status, target) => {
      const { parameter, pointer, errors } = await client.expect(status, 'GET', target);
      assert.equal(pointer, undefined);
      return errors ? errors.map((error) => error.parameter).join() : parameter;
    };
    assert.equal(await wrong(400, '/v1/solve?size=1&method=x'), 'size');
    assert.equal(await wrong(400, '/v1/solve?moves=R&max_length=x&solutions=1001&metric=y&improve=2'), 'max_length,improve,solutions,metric');
    assert.equal(await wrong(400, '/v1/solve?moves=R&method=x'), 'method');
    assert.equal(await wrong(422, '/v1/solve?moves=R+Q'), 'moves');
    assert.equal(await wrong(422, '/v1/solve?moves=R&generators=Q'), 'generators');
    assert.equal(await wrong(422, '/v1/solve?until=crss'), 'until');
    assert.equal(await wrong(400, '/v1/convert?facelets=UUU'), 'facelets');
    assert.equal(await wrong(400, '/v1/convert?reid=UF'), 'reid');
    assert.equal(await wrong(422, `/v1/solve?facelets=${'U'.repeat(54)}`), 'facelets');
    assert.equal(await wrong(404, '/v1/solve?session=7n3k9qv2m5x8c4tz'), 'session');
    assert.equal(await wrong(400, '/v1/match'), 'pattern');
    assert.equal(await wrong(422, '/v1/match?pattern=crss'), 'pattern');
    assert.equal(await wrong(400, '/v1/algorithm?size=2'), 'moves');
    assert.equal(await wrong(400, '/v1/validate?moves=%FF'), 'moves');
    assert.equal(await wrong(400, '/v1/validate?method=x'), 'method');
  }],

  ['plain text answers are moves, one line each', async ({ client }) => {
    const one = await client.get('/v1/solve?moves=R+U2+F', text);
    assert.deepEqual([one.status, one.type], [200, 'text/plain']);
    assert.equal(one.text, "F' U2 R'\n");
    const posted = await client.post('/v1/solve', { cube: { moves: 'R U2 F' } }, text);
    assert.equal(posted.text, one.text);
    const several = await client.post('/v1/solve', { cube: { size: 2, moves: "R U F' R2" }, solutions: 4 }, text);
    const { solutions } = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 2, moves: "R U F' R2" }, solutions: 4 });
    assert.deepEqual(several.text.split('\n').slice(0, -1).sort(), solutions.map(({ solution }) => solution).sort());
    assert.equal((await client.get('/v1/solve', text)).text, '\n', 'a solved cube needs no moves');
    assert.equal((await client.get("/v1/algorithm?moves=RUR'U'", text)).text, "R U R' U'\n");
    assert.equal((await client.post('/v1/algorithm', { moves: ['R', 'U2'] }, text)).text, 'R U2\n');
    const problem = await client.get('/v1/solve?moves=Q', text);
    assert.deepEqual([problem.status, problem.type], [422, 'application/problem+json']);
  }],

  ['moves may be a body in plain text', async ({ client }) => {
    const plain = (path, body, options = {}) => client.send('POST', path, { body, ...options, headers: { 'content-type': 'text/plain', ...options.headers } });
    const session = await client.session({ size: 3, access: 'edit' });
    const { entry, cube } = (await plain(`${session.path}/moves`, "R U' // a comment\nF2\n")).json;
    assert.equal(entry.moves, "R U' F2");
    assert.equal(cube.facelets, new Cube(3).apply("R U' F2").facelets);
    const timed = (await plain(`${session.path}/moves`, 'R@0 U@100')).json;
    assert.deepEqual(timed.entry.times_ms, [0, 100]);
    const key = { headers: { 'idempotency-key': 'plain-1' } };
    const first = await plain(`${session.path}/moves`, 'L', key);
    assert.equal((await plain(`${session.path}/moves`, 'L', key)).json.revision, first.json.revision);
    assert.equal((await plain('/v1/apply?size=4', 'Rw U2')).json.cube.facelets, new Cube(4).apply('Rw U2').facelets);
    assert.equal((await plain('/v1/apply', 'R', text)).text, new Cube(3).apply('R').net);
    assert.equal((await plain('/v1/algorithm?notation=kociemba', 'R1 U3')).json.canonical, "R U'");
    const wrong = async (status, path, body, ...where) => {
      const answer = await plain(path, body);
      assert.deepEqual([answer.status, answer.json.pointer ?? answer.json.parameter, answer.json.offset], [status, ...where]);
    };
    await wrong(422, `${session.path}/moves`, 'R U Q', '', 4);
    await wrong(400, `${session.path}/moves`, '', '', undefined);
    await wrong(400, '/v1/apply?size=1', 'R', 'size', undefined);
    await wrong(400, '/v1/apply?notation=x', 'R', 'notation', undefined);
    await wrong(415, '/v1/match', 'cross', undefined, undefined);
    const beside = await client.expect(400, 'POST', '/v1/apply?size=4', { moves: 'R' });
    assert.equal(beside.parameter, 'size');
    const form = await client.send('POST', `${session.path}/moves`, { body: 'R', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    assert.equal(form.status, 415);
    assert.match(form.json.expected, /text\/plain/);
  }],
];
