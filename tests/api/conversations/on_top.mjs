// The members of a cube at the top of a body: every POST that takes `cube` takes them, and answers as if they stood in it.

import assert from 'node:assert/strict';
import { contract } from '../client.mjs';

const FACELETS = 'UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB';
const TWISTED = 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';

/** The members that some calls need beside the cube. */
const BESIDE = { '/v1/match': { pattern: { name: 'cross' } }, '/v1/solve': { wait_ms: 60000 } };
/** Calls whose members of these names are their own. */
const OWN = { '/v1/apply': ['moves', 'notation', 'size'], '/v1/sessions': ['size', 'notation'], '/v1/search': ['size'] };
/** The members that differ each time. */
const FRESH = ['id', 'token', 'created_at', 'updated_at', 'time_ms', 'nodes', 'request_id', 'kept'];

const schemaOf = ({ body }) => contract.resolve(body?.schema).value;

/** The calls that take `cube`, by openapi.yaml. */
const calls = contract.operations.filter((one) => one.method === 'POST' && schemaOf(one)?.properties?.cube).map(({ path }) => path);

async function post(client, path, body) {
  const { status, json, text } = await client.post(path, { ...BESIDE[path], ...body });
  const kept = Array.isArray(json) ? json : Object.fromEntries(Object.entries(json ?? {}).filter(([name]) => !FRESH.includes(name)));
  return { status, json: kept, text };
}

/** Both forms get the same answer; returns it. */
async function alike(client, path, cube) {
  const [inside, on_top] = [await post(client, path, { cube }), await post(client, path, cube)];
  assert.deepEqual([on_top.status, on_top.json], [inside.status, inside.json], `${path} ${JSON.stringify(cube)} ${on_top.text}`);
  return on_top;
}

export default [
  ['every call that takes a cube is asked, and documents both forms', async () => {
    assert.deepEqual(calls.sort(), ['/v1/apply', '/v1/convert', '/v1/facts', '/v1/features', '/v1/invert', '/v1/match', '/v1/search', '/v1/sessions', '/v1/solve', '/v1/validate']);
    for (const one of contract.operations.filter(({ path, method }) => method === 'POST' && calls.includes(path))) {
      assert.deepEqual(schemaOf(one).allOf, [{ $ref: '#/components/schemas/CubeDescription' }], one.path);
    }
  }],

  ['a description at the top is answered as one in the cube', async ({ client }) => {
    for (const path of calls) {
      for (const cube of [{ facelets: FACELETS }, { reid: 'UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR' }, { index: '12345' }]) {
        const { status, text } = await alike(client, path, cube);
        assert.ok(status < 300, `${path} ${text}`);
      }
      for (const cube of path === '/v1/apply' ? [] : [{ moves: 'R U' }, { size: 3, moves: "R U R' U'", notation: 'sign' }, { facelets: FACELETS, moves: 'F2' }]) {
        const { status, text } = await alike(client, path, cube);
        assert.ok(status < 300, `${path} ${text}`);
      }
    }
  }],

  ['an answered cube at the top is read again', async ({ client }) => {
    const { cube } = await client.expect(200, 'POST', '/v1/convert?as=faces,cubies,index,net', { moves: "F R' D2" });
    for (const path of calls.filter((one) => one !== '/v1/apply')) assert.ok((await alike(client, path, cube)).status < 300, path);
  }],

  ['what is wrong is named as it was sent', async ({ client }) => {
    for (const path of calls) {
      const wrong = [{ facelets: 'UUU' }, { facelets: FACELETS, size: 4 }, { index: 'x' }, { session: '!' }, { at: 1 }, { facelets: FACELETS, cubies: 5 }];
      for (const cube of wrong) {
        const [inside, on_top] = [await post(client, path, { cube }), await post(client, path, cube)];
        assert.deepEqual([inside.status, on_top.status], [400, 400], `${path} ${JSON.stringify(cube)} ${on_top.text}`);
        assert.deepEqual(on_top.json, { ...JSON.parse(JSON.stringify(inside.json).replaceAll('"/cube/', '"/')) }, path);
      }
      const { json } = await post(client, path, { facelet: FACELETS });
      assert.deepEqual([json.status, json.pointer, json.suggestion], [400, '/facelet', 'facelets'], path);
    }
    for (const path of calls.filter((one) => one !== '/v1/apply')) {
      const { json } = await post(client, path, { moves: 'R Q' });
      assert.deepEqual([json.status, json.pointer, json.column], [422, '/moves', 3], path);
    }
    for (const path of ['/v1/apply', '/v1/facts', '/v1/invert', '/v1/features', '/v1/solve', '/v1/sessions']) {
      const { json } = await post(client, path, { facelets: TWISTED });
      assert.deepEqual([json.status, json.pointer], [422, '/facelets'], path);
    }
  }],

  ['members of a cube beside the cube are refused, one by one', async ({ client }) => {
    for (const path of calls) {
      for (const [name, value] of Object.entries({ moves: 'R', size: 3, facelets: FACELETS, session: '7n3k9qv2m5x8c4tz', solved: false })) {
        if (OWN[path]?.includes(name)) continue;
        const { json } = await post(client, path, { cube: {}, [name]: value });
        assert.deepEqual([json.status, json.pointer, json.detail], [400, `/${name}`, `${name} is not allowed beside cube; send it inside cube, or leave cube out.`], path);
      }
      const { json } = await post(client, path, { cube: {}, facelets: FACELETS, reid: '' });
      assert.deepEqual(json.errors.map(({ pointer }) => pointer), ['/facelets', '/reid'], path);
    }
  }],

  ['own members of a call keep their meaning', async ({ client }) => {
    const applied = await client.expect(200, 'POST', '/v1/apply', { facelets: FACELETS, moves: "R'" });
    assert.deepEqual([applied.moves, applied.cube.solved], ["R'", true]);
    const session = await client.expect(201, 'POST', '/v1/sessions', { size: 4, moves: 'Rw', scramble: 'U' });
    const { cube } = await client.expect(200, 'POST', '/v1/apply', { size: 4, moves: 'Rw U' });
    assert.equal(session.cube.facelets, cube.facelets);
    const { json } = await client.post('/v1/sessions', { size: 4, facelets: FACELETS });
    assert.deepEqual([json.status, json.pointer], [400, '/size']);
    const lines = `${JSON.stringify({ moves: 'R U', method: 'beginner' })}\n${JSON.stringify({ cube: {}, moves: 'R' })}\n`;
    const solved = await client.send('POST', '/v1/solve', { body: lines, headers: { 'content-type': 'application/x-ndjson' } });
    const [first, second] = solved.text.split('\n').slice(0, 2).map((line) => JSON.parse(line));
    assert.deepEqual([first.method, second.line, second.error.pointer], ['beginner', 2, '/moves']);
  }],
];
