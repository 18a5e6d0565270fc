// Parts of answers can be sent back: turns, and cubes in every form. The answers are those of all documented operations
// to their examples; the calls that read a cube or moves are all whose bodies refer to those schemas.

import assert from 'node:assert/strict';
import { contract } from '../client.mjs';
import { kitchenTable, requestNames, sendExample, settle } from '../documented.mjs';
import { Cube } from '../model.mjs';

const apply = (client, json, query = '') => client.expect(200, 'POST', `/v1/apply${query}`, json);

const refused = async (client, json, pointer) => {
  const problem = await client.expect(400, 'POST', '/v1/apply', json);
  assert.equal(problem.pointer, pointer, JSON.stringify(json));
  return problem;
};

/** Returns the places in the body of an operation that refer to a schema: lists of members, '[]' for an item. */
function placesOf(operation, wanted) {
  const found = new Map();
  const walk = (schema, path, seen) => {
    if (schema?.$ref?.endsWith(`/${wanted}`)) return found.set(path.join(), path);
    if (!schema || seen.includes(schema.$ref) || schema.$ref?.endsWith('/CubeInput')) return undefined;
    if (schema.$ref) return walk(contract.resolve(schema).value, path, [...seen, schema.$ref]);
    for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(part, path, seen);
    for (const [name, member] of Object.entries(schema.properties ?? {})) walk(member, [...path, name], seen);
    if (schema.items) walk(schema.items, [...path, '[]'], seen);
    return undefined;
  };
  walk(operation.body?.schema, [], []);
  return [...found.values()];
}

/** A body with the value at that place. */
const bodyWith = (path, value, base) => {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return name === '[]' ? [bodyWith(rest, value, {})] : { ...base, [name]: bodyWith(rest, value, base?.[name] ?? {}) };
};

/** The members that a call needs beside its cube; nothing for most. Null: read by a test of its own, or not about one
 * state. */
const BESIDE_CUBE = {
  'POST /v1/features cubes,[]': ({ size }) => (size === 3 ? {} : null),
  'POST /v1/features cube': ({ size }) => (size === 3 ? {} : null),
  'POST /v1/match cube': () => ({ pattern: { name: 'cross' } }),
  'POST /v1/solve cube': ({ size }) => (size > 3 ? null : { wait_ms: 60000 }),
  'POST /v1/solve until,cube': () => null,
};

/** The same for moves. */
const BESIDE_MOVES = {
  'POST /v1/apply moves': ({ size }) => ({ size }),
  'POST /v1/algorithm moves': ({ size }) => ({ size }),
  'POST /v1/algorithm rotation': () => null,
  ...Object.fromEntries(['convert', 'validate', 'facts', 'invert'].map((call) => [`POST /v1/${call} moves`, ({ size }) => ({ size })])),
  'POST /v1/features moves': ({ size }) => (size === 3 ? { size } : null),
  'POST /v1/match moves': ({ size }) => ({ size, pattern: { name: 'solved' } }),
  'POST /v1/search moves': () => null,
  'POST /v1/solve moves': ({ size }) => (size > 3 ? null : { size, wait_ms: 60000 }),
  'POST /v1/sessions moves': ({ size }) => ({ size }),
  'POST /v1/sessions scramble': ({ size }) => ({ size }),
  'POST /v1/solves scramble': ({ size }) => ({ size, time_ms: 1000 }),
  'POST /v1/solves solution': ({ size }) => ({ size, scramble: 'R', time_ms: 1000 }),
  'POST /v1/solve generators': () => null,
};

/** All values within a JSON value, outermost first. */
function* within(value) {
  if (value === null || typeof value !== 'object') return;
  yield value;
  for (const member of Object.values(value)) yield* within(member);
}

const jsonOf = ({ type, text, json }) => {
  if (type === 'application/x-ndjson') return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  if (type === 'text/event-stream') return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => JSON.parse(data));
  return type.endsWith('json') ? json : null;
};

