// Recorded solves: judged, kept, listed, averaged, and carried to other timers and back.

import assert from 'node:assert/strict';

const post = (client, json, options) => client.expect(201, 'POST', '/v1/solves', json, options);
const list = async (client, session, query = '') => (await client.expect(200, 'GET', `/v1/solves?session=${session.id}${query}`)).items;
const groups = async (client, session, query = '') => (await client.expect(200, 'GET', `/v1/solves/stats?session=${session.id}${query}`)).items;
/** Returns the statistics of the event of the newest solve. */
const stats = async (client, session, query = '') => (await groups(client, session, query))[0];
const move = (client, session, moves, options) => client.expect(200, 'POST', `${session.path}/moves`, { moves }, options);
const plain = 'text/plain; charset=utf-8';

async function file(client, text, query = '', type = plain, token = undefined) {
  return client.send('POST', `/v1/solves/import${query}`, { body: text, headers: { 'content-type': type }, token });
}

const download = (client, session, accept, query = '') => client.get(`/v1/solves?session=${session.id}${query}`, { accept }).then(({ status, text }) => [status, text]);
const CSTIMER = 'application/vnd.cstimer+json';

export default [
  ['a scrambled session that becomes solved is recorded', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: "R U2 F'" });
    for (const moves of ['F', 'U2', "R'"]) await move(client, session, moves);
    const [solve, ...more] = await list(client, session);
    assert.equal(more.length, 0);
    assert.deepEqual([solve.origin, solve.size, solve.scramble, solve.clock, solve.verified, solve.penalty, solve.revision], ['session', 3, "R U2 F'", 'server', true, 'none', 3]);
    assert.match(solve.solution, /^F@0 U2@\d+ R'@\d+$/);
    assert.equal(solve.time_ms, Number(solve.solution.split('@').at(-1)));
    assert.deepEqual(solve.actor, { id: '1', label: null, role: 'owner' });
    const one = await client.expect(200, 'GET', `/v1/solves/${solve.id}`);
    const { stages, ...members } = one;
    assert.deepEqual(members, solve);
    assert.deepEqual(stages.map(({ name }) => name), ['cross', 'f2l', 'oll', 'solved']);
    assert.equal(stages.reduce((all, { duration_ms: ms }) => all + ms, 0), solve.time_ms);
    const { items } = await client.expect(200, 'GET', `${session.path}/history`);
    assert.equal(new Date(solve.created_at) - new Date(items[0].time), solve.time_ms, "by the server's clock");
  }],

  ['the client that turned may send its own times', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: 'R U' });
    for (const moves of ["U'", "x R'"]) await move(client, session, moves);
    const [{ id, penalty }] = await list(client, session);
    const token = session.token;
    for (const solution of ["U' x R'", "U'@0 R'@5", "U'@0 x@3 R'@5 y@6", "U'@9 x@3 R'@5", '']) await client.expect(400, 'PATCH', `/v1/solves/${id}`, { solution }, { token });
    const told = await client.expect(200, 'PATCH', `/v1/solves/${id}`, { solution: "U'@100 x@300 R'@1334" }, { token });
    assert.deepEqual([told.solution, told.clock, told.time_ms, told.result, told.penalty], ["U'@100 x@300 R'@1334", 'client', 1234, '1.23', penalty]);
    assert.equal(told.stages.reduce((all, { duration_ms: ms }) => all + ms, 0), 1234);
    assert.deepEqual(await client.expect(200, 'GET', `/v1/solves/${id}`), told);
    const sent = await post(client, { session: session.id, scramble: 'R', solution: "R'@0 y@1" });
    await client.expect(400, 'PATCH', `/v1/solves/${sent.id}`, { solution: "R'@0 y@2" }, { token });
  }],

  ['moves that no hand can have made have no time, and are not a best', async ({ client }) => {
    const scramble = 'B L U2 R F';
    const session = await client.session({ size: 3, scramble });
    await move(client, session, 'D');
    await move(client, session, `${"U U' ".repeat(2000)}D' F' R' U2 L' B'`); // pasted: it takes less than 200 s
    const [{ id, result, time_ms: time, solution, clock }] = await list(client, session);
    assert.deepEqual([result, time, clock], [null, null, null]);
    assert.match(solution, /^D U U'/);
    const { untimed, best, latest } = await stats(client, session);
    assert.deepEqual([untimed, best, latest], [1, null, null]);
    const stamped = (step) => solution.split(' ').map((turn, i) => `${turn}@${i * step}`).join(' ');
    const { token } = session;
    assert.equal((await client.expect(200, 'PATCH', `/v1/solves/${id}`, { solution: stamped(49) }, { token })).time_ms, null);
    assert.equal((await client.expect(200, 'PATCH', `/v1/solves/${id}`, { solution: stamped(50) }, { token })).time_ms, 4006 * 50);
    const played = (turns) => post(client, { session: session.id, scramble, solution: turns });
    assert.equal((await played("F'@0 R'@10 U2@20 L'@30 y@40 y'@50 B'@80")).time_ms, null);
    assert.equal((await played("F'@0 R'@10 U2@20 L'@30 y@40 y'@50 B'@200")).time_ms, 200);
    assert.equal((await played("F'@0 R'@10 U2@20 L'@30")).penalty, '+2');
    assert.equal((await stats(client, session)).best.result, '0.20');
    const turned = await played("x@0 x'@900 F'@1000 R'@1100 U2@1300 L'@1400 B'@1500");
    assert.deepEqual([turned.time_ms, turned.solution], [500, "x@1000 x'@1000 F'@1000 R'@1100 U2@1300 L'@1400 B'@1500"], 'rotations are inspection');
  }],

  ['times sent with moves are used, also after a crash', async (talk) => {
    const session = await talk.client.session({ size: 3, scramble: 'R U F' });
    const first = await move(talk.client, session, "F'@120 U2@370");
    assert.deepEqual([first.entry.moves, first.entry.times_ms], ["F' U2", [120, 370]]);
    if (talk.persistent) await talk.restart('kill');
    const { client } = talk;
    await move(client, session, 'U@700');
    const { entry } = await move(client, session, "x@900 R'@1370");
    const { items } = await client.expect(200, 'GET', `${session.path}/history`);
    assert.deepEqual([items[0], items[2]], [first.entry, entry]);
    const [solve] = await list(client, session);
    assert.deepEqual([solve.solution, solve.clock, solve.time_ms, solve.result], ["F'@120 U2@370 U@700 x@900 R'@1370", 'client', 1250, '1.25']);
    const { stages } = await client.expect(200, 'GET', `/v1/solves/${solve.id}`);
    assert.equal(stages.reduce((all, { duration_ms: ms }) => all + ms, 0), 1250);
    const send = (moves, status) => client.expect(status, 'POST', `${session.path}/moves`, { moves }, { token: session.token });
    for (const wrong of ['R@', 'R@1 U', 'R@2 U@1', '(R U)@3', 'R2@3.5', 'R@3600000001', '@5']) assert.equal((await send(wrong, 422)).pointer, '/moves', wrong);
    await client.expect(422, 'POST', `${session.path}/scramble`, { moves: 'R@0 U@5' }, { token: session.token });
    await client.expect(422, 'POST', '/v1/apply', { moves: 'R@0' });
  }],

  ['a solve whose solution was requested is assisted, also after a restart', async (talk) => {
    const token = (session) => ({ token: session.token });
    const attempt = async (client, how) => {
      const session = await client.session({ size: 3, scramble: "R U F'" });
      await how(session);
      for (const moves of ['F', "U'", "R'"]) await move(talk.client, session, moves, token(session));
      const [solve] = await list(talk.client, session);
      assert.equal((await list(talk.client, session, `&assisted=${solve.assisted}`)).length, 1);
      assert.equal((await list(talk.client, session, `&assisted=${!solve.assisted}`)).length, 0);
      const { solves, assisted, best, mean, latest } = await stats(talk.client, session);
      assert.deepEqual([solves, assisted, best === null, mean === null, latest === null], [1, Number(solve.assisted), ...Array(3).fill(solve.assisted)]);
      return solve.assisted;
    };
    const ask = (cube, options, more = {}) => talk.client.expect(200, 'POST', '/v1/solve', { cube, wait_ms: 60000, ...more }, options);
    const { client } = talk;
    assert.equal(await attempt(client, async () => {}), false);
    assert.equal(await attempt(client, (s) => ask({ session: s.id }, token(s))), true, 'the page');
    assert.equal(await attempt(client, (s) => ask({ session: s.id, moves: 'F' }, token(s), { method: 'beginner' })), true, 'a lesson');
    assert.equal(await attempt(client, (s) => ask({ session: s.id }, { token: null })), false, 'who may only look');
    const get = (query, token) => client.expect(200, 'GET', `/v1/solve?${query}&wait_ms=60000`, undefined, { token });
    assert.equal(await attempt(client, (s) => get(`session=${s.id}`, s.token)), true, 'the GET form');
    assert.equal(await attempt(client, (s) => get(`size=3&moves=${encodeURIComponent("R U F'")}`, s.token)), true, 'the cube itself, by GET');
    assert.equal(await attempt(client, (s) => get(`session=${s.id}`, null)), false, 'by GET, who may only look');
    assert.equal(await attempt(client, async (s) => {
      const { token: viewer } = await client.expect(201, 'POST', `${s.path}/tokens`, { role: 'viewer' }, token(s));
      await ask({ session: s.id }, { token: viewer });
      await ask({ facelets: (await client.expect(200, 'GET', `${s.path}/cube`, undefined, token(s))).cube.facelets }, { token: viewer });
    }), false, 'a viewer');
    assert.equal(await attempt(client, async (s) => {
      const other = await client.session({ size: 3, scramble: 'R' });
      await ask({ session: s.id }, token(other));
    }), false, 'a token of another session');
    for (const moves of ["R U F'", "R U F' x y2", "R U F' F"]) {
      const [own, on] = moves.split(" F'");
      assert.equal(await attempt(client, async (s) => {
        if (on === ' F') await move(client, s, 'F y', token(s)).then(() => move(client, s, "y' F'", token(s)));
        await ask({ size: 3, moves: `${own} F'${on}` }, token(s));
      }), true, `the cube itself, by ${moves}`);
    }
    assert.equal(await attempt(client, (s) => ask({ size: 3, moves: "R U F' U" }, token(s))), false, 'another cube');
    assert.equal(await attempt(client, (s) => ask({ size: 3, moves: "R U F'" }, { token: null })), false, 'the cube, from nobody known');
    const job = async (s) => client.expect(202, 'POST', '/v1/solve', { cube: { session: s.id }, wait_ms: 0 }, token(s));
    assert.equal(await attempt(client, job), true, 'a job');
    assert.equal(await attempt(client, async (s) => {
      await ask({ session: s.id }, token(s));
      await client.expect(200, 'PATCH', s.path, { name: 'renamed' }, token(s));
      if (talk.persistent) await talk.restart('kill');
    }), true, 'a restart');
    const session = await talk.client.session({ size: 3, scramble: 'R' });
    await ask({ session: session.id }, token(session));
    await talk.client.expect(200, 'POST', `${session.path}/scramble`, { moves: 'U' }, token(session));
    await ask({ session: session.id, at: 0 }, token(session));
    await move(talk.client, session, "U' R'", token(session));
    assert.equal((await list(talk.client, session))[0].assisted, false, 'another attempt');
    await move(talk.client, session, 'F', token(session));
    await ask({ session: session.id }, token(session));
    await talk.client.expect(200, 'POST', `${session.path}/scramble`, { moves: 'B' }, token(session));
    await move(talk.client, session, "B' F'", token(session));
  }],

  ['a solve made elsewhere can be marked as assisted', async ({ client }) => {
    const session = await client.session({ size: 3 });
    const { token } = await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'editor' }, { token: session.token });
    const options = { token };
    const one = await post(client, { time_ms: 9000, assisted: true, comment: 'half' }, options);
    const two = await post(client, { time_ms: 10000 }, options);
    assert.deepEqual([one.assisted, two.assisted], [true, false]);
    assert.equal((await stats(client, session)).best.result, '10.00');
    const three = await client.expect(200, 'PATCH', `/v1/solves/${two.id}`, { assisted: true }, options);
    assert.deepEqual([three.assisted, three.time_ms], [true, 10000]);
    assert.equal((await stats(client, session)).best, null);
    assert.equal((await client.expect(403, 'PATCH', `/v1/solves/${two.id}`, { assisted: false }, options)).type, 'urn:cubed:problem:role-too-small');
    await client.expect(400, 'PATCH', `/v1/solves/${two.id}`, { assisted: 'no' }, options);
    await client.expect(200, 'PATCH', `/v1/solves/${two.id}`, { assisted: true, comment: 'again' }, options);
    const back = await client.expect(200, 'PATCH', `/v1/solves/${two.id}`, { assisted: false }, { token: session.token });
    assert.deepEqual([back.assisted, back.comment], [false, 'again']);
    assert.equal((await stats(client, session)).best.result, '10.00');
    for (const [type, expected] of [[CSTIMER, /"half \[assisted\]"/], ['text/csv', /;P\.1;Assisted\r\n1;9\.00;half;[^\r]*;1\r\n2;10\.00;again;[^\r]*;$/]]) {
      const [status, text] = await download(client, session, type);
      assert.equal(status, 200);
      assert.match(text, expected);
      const copy = await client.session({ size: 3 });
      assert.equal((await file(client, text, '', type, copy.token)).status, 201);
      const solves = await list(client, copy);
      assert.deepEqual(solves.map(({ comment, assisted }) => [comment, assisted]), [['again', false], ['half', true]]);
      assert.deepEqual(await download(client, copy, type), [200, text]);
      await client.expect(200, 'PATCH', `/v1/solves/${solves[0].id}`, { assisted: true }, { token: copy.token });
      assert.match((await download(client, copy, CSTIMER))[1], /"again \[assisted\]"/);
    }
    assert.equal((await file(client, 'Time;Assisted\n1.00;maybe', `?session=${session.id}`, 'text/csv', session.token)).status, 422);
  }],

  ['a solve is recorded once, and only from a scrambled cube', async ({ client }) => {
    const session = await client.session({ size: 2 });
    for (const moves of ['R', "R'"]) await move(client, session, moves);
    assert.deepEqual(await list(client, session), []);
    await client.expect(200, 'POST', `${session.path}/scramble`, { moves: 'R U' });
    for (const moves of ["U'", "R'", 'F', "F'", 'x']) await move(client, session, moves);
    assert.equal((await list(client, session)).length, 1);
    await client.expect(200, 'POST', `${session.path}/undo`, { count: 3 });
    assert.equal((await list(client, session)).length, 1, 'taken back to solved');
    await client.expect(200, 'POST', `${session.path}/scramble`, { moves: 'F' });
    await move(client, session, "F'");
    const [newest] = await list(client, session);
    assert.deepEqual([newest.scramble, newest.solution, newest.time_ms, newest.result], ['F', "F'", null, null], 'one entry tells no time');
  }],

  ['a solve is complete if many clients turn at once', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: 'D2' });
    await Promise.all([...Array(12)].map(() => move(client, session, 'U')));
    const answers = await Promise.all(['D', 'D', 'U4', 'D0'].map((moves) => move(client, session, moves)));
    assert.ok(answers.length === 4);
    const [solve, ...more] = await list(client, session);
    assert.equal(more.length, 0);
    const replay = await client.expect(200, 'POST', '/v1/apply', { size: 3, moves: `${solve.scramble} ${solve.solution.replace(/@\d+/g, '')}` });
    assert.equal(replay.cube.solved, true);
  }],

  ['a solve that is sent is judged', async ({ client }) => {
    const session = await client.session();
    const judged = async (scramble, solution, more = {}) => {
      const { penalty, result, verified, size } = await post(client, { session: session.id, scramble, solution, time_ms: 10009, ...more });
      assert.equal(verified, true);
      assert.equal(size, more.size ?? 3);
      return `${penalty} ${result}`;
    };
    assert.equal(await judged('R U', "U' R'"), 'none 10.00');
    assert.equal(await judged('R U', "U' R' y"), 'none 10.00');
    assert.equal(await judged('R U', "U'"), '+2 12.00');
    assert.equal(await judged('R U', ''), 'dnf DNF');
    assert.equal(await judged('M', ''), 'dnf DNF', 'a slice is two moves');
    assert.equal(await judged('Rw2', '', { size: 4 }), '+2 12.00');
    assert.equal(await judged('2R', '', { size: 4 }), 'dnf DNF');
    assert.equal(await judged('R', "R'", { inspection_ms: 15000 }), '+2 12.00');
    assert.equal(await judged('R', '', { inspection_ms: 16999 }), '+4 14.00', 'both');
    assert.equal(await judged('R', "R'", { inspection_ms: 17000 }), 'dnf DNF');
    assert.equal(await judged('R', "R'", { penalty: '+8' }), '+8 18.00');
    assert.match((await client.expect(400, 'POST', '/v1/solves', { time_ms: 1, penalty: '+10' })).expected, /none, \+2, \+4, \+6, \+8 or dnf/);
    assert.equal(await judged('R', '', { penalty: 'none' }), '+2 12.00', 'what is seen may be more');
    assert.equal(await judged('R', '', { penalty: '+4' }), '+4 14.00');
    assert.equal(await judged('R', [{ face: 'R', turns: -1 }]), 'none 10.00');
    const timed = await post(client, { session: session.id, scramble: 'R U', solution: "U'@100 R'@1350" });
    assert.deepEqual([timed.time_ms, timed.result, timed.clock, timed.tps], [1250, '1.25', 'client', 1.6]);
    const untimed = await post(client, { session: session.id, scramble: 'R', solution: "R'" });
    assert.deepEqual([untimed.time_ms, untimed.result], [null, null]);
  }],

  ['moves with times are read strictly', async ({ client }) => {
    const faults = [["R'@5 U@3", 6, 2], ["R'@", 2, 1], ["R'@1.5", 2, 2], ["R' U@3", 0, 4], ["R'@0 Q@1", 5, 1], ["(R')2@1", 0, 5]];
    for (const [solution, offset, length] of faults) {
      const problem = await client.expect(422, 'POST', '/v1/solves', { scramble: 'R', solution });
      assert.deepEqual([problem.type, problem.pointer, problem.offset, problem.length], ['urn:cubed:problem:bad-notation', '/solution', offset, length], solution);
    }
    for (const json of [{}, { solution: 'R' }, { scramble: 'R' }, { time_ms: -1 }, { time_ms: 1.5 }, { time_ms: 1, penalty: '+3' }, { time_ms: 1, session: 'x' }, { time_ms: 1, comment: 5 }, { time_ms: 1, more: 1 }, { time_ms: 1, comment: 'x'.repeat(4001) }, { time_ms: 1, list: 'x'.repeat(201) }, { time_ms: 1, list: 'a\u0007' }, { time_ms: 1, event: '334' }, { time_ms: 1, event: '333oh', size: 4 }, { time_ms: 1, event: 'pyram', solution: 'R', scramble: 'R' }, { splits: [{ time_ms: 2 }, { time_ms: 1 }] }, { splits: [{ time_ms: 2 }], time_ms: 1 }, { splits: [{ name: 'cross' }] }, { splits: Array(17).fill({ time_ms: 1 }) }, { time_ms: 1, created_at: '2026-02-30T00:00:00Z' }, { time_ms: 1, created_at: 'now' }]) {
      assert.equal((await client.expect(400, 'POST', '/v1/solves', json)).type, 'urn:cubed:problem:bad-member');
    }
    await client.expect(404, 'POST', '/v1/solves', { time_ms: 1, session: '0123456789abcdef' });
  }],

  ['without a session and a token there is a new book', async ({ client }) => {
    const answer = await client.post('/v1/solves', { time_ms: 1230, size: 5 }, { token: null });
    assert.equal(answer.status, 201);
    const { token, session: id, size } = answer.json;
    assert.equal(size, 5);
    assert.equal(answer.headers.location, `/v1/solves/${answer.json.id}`);
    assert.equal((await client.expect(200, 'GET', `/v1/sessions/${id}`)).access, 'none');
    await post(client, { time_ms: 1000 }, { token });
    const { items } = await client.expect(200, 'GET', '/v1/solves', undefined, { token });
    assert.deepEqual(items.map(({ session, time_ms: ms }) => [session, ms]), [[id, 1000], [id, 1230]], "the token's book");
    await client.expect(404, 'POST', '/v1/solves', { time_ms: 1, session: id }, { token: null });
    for (const path of [`/v1/sessions/${id}`, `/v1/solves?session=${id}`, `/v1/solves/stats?session=${id}`]) await client.expect(404, 'GET', path, undefined, { token: null });
    const sessions = await client.expect(200, 'GET', '/v1/sessions?limit=100', undefined, { token: null });
    const found = await client.expect(200, 'POST', '/v1/search?limit=100', { size: 5, pattern: { name: 'solved' } }, { token: null });
    for (const { items } of [sessions, found]) assert.ok(!items.some((session) => session.id === id), 'a book is in no list');
    await client.expect(404, 'GET', `/v1/solves/${answer.json.id}`, undefined, { token: null });
    await client.expect(204, 'DELETE', `/v1/sessions/${id}`);
    await client.expect(410, 'GET', `/v1/solves?session=${id}`);
    await client.expect(410, 'GET', `/v1/solves/${answer.json.id}`);
  }],

  ['solves are seen with their session or a token of it only', async ({ client }) => {
    const session = await client.session();
    await post(client, { session: session.id, time_ms: 1000 });
    for (const path of ['/v1/solves', '/v1/solves/stats', '/v1/solves?size=3'])
      for (const accept of ['application/json', ...(path.includes('stats') ? [] : ['text/csv', CSTIMER])]) {
        const { status, json } = await client.get(path, { accept, token: null });
        assert.deepEqual([status, json.type, json.parameter], [400, 'urn:cubed:problem:bad-parameter', 'session'], path);
        assert.match(json.expected, /session=ID.*Authorization: Bearer/);
      }
    assert.equal((await list(client, session)).length, 1);
    assert.equal((await client.expect(200, 'GET', '/v1/solves', undefined, { token: session.token })).items.length, 1);
  }],

  ['averages follow the WCA regulations', async ({ client }) => {
    const session = await client.session();
    for (const time of [12345, 13000, 9990, null, 11111, 10009]) {
      await post(client, time === null ? { session: session.id, penalty: 'dnf' } : { session: session.id, time_ms: time });
    }
    await post(client, { session: session.id, time_ms: 1000, size: 2 });
    const told = await stats(client, session, '&size=3');
    assert.deepEqual([told.solves, told.dnf, told.untimed], [6, 1, 0]);
    assert.equal(told.best.result, '9.99');
    assert.equal(told.latest.result, '10.00');
    assert.equal(told.mean.result, '11.29', 'of 12.34 13.00 9.99 11.11 10.00');
    assert.equal(told.mo3.current.result, 'DNF');
    assert.equal(told.mo3.best.result, '11.78', '35.33 / 3');
    assert.equal(told.ao5.current.result, '11.37', '13.00 (9.99) (DNF) 11.11 10.00');
    assert.equal(told.ao5.best.result, '11.37');
    assert.equal(told.ao12.current, null);
    assert.equal((await stats(client, session)).size, 2, 'of the newest');
    assert.deepEqual(await groups(client, session, '&size=3&from=2100-01-01'), []);
    const [newest] = await list(client, session, '&size=3&limit=1');
    await client.expect(200, 'PATCH', `/v1/solves/${newest.id}`, { penalty: 'dnf' });
    assert.equal((await stats(client, session, '&size=3')).ao5.current.result, 'DNF', 'two are too many');
  }],

  ['an average of 1000, and those that are asked for, are those of a plain computation', async ({ client }) => {
    const session = await client.session();
    let seed = 5;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    const times = Array.from({ length: 1040 }, () => (random(25) === 0 ? 'DNF' : `${8 + random(9)}.${10 + random(90)}`));
    assert.equal((await file(client, times.join(', '), `?session=${session.id}`)).json.imported, times.length);
    const hundredths = times.map((text) => (text === 'DNF' ? Infinity : Math.round(100 * Number(text))));
    /** Returns all averages of so many in a row as texts, DNF as a number that is larger than any. */
    const averagesOf = (of, out) => Array.from({ length: hundredths.length - of + 1 }, (_, i) => {
      const counted = hundredths.slice(i, i + of).sort((a, b) => a - b).slice(out, of - out);
      return Math.round(counted.reduce((sum, one) => sum + one, 0) / counted.length);
    });
    const text = (value) => (value === Infinity ? 'DNF' : (value / 100).toFixed(2));
    const named = await stats(client, session, '&averages=ao25,mo10,ao5&averages=mo2');
    assert.deepEqual(named.averages.map(({ name }) => name), ['ao25', 'mo10', 'ao5', 'mo2']);
    const [ao25, mo10, ao5, mo2] = named.averages;
    for (const [found, of, out] of [[named.ao1000, 1000, 50], [named.ao100, 100, 5], [ao25, 25, 2], [mo10, 10, 0], [ao5, 5, 1], [mo2, 2, 0]]) {
      const all = averagesOf(of, out);
      const best = Math.min(...all);
      assert.deepEqual([found.current.result, found.best.result], [text(all.at(-1)), text(best)], `${of}, without ${out}`);
    }
    assert.deepEqual([ao5.best, ao5.best_solves], [named.ao5.best, named.ao5.best_solves]);
    assert.equal((await stats(client, session)).averages, undefined, 'kept apart from other questions');
    assert.equal((await stats(client, session, '&averages=mo3')).averages[0].name, 'mo3');
    for (const wrong of ['ao4', 'mo1', 'ao1001', 'xo5', 'ao', 'ao05', 'ao5,', '', 'ao5,ao6,ao7,ao8,ao9']) {
      const problem = await client.expect(400, 'GET', `/v1/solves/stats?session=${session.id}&averages=${wrong}`);
      assert.equal(problem.parameter, 'averages', wrong);
      assert.match(problem.expected, /names such as ao25,mo10$/, wrong);
    }
    const said = async (wrong) => (({ detail, suggestion }) => [detail, suggestion])(await client.expect(400, 'GET', `/v1/solves/stats?session=${session.id}&averages=${wrong}`));
    assert.deepEqual(await said('ao5,AO25'), ['AO25 is not ao5 to ao1000, an average, or mo2 to mo1000, a mean.', 'ao25']);
    assert.deepEqual(await said('mo3,ao4000000'), ['ao4000000 is not ao5 to ao1000, an average, or mo2 to mo1000, a mean.', undefined]);
    assert.deepEqual(await said('ao25,mo3,ao25'), ['A name is in the list twice.', undefined]);
    assert.deepEqual(await said('ao5,ao6,ao7,ao8,ao9'), ['At most 4 averages can be asked for.', undefined]);
  }],

  ['an average never mixes events', async ({ client }) => {
    const session = await client.session();
    const put = (json) => post(client, { session: session.id, ...json });
    for (let i = 1; i <= 5; i++) {
      await put({ time_ms: 10000 + i * 1000 });
      await put({ time_ms: 20000 + i * 1000, event: '333oh', list: i % 2 ? 'OH' : 'left hand' });
      await put({ time_ms: 60000 + i * 1000, event: '333bf', penalty: i > 1 ? 'dnf' : 'none' });
    }
    await put({ time_ms: 5000, size: 9, list: 'big' });
    await put({ time_ms: 6000, size: 10 });
    await put({ time_ms: 7000, event: 'other', list: 'PLL' });
    await put({ time_ms: 8000, event: 'other', list: 'OLL' });
    await put({ time_ms: 9000, event: 'pyram', scramble: "U L' u" });
    const told = (items) => items.map(({ event, size, list: name, solves, ao5 }) => [event, size, name, solves, ao5.current?.result ?? null]);
    const [pyram, ...rest] = told(await groups(client, session));
    assert.deepEqual(pyram, ['pyram', null, null, 1, null]);
    assert.deepEqual(rest, [
      ['other', 3, 'OLL', 1, null], ['other', 3, 'PLL', 1, null], ['other', 10, null, 1, null], ['other', 9, 'big', 1, null],
      ['333bf', 3, null, 5, 'DNF'], ['333oh', 3, null, 5, '23.00'], ['333', 3, null, 5, '13.00']]);
    assert.deepEqual(told(await groups(client, session, '&event=333oh&group_by=list')), [['333oh', 3, 'OH', 3, null], ['333oh', 3, 'left hand', 2, null]]);
    assert.deepEqual(told(await groups(client, session, '&list=OH')), [['333oh', 3, 'OH', 3, null]]);
    assert.deepEqual(told(await groups(client, session, '&list=&size=3')), [['333bf', 3, null, 5, 'DNF'], ['333', 3, null, 5, '13.00']]);
    assert.deepEqual(told(await groups(client, session, '&penalty=DNF')), [['333bf', 3, null, 4, null]]);
    assert.deepEqual((await list(client, session, '&event=333oh&list=OH')).map(({ time_ms: ms }) => ms), [25000, 23000, 21000]);
    assert.equal((await list(client, session, '&event=pyram'))[0].scramble, "U L' u");
    const [one] = await list(client, session, '&list=PLL');
    const moved = await client.expect(200, 'PATCH', `/v1/solves/${one.id}`, { list: null, event: '333ft' }, { token: session.token });
    assert.deepEqual([moved.list, moved.event], [null, '333ft']);
    assert.deepEqual(await list(client, session, '&event=333ft').then(([{ id }]) => id), one.id);
    assert.equal((await client.expect(400, 'PATCH', `/v1/solves/${one.id}`, { event: '444bf' }, { token: session.token })).pointer, '/event');
    assert.equal((await client.expect(400, 'GET', `/v1/solves/stats?session=${session.id}&group_by=size`)).parameter, 'group_by');
    assert.match((await client.expect(400, 'GET', `/v1/solves?session=${session.id}&event=333on`)).suggestion, /333oh/);
  }],

  ['statistics have at most a hundred groups', async ({ client }) => {
    const session = await client.session();
    for (let i = 0; i < 103; i++) await post(client, { session: session.id, time_ms: 1000 + i, list: `list ${i}` });
    const told = await client.expect(200, 'GET', `/v1/solves/stats?session=${session.id}&group_by=list`);
    assert.deepEqual([told.items.length, told.others, told.items[0].list], [100, 3, 'list 102']);
    assert.deepEqual((await groups(client, session)).map(({ solves }) => solves), [103]);
  }],

  ['a solve has splits, a list and the time at which it was made', async (talk) => {
    const { client } = talk;
    const session = await client.session();
    const splits = [{ name: 'cross', time_ms: 2340 }, { name: null, time_ms: 8000 }, { name: 'PLL ü', time_ms: 12000 }];
    const sent = await post(client, { session: session.id, splits, list: 'home', created_at: '2026-01-02T03:04:05.678+01:00' });
    assert.deepEqual([sent.splits, sent.time_ms, sent.list, sent.event, sent.created_at], [splits, 12000, 'home', '333', '2026-01-02T02:04:05.678Z']);
    const dnf = await post(client, { session: session.id, splits: [{ time_ms: 5 }], time_ms: 7, penalty: 'DNF' });
    assert.deepEqual([dnf.splits, dnf.penalty, dnf.time_ms], [[{ name: null, time_ms: 5 }], 'dnf', 7]);
    assert.equal((await post(client, { session: session.id, time_ms: 1 })).splits, null);
    if (talk.persistent) await talk.restart('kill');
    const items = (await list(talk.client, session)).reverse();
    assert.deepEqual([items[0].splits, items[0].list, items[1].splits[0].time_ms], [splits, 'home', 5]);
    const [status, text] = await download(talk.client, session, CSTIMER, '&list=home');
    assert.equal(status, 200);
    assert.match(text, /\[0,12000,8000,2340\]/, "csTimer's order");
    assert.match((await download(talk.client, session, 'text/csv'))[1], /;P\.1;P\.2;P\.3\r\n1;12\.000;;;2026-01-02 02:04:05;2\.340;5\.660;4\.000\r\n/);
  }],

  ['penalties are read in the forms that timers have', async ({ client }) => {
    const session = await client.session();
    const read = async (penalty) => (await post(client, { session: session.id, time_ms: 1, penalty })).penalty;
    for (const [sent, penalty] of [['dnf', 'dnf'], ['DNF', 'dnf'], ['+2', '+2'], ['2', '+2'], ['none', 'none'], ['None', 'none'], ['ok', 'none'], ['OK', 'none'], ['+8', '+8'], ['0', 'none']]) assert.equal(await read(sent), penalty, sent);
    for (const penalty of ['XXX', '', '+', '+3', '22', 'dnfs']) {
      const problem = await client.expect(400, 'POST', '/v1/solves', { time_ms: 1, penalty });
      assert.deepEqual([problem.detail, problem.pointer], ['Unknown penalty; use none, +2, +4, +6, +8 or dnf.', '/penalty'], penalty);
      assert.equal(problem.expected, 'none, +2, +4, +6, +8 or dnf');
    }
    assert.equal((await client.expect(400, 'POST', '/v1/solves', {})).detail, 'Send time_ms, or scramble and solution.');
    for (const penalty of ['%2B2', '2', 'DNF', 'ok']) await client.expect(200, 'GET', `/v1/solves?session=${session.id}&penalty=${penalty}`);
  }],

  ['a list is filtered and paged', async ({ client }) => {
    const session = await client.session();
    for (let i = 1; i <= 7; i++) await post(client, { session: session.id, time_ms: i * 1000, penalty: ['none', '+2', 'dnf'][i % 3], size: i === 4 ? 4 : 3 });
    const times = (items) => items.map(({ time_ms: ms }) => ms / 1000);
    assert.deepEqual(times(await list(client, session)), [7, 6, 5, 4, 3, 2, 1]);
    assert.deepEqual(times(await list(client, session, '&penalty=none')), [6, 3]);
    assert.deepEqual(times(await list(client, session, '&penalty=%2B2')), [7, 4, 1]);
    assert.deepEqual(times(await list(client, session, '&penalty=dnf&size=3')), [5, 2]);
    assert.deepEqual(times(await list(client, session, '&to=2020-01-01')), []);
    assert.deepEqual(times(await list(client, session, '&from=2020-01-01T00:00:00.5Z&size=4')), [4]);
    const paged = [];
    for (let cursor = ''; cursor !== null;) {
      const page = await client.expect(200, 'GET', `/v1/solves?session=${session.id}&limit=3${cursor && `&cursor=${cursor}`}`);
      paged.push(times(page.items));
      cursor = page.next_cursor;
    }
    assert.deepEqual(paged, [[7, 6, 5], [4, 3, 2], [1]]);
    for (const query of ['size=1', 'from=now', 'to=2026-13', 'penalty=x', 'limit=0', 'cursor=x', 'session=x', 'order=1', 'event=334']) {
      assert.equal((await client.expect(400, 'GET', `/v1/solves?${query}`)).type, 'urn:cubed:problem:bad-parameter', query);
    }
  }],

  ['the solver and owners may change and delete a solve', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const editor = { token: (await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'editor' })).token };
    const his = await post(client, { session: session.id, time_ms: 1000, comment: 'his' }, editor);
    const hers = await post(client, { session: session.id, time_ms: 2000 });
    const nobodys = await post(client, { session: session.id, time_ms: 3000 }, { token: null });
    const changed = await client.expect(200, 'PATCH', `/v1/solves/${his.id}`, { penalty: '+2', comment: null }, editor);
    assert.deepEqual([changed.penalty, changed.comment, changed.result], ['+2', null, '3.00']);
    assert.deepEqual(await client.expect(200, 'GET', `/v1/solves/${his.id}`), changed);
    await client.expect(403, 'PATCH', `/v1/solves/${hers.id}`, { penalty: 'dnf' }, editor);
    await client.expect(403, 'DELETE', `/v1/solves/${nobodys.id}`, undefined, editor);
    await client.expect(401, 'DELETE', `/v1/solves/${hers.id}`, undefined, { token: null });
    await client.expect(200, 'PATCH', `/v1/solves/${nobodys.id}`, { comment: 'x' }, { token: null });
    await client.expect(400, 'PATCH', `/v1/solves/${his.id}`, {}, editor);
    for (const { id } of [his, hers, nobodys]) await client.expect(204, 'DELETE', `/v1/solves/${id}`, undefined, { token: session.token });
    await client.expect(404, 'GET', `/v1/solves/${his.id}`);
    await client.expect(404, 'DELETE', `/v1/solves/${his.id}`);
    for (const id of ['x', '0123456789abcdef', '0123456789abcdeu']) await client.expect(404, 'GET', `/v1/solves/${id}`);
    assert.deepEqual(await list(client, session), []);
  }],

  ["csTimer's files come back as they were", async ({ client }) => {
    const session = await client.session();
    const solves = '[[[0,12345],"R U","",1700000000],[[2000,9870],"F","a \\"b\\" é",1700000100],[[0,30000,20000,5000],"D","phases",1700000200],[[-1,5000],"B","",1700000300,["B\'@0 U@90","333"]]]';
    const text = `{"session1":${solves},"session2":[],"session3":"[[[0,1],\\"\\",\\"\\",7]]","unknown":{"a":[1,2.5e3]},"properties":{"sessionData":"{\\"3\\":{\\"opt\\":{\\"scrType\\":\\"222so\\"}}}"}}`;
    assert.deepEqual((await file(client, text, `?session=${session.id}`)).json, { session: session.id, imported: 5 });
    assert.deepEqual(await download(client, session, CSTIMER), [200, text]);
    const items = (await list(client, session)).reverse();
    assert.deepEqual(items.map(({ result, size, created_at: at }) => [result, size, at]), [
      ['12.34', 3, '2023-11-14T22:13:20.000Z'], ['11.87', 3, '2023-11-14T22:15:00.000Z'], ['30.00', 3, '2023-11-14T22:16:40.000Z'], ['DNF', 3, '2023-11-14T22:18:20.000Z'], ['0.00', 2, '1970-01-01T00:00:07.000Z']]);
    assert.equal(items[3].solution, "B'@0 U@90");
    const again = await client.session();
    await file(client, text, `?session=${again.id}`, 'application/json');
    assert.deepEqual(await download(client, again, CSTIMER), [200, text]);
    // Changes are made in the text of the solve itself; additions come after it.
    await client.expect(200, 'PATCH', `/v1/solves/${items[1].id}`, { penalty: 'none', comment: 'ok' }, { token: session.token });
    const mine = await post(client, { session: session.id, scramble: 'R', solution: "R'@0 y@7", time_ms: 8000 });
    const seconds = Math.floor(new Date(mine.created_at) / 1000);
    const [, changed] = await download(client, session, CSTIMER);
    assert.equal(changed, text.replace('[2000,9870],"F","a \\"b\\" é"', '[0,9870],"F","ok"').replace('"333"]]],', `"333"]],[[0,8000],"R","",${seconds},["R'@0 y@7","333"]]],`));
  }],

  ['exported tables are imported unchanged', async ({ client }) => {
    const session = await client.session();
    const rows = ['No.;Time;Comment;Scramble;Date;P.1;P.2', '1;12.34;;R U;2026-11-21 18:00:00;12.34;', '2;14.34+;"a;b";F2;2026-11-21 18:01:00;2.34;10.00', '3;DNF(1:02.03);;D;2026-11-21 18:02:00;1:02.03;'];
    assert.equal((await file(client, rows.join('\r\n'), `?session=${session.id}&size=2`, 'text/csv')).json.imported, 3);
    assert.deepEqual(await download(client, session, 'text/csv'), [200, rows.join('\r\n')]);
    assert.deepEqual((await list(client, session)).map(({ size, penalty }) => [size, penalty]), [[2, 'dnf'], [2, '+2'], [2, 'none']]);
    assert.deepEqual(await download(client, session, 'text/csv', '&penalty=dnf'), [200, ['No.;Time;Comment;Scramble;Date;P.1', rows[3].slice(0, -1).replace('3;', '1;')].join('\r\n')]);
    assert.equal((await client.get('/v1/solves', { accept: 'text/csv', token: null })).status, 400, 'of which book?');
  }],

  ['a file is imported completely or not at all', async ({ client }) => {
    const session = await client.session();
    const bad = async (text, type, more) => {
      const answer = await file(client, text, `?session=${session.id}`, type);
      assert.equal(answer.status, 422, text);
      const { type: kind, line, column, offset } = answer.json;
      assert.deepEqual({ kind, line, column, offset }, { kind: 'urn:cubed:problem:bad-file', ...more });
      return answer.json;
    };
    await bad('{"session1":[[[0,1],"","",0]', plain, { line: 1, column: 29, offset: 28 });
    await bad('[]', 'application/json', { line: 1, column: 1, offset: 0 });
    await bad('Time\n1.00\nx', 'text/csv', { line: 3, column: 1, offset: 10 });
    await bad('Time;Date\n1.00;2026-02-30 10:00:00', 'text/csv', { line: 2, column: 6, offset: 15 });
    for (const foreign of ['{}', '{"items":[{"time_ms":5}]}', '{"session1":5,"session2":"x"}', '{"sessions":[[[0,1],"","",0]]}', '{"session1":[{"id":1},7]}', '{"properties":{}}'])
      for (const type of [plain, 'application/json']) {
        const problem = await bad(foreign, type, { line: 1, column: 1, offset: 0 });
        assert.match(`${problem.detail} ${problem.expected}`, /not a csTimer export.*session1/);
      }
    await bad('{"session1":[],"session2":[],"session1":[[[0,1000],"R","",0]]}', plain, { line: 1, column: 30, offset: 29 });
    await bad('', plain, { line: 1, column: 1, offset: 0 });
    await bad(Buffer.from([0x7b, 0xff]), plain, { line: undefined, column: undefined, offset: 0 });
    assert.deepEqual(await list(client, session), []);
    assert.equal((await file(client, '{}', '', 'application/xml')).status, 415);
    assert.equal((await client.send('POST', '/v1/solves/import', { body: '{}', headers: { 'content-type': plain, 'content-encoding': 'gzip' } })).status, 415);
    const { json } = await file(client, 'Time\n1.00', '', plain, null);
    assert.equal(json.imported, 1);
    assert.equal(json.token.slice(0, 16), json.session, 'a new book');
  }],

  ['many solves are sent as lines', async ({ client }) => {
    const session = await client.session({ size: 4 });
    const type = { 'content-type': 'application/x-ndjson' };
    const send = async (lines, query = `?session=${session.id}`, options = {}) => {
      const { status, text, headers, json } = await client.send('POST', `/v1/solves${query}`, { body: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'), token: session.token, ...options, headers: { ...type, ...options.headers } });
      return { status, headers, json, lines: status === 200 ? text.trimEnd().split('\n').map((line) => JSON.parse(line)) : undefined };
    };
    const body = [{ time_ms: 60000, created_at: '2026-01-01T00:00:00Z' }, '', { scramble: 'R U', solution: "U'", size: 3, time_ms: 9870, list: 'home' }, { event: '333oh' }, '{', { event: 'pyram', time_ms: 5000 }, { scramble: 'R', solution: 'Q', size: 3 }, { time_ms: 1, session: session.id }];
    const { status, lines } = await send(body);
    assert.equal(status, 200);
    assert.deepEqual(lines.map(({ line, event, penalty, result, error }) => error ? [line, error.type.split(':').at(-1), error.pointer] : [line, event, penalty, result]), [
      [1, '444', 'none', '1:00.00'], [3, '333', '+2', '11.87'], [4, 'bad-member', ''], [5, 'malformed-json', undefined], [6, 'pyram', 'none', '5.00'], [7, 'bad-notation', '/solution'], [8, 'bad-member', '/session']]);
    const items = (await list(client, session)).reverse();
    assert.deepEqual(items.map(({ id }) => id), lines.filter(({ id }) => id).map(({ id }) => id));
    assert.deepEqual(items.map(({ event, size, list: name, created_at: at }) => [event, size, name, at.slice(0, 4)]).slice(0, 2), [['444', 4, null, '2026'], ['333', 3, 'home', items[1].created_at.slice(0, 4)]]);
    assert.equal((await client.expect(200, 'GET', `/v1/solves/${items[1].id}`, undefined, { token: session.token })).verified, true);
    assert.equal((await send(['{', ''])).lines.length, 1, 'nothing to record');
    assert.deepEqual((await send([{ time_ms: 1 }], '')).lines.map(({ result }) => result), ['0.00'], "the token's book");
    assert.equal((await send([{ time_ms: 1 }], '', { token: null })).status, 400, 'no new book');
    assert.equal((await send([{ time_ms: 1 }], undefined, { token: null })).status, 401);
    assert.equal((await send(Array(10001).fill('{}'))).status, 413);
    assert.equal((await send(Array(2000).fill({ size: 100, scramble: '(R U)5000', solution: 'F' }))).status, 413, 'too much to judge');
    assert.equal((await send(Array(20).fill({ size: 100, time_ms: 1, scramble: '(x y)4999' }))).status, 413, 'brackets are written out');
    assert.equal((await list(client, session)).length, 4);
    // Again with the same key: few lines are kept, many are made again.
    for (const count of [2, 400]) {
      const headers = { 'idempotency-key': `lines-${session.id}-${count}` };
      const many = Array(count).fill(0).map((_, i) => (i % 7 === 5 ? { time_ms: -1 } : { time_ms: 1000 + i, created_at: '2026-01-01T00:00:00Z', event: i % 2 ? '333oh' : '444' }));
      const first = await send(many, undefined, { headers });
      const second = await send(many, undefined, { headers });
      assert.deepEqual([second.lines, second.headers['idempotent-replayed']], [first.lines, 'true'], count);
      assert.equal((await send([{ time_ms: 2 }], undefined, { headers })).status, 422);
    }
    const key = { 'idempotency-key': `one-${session.id}` };
    await send([{ time_ms: 1 }], undefined, { headers: key });
    const asJson = await client.send('POST', `/v1/solves?session=${session.id}`, { body: '{"time_ms":1}', token: session.token, headers: { ...key, 'content-type': 'application/json' } });
    assert.equal(asJson.status, 422, 'one line is another request than an object');
    assert.equal((await groups(client, session)).reduce((sum, { solves }) => sum + solves, 0), 4 + 2 + 343 + 1);
  }],

  ["a solve's id ends with the 12 bits of its session's", async ({ client }) => {
    const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
    const bucket = (id) => [...id.slice(-3)].reduce((sum, letter) => sum * 32 + LETTERS.indexOf(letter), 0) % 4096;
    const session = await client.session({ size: 3, scramble: 'R' });
    const { id, token } = session;
    await move(client, session, "R'");
    await post(client, { session: id, time_ms: 1 });
    await file(client, '1.00\n2.00', `?session=${id}`, plain, token);
    await client.send('POST', `/v1/solves?session=${id}`, { body: '{"time_ms":1}\n{"time_ms":2}', token, headers: { 'content-type': 'application/x-ndjson' } });
    const all = await list(client, session);
    assert.deepEqual(all.map(({ origin }) => origin), ['posted', 'posted', 'imported', 'imported', 'posted', 'session']);
    assert.deepEqual(all.map((solve) => bucket(solve.id)), all.map(() => bucket(id)));
    assert.equal(new Set(all.map((solve) => solve.id)).size, all.length);

    const alone = await post(client, { time_ms: 1 });
    assert.equal(bucket(alone.id), bucket(alone.session), 'posted without a session');
    const { json: book } = await file(client, '1.00\n2.00');
    const imported = (await client.expect(200, 'GET', `/v1/solves?session=${book.session}`, undefined, { token: book.token })).items;
    assert.deepEqual(imported.map((solve) => bucket(solve.id)), [bucket(book.session), bucket(book.session)]);
  }],

  ['a retry records nothing twice', async ({ client }) => {
    const session = await client.session();
    const headers = { 'idempotency-key': `solve-${session.id}` };
    const first = await client.post('/v1/solves', { session: session.id, time_ms: 1000 }, { headers });
    const second = await client.post('/v1/solves', { session: session.id, time_ms: 1000 }, { headers });
    assert.deepEqual(second.json, first.json);
    assert.equal((await list(client, session)).length, 1);
    await client.expect(422, 'POST', '/v1/solves', { session: session.id, time_ms: 1001 }, { headers });
  }],

  ['solves survive a kill', async (talk) => {
    if (!talk.persistent) return;
    const session = await talk.client.session({ size: 3, scramble: 'R' });
    await move(talk.client, session, 'U');
    await move(talk.client, session, "U' R'");
    await file(talk.client, '{"session1":[[[0,1],"","",9]],"x":1}', `?session=${session.id}`);
    const before = await list(talk.client, session);
    const text = await download(talk.client, session, CSTIMER);
    assert.equal(before.length, 2);
    await talk.restart('kill');
    assert.deepEqual(await list(talk.client, session), before);
    assert.deepEqual(await download(talk.client, session, CSTIMER), text);
  }],
];
