// Scrambles, solutions, and searches that take longer: jobs, their time, their queue, their end.

import assert from 'node:assert/strict';
import http from 'node:http';
import { Client } from '../client.mjs';
import { Cube } from '../model.mjs';
import { alone, becomes, ENDLESS, metric, SUPERFLIP } from '../searching.mjs';
import { Server } from '../server.mjs';
import { sleep, until as waitUntil } from '../../support/patience.mjs';

const solved = ({ size, facelets }) => [...'URFDLB'].every((_, i) => new Set(facelets.slice(i * size ** 2, (i + 1) * size ** 2)).size === 1);
const solves = (size, moves, solution) => solved(new Cube(size).apply(`${moves} ${solution}`.trim()));

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

  ['except for lessons, no answer for a session is longer than its own moves', async ({ client }) => {
    for (const size of [2, 3, 4, 8]) {
      const session = await client.session({ size, scramble: 'R U F' });
      await client.expect(200, 'POST', `${session.path}/moves`, { moves: "L2 D B' R2 F" });
      const { length, solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, wait_ms: 60000 });
      assert.ok(length <= 8 && solves(size, "R U F L2 D B' R2 F", solution), `${size}: ${solution}`);
      if (size !== 3) continue;
      const lesson = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, method: 'beginner' });
      assert.ok(!lesson.from_history && lesson.stages);
    }
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

  ['a stream of solutions ends its search when its reader goes', async ({ client }) => {
    const before = await metric(client, 'cubed_solve_cancelled_total');
    const url = new URL(`${client.url}/v1/solve?moves=R+U+F+L+D+B+R+F+U&goal=eo&max_length=12`);
    await new Promise((gone, failed) => {
      const request = http.get(url, { headers: { accept: 'application/x-ndjson' } }, (answer) => answer.once('data', () => { request.destroy(); gone(); }));
      request.once('error', failed);
    });
    await becomes(client, 'cubed_solve_cancelled_total', before + 1);
    await becomes(client, 'cubed_jobs_running', 0);
  }],

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

  ['a solution is never longer than the session\'s own moves turned back', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: "R U2 F' L" });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'D2 B x M' });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: "R' L F" });
    await client.expect(200, 'POST', `${session.path}/undo`, {});
    for (const at of [0, 1, 2, 3]) {
      const { length, solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id, at } });
      assert.ok(length <= [4, 8, 11, 8][at], `${at}: ${solution}`);
    }
    const { facelets } = (await client.expect(200, 'GET', session.path)).cube;
    const now = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id, moves: "R R' U" } });
    assert.ok(now.length <= 9);
    const after = await client.expect(200, 'POST', '/v1/apply', { cube: { facelets }, moves: `U ${now.solution}` });
    assert.ok(after.cube.solved);
  }],

  ['a pattern, a session\'s own pattern or another cube as the goal, by a shortest way', async ({ client }) => {
    const solve = (body) => client.expect(200, 'POST', '/v1/solve', { wait_ms: 60000, ...body });
    const fits = async (cube, moves, pattern) => (await client.expect(200, 'POST', '/v1/match', { cube: { ...cube, moves }, pattern })).matches.length > 0;
    const { scrambles: [{ moves, cube }] } = await client.expect(200, 'GET', '/v1/scramble?seed=goal');
    for (const name of ['cross', 'eo', 'f2l-1']) {
      const answer = await solve({ cube: { facelets: cube.facelets }, until: { name } });
      assert.ok(answer.optimal && answer.method === 'goal' && (await fits({ facelets: cube.facelets }, answer.solution, { name })), name);
      const turns = answer.solution.split(' ').filter(Boolean);
      if (turns.length > 0) assert.ok(!(await fits({ facelets: cube.facelets }, turns.slice(0, -1).join(' '), { name })), 'not before');
    }
    const session = await client.session({ size: 3, scramble: moves });
    await client.expect(201, 'PUT', `/v1/patterns/white-edge?session=${session.id}`, { pattern: { pieces: { UF: 'home' } } });
    const own = await solve({ cube: { session: session.id }, until: { name: 'white-edge' } });
    assert.ok(own.length <= 3);
    const there = await solve({ cube: { size: 3, moves: 'U2 B' }, until: { cube: { session: session.id } } });
    assert.equal((await client.expect(200, 'POST', '/v1/facts', { cube: { size: 3, moves: `U2 B ${there.solution}` } })).canonical, (await client.expect(200, 'POST', '/v1/facts', { cube: { session: session.id } })).canonical);
    const small = await solve({ cube: { size: 4, moves: 'Rw U' }, until: { cube: { size: 4, moves: 'Rw' } } });
    assert.equal(small.solution, "U'");
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, until: { name: 'cross' }, method: 'beginner' });
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, until: { cube: { size: 2 } } });
    await client.expect(400, 'POST', '/v1/solve', { cube: { size: 3 }, generators: '' });
    await client.expect(422, 'POST', '/v1/solve', { cube: { size: 3 }, until: { name: 'crosss' } });
    await client.expect(422, 'POST', '/v1/solve', { cube: { size: 3 }, generators: 'R Q' });
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

  ['a solution within max_length is the answer at once, and a session\'s own moves need no search', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?count=30');
    for (const { moves } of scrambles) {
      const answer = await client.expect(200, 'POST', '/v1/solve', { cube: { size: 3, moves }, max_length: 21, timeout_ms: 60000 });
      assert.ok(answer.complete && answer.length <= 21 && answer.nodes < 1e6, `${moves}: ${answer.nodes}`);
    }
    const session = await client.session({ size: 3, scramble: "R U F L2 D B' R2 F U2 L D2 B" });
    const own = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, max_length: 12 });
    assert.deepEqual([own.from_history, own.length, own.nodes, own.complete], [true, 12, 0, true]);
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
      const waits = [1, 2, 3, 4].map(() => client.expect(202, 'POST', '/v1/solve', { ...big, wait_ms: 0 }));
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

  ['a solution that is too long for one entry turns a session in slices', async ({ client, store }) => {
    if (store !== 'sqlite') return; /* one is enough: it takes seconds */
    const { scrambles: [{ cube }] } = await client.expect(200, 'GET', '/v1/scramble?size=30&seed=long');
    const session = await client.session({ cube: { facelets: cube.facelets }, access: 'edit' });
    const { solution } = await client.expect(200, 'POST', '/v1/solve', { cube: { session: session.id }, wait_ms: 60000 });
    const words = solution.split(' '), most = 10000; // as /v1/limits has it
    assert.ok(words.length > most);
    const problem = await client.expect(422, 'POST', `${session.path}/moves`, { moves: solution });
    assert.deepEqual([problem.expanded_length, /at most 10000 moves at a time.*several requests/.test(problem.expected)], [words.length, true]);
    let solved = false;
    for (let i = 0; i < words.length; i += most) {
      ({ cube: { solved } } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: words.slice(i, i + most).join(' ') }));
    }
    assert.equal(solved, true);
  }],

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
        assert.ok(moves.split(' ').length <= 23);
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

  ['scrambles of few generators have only their moves', async ({ client }) => {
    const path = (generators, more = '') => `/v1/scramble?generators=${encodeURIComponent(generators)}&count=20&seed=few${more}`;
    await client.expect(200, 'GET', '/v1/scramble');
    const before = await metric(client, 'cubed_solver_tables_bytes');
    await client.expect(200, 'GET', path('M2 U'));
    assert.ok((await metric(client, 'cubed_solver_tables_bytes')) > before + 400000);
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

  ['a search without proof says which tables it used and which would help', async (talk) =>
    talk.persistent || alone(talk, ['--solve-memory', '0'], async (client) => {
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
    talk.persistent || alone(talk, [], async (client, server) => {
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

  ['many scrambles are generated while they are read', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?size=6&count=1000&seed=many');
    assert.equal(scrambles.length, 1000);
    const four = await client.expect(200, 'GET', '/v1/scramble?size=4&count=2&seed=four');
    assert.deepEqual(await client.expect(200, 'GET', '/v1/scramble?size=4&count=2&seed=four'), four);
    assert.ok((await client.session({ size: 4, scramble: true, seed: 'four' })).scramble === four.scrambles[0].moves);
    const bld = await client.get('/v1/scramble?variant=bld&count=20', { accept: 'text/plain' });
    assert.equal(bld.text.trim().split('\n').length, 20);
  }],

  ['a session is scrambled by the server, with or without a seed', async ({ client }) => {
    const { scrambles: [{ moves, cube }] } = await client.expect(200, 'GET', '/v1/scramble?seed=table');
    const session = await client.session({ size: 3, scramble: true, seed: 'table' });
    assert.deepEqual([session.scramble, session.cube.facelets], [moves, cube.facelets]);
    const other = await client.session({ size: 3, scramble: true });
    assert.notEqual(other.scramble, moves);
    assert.equal(new Cube(3).apply(other.scramble).facelets, other.cube.facelets);
    assert.equal((await client.session({ size: 3, scramble: false })).scramble, null);
    const { entry } = await client.expect(200, 'POST', `${session.path}/scramble`, { seed: 'table', revision: 0 });
    assert.deepEqual([entry.kind, entry.moves], ['scramble', moves]);
    const again = await client.expect(200, 'POST', `${session.path}/scramble`, {});
    assert.equal(new Cube(3).apply(`${moves} ${moves} ${again.entry.moves}`).facelets, again.cube.facelets);
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, seed: 'x' });
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, scramble: 'R', seed: 'x' });
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, scramble: 7 });
    await client.expect(400, 'POST', `${session.path}/scramble`, { moves: 'R', seed: 'x' });
    await client.expect(400, 'POST', `${session.path}/moves`, { seed: 'x' });
    await client.expect(400, 'POST', `${session.path}/moves`, {});
  }],
];