/** The answers of every operation to its examples, with all formats and turns that it offers. */
async function* answers(client, formats) {
  const all = formats.map(({ name }) => name);
  const every = formats.filter(({ sizes }) => sizes.max === 100).map(({ name }) => name);
  for (const operation of contract.operations) {
    const takes = (name) => operation.parameters.some((parameter) => parameter.name === name);
    const names = requestNames(operation);
    for (const name of names.length ? names : [null]) {
      for (const as of takes('as') ? [all, every] : [[]]) {
        const query = { ...(as.length && { as: as.join() }), ...(takes('turns') && { turns: 'true' }) };
        const answer = await sendExample(client, operation, name, { query });
        const json = answer.status < 300 && jsonOf(answer);
        if (json) yield [`${operation.id} ${name ?? ''}`, json];
        if (answer.status < 300) break;
      }
    }
  }
}

/** Distinct cubes and lists of turns in all answers. */
async function answered(client) {
  const { items: formats } = await client.expect(200, 'GET', '/v1/formats');
  const cubes = new Map();
  const turns = new Map();
  const sources = new Set();
  for await (const [source, json] of answers(client, formats)) {
    for (const value of within(json)) {
      if (typeof value.facelets === 'string' && typeof value.solved === 'boolean') {
        cubes.set(JSON.stringify(value), value);
        sources.add(source.split(' ')[0]);
      }
      if (value.turns?.[0]?.face) turns.set(JSON.stringify(value.turns), { size: (value.cube ?? json.cube ?? { size: 3 }).size, turns: value.turns });
    }
  }
  return { cubes: [...cubes.values()], turns: [...turns.values()], sources };
}

const readersOf = (schema) =>
  contract.operations.flatMap((operation) => placesOf(operation, schema).map((path) => ({ operation, path, key: `${operation.method} ${operation.path} ${path.join()}` })));

/** The answer, without what differs from run to run. */
async function reading(client, { operation, path }, value, base) {
  const id = operation.path.includes('{id}') ? await kitchenTable(client) : '';
  const target = operation.path.replace('{id}', id).replace('{name}', 'own').replace('{token_id}', '1');
  const answer = await client.send(operation.method, target, { json: bodyWith(path, value, base) });
  if (answer.json?.looked_at !== undefined) return [answer.status, {}]; // the number of looks depends on the time
  return [answer.status, settle(answer.json) ?? answer.text];
}

export const storeless = true;

