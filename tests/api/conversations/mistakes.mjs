// The content of errors: all that is wrong at once, where, a page about it, and what to send instead.

import assert from 'node:assert/strict';
import { contract } from '../client.mjs';
import { Cube } from '../model.mjs';

const UNKNOWN = '7n3k9qv2m5x8c4tz';

const places = async (client, path, json) => {
  const problem = await client.expect(400, 'POST', path, json);
  assert.equal(problem.pointer, problem.errors[0].pointer, 'the first one is at the top');
  assert.equal(problem.detail, problem.errors[0].detail);
  return problem.errors.map(({ pointer }) => pointer);
};

export default [
  ['all wrong members of a body are named at once', async ({ client }) => {
    assert.deepEqual(await places(client, '/v1/apply', { size: 1, mvoes: 'R', notation: 'sing', moves: 5 }), ['/size', '/mvoes', '/notation', '/moves']);
    assert.deepEqual(await places(client, '/v1/apply', { cube: { size: 'x', facelets: 5, at: 3, identity: 'y', moves: {} }, moves: 7 }), ['/cube/size', '/cube/at', '/cube/identity', '/cube/moves', '/moves']);
    assert.deepEqual(await places(client, '/v1/sessions', { access: 'open', name: 5, turn_policy: 'x', seed: 5 }), ['/seed', '/size', '/name', '/access', '/turn_policy']);
    assert.deepEqual(await places(client, '/v1/compose', { cubes: [5, {}, { at: 1 }] }), ['/cubes/0', '/cubes/2/at']);
    assert.deepEqual(await places(client, '/v1/solve', { cube: 5, metric: 'x', solutions: 0, improve: 1 }), ['/solutions', '/improve', '/cube', '/metric']);
    assert.deepEqual(await places(client, '/v1/algorithm', { notation: 'x', size: 2.5 }), ['/size', '/notation', '/moves']);
    const session = await client.session({ size: 3, access: 'edit' });
    assert.deepEqual(await places(client, `${session.path}/moves`, { revision: -1, rebase: 'x', notation: 'x' }), ['/revision', '/notation', '/rebase', '/moves']);
    assert.deepEqual(await places(client, `${session.path}/tokens`, { role: 'x', label: 5 }), ['/role', '/label']);
    const many = await client.expect(400, 'POST', '/v1/apply', Object.fromEntries([...Array(40).keys()].map((i) => [`x${i}`, i])));
    assert.equal(many.errors.length, 16, 'as many as a person reads');
    const one = await client.expect(400, 'POST', '/v1/apply', { size: 1 });
    assert.equal(one.errors, undefined);
    const solve = await client.expect(400, 'POST', '/v1/solves', { time_ms: -1, penalty: 'x', event: 'foo', created_at: 'x', list: 5, comment: 6, scramble: 7 });
    assert.deepEqual(solve.errors.map(({ pointer }) => pointer), ['time_ms', 'scramble', 'penalty', 'comment', 'event', 'list', 'created_at'].map((name) => `/${name}`));
  }],

  ['a detail says what is wrong with what was sent, and what would be right', async ({ client }) => {
    const rows = [
      ['/v1/apply', { cube: 5 }, 'Must be an object or a facelet string, for example {"size": 3} or "UUU...".'],
      ['/v1/apply', { cube: 'U'.repeat(53) }, '53 letters; a 3x3x3 has 54, a 2x2x2 24.'],
      ['/v1/apply', { cube: 'U'.repeat(55) }, '55 letters; a 3x3x3 has 54, a 4x4x4 96.'],
      ['/v1/apply', { cube: '' }, '0 letters; a 2x2x2 has 24, a 3x3x3 54.'],
      ['/v1/apply', { cube: { net: 'U' } }, '1 letter; a 2x2x2 has 24, a 3x3x3 54.'],
      ['/v1/apply', { size: 1 }, '1 is out of range; use an integer from 2 to 100.'],
      ['/v1/apply', { size: '3' }, 'Must be an integer from 2 to 100.'],
      ['/v1/apply', { moves: 'Q' }, `"Q" at column 1: unknown move; write moves such as R, U', F2, Rw and M.`],
      ['/v1/apply', { moves: [{ face: 'X' }] }, 'Unknown face; use U, R, F, D, L or B.'],
      ['/v1/apply', { moves: [{ face: 'R', from: 4 }] }, '4 is out of range; use an integer from 1 to 3.'],
      ['/v1/apply', { cube: { features: [1] } }, '1 item; the array must have 364.'],
      ['/v1/apply', { notation: 'sin' }, 'Unknown dialect; use sign, wca, inner, nissy, kociemba or rubyks.'],
      ['/v1/algorithm', {}, `moves is required, for example "R U R' U'".`],
      ['/v1/algorithm', { move: 'R', moves: '' }, 'Unknown member; use moves, size, notation, spin, rotation, mirror or write.'],
      ['/v1/sessions', { size: 3, name: 5 }, 'Must be a string or null.'],
      ['/v1/sessions', {}, 'Send size or cube, for example {"size": 3}.'],
      ['/v1/sessions', { size: 3, access: 'open' }, 'Unknown access; use edit, view or none.'],
      ['/v1/match', {}, 'pattern is required, for example {"name": "cross"}.'],
      ['/v1/match', { pattern: { name: 'crss' } }, 'Unknown pattern; GET /v1/patterns lists those with a name.'],
      ['/v1/solve', { cube: {}, until: 'cross' }, 'Must be an object to name a pattern: {"name": "cross"}.'],
      ['/v1/solve', { cube: {}, until: 'crss' }, 'Unknown pattern; name one in an object: {"name": "cross"}.'],
      ['/v1/solves', { scramble: 'R', solution: 'R@0 U' }, '" U" at column 4: this move has no time; give every move a time, or none.'],
      ['/v1/solves', { scramble: 'R', solution: 'U@100 R@50' }, '"@50" at column 8: times must not go backwards.'],
    ];
    for (const [path, json, detail] of rows) {
      const answer = await client.post(path, json);
      assert.deepEqual([answer.status >= 400, answer.json.detail], [true, detail], JSON.stringify(json));
    }
    const timed = await client.expect(422, 'POST', '/v1/apply', { moves: 'R@0 U' });
    assert.match(timed.expected, /^moves without times; R@120 is read in a session's moves and in recorded solves$/);
    assert.match((await client.expect(400, 'GET', '/v1/scramble?event=33')).detail, /^Unknown event; use 222, 333, .* or 777\.$/);
    assert.equal((await client.expect(404, 'GET', '/v1/patterns/crss')).suggestion, 'cross');
    for (const [path, body] of [['/v1/solve', { until: 'crss' }], ['/v1/match', { pattern: 'Crooss' }], ['/v1/match', { pattern: { all: ['crosss'] } }]])
      assert.equal((await client.expect(422, 'POST', path, { cube: {}, ...body })).suggestion, 'cross');
    assert.equal((await client.expect(422, 'POST', '/v1/match', { cube: {}, pattern: 'UURR' })).suggestion, undefined);
    assert.equal((await client.expect(404, 'GET', '/v1/patterns/nothing-like-it')).suggestion, undefined);
    const session = await client.session({ size: 3 });
    assert.equal((await client.expect(400, 'GET', `${session.path}/cube?at=3`)).detail, 'The session is at revision 0.');
    const empty = await client.send('POST', '/v1/sessions', { json: { size: 3 }, headers: { 'idempotency-key': '' } });
    assert.match(empty.json.detail, /^The Idempotency-Key must be 1 to 255 visible ASCII characters; use a new random one for each change\.$/);
    for (const [query, detail] of [
      ['move=R', /^Unknown query parameter; use size, .* or colors\.$/],
      ['size=300', /^300 is out of range; use an integer from 2 to 100\.$/],
      ['size=x', /^Must be an integer from 2 to 100\.$/],
      ['as=facelet', /^Unknown format; use facelets, .* or none\.$/],
      ['view=plans', /^Unknown view; use iso, net, plan or trans\.$/],
      ['size=4&as=reid', /^The format reid is for size 3; the cube is a 4x4x4\.$/],
    ]) assert.match((await client.expect(400, 'GET', `/v1/apply?${query}`)).detail, detail);
  }],

  ['each problem has a page, and each type too', async ({ client }) => {
    const { help } = await client.expect(422, 'POST', '/v1/apply', { moves: 'Q' });
    assert.equal(help, '/docs/problems/bad-notation');
    const page = await client.get(help);
    assert.equal(page.type, 'text/html');
    assert.match(page.text, /<title>The moves are invalid - cubed<\/title>/);
    assert.match(page.text, /urn:cubed:problem:bad-notation/);
    const types = new Set(JSON.stringify(contract.document).match(/urn:cubed:problem:[a-z-]+/g).map((type) => type.split(':').pop()));
    const index = (await client.get('/docs/problems')).text;
    assert.ok(types.size > 35);
    for (const type of types) {
      const answer = await client.get(`/docs/problems/${type}`);
      assert.equal(answer.status, 200, type);
      assert.match(answer.text, /<h1>.+<\/h1>\n<p>.+, status \d{3}.*<\/p>\n<p>[^]{30,}<\/p>/, type);
      assert.ok(!/[`\]]\(|\*\*|&amp;amp/.test(answer.text), type);
      assert.ok(index.includes(`href="/docs/problems/${type}"`), type);
    }
    assert.equal((await client.get('/docs/problems/nothing')).status, 404);
  }],

  ['401 says what to send', async ({ client }) => {
    const session = await client.session({ size: 3 });
    const none = await client.expect(401, 'POST', `${session.path}/moves`, { moves: 'R' }, { token: null });
    assert.equal(none.suggestion, 'Authorization: Bearer TOKEN');
    const wrong = await client.expect(401, 'GET', session.path, undefined, { token: 'x' });
    assert.equal(wrong.suggestion, 'Authorization: Bearer TOKEN');
    const ticket = await client.expect(401, 'GET', '/v1/events?ticket=x', undefined, { token: null });
    assert.equal(ticket.suggestion, 'POST /v1/tickets');
  }],

  ['an unknown session in a body or a query is pointed at', async ({ client }) => {
    const at = async (status, method, path, json) => {
      const { pointer, parameter } = await client.expect(status, method, path, json);
      return pointer ?? parameter;
    };
    const cube = { session: UNKNOWN };
    assert.equal(await at(404, 'POST', '/v1/apply', { cube }), '/cube/session');
    assert.equal(await at(404, 'POST', '/v1/compose', { cubes: [{}, cube] }), '/cubes/1/session');
    assert.equal(await at(404, 'POST', '/v1/solve', { cube: {}, until: { cube } }), '/until/cube/session');
    assert.equal(await at(404, 'POST', '/v1/sessions', { cube }), '/cube/session');
    assert.equal(await at(404, 'GET', `/v1/apply?session=${UNKNOWN}`), 'session');
    assert.equal(await at(404, 'GET', `/v1/patterns?session=${UNKNOWN}`), 'session');
    assert.equal(await at(404, 'GET', `/v1/solves?session=${UNKNOWN}`), 'session');
    assert.equal(await at(404, 'GET', `/v1/sessions/${UNKNOWN}`), undefined);
    const deleted = await client.session({ size: 3 });
    await client.expect(204, 'DELETE', deleted.path);
    assert.equal(await at(410, 'POST', '/v1/apply', { cube: { session: deleted.id } }), '/cube/session');
  }],

  ['spelling is free where the meaning is clear', async ({ client }) => {
    // More is accepted than openapi.yaml documents.
    const answered = async (target, json) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${client.url}${target}`, json && { method: 'POST', headers, body: JSON.stringify(json) });
      assert.ok(answer.ok, `${target}: ${answer.status}`);
      return answer.json();
    };
    const { cube: wanted } = await client.expect(200, 'GET', '/v1/apply?as=net,faces,cubies');
    for (const query of ['as=net&as=faces&as=cubies', 'as[]=net&as[]=faces,cubies', 'as%5B%5D=net&as=faces&as=cubies', 'as=NET,Faces,cubies']) {
      assert.deepEqual((await answered(`/v1/apply?${query}`)).cube, wanted, query);
    }
    for (const query of ['size=3&size=4', 'size[]=3', '[]=3']) await client.expect(400, 'GET', `/v1/apply?${query}`);
    for (const [turns, listed] of [['true', true], ['1', true], ['TRUE', true], ['false', false], ['0', false]]) {
      assert.equal((await answered(`/v1/apply?moves=R&turns=${turns}`)).turns !== undefined, listed, turns);
    }
    for (const turns of ['2', 'yes', '']) await client.expect(400, 'GET', `/v1/apply?turns=${turns}`);
    const { facelets } = new Cube(3).apply('R');
    assert.equal((await answered('/v1/apply', { moves: 'R1', notation: 'Kociemba' })).cube.facelets, facelets);
    assert.equal((await answered('/v1/apply?order=NISSY&as=Cubies&color=Never', { moves: 'R' })).cube.cubies.order, 'nissy');
    const created = await answered('/v1/sessions', { size: 3, access: 'Edit', turn_policy: 'FREE' });
    assert.equal(created.access, 'edit');
    const upper = created.id.toUpperCase();
    assert.equal((await client.expect(200, 'GET', `/v1/sessions/${upper}`)).id, created.id);
    assert.equal((await client.expect(200, 'POST', '/v1/apply', { cube: { session: upper } })).cube.size, 3);
  }],
];
