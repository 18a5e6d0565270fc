// Lessons: followed by what they say, asked for one step at a time, in other colours; what is refused.

import assert from 'node:assert/strict';
import { Cube, FACES, pieceOf } from '../model.mjs';

const COLOURS = { white: 'U', red: 'R', green: 'F', yellow: 'D', orange: 'L', blue: 'B' };
const SCRAMBLE = "R U F' D2 L B2 U R2 F L' D B";
const isSolved = ({ facelets }) => [...'URFDLB'].every((_, i) => new Set(facelets.slice(i * 9, i * 9 + 9)).size === 1);
/** On a slow machine a search may take so long that it would become a job, or end without a solution. */
const ask = (client, body, status = 200) => client.expect(status, 'POST', '/v1/solve', { method: 'beginner', wait_ms: 60000, timeout_ms: 60000, ...body });

/** Turns the whole cube as the step says, checks how it is held, and makes the moves. */
function follow(cube, { hold, hint, text, moves }, colours = COLOURS) {
  cube.apply(hold.moves);
  assert.deepEqual([cube.facelets[4], cube.facelets[22]], [colours[hold.up], colours[hold.front]]);
  assert.match(hold.text, new RegExp(`${hold.up} .*${hold.front} .*in front\\.$`));
  const name = `(?:${Object.keys(colours).join('|')})`;
  const named = [...`${hint} ${text}`.matchAll(new RegExp(`the ${name}(-${name})+ (edge|corner)`, 'gi'))];
  for (const [piece, , kind] of named) assert.equal(piece.split('-').length, kind === 'edge' ? 2 : 3, piece);
  const made = text.match(/(?<![\w'])[URFDLB][2']?(?![\w'])/g).join(' ');
  assert.ok(moves.startsWith(made), `${text}: ${moves}`);
  return cube.apply(moves);
}

/** Arrows lead from where a piece is before the step to where it is afterwards. */
function checkArrows(size, moves, steps) {
  const cube = new Cube(size, Array.from({ length: 6 * size * size }, (_, i) => i)).apply(moves);
  let arrows = 0;
  for (const { hold, moves: own, picture } of steps) {
    cube.apply(hold.moves);
    const before = cube.colors.slice();
    cube.apply(own);
    const ends = [...(/arrows=([^&]*)/.exec(picture)?.[1] ?? '').matchAll(/([URFDLB])(\d+)/g)].map(([, face, i]) => FACES.indexOf(face) * size * size + Number(i));
    for (let i = 0; i < ends.length; i += 2, arrows++) assert.equal(pieceOf(size, before[ends[i]]), pieceOf(size, cube.colors[ends[i + 1]]), `${picture} ${own}`);
  }
  assert.ok(arrows > steps.length / 10, `${arrows} arrows`);
}

export const storeless = true;

export default [
  ['a lesson leads to the solved cube by what each step says; its pictures can be seen', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?size=3&count=20');
    for (const { moves } of scrambles) {
      const { solution, stages, lesson } = await ask(client, { cube: { size: 3, moves: `${moves} z x` } });
      const cube = new Cube(3).apply(`${moves} z x`);
      const steps = stages.flatMap((stage) => stage.steps);
      assert.equal(steps.flatMap(({ hold, moves: own }) => [hold.moves, own]).filter(Boolean).join(' '), solution);
      assert.equal(stages.map((stage) => stage.moves).join(' '), solution);
      assert.equal(lesson.steps, steps.length);
      assert.ok(lesson.first === 'white' && lesson.introduction.length > 2);
      for (const step of steps) follow(cube, step);
      assert.ok(isSolved(cube));
    }
    const { stages } = await ask(client, { cube: { size: 3, moves: SCRAMBLE } });
    for (const { title, aim, picture, algorithms, steps } of stages) {
      assert.ok(title && aim.endsWith('.') && algorithms.every(({ name, moves, text }) => name && moves && text.endsWith('.')));
      for (const address of [picture, ...steps.map((step) => step.picture)]) assert.equal((await client.get(address)).status, 200, address);
    }
  }],

  ['a lesson of the 2x2x2 says how to hold it by a corner', async ({ client }) => {
    const { scrambles } = await client.expect(200, 'GET', '/v1/scramble?size=2&count=10');
    for (const { moves } of scrambles) {
      const { stages, lesson } = await ask(client, { cube: { size: 2, moves }, first: 'green' });
      const cube = new Cube(2).apply(moves);
      assert.match(lesson.introduction[0], /eight corners/);
      for (const { hold, moves: own } of stages.flatMap(({ steps }) => steps)) {
        assert.match(hold.text, /(green|blue)-\w+-\w+ corner is at the .*, with its (green|blue) side facing/);
        cube.apply(`${hold.moves} ${own}`.trim());
      }
      assert.ok([...'URFDLB'].every((_, i) => new Set(cube.facelets.slice(i * 4, i * 4 + 4)).size === 1));
      for (const { picture, steps } of stages) for (const address of [picture, steps[0].picture]) assert.equal((await client.get(address)).status, 200, address);
    }
  }],

  ['a lesson of a larger cube makes the centres, pairs the edges, and goes on as on a 3x3x3', async ({ client }) => {
    for (const size of [4, 5, 6, 7]) {
      const { scrambles: [{ moves }] } = await client.expect(200, 'GET', `/v1/scramble?size=${size}&count=1`);
      const { stages, lesson, solution } = await ask(client, { cube: { size, moves }, first: 'green' });
      assert.deepEqual(stages.slice(0, 2).map(({ name }) => name), ['centers', 'edges-paired']);
      assert.equal(lesson.first, 'green');
      const steps = stages.flatMap((stage) => stage.steps);
      assert.equal(steps.flatMap(({ hold, moves: own }) => [hold.moves, own]).filter(Boolean).join(' '), solution);
      checkArrows(size, moves, steps);
      const cube = new Cube(size).apply(moves).apply(solution);
      assert.ok([...'URFDLB'].every((_, i) => new Set(cube.facelets.slice(i * size * size, (i + 1) * size * size)).size === 1));
      assert.match(stages[0].steps[0].text, /the top (then )?shows \d+ of its \d+ \w+ centre pieces\.$/);
      assert.match(stages[1].steps[0].hint, /^Look for the pieces of the \w+-\w+ edge/);
      for (const { title, aim, picture, algorithms, steps: [step] } of stages) {
        assert.ok(title && aim.endsWith('.') && algorithms.length > 0);
        for (const address of [picture, step.picture]) assert.equal((await client.get(address)).status, 200, address);
      }
      const next = await ask(client, { cube: { size, moves }, first: 'green', steps: 1 });
      assert.equal(next.stages.length, 1);
      assert.deepEqual(next.stages[0].steps, [steps[0]]);
    }
    await ask(client, { cube: { size: 8, moves: 'R' } }, 400);
  }],

  ['asked for one step at a time, with the cube as it is then, it goes on where it was', async ({ client }) => {
    for (const first of ['white', 'B', 'any']) {
      let cube = new Cube(3).apply(SCRAMBLE);
      let count = 0;
      for (; !isSolved(cube); count++) {
        const { stages, lesson } = await ask(client, { cube: { facelets: cube.facelets }, first, steps: 1 });
        assert.equal(stages.length, 1);
        assert.equal(stages[0].steps.length, 1);
        assert.ok(lesson.steps >= 1 && count < 60);
        cube = follow(cube, stages[0].steps[0]);
      }
      const { stages, lesson } = await ask(client, { cube: { facelets: cube.facelets }, first });
      assert.deepEqual([stages, lesson.steps], [[], 0]);
    }
  }],

  ['the first layer is chosen by its colour or its letter; colours are called what they are', async ({ client }) => {
    const cube = { size: 3, moves: SCRAMBLE };
    const names = { ink: 'U', 'light blue': 'R', pink: 'F', grey: 'D', brown: 'L', purple: 'B' };
    for (const first of ['pink', 'F', 'PINK']) {
      const { stages, lesson } = await ask(client, { cube, first, colors: Object.keys(names).join(',') });
      assert.equal(lesson.first, 'pink');
      assert.equal(stages[0].steps[0].hold.up, 'purple');
      const turned = new Cube(3).apply(SCRAMBLE);
      for (const step of stages.flatMap(({ steps }) => steps)) follow(turned, step, names);
      assert.ok(isSolved(turned));
      assert.match(stages[0].aim, /pink/);
    }
    const yellow = await ask(client, { cube: { size: 3, moves: "R U R'" }, first: 'any' });
    assert.equal(yellow.lesson.first, 'yellow', 'two layers are done below');
    const byQuery = await client.expect(200, 'GET', `/v1/solve?method=beginner&moves=R&first=red&language=en&steps=2&colors=${Object.keys(COLOURS).join(',')}`);
    assert.equal(byQuery.lesson.first, 'red');
  }],

  ['what is no colour is refused, and lessons for other methods', async ({ client }) => {
    const cube = { size: 3, moves: SCRAMBLE };
    for (const [body, pointer] of [
      [{ first: 'purple' }, '/first'], [{ first: 'X' }, '/first'], [{ first: '' }, '/first'], [{ first: 1 }, '/first'],
      [{ colors: 'white,red' }, '/colors'], [{ colors: 'a,b,c,d,e,e' }, '/colors'], [{ colors: 'a,b,c,d,e,f,g' }, '/colors'],
      [{ colors: 'a,b,c,d,e,' }, '/colors'], [{ colors: `a,b,c,d,e,${'f'.repeat(25)}` }, '/colors'], [{ colors: 'a,b,c,d,e,f-g' }, '/colors'], [{ colors: 'any,b,c,d,e,f', first: 'any' }, '/colors'],
      [{ language: 'xx' }, '/language'], [{ steps: 0 }, '/steps'], [{ steps: 1001 }, '/steps'],
      [{ method: 'two_phase', first: 'red' }, '/first'], [{ method: undefined, steps: 1 }, '/steps'], [{ method: undefined, language: 'en', until: { name: 'cross' } }, '/language'],
    ]) assert.equal((await ask(client, { cube, ...body }, 400)).pointer, pointer, JSON.stringify(body));
  }],

  ['to another cube than the solved one there are moves, but no words', async ({ client }) => {
    const { solution, lesson, stages } = await ask(client, { cube: { size: 3, moves: 'R U' }, until: { cube: { size: 3, moves: 'F' } } });
    assert.equal(lesson, undefined);
    assert.ok(stages.every(({ steps, aim }) => !aim && steps.every(({ text, hold }) => text === null && !hold)));
    assert.equal(stages.map(({ moves }) => moves).join(' '), solution);
  }],
];