export default [
  ['every answered cube is read as the same cube by every call that reads one', async ({ client }) => {
    const { cubes, sources } = await answered(client);
    assert.ok(cubes.length > 20 && sources.size > 10, `${cubes.length} cubes of ${[...sources]}`);
    const readers = readersOf('CubeInput');
    assert.ok(readers.length > 8, readers.map(({ key }) => key).join('; '));
    for (const cube of cubes) {
      const known = cube.compact_poses && cube.identity !== 'assumed';
      const alone = known ? { compact_poses: cube.compact_poses } : { facelets: cube.facelets };
      for (const reader of readers) {
        const base = BESIDE_CUBE[reader.key]?.(cube) ?? (reader.key in BESIDE_CUBE ? null : {});
        if (base === null) continue;
        const [status, answer] = await reading(client, reader, cube, base);
        const [wanted, expected] = await reading(client, reader, alone, base);
        if (status < 300) assert.deepEqual([status, answer], [wanted, expected], `${reader.key}: ${JSON.stringify(cube)}`);
        else assert.deepEqual([status, answer.type, answer.problem_count], [wanted, expected.type, expected.problem_count], `${reader.key}: ${JSON.stringify(cube)}`);
        assert.ok(status < 500 && status !== 400, `${reader.key}: ${JSON.stringify(answer)}`);
      }
    }
  }],

  ['an answered cube is a goal of a search', async ({ client }) => {
    const { cube } = await apply(client, { size: 3, moves: "R U F'" }, '?as=facelets,cubies,reid,index,poses,net');
    const { solution } = await client.expect(200, 'POST', '/v1/solve', { cube: {}, until: { cube }, wait_ms: 60000 });
    assert.equal(new Cube(3).apply(solution).facelets, cube.facelets);
  }],

  ['every answered list of turns is read by every call that reads moves', async ({ client }) => {
    const { turns: lists } = await answered(client);
    assert.ok(lists.length > 2, `${lists.length} lists`);
    for (const { size, turns } of lists) {
      const text = turns.map(({ move }) => move).join(' ');
      for (const reader of readersOf('Moves')) {
        const base = BESIDE_MOVES[reader.key]?.({ size }) ?? (reader.key in BESIDE_MOVES ? null : {});
        if (base === null) continue;
        const read = await reading(client, reader, turns, base);
        assert.deepEqual(read, await reading(client, reader, text, base), `${reader.key}: ${text}`);
        assert.ok(read[0] < 300 || reader.key.includes('/v1/sessions/'), `${reader.key}: ${JSON.stringify(read)}`);
      }
    }
  }],

  ['several forms must describe one cube; the one that identifies most is read', async ({ client }) => {
    const forms = 'faces,cubies,reid,index,features,flatten,pieces,rubyks,poses,compact_poses,kpattern,ranks,names,net';
    const { cube } = await apply(client, { size: 3, moves: "R U x M'" }, `?as=${forms}`);
    const { cube: other } = await apply(client, { size: 3, moves: "R U x M' F" }, `?as=${forms}`);
    assert.equal((await apply(client, { cube })).cube.identity, undefined, 'the poses know every sticker');
    for (const form of forms.split(',')) {
      const { cube: again } = await apply(client, { cube: { facelets: cube.facelets, [form]: cube[form] } });
      assert.equal(again.facelets, cube.facelets, form);
      const [first, second] = form.includes('poses') ? [form, 'facelets'] : ['facelets', form];
      const problem = await refused(client, { cube: { [first]: cube[first], [second]: other[second] } }, `/cube/${second}`);
      assert.match(problem.detail, new RegExp(`${second} .*${first}`));
    }
    const { cube: two } = await apply(client, { size: 2, moves: "R y" }, '?as=index,cubies');
    assert.equal((await apply(client, { cube: two })).cube.facelets, two.facelets, 'an index of two layers, held another way');
    await refused(client, { cube: { facelets: two.facelets, reid: cube.reid } }, '/cube/reid');
    const asked = await client.expect(400, 'GET', `/v1/apply?facelets=${cube.facelets}&index=0`);
    assert.equal(asked.parameter, 'index');
    await client.expect(200, 'GET', `/v1/apply?size=3&facelets=${cube.facelets}&index=${cube.index}`);
    assert.equal((await client.expect(400, 'GET', `/v1/apply?size=4&facelets=${cube.facelets}`)).parameter, 'size');
  }],

  ['what is derived from a cube must agree with it', async ({ client }) => {
    const { facelets } = new Cube(3).apply('R');
    for (const [member, value] of [['solved', true], ['home', true], ['possible', false], ['size', 2], ['identity', 'known'], ['solved', 'no']]) {
      await refused(client, { cube: { facelets, [member]: value } }, `/cube/${member}`);
    }
    const session = await client.session({ size: 3, access: 'edit' });
    await refused(client, { cube: { session: session.id, solved: false } }, '/cube/solved');
    await refused(client, { cube: { session: session.id, size: 4 } }, '/cube/size');
    await apply(client, { cube: { session: session.id, size: 3, solved: true, home: true }, size: 3 });
    await refused(client, { cube: { size: 3, solved: false } }, '/cube/solved');
    const { cube } = await apply(client, { size: 3, moves: 'R' }, '?as=poses');
    assert.equal((await apply(client, { cube: { ...cube, identity: 'assumed' } })).cube.identity, 'assumed');
    // From colours alone, centres of one colour may stand in each other's places.
    const { cube: four } = await apply(client, { size: 4, moves: "r U2 r' U2 r U2 r' U2" });
    await apply(client, { cube: four });
    const moved = await apply(client, { cube: { facelets, solved: false, moves: "R'" } });
    assert.equal(moved.cube.solved, true, 'what is derived is of the cube before the moves');
  }],

  ['a string is facelets, and blanks in facelets are skipped', async ({ client }) => {
    const { facelets } = new Cube(3).apply("R U F'");
    const laid = facelets.match(/.{9}/g).map((face) => face.match(/.../g).join(' ')).join('\n\t ');
    for (const cube of [facelets, laid, { facelets: laid }]) assert.equal((await apply(client, { cube })).cube.facelets, facelets);
    const { cube } = await client.expect(200, 'GET', `/v1/apply?facelets=${encodeURIComponent(laid)}`);
    assert.equal(cube.facelets, facelets);
    const { cube: product } = await client.expect(200, 'POST', '/v1/compose', { cubes: [facelets, laid] });
    assert.equal(product.facelets, new Cube(3).apply("R U F' R U F'").facelets);
    assert.equal((await client.expect(200, 'POST', '/v1/features', { cubes: [laid] })).rows?.length ?? 1, 1);
    await refused(client, { cube: 5 }, '/cube');
    const short = await refused(client, { cube: facelets.slice(1) }, '/cube');
    assert.equal(short.detail, '53 letters; a 3x3x3 has 54, a 2x2x2 24.');
    const at = await refused(client, { cube: laid.replace('R', '?') }, '/cube');
    assert.equal(at.offset, laid.indexOf('R'));
  }],

  ['answered turns are read as they are, with their spelling', async ({ client }) => {
    for (const [size, moves] of [[2, "R U2' x y'"], [3, "R M' E2 S Fw2' x y2 z' u Lw"], [4, "2R 3-4Uw' Lw2 m D 4B'"], [7, "M 3Fw2 2-4L s' z"]]) {
      for (const listing of ['true', 'cubies']) {
        const answered = await apply(client, { size, moves }, `?turns=${listing}`);
        const again = await apply(client, { size, moves: answered.turns }, `?turns=${listing}`);
        assert.deepEqual(again, answered);
      }
    }
  }],

  ['what an answered turn says twice must agree', async ({ client }) => {
    const { turns: [turn] } = await apply(client, { size: 3, moves: "Rw'" }, '?turns=true');
    assert.deepEqual(turn, { face: 'R', from: 1, to: 2, turns: -1, axis: [1, 0, 0], layers: [1, 2], move: "Rw'" });
    for (const [member, value] of [['axis', [-1, 0, 0]], ['layers', [1, 1]], ['layers', [1, 2, 3]], ['move', 'Rw'], ['move', 'R R'], ['move', '?'], ['turns', 1]]) {
      const { pointer, expected } = await refused(client, { size: 3, moves: [{ ...turn, [member]: value }] }, `/moves/0/${member === 'turns' ? 'move' : member}`);
      assert.ok(expected, pointer);
    }
    await refused(client, { moves: [{ axis: [1, 0, 0] }] }, '/moves/0');
    await refused(client, { moves: [{ axis: 'x', move: 'R' }] }, '/moves/0');
    await refused(client, { moves: [{ face: 'R', axis: 'x' }] }, '/moves/0');
    await refused(client, { moves: [{ face: 'R', axis: 5 }] }, '/moves/0/axis');
    await refused(client, { moves: [{ face: 'R' }, 'U'] }, '/moves/1');
  }],

  ['moves may be an array of texts, read as the lines of one', async ({ client }) => {
    const asked = await apply(client, { size: 3, moves: "R U' (F B)2 L" });
    const again = await apply(client, { size: 3, moves: ['R', "U' // to the end of its line", '(F', 'B)2', '', 'L'] });
    assert.deepEqual(again, asked);
    assert.equal((await apply(client, { cube: { moves: ['R', "U'"] } })).cube.facelets, (await apply(client, { moves: "R U'" })).cube.facelets);
    await refused(client, { moves: ['R', 5] }, '/moves/1');
    await refused(client, { moves: new Array(10001).fill('R') }, '/moves');
    await client.expect(200, 'POST', '/v1/apply', { moves: new Array(10000).fill('R') });
    const problem = await client.expect(422, 'POST', '/v1/apply', { moves: ['R', "U' Q F", 'D'] });
    assert.deepEqual([problem.pointer, problem.offset, problem.length, problem.column], ['/moves/1', 3, 1, 4]);
    const open = await client.expect(422, 'POST', '/v1/apply', { moves: ['R', 'U', '(F'] });
    assert.deepEqual([open.pointer, open.offset], ['/moves/2', 0]);
    const session = await client.session({ size: 3, access: 'edit' });
    const { entry } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: ['R@0', "U'@120"] });
    assert.deepEqual([entry.moves, entry.times_ms], ["R U'", [0, 120]]);
  }],
];
