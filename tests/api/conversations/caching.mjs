// Caching: what may be kept, by whom, and that a client that has it gets 304.

import assert from 'node:assert/strict';

const SHARED = 'no-cache', PRIVATE = 'private, no-cache', PURE = 'public, max-age=86400', NONE = 'no-store';

const FIXED = ['/v1/formats', '/v1/limits', '/v1/solvers', '/v1/patterns', '/v1/patterns/cross', '/openapi.yaml', '/openapi.json', '/', '/docs'];
const FOLLOWS = ['/v1/apply?moves=R', '/v1/algorithm?moves=R', '/v1/convert?size=3', '/v1/validate?size=3', '/v1/match?size=3&pattern=cross', '/v1/facts?size=3', '/v1/image.svg?size=3', '/v1/image.png?size=3', '/v1/visualcube?pzl=3', '/v1/scramble?size=3&seed=a', '/v1/states?size=3&seed=a'];
const DIFFERS = ['/v1/solve?moves=R', '/healthz', '/readyz', '/metrics', '/v1/scramble?size=3', '/v1/states?size=3'];

async function stored(client) {
  const session = await client.session({ size: 3, access: 'edit' });
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' });
  const solve = await client.expect(201, 'POST', '/v1/solves', { session: session.id, scramble: 'R', solution: "R'@1000" });
  return [session.path, `${session.path}/cube`, `${session.path}/history`, `${session.path}/tokens`, '/v1/sessions?limit=1', `/v1/solves/${solve.id}`,
    `/v1/solves?session=${session.id}`, `/v1/solves/stats?session=${session.id}`, `/v1/apply?session=${session.id}`, `/v1/match?session=${session.id}&pattern=cross`, `/v1/patterns?session=${session.id}`,
    `/v1/image.svg?session=${session.id}`];
}

export default [
  ['what may be kept says for whom and how long', async ({ client }) => {
    const kinds = [[FIXED, SHARED], [FOLLOWS, PURE], [DIFFERS, NONE], [await stored(client), PRIVATE]];
    for (const [targets, cache] of kinds) {
      for (const target of targets) {
        const { status, headers } = await client.get(target);
        assert.deepEqual([status, headers['cache-control']], [200, cache], target);
        assert.equal(/^"[^"]+"$/.test(headers.etag ?? ''), cache !== NONE, `${target} ${headers.etag}`);
        assert.equal(headers.vary, cache === NONE ? undefined : 'Accept, Accept-Encoding', target);
      }
    }
  }],

  ['a client that has it gets 304, which says as much', async ({ client }) => {
    for (const target of [...FIXED, ...FOLLOWS, ...(await stored(client))]) {
      let first = await client.get(target);
      for (const method of ['GET', 'HEAD']) {
        const ask = () => client.send(method, target, { headers: { 'if-none-match': first.headers.etag } });
        let again = await ask();
        // A server that has just begun is still making tables, which the solvers show.
        for (let tries = 0; tries < 10 && target === '/v1/solvers' && again.status === 200; tries++) {
          first = await client.get(target);
          again = await ask();
        }
        assert.deepEqual([again.status, again.text, again.type], [304, '', ''], `${method} ${target}`);
        for (const name of ['etag', 'cache-control', 'vary']) assert.equal(again.headers[name], first.headers[name], `${target} ${name}`);
      }
      assert.equal((await client.get(target, { headers: { 'if-none-match': '"000000000000"' } })).status, 200, target);
    }
  }],

  ['an ETag of the answer changes with it, and with its media type', async ({ client }) => {
    const etag = async (target, accept) => (await client.get(target, { accept })).headers.etag;
    const { id, path } = await client.session({ size: 3, access: 'edit', listed: true });
    const all = [await etag(`/v1/apply?session=${id}`), await etag('/v1/apply'), await etag('/v1/apply', 'text/plain'), await etag('/v1/apply', 'image/svg+xml'),
      await etag('/v1/apply?as=faces'), await etag('/openapi.yaml'), await etag('/openapi.yaml', 'text/plain'), await etag('/v1/sessions?limit=1')];
    await client.expect(200, 'POST', `${path}/moves`, { moves: 'R' });
    all.push(await etag(`/v1/apply?session=${id}`), await etag('/v1/sessions?limit=1'));
    assert.equal(new Set(all.map((one) => one ?? assert.fail('no ETag'))).size, all.length - 1, 'of a new session apply tells the same as of a solved cube');
  }],

  ['answers to other methods, errors and tokens are never kept', async ({ client }) => {
    const { id, path } = await client.session({ size: 3, access: 'edit' });
    const answers = [
      await client.post('/v1/apply', { moves: 'R' }), await client.post('/v1/facts', { cube: { size: 3 } }), await client.post(`${path}/moves`, { moves: 'R' }),
      await client.post('/v1/sessions', { size: 2 }), await client.post(`${path}/tokens`, { role: 'viewer' }), await client.get('/v1/apply?moves=Q'),
      await client.get('/v1/nothing'), await client.get('/v1/sessions/0000000000000000'), await client.post('/v1/apply', { cube: { session: id } }),
    ];
    for (const { headers } of answers) assert.deepEqual([headers['cache-control'], headers.vary], [NONE, undefined]);
  }],
];
