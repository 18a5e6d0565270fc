// Solutions by every method, to every goal, and the ways to ask for them.

import assert from 'node:assert/strict';
import http from 'node:http';
import { Cube } from '../model.mjs';
import { alone, becomes, metric, solves } from '../searching.mjs';

export const storeless = true;

export default [
  ['scrambles of every size are solved by the usual method, and by each other', async ({ client }) => {
    const { items } = await client.expect(200, 'GET', '/v1/solvers');
    for (const size of [2, 3]) {
      const { scrambles } = await client.expect(200, 'GET', `/v1/scramble?size=${size}&count=5`);
      for (const { moves, cube } of scrambles) {
        assert.equal(new Cube(size).apply(moves).facelets, cube.facelets);
        const usual = await client.expect(200, 'POST', '/v1/solve', { cube: { facelets: cube.facelets }, wait_ms: 60000 });
        assert.ok(solves(size, moves, usual.solution), usual.solution);
        for (const { name, sizes, optimal } of items) {
          if (size < sizes.min || size > sizes.max || (optimal && size === 3)) continue; // this takes minutes with small tables
          const enough = name === 'fewest' ? { max_length: 24 } : {}; // else it uses all of its time
          const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size, moves }, method: name, wait_ms: 60000, ...enough });
          assert.ok(solves(size, moves, answer.solution), `${name}: ${answer.solution}`);
          if (answer.stages && name !== 'fewest') assert.equal(answer.stages.map((stage) => stage.moves).filter(Boolean).join(' '), answer.solution);
        }
      }
    }
  }],

  ['a cube of 3 layers within 20 moves, one of 2 within 11, by the metric that counts', async ({ client }) => {
    for (let i = 0; i < 10; i++) {
      const { scrambles: [{ moves }] } = await client.expect(200, 'GET', '/v1/scramble');
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves } });
      assert.ok(answer.length <= 20 && answer.length === answer.metrics.htm && answer.complete);
      const { scrambles: [small] } = await client.expect(200, 'GET', '/v1/scramble?size=2');
      for (const [metric, longest] of [['htm', 11], ['qtm', 14]]) {
        const two = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 2, moves: small.moves }, metric });
        assert.ok(two.optimal && two.length <= longest && two.length === two.metrics[metric]);
      }
    }
  }],

  ['larger cubes are solved by stages; short scrambles get short solutions', async ({ client }) => {
    for (const size of [8, 9]) {
      const { scrambles: [{ moves }] } = await client.expect(200, 'GET', `/v1/scramble?size=${size}&seed=large`);
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size, moves }, wait_ms: 60000 });
      assert.ok(solves(size, moves, answer.solution));
      assert.equal(answer.stages.map((stage) => stage.moves).filter(Boolean).join(' '), answer.solution);
    }
    const session = await client.session({ size: 6, scramble: "3Rw U Fw L2 3Bw' D" });
    const { length, solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, wait_ms: 60000 });
    assert.ok(length <= 6, solution);
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: '2R U' });
    await client.expect(200, 'POST', `${session.path}/reset`, {});
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'Lw' });
    const later = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, wait_ms: 60000 });
    assert.ok(later.from_history && later.length === 7, later.solution);
  }],

  ['a metric that a method does not support is refused, as GET /v1/solvers lists it', async ({ client }) => {
    const { items } = await client.expect(200, 'GET', '/v1/solvers');
    for (const { name, sizes, length_max: lengths } of items) {
      for (const metric of ['htm', 'qtm']) {
        const counts = metric in lengths;
        const body = { cube: { size: sizes.min, moves: 'R2' }, method: name, metric, wait_ms: 60000 };
        const answer = await client.expect(counts ? 200 : 400, 'POST', '/v1/solve', body);
        if (counts) assert.equal(answer.length, answer.metrics[metric], `${name} ${sizes.min} ${metric}`);
        else assert.equal(answer.pointer, '/metric');
        const goal = { ...body, method: undefined, until: { cube: { size: sizes.min, moves: 'R2 U' } }, timeout_ms: 2000 }; // whatever it finds by then
        if (sizes.min > 3) await client.expect(200, 'POST', '/v1/solve', goal);
      }
    }
  }],

  ['several solutions are different ones, the shortest first', async ({ client }) => {
    for (const size of [2, 3]) {
      const { scrambles: [{ moves }] } = await client.expect(200, 'GET', `/v1/scramble?size=${size}`);
      const { solution, solutions } = await client.expect(200, 'POST', '/v1/solve', { cube: { size, moves }, solutions: 3, wait_ms: 60000 });
      assert.equal(solutions[0].solution, solution);
      assert.equal(new Set(solutions.map((one) => one.solution)).size, solutions.length);
      assert.ok(solutions.length <= 3);
      solutions.forEach((one, i) => assert.ok(solves(size, moves, one.solution) && (i === 0 || one.length >= solutions[i - 1].length)));
    }
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, method: 'beginner', solutions: 2 });
  }],

  ['a slice counts as one turn or as two, as the metric says', async ({ client }) => {
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { wait_ms: 60000, ...body });
    const cube = { size: 3, moves: "M2 U M2 U2 M2" };
    const lengths = { htm: 8, qtm: 15, stm: 5, qstm: 9, etm: 5 };
    for (const [metric, length] of Object.entries(lengths)) {
      const answer = await solve({ cube, generators: 'M U', metric });
      assert.deepEqual([answer.metric, answer.length, answer.metrics[metric], answer.optimal], [metric, length, length, true]);
    }
    assert.equal((await solve({ cube, generators: 'M U' })).metric, 'stm');
    const free = await solve({ cube, metric: 'stm', method: 'optimal' });
    assert.deepEqual([free.method, free.length, free.metric, free.metrics.stm], ['goal', 5, 'stm', 5]);
    const quarters = await solve({ cube: { size: 3, moves: 'R2 U2' }, metric: 'qtm' });
    assert.deepEqual([quarters.length, quarters.metrics.qtm, quarters.optimal], [4, 4, true]);
    const rotations = await client.expect(400, 'POST', '/v1/solve', { cube, generators: 'x R', metric: 'htm' });
    assert.equal(rotations.pointer, '/metric');
  }],

  ['from a cube of half turns and two quarter turns to half turns alone', async ({ client }) => {
    const moves = 'R2 U2 F2 D L2 B2 U R2 D2 F2 U L2';
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { wait_ms: 60000, ...body });
    const htr = await solve({ cube: { size: 3, moves }, until: { name: 'htr' }, generators: 'U D R2 L2 F2 B2' });
    assert.ok(htr.optimal && htr.length === 7, `${htr.length} turns`);
    const end = await solve({ cube: { size: 3, moves: `${moves} ${htr.solution}` }, generators: 'U2 D2 R2 L2 F2 B2' });
    assert.ok(solves(3, `${moves} ${htr.solution}`, end.solution));
    const { matches } = await client.expect(200, 'POST', '/v1/match', { cube: { size: 3, moves: 'R2 F2 U2 L2' }, pattern: { name: 'htr' } });
    assert.equal(matches.length, 24);
    assert.equal((await client.expect(200, 'POST', '/v1/match', { cube: { size: 3, moves: 'R2 U F2' }, pattern: { name: 'htr' } })).matches.length, 0);
  }],

  ['goals have names, and places', async ({ client }) => {
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: "R U' F2 L D' B" }, wait_ms: 60000, ...body });
    const any = await solve({ goal: 'eo', solutions: 100 });
    const places = [];
    for (const place of ['fb', 'RL', 'ud']) places.push(await solve({ goal: 'eo', place, solutions: 100, max_length: any.length }));
    assert.equal(any.count, new Set(places.flatMap(({ solutions }) => solutions.map((one) => one.solution))).size);
    const { solution } = await client.expect(200, 'GET', '/v1/solve?size=3&moves=R+F&goal=cross&place=D');
    assert.equal(solution, "F' R'");
    assert.equal((await solve({ goal: 'xcross', place: 'any', metric: 'stm' })).metric, 'stm');
    assert.equal((await solve({ cube: { size: 4, moves: 'R' }, goal: 'cross', place: 'U' })).solution, "R'");
    for (const [body, member] of [
      [{ goal: 'edges' }, 'goal'], [{ goal: 'eo', place: 'D' }, 'place'], [{ goal: 'htr', place: 'ud' }, 'place'], [{ place: 'D' }, 'place'],
      [{ goal: 'eo', until: { name: 'cross' } }, 'until'], [{ goal: 'eo', cube: { size: 4 } }, 'goal'], [{ goal: '2x2x2', cube: { size: 2 } }, 'goal'],
    ]) {
      const { pointer } = await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, ...body });
      assert.equal(pointer, `/${member}`);
    }
  }],

  ['with niss, ways to a goal have turns on the inverse, too', async ({ client }) => {
    const moves = "F' L2 D' L2 F2 R2 F2 U F2 D2 R2 F' R' D U2 F' U' B2 D'";
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, niss: true, wait_ms: 60000, ...body });
    const inverted = async (text) => (await client.expect(200, 'POST', '/v1/algorithm', { moves: text, size: 3 })).inverse;
    const fits = async (name, { normal, inverse }) => {
      const state = `${await inverted(inverse)} ${moves} ${normal}`;
      return (await client.expect(200, 'POST', '/v1/match', { cube: { size: 3, moves: state }, pattern: { name } })).matches.length > 0;
    };
    const written = ({ normal, inverse }) => [normal, inverse && `(${inverse})`].filter(Boolean).join(' ');
    const eo = await solve({ goal: 'eo', solutions: 1000 });
    assert.ok(eo.exhausted && eo.optimal && eo.notation === 'nissy');
    const shortest = eo.solutions.filter(({ length }) => length === eo.length);
    assert.deepEqual([shortest.length, eo.lengths[0].count], [eo.count, eo.count]);
    assert.equal(new Set(eo.solutions.map(({ solution }) => solution)).size, eo.solutions.length);
    for (const one of eo.solutions) assert.equal(one.solution, written(one));
    for (const one of shortest) assert.ok(await fits('eo', one), one.solution);
    // Turns on one side alone are among them, and are not shorter.
    const normal = await solve({ goal: 'eo', niss: false, solutions: 1000, max_length: 4 });
    assert.ok(eo.length < normal.length && !('inverse' in normal) && !('notation' in normal));
    const longer = await solve({ goal: 'eo', solutions: 1000, max_length: normal.length });
    const alone = longer.solutions.filter(({ length, inverse }) => length === normal.length && inverse === '');
    assert.deepEqual(alone.map(({ normal: way }) => way), normal.solutions.filter(({ length }) => length === normal.length).map(({ solution }) => solution));
    // Lines are the same ones.
    const lines = (await client.post('/v1/solve', { cube: { size: 3, moves }, goal: 'eo', niss: true }, { accept: 'application/x-ndjson' })).text.trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(lines.slice(0, -1).map(({ solution }) => solution).sort(), shortest.map(({ solution }) => solution).sort());
    // As solvers for fewest moves do it: one stage after another, with premoves; what is written so solves the cube.
    const near = "R U F L' D B";
    const first = await solve({ goal: 'eo', cube: { size: 3, moves: near } });
    const dr = await solve({ goal: 'dr', cube: { size: 3, moves: `${await inverted(first.inverse)} ${near} ${first.normal}` } });
    const state = `${await inverted(`${first.inverse} ${dr.inverse}`)} ${near} ${first.normal} ${dr.normal}`;
    assert.ok((await client.expect(200, 'POST', '/v1/match', { cube: { size: 3, moves: state }, pattern: { name: 'domino' } })).matches.length > 0);
    const block = await solve({ cube: { size: 3, moves: near }, goal: '2x2x3' });
    const read = await client.expect(200, 'POST', '/v1/algorithm', { moves: block.solution, notation: 'nissy', size: 3 });
    assert.equal((await inverted(`${block.normal} ${await inverted(block.inverse)}`.trim())), (await inverted(read.expanded)));
    // Held in another way, faces keep their names.
    const held = await solve({ goal: 'eo', solutions: 1000, max_length: normal.length, cube: { size: 3, moves: `x y ${moves}` } });
    assert.deepEqual(held.solutions.map(({ solution }) => solution), longer.solutions.map(({ solution }) => solution));
    const none = await solve({ cube: { size: 3, moves: 'R U F' }, goal: 'eo', place: 'ud', generators: 'F B R L U2 D2' });
    assert.deepEqual([none.complete, none.solution, none.normal, none.inverse, none.bound], [true, null, null, null, null]);
    for (const [body, member] of [
      [{}, 'niss'], [{ until: { cube: { size: 3 } } }, 'niss'], [{ generators: 'R U' }, 'niss'], [{ goal: 'cross', cube: { size: 4 } }, 'niss'],
      [{ goal: 'eo', niss: 1 }, 'niss'], [{ goal: 'eo', metric: 'stm' }, 'metric'], [{ goal: 'eo', generators: 'Rw U' }, 'generators'],
      [{ goal: 'eo', generators: 'M U' }, 'generators'], [{ goal: 'eo', generators: 'x' }, 'generators'],
    ]) {
      const { pointer } = await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3, moves }, niss: true, ...body });
      assert.equal(pointer, `/${member}`);
    }
  }],

  ['all solutions come as lines, as they are found', async ({ client }) => {
    const stream = async (body) => {
      const answer = await client.post('/v1/solve', body, { accept: 'application/x-ndjson' });
      assert.equal(answer.status, 200, answer.text);
      const lines = answer.text.trimEnd().split('\n').map((line) => JSON.parse(line));
      return { solutions: lines.slice(0, -1), end: lines.at(-1) };
    };
    // Breadth first: all ways of R and F from here, up to where they solve the cube.
    const ways = [];
    let level = [['', 'R2 F2 R2 F2']];
    for (let length = 0; length <= 8; length++) {
      const next = [];
      for (const [way, moves] of level) {
        if (solves(3, moves, '')) ways.push({ solution: way, length });
        else for (const face of 'RF') if (!way.split(' ').at(-1).startsWith(face)) for (const turn of ['', '2', "'"]) next.push([`${way} ${face}${turn}`.trim(), `${moves} ${face}${turn}`]);
      }
      level = next;
    }
    const all = await stream({ cube: { size: 3, moves: 'R2 F2 R2 F2' }, generators: 'R F', max_length: 8 });
    const text = (list) => list.map(({ solution, length }) => `${length} ${solution}`).sort();
    assert.deepEqual(text(all.solutions), text(ways));
    assert.deepEqual([all.end.count, all.end.exhausted, all.end.complete], [ways.length, true, true]);
    assert.ok(all.solutions.every(({ length }, i) => i === 0 || length >= all.solutions[i - 1].length), 'in order of length');
    const eo = { cube: { size: 3, moves: "R U' F2 L D' B F" }, goal: 'eo' };
    const listed = await client.expect(200, 'POST', '/v1/solve', { ...eo, solutions: 1000, max_length: 3, wait_ms: 60000 });
    assert.deepEqual(text((await stream({ ...eo, max_length: 3 })).solutions), text(listed.solutions));
    const shortest = await stream(eo);
    assert.ok(shortest.solutions.every(({ length }) => length === listed.length) && shortest.end.count === listed.count && shortest.end.exhausted);
    const some = await stream({ ...eo, solutions: listed.count + 1 });
    assert.deepEqual([some.solutions.length, some.end.exhausted], [listed.count + 1, false]);
    assert.deepEqual((await stream({ cube: { size: 3 } })).solutions, [{ solution: '', length: 0 }]);
    const none = await stream({ cube: { size: 3, moves: 'R' }, generators: 'U' });
    assert.deepEqual([none.solutions, none.end.count, none.end.exhausted, none.end.bound], [[], 0, true, null]);
    // bound: it is refused
    for (const body of [{ cube: { size: 3 }, method: 'two_phase' }, { cube: { size: 4 } }, { cube: { size: 3 }, wait_ms: 10 }]) {
      assert.equal((await client.post('/v1/solve', body, { accept: 'application/x-ndjson' })).status, 400);
    }
  }],

  ['a stream of solutions ends its search when its reader goes', (talk) => alone(talk, [], async (client) => {
    const before = await metric(client, 'cubed_solve_cancelled_total');
    const url = new URL(`${client.url}/v1/solve?moves=R+U+F+L+D+B+R+F+U&goal=eo&max_length=12`);
    await new Promise((gone, failed) => {
      const request = http.get(url, { headers: { accept: 'application/x-ndjson' } }, (answer) => answer.once('data', () => { request.destroy(); gone(); }));
      request.once('error', failed);
    });
    await becomes(client, 'cubed_solve_cancelled_total', before + 1);
    await becomes(client, 'cubed_jobs_running', 0);
  })],

  ['all shortest solutions are listed and counted before longer ones', async ({ client }) => {
    const moves = 'R2 L2 U2 D2 F2 B2';
    for (const method of ['two_phase', 'optimal']) {
      const all = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, method, solutions: 10, wait_ms: 60000 });
      assert.deepEqual([all.count, all.exhausted, all.optimal], [6, true, true]);
      assert.deepEqual(all.lengths.slice(0, 2), [{ length: 6, count: 6, exhausted: true }, { length: 7, count: 0, exhausted: true }]);
      assert.deepEqual(all.solutions.map(({ length }) => length), [6, 6, 6, 6, 6, 6, 8, 8, 8, 8]);
      assert.deepEqual(all.solutions.slice(0, 3).map(({ solution }) => solution), ['U2 D2 R2 L2 F2 B2', 'U2 D2 F2 B2 R2 L2', 'R2 L2 U2 D2 F2 B2']);
      all.solutions.forEach(({ solution }) => assert.ok(solves(3, moves, solution)));
      const few = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, method, solutions: 2, wait_ms: 60000 });
      assert.deepEqual([few.count, few.exhausted, few.solutions], [6, true, all.solutions.slice(0, 2)]);
    }
    const cross = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R U2 F D L B2 U R' }, until: { name: 'cross' }, solutions: 4, wait_ms: 60000 });
    assert.deepEqual([cross.count, cross.solutions.every(({ length }) => length === cross.length)], [4, true]);
    const none = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3 }, solutions: 4 });
    assert.deepEqual([none.count, none.exhausted, none.solutions], [1, true, [{ solution: '', length: 0 }]]);
    const far = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, solutions: 4, max_length: 5 });
    assert.deepEqual([far.solution, far.count, far.exhausted, far.solutions], [null, null, false, []]);
  }],

  ['with a restricted set of moves', async ({ client }) => {
    const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: "R U2 R' U R2 U'" }, generators: ['R', 'U'].map((face) => ({ face })), wait_ms: 60000 });
    assert.ok(answer.length <= 6 && /^([RU][2']? ?)+$/.test(answer.solution), answer.solution);
    const halves = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R2 U2 F2' }, generators: 'R2 U2 F2', wait_ms: 60000 });
    assert.equal(halves.solution, 'F2 U2 R2');
    // The metric of the answer is the one in which the length counts: the usual one if none is requested.
    for (const [generators, metric, told = metric] of [['R U', 'htm'], ['R U', 'qtm'], ['M U', 'htm'], ['M U', 'stm'], ['M U', 'qstm'], ['Rw U', 'htm'], ['R x', 'etm'], ['R U', undefined, 'htm'], ['M U', undefined, 'stm'], ['R x', undefined, 'etm']]) {
      const [first, second] = generators.split(' ');
      const body = { cube: { size: 3, moves: `${first}2 ${second} ${first}` }, generators, metric, wait_ms: 60000 };
      const counted = await client.expect(200, 'POST', '/v1/solve', body);
      assert.deepEqual([counted.metric, counted.length], [told, counted.metrics[told]], generators);
      assert.ok(counted.optimal && counted.metrics.etm <= 3);
    }
    const none = await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3, moves: 'R x' }, generators: 'R x', metric: 'qtm' });
    assert.equal(none.pointer, '/metric');
  }],

  ['a goal that the generators cannot reach, because of what they never move, is not searched for', async ({ client }) => {
    for (const [moves, generators, until, size = 3] of [
      ['U R2 F2 R2 F2 R2 F2 U', 'M U'],
      ['R', 'R U', { cube: { size: 3, moves: 'D' } }],
      ['Rw2 D', 'R U F', undefined, 4],
      ['F', 'R 2R U', undefined, 5],
    ]) {
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size, moves }, generators, until: until && { cube: { ...until.cube, size } } });
      assert.deepEqual([answer.solution, answer.complete, answer.bound, answer.nodes], [null, true, null, 0], `${moves}: ${generators}`);
    }
    for (const [moves, generators, until, size = 3] of [
      ['R2 U', 'R U'], ['x M U', 'M U'], ['R', 'R U', { moves: 'U R' }], ['Rw U', 'Rw U', undefined, 4], ['D R', 'R U', { moves: 'D U' }],
    ]) {
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size, moves }, generators, until: until && { cube: { size, ...until } } });
      assert.ok(answer.optimal && answer.length <= 3, `${moves}: ${answer.solution}`);
    }
  }],
];
