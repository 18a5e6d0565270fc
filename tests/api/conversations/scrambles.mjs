// Scrambles: by seed, for an event, to a pattern, of few generators, at a distance.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';
import { alone, metric, solved } from '../searching.mjs';

export const storeless = true;

export default [
  ['a seed repeats its scrambles, also with a larger count', async ({ client }) => {
    for (const size of [2, 3, 5]) {
      const one = await client.expect(200, 'GET', `/v1/scramble?size=${size}&seed=a%20b&count=1`);
      const many = await client.expect(200, 'GET', `/v1/scramble?size=${size}&seed=a+b&count=4`);
      const other = await client.expect(200, 'GET', `/v1/scramble?size=${size}&seed=a%20c`);
      assert.deepEqual(many.scrambles[0], one.scrambles[0]);
      assert.notEqual(other.scrambles[0].moves, one.scrambles[0].moves);
      assert.equal(new Set(many.scrambles.map(({ moves }) => moves)).size, 4);
      const text = await client.get(`/v1/scramble?size=${size}&seed=a+b&count=4`, { accept: 'text/plain' });
      assert.equal(text.text, many.scrambles.map(({ moves }) => `${moves}\n`).join(''));
      const lines = await client.get(`/v1/scramble?size=${size}&seed=a+b&count=4`, { accept: 'application/x-ndjson' });
      assert.deepEqual(lines.text.trim().split('\n').map((line) => JSON.parse(line)), many.scrambles);
    }
    const first = (await client.expect(200, 'GET', '/v1/scramble')).scrambles[0].moves;
    assert.notEqual((await client.expect(200, 'GET', '/v1/scramble')).scrambles[0].moves, first);
    await client.expect(400, 'GET', `/v1/scramble?seed=${'x'.repeat(65)}`);
    // Extra scrambles are those that come after the others, in many pieces too.
    for (const [count, extras] of [[2, 1], [1, 0], [3, 4], [300, 120]]) {
      const whole = await client.expect(200, 'GET', `/v1/scramble?size=2&seed=e&count=${count + extras}`);
      const parted = await client.expect(200, 'GET', `/v1/scramble?size=2&seed=e&count=${count}&extras=${extras}`);
      assert.equal(whole.extras, undefined);
      assert.deepEqual([parted.scrambles.length, parted.extras.length], [count, extras]);
      assert.deepEqual([...parted.scrambles, ...parted.extras], whole.scrambles);
      const rows = await client.get(`/v1/scramble?size=2&seed=e&count=${count}&extras=${extras}`, { accept: 'application/x-ndjson' });
      assert.deepEqual(rows.text.trim().split('\n').map((row) => JSON.parse(row)).map(({ moves, extra }) => [moves, extra]),
        whole.scrambles.map(({ moves }, i) => [moves, i < count ? undefined : true]));
      const plain = await client.get(`/v1/scramble?size=2&seed=e&count=${count}&extras=${extras}`, { accept: 'text/plain' });
      assert.deepEqual(plain.text.trim().split('\n'), whole.scrambles.map(({ moves }) => moves));
    }
    for (const [query, parameter] of [['extras=-1', 'extras'], ['count=600&extras=401', 'extras'], ['extras=1000', 'extras'], ['extras=x', 'extras'], ['count=1001&extras=0', 'count']]) {
      assert.equal((await client.expect(400, 'GET', `/v1/scramble?${query}`)).parameter, parameter, query);
    }
    await client.expect(400, 'GET', '/v1/scramble?seed=%ff');
    const empty = await client.expect(400, 'GET', '/v1/scramble?seed=');
    assert.deepEqual([empty.type, empty.parameter], ['urn:cubed:problem:bad-parameter', 'seed']);
    assert.match(empty.expected, /1 to 64 bytes/);
    const session = await client.session({ size: 3, access: 'edit' });
    for (const [path, body] of [['/v1/sessions', { size: 3, scramble: true, seed: '' }], [`${session.path}/scramble`, { seed: '' }]]) {
      const problem = await client.expect(400, 'POST', path, body);
      assert.deepEqual([problem.type, problem.pointer], ['urn:cubed:problem:bad-member', '/seed']);
      assert.match(problem.expected, /1 to 64 bytes/);
    }
    await client.expect(400, 'GET', '/v1/scramble?count=1001');
    await client.expect(400, 'GET', '/v1/scramble?size=2&variant=fmc');
  }],

  ['an event sets size and form of scrambles', async ({ client }) => {
    const shapes = {
      222: /^([URF][2']? ){10}[URF][2']?$/, 333: /^([URFDLB][2']? ){1,19}[URFDLB][2']?$/, '333oh': /^([URFDLB][2']? ){1,19}[URFDLB][2']?$/,
      '333bf': /^([URFDLB][2']? ?){2,20}([RF]w[2']? ?)?(Uw[2']?)?$/, '333mbf': /^([URFDLB][2']? ?){2,20}([RF]w[2']? ?)?(Uw[2']?)?$/,
      '333fm': /^R' U' F .* R' U' F$/, '555bf': /^(\S+ ){59}\S+( 3[RF]w[2']?)?( 3Uw[2']?)?$/, 777: /^(\S+ ){99}\S+$/,
    };
    for (const [event, shape] of Object.entries(shapes)) {
      const { size, event: named, scrambles } = await client.expect(200, 'GET', `/v1/scramble?event=${event}&count=4&seed=events`);
      assert.deepEqual([named, size], [event, Number(event[0])]);
      for (const { moves } of scrambles) assert.match(moves, shape);
    }
    const same = await client.expect(200, 'GET', '/v1/scramble?event=333fm&size=3&variant=fmc');
    assert.deepEqual([same.event, same.variant], ['333fm', 'fmc']);
    for (const [query, parameter] of [['event=333bl', 'event'], ['event=pyram', 'event'], ['event=444&size=3', 'size'], ['event=333&variant=bld', 'variant']]) {
      assert.equal((await client.expect(400, 'GET', `/v1/scramble?${query}`)).parameter, parameter);
    }
    assert.equal((await client.expect(400, 'GET', '/v1/scramble?event=333bl')).suggestion, '333bf');
  }],

  ['scrambles lead to a pattern', async ({ client }) => {
    for (const until of ['cross', 'f2l-3', 'oll-27', 'pll-t', 'cmll', 'eo', '*1*111*1* ****2**2* ****3**3* ****4**4* ****5**5* *********']) {
      const path = `/v1/scramble?count=3&seed=train&until=${encodeURIComponent(until)}`;
      const { scrambles, until: named } = await client.expect(200, 'GET', path);
      assert.equal(named, until);
      assert.deepEqual((await client.expect(200, 'GET', path)).scrambles, scrambles);
      for (const { moves, cube } of scrambles) {
        assert.equal(new Cube(3).apply(moves).facelets, cube.facelets);
        assert.ok(moves.split(' ').length <= 30);
        const { matches } = await client.expect(200, 'POST', '/v1/match', { cube, pattern: until.includes(' ') ? until : { name: until } });
        assert.ok(matches.length > 0, until);
      }
    }
    const refused = async (status, query) => (await client.expect(status, 'GET', `/v1/scramble?${query}`)).type;
    assert.equal(await refused(400, 'until=cross&size=4'), 'urn:cubed:problem:bad-parameter');
    assert.equal(await refused(400, 'until=cross&variant=bld'), 'urn:cubed:problem:bad-parameter');
    await refused(422, 'until=crosss');
    const impossible = encodeURIComponent('WWWWWWWWW WWWWWWWWW ********* ********* ********* *********');
    assert.equal(await refused(422, `until=${impossible}`), 'urn:cubed:problem:bad-pattern');
  }],

  ['a state that is nearly solved has scrambles, too', async ({ client }) => {
    // Every way of few turns to it undoes some of the random turns at the end.
    for (const until of ['solved', 'pll']) {
      const { scrambles } = await client.expect(200, 'GET', `/v1/scramble?until=${until}&count=${until === 'pll' ? 300 : 10}&seed=near`);
      for (const { moves, cube } of scrambles) {
        const turns = moves.split(' ');
        assert.equal(new Cube(3).apply(moves).facelets, cube.facelets);
        assert.ok(turns.length <= 30 && turns.every((turn, i) => i === 0 || turn[0] !== turns[i - 1][0]), moves);
        if (until === 'solved') assert.ok(solved(cube), moves);
      }
    }
  }],

  ['the tables of a scramble of few generators are kept', (talk) => alone(talk, [], async (client) => {
    await client.expect(200, 'GET', '/v1/scramble');
    const before = await metric(client, 'cubed_solver_tables_bytes');
    await client.expect(200, 'GET', '/v1/scramble?generators=M2+U');
    assert.ok((await metric(client, 'cubed_solver_tables_bytes')) > before + 400000);
  })],

  ['scrambles of few generators have only their moves', async ({ client }) => {
    const path = (generators, more = '') => `/v1/scramble?generators=${encodeURIComponent(generators)}&count=20&seed=few${more}`;
    for (const [generators, size, shape, shortest, longest, method = 'random_state'] of [
      ['R U', 3, /^[RU][2']?$/, 1, 20], ['R U F', 3, /^[RUF][2']?$/, 1, 32], ['M U', 3, /^[MU][2']?$/, 1, 20], ['R2 U', 3, /^(R2|U[2']?)$/, 1, 20],
      ['R2 U2', 3, /^[RU]2$/, 1, 6], ['R L U', 3, /^[RLU][2']?$/, 1, 32], ['Rw U', 3, /^(Rw|U)[2']?$/, 1, 40], ['R U', 2, /^[RU][2']?$/, 1, 14],
      ['R2 U2 F2', 2, /^[RUF]2$/, 1, 4], ['R L U D', 3, /^[RLUD][2']?$/, 29, 40, 'random_walk'], ['Rw Uw', 3, /^[RU]w[2']?$/, 29, 40, 'random_walk'],
    ]) {
      const answer = await client.expect(200, 'GET', path(generators, `&size=${size}`));
      assert.deepEqual([answer.generators, answer.method, answer.size], [generators, method, size]);
      assert.deepEqual(await client.expect(200, 'GET', path(generators, `&size=${size}`)), answer);
      for (const { moves, cube } of answer.scrambles) {
        const turns = moves.split(' ');
        assert.ok(turns.length >= shortest && turns.length <= longest, moves);
        for (const turn of turns) assert.match(turn, shape);
        turns.forEach((turn, i) => assert.ok(i === 0 || turn[0] !== turns[i - 1][0], moves));
        assert.doesNotMatch(moves, /R\S* L\S* R|L\S* R\S* L|U\S* D\S* U|D\S* U\S* D/);
        assert.equal(new Cube(size).apply(moves).facelets, cube.facelets);
        assert.equal(cube.solved, false);
      }
      // Not all are as long, and each move occurs.
      const lengths = new Set(answer.scrambles.map(({ moves }) => moves.split(' ').length));
      assert.ok(lengths.size > 2, generators);
      if (generators === 'R U') assert.equal(new Set(answer.scrambles.flatMap(({ moves }) => moves.split(' '))).size, 6);
    }
    // The corners and edges of R and U change places; the block of 1x2x3 at LD, and the edge DF's corner DLF, stay.
    for (const { cube: { facelets } } of (await client.expect(200, 'GET', path('R U'))).scrambles) {
      for (const [face, from] of [...'URFDLB'].entries()) {
        const stay = { U: [], R: [], F: [3, 6, 7], D: [0, 1, 3, 6, 7], L: [3, 4, 5, 6, 7, 8], B: [5, 7, 8] }[from];
        for (const i of stay) assert.equal(facelets[9 * face + i], from, `${from}${i} ${facelets}`);
      }
    }
    // The moves of usual scrambles make random states.
    for (const [generators, size] of [['R F U', 2], ['U D L R F B', 3]]) {
      const { method, scrambles } = await client.expect(200, 'GET', path(generators, `&size=${size}`));
      assert.deepEqual([method, scrambles], ['random_state', (await client.expect(200, 'GET', `/v1/scramble?size=${size}&count=20&seed=few`)).scrambles]);
    }
    assert.deepEqual([(await client.expect(200, 'GET', '/v1/scramble?size=4')).method, (await client.expect(200, 'GET', '/v1/scramble?size=5')).method], ['random_state', 'random_walk']);
    for (const query of ['R', 'R R2', 'R L', 'x U', 'R U&size=4', 'R U&event=333', 'R U&variant=bld', 'R U&until=cross', 'R U&goal=cross&distance=3', '']) {
      const problem = await client.expect(400, 'GET', `/v1/scramble?generators=${query.replaceAll(' ', '+')}`);
      assert.deepEqual([problem.type, problem.parameter], ['urn:cubed:problem:bad-parameter', 'generators'], query);
      assert.ok(problem.expected, query);
    }
    const unknown = await client.expect(422, 'GET', '/v1/scramble?generators=R+Q');
    assert.deepEqual([unknown.type, unknown.parameter], ['urn:cubed:problem:bad-notation', 'generators']);
  }],

  ['scrambles are exactly so many turns away from a goal', async ({ client }) => {
    for (const [goal, place, usual, farthest] of [['cross', undefined, 'D', 8], ['cross', 'r', 'r', 8], ['2x2x2', 'URF', 'URF', 8], ['eo', undefined, 'fb', 7], ['eo', 'ud', 'ud', 7]]) {
      for (const distance of [0, 1, 4, farthest]) {
        const path = `/v1/scramble?goal=${goal}&distance=${distance}${place ? `&place=${place}` : ''}&count=2&seed=far`;
        const answer = await client.expect(200, 'GET', path);
        assert.deepEqual([answer.goal, answer.place, answer.distance, answer.until], [goal, usual, distance, null]);
        assert.deepEqual(await client.expect(200, 'GET', path), answer);
        for (const { moves, cube } of answer.scrambles) {
          assert.equal(new Cube(3).apply(moves).facelets, cube.facelets);
          const { metrics } = await client.expect(200, 'POST', '/v1/solve', { cube: { facelets: cube.facelets }, goal, place: usual, wait_ms: 60000 });
          assert.equal(metrics.htm, distance, `${goal} ${usual} ${moves}`);
        }
      }
    }
    const refused = async (query, parameter, expected) => {
      const problem = await client.expect(400, 'GET', `/v1/scramble?${query}`);
      assert.deepEqual([problem.type, problem.parameter], ['urn:cubed:problem:bad-parameter', parameter], query);
      if (expected) assert.match(problem.expected, expected);
      return problem;
    };
    await refused('goal=cross&distance=9', 'distance', /0 to 8|0\.\.8/);
    await refused('goal=eo&distance=8', 'distance', /7/);
    await refused('goal=cross&distance=-1', 'distance');
    await refused('goal=cross&distance=six', 'distance');
    await refused('goal=cross', 'goal', /0 to 8/);
    await refused('distance=3', 'distance', /goal/);
    await refused('until=cross&distance=3', 'distance', /goal/);
    await refused('goal=cross&until=cross&distance=3', 'until');
    await refused('goal=cross&distance=3&size=4', 'goal');
    for (const goal of ['cros', 'dr']) await refused(`goal=${goal}&distance=3`, 'goal', /^eo, 2x2x2 or cross$/);
    await refused('goal=cross&distance=3&event=333bf', 'goal');
    await refused('goal=cross&distance=3&place=any', 'place', /face/);
    await refused('goal=cross&distance=3&place=DB', 'place');
    await refused('place=D', 'place');
    assert.equal((await refused('goal=xcross&distance=3', 'goal')).expected, 'eo, 2x2x2 or cross');
    assert.equal((await refused('goal=crosss&distance=3', 'goal')).suggestion, 'cross');
  }],

  ['many scrambles are generated while they are read', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?size=6&count=1000&seed=many');
    assert.equal(scrambles.length, 1000);
    const four = await client.expect(200, 'GET', '/v1/scramble?size=4&count=2&seed=four');
    assert.deepEqual(await client.expect(200, 'GET', '/v1/scramble?size=4&count=2&seed=four'), four);
    assert.ok((await client.session({ size: 4, scramble: true, seed: 'four' })).scramble === four.scrambles[0].moves);
    const bld = await client.get('/v1/scramble?variant=bld&count=20', { accept: 'text/plain' });
    assert.equal(bld.text.trim().split('\n').length, 20);
  }],
];
