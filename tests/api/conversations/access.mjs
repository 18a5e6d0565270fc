// Tests the rights of each kind of token on each route, on sessions of each access; docs/reference/access.md says what
// is right.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contract } from '../client.mjs';
import { assetVersion } from '../documented.mjs';
import { sleep } from '../../support/patience.mjs';

const DOCUMENT = readFileSync(new URL('../../../docs/reference/access.md', import.meta.url), 'utf8');

/** The rows of the table of routes: "GET /v1/limits" -> "nothing". */
const NEEDS = new Map([...DOCUMENT.matchAll(/^\| `([A-Z]+ \/[^`]*)` \| (nothing|see|token|turn|own) \|$/gm)].map(([, route, need]) => [route, need]));

const LEVEL = { nothing: 0, see: 1, turn: 2, own: 3 };
const ACCESS = { none: 0, view: 1, edit: 2 };
const WHO = { nobody: 0, foreign: 0, unknown: 0, viewer: 1, editor: 2, owner: 3 };

/** The requests of routes that need more than their path. */
const REQUESTS = {
  'GET /v1/apply': ({ id }) => ({ query: `?session=${id}&moves=R` }),
  'POST /v1/apply': ({ id }) => ({ json: { cube: { session: id }, moves: 'R' } }),
  'POST /v1/algorithm': () => ({ json: { moves: 'R U' } }),
  'POST /v1/convert': ({ id }) => ({ json: { cube: { session: id } } }),
  'POST /v1/validate': ({ id }) => ({ json: { cube: { session: id } } }),
  'POST /v1/compose': ({ id }) => ({ json: { cubes: [{ session: id }, { size: 3 }] } }),
  'POST /v1/invert': ({ id }) => ({ json: { cube: { session: id } } }),
  'POST /v1/features': () => ({ json: { cubes: [{ size: 3 }] } }),
  'POST /v1/match': ({ id }) => ({ json: { cube: { session: id }, pattern: { name: 'solved' } } }),
  'POST /v1/solve': ({ id }) => ({ json: { cube: { session: id } } }),
  'GET /v1/algorithm': () => ({ query: '?moves=R+U' }),
  'GET /v1/convert': ({ id }) => ({ query: `?session=${id}` }),
  'GET /v1/validate': ({ id }) => ({ query: `?session=${id}` }),
  'GET /v1/match': ({ id }) => ({ query: `?session=${id}&pattern=solved` }),
  'GET /v1/solve': ({ id }) => ({ query: `?session=${id}` }),
  'GET /v1/image.svg': ({ id }) => ({ query: `?session=${id}&view=net` }),
  'GET /v1/image.png': ({ id }) => ({ query: `?session=${id}&view=net` }),
  'GET /v1/facts': ({ id }) => ({ query: `?session=${id}` }),
  'POST /v1/facts': ({ id }) => ({ json: { cube: { session: id } } }),
  'GET /v1/patterns': ({ id }) => ({ query: `?session=${id}` }),
  'GET /v1/patterns/{name}': ({ id }) => ({ query: `?session=${id}` }),
  'PUT /v1/patterns/{name}': ({ id }) => ({ query: `?session=${id}`, json: { pattern: { name: 'f2l' } } }),
  'DELETE /v1/patterns/{name}': ({ id }) => ({ query: `?session=${id}` }),
  'POST /v1/sessions': ({ id }) => ({ json: { cube: { session: id } } }),
  'PATCH /v1/sessions/{id}': () => ({ json: { name: 'other' } }),
  'POST /v1/sessions/{id}/moves': () => ({ json: { moves: 'U' } }),
  'POST /v1/sessions/{id}/cue': () => ({ json: { text: 'here' } }),
  'POST /v1/sessions/{id}/scramble': () => ({ json: { moves: 'U' } }),
  'POST /v1/tickets': ({ id }) => ({ json: { sessions: [{ id }] } }),
  'GET /v1/events': ({ ticket }) => ({ query: `?ticket=${ticket}` }),
  'POST /v1/search': ({ id }) => ({ json: { cube: { session: id } } }),
  'POST /v1/sessions/{id}/find': () => ({ json: { pattern: { name: 'solved' } } }),
  'GET /v1/solves': ({ id }) => ({ query: `?session=${id}` }),
  'POST /v1/solves': ({ id }) => ({ json: { session: id, time_ms: 12340 } }),
  'POST /v1/solves/import': ({ id }) => ({ query: `?session=${id}`, json: { session1: [[[0, 1], '', '', 0]] } }),
  'GET /v1/solves/stats': ({ id }) => ({ query: `?session=${id}` }),
  'PATCH /v1/solves/{solve_id}': () => ({ json: { penalty: '+2' } }),
  'POST /v1/sessions/{id}/tokens': () => ({ json: { role: 'viewer' } }),
  'PATCH /v1/sessions/{id}/tokens/{token_id}': () => ({ json: { label: 'New' } }),
};

/** The parts of paths other than {id}. */
const PARTS = { token_id: '4', 'PATCH /v1/sessions/{id}/tokens/{token_id}': 'self', name: 'mine', 'GET /v1/patterns/{name}': 'solved', 'GET /v1/sets/{name}': 'coll', 'GET /v1/sets/{name}/{case_name}': 'coll/coll-h-1', 'GET /docs/problems/{name}': 'gone', 'GET /docs/guide/{name}': 'turn-a-cube', 'GET /docs/reference/{name}': 'limits', 'GET /docs/internals/{name}': 'live', 'GET /assets/{version}/pack/{name}': 'page.js', 'GET /assets/{version}/page/{name}': 'app.js', 'GET /assets/{version}/page/{folder}/{name}': 'docs/search.js', 'GET /assets/{version}/page/words/{language}/{name}': 'de/play.js', 'GET /assets/{version}/client/{name}': 'client.js', 'GET /assets/{version}/library/{name}': 'cube.js', 'GET /assets/{version}/client/{folder}/{name}': 'view/view.js' };

/** A session with a token of each role, and one (number 4) to be revoked. */
async function shared(client, access) {
  const session = await client.session({ size: 3, access: 'edit' });
  const version = await assetVersion(client);
  const tokens = { owner: session.token, nobody: null };
  for (const role of ['editor', 'viewer']) {
    tokens[role] = (await client.expect(201, 'POST', `${session.path}/tokens`, { role, label: role })).token;
  }
  await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer' });
  await client.expect(201, 'PUT', '/v1/patterns/mine', { pattern: { name: 'f2l' } }, { token: session.token });
  return { id: session.id, path: session.path, tokens, access, version };
}

const close = (client, session) => client.expect(200, 'PATCH', session.path, { access: session.access });

const forged = (token) => token.slice(0, 17) + [...token.slice(17, 68)].reverse().join('') + '0';

/** Something to take back, made by him who will ask for it. */
async function prepare(client, route, session, token) {
  if (route.includes('{solve_id}')) {
    session.solve = (await client.expect(201, 'POST', '/v1/solves', { session: session.id, time_ms: 12340 }, { token })).id;
  }
  if (route === 'GET /v1/events') {
    const sessions = [{ id: session.id, token: session.tokens.owner }];
    session.ticket = (await client.expect(201, 'POST', '/v1/tickets', { sessions })).ticket;
  }
  const call = route.split('/').at(-1);
  if (!['undo', 'redo', 'reset'].includes(call)) return;
  await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' }, { token });
  if (call === 'redo') await client.expect(200, 'POST', `${session.path}/undo`, {}, { token });
}

function right(route, need, who, access) {
  if (who === 'unknown') return [401, 'token-invalid'];
  if (route.endsWith('/security.txt')) return [404, 'no-such-route']; // this server names no contact
  if (need === 'nothing' || (need === 'token' && WHO[who] > 0)) return [200];
  const has = Math.max(WHO[who], ACCESS[access]);
  if (has >= LEVEL[need]) return [200]; // no level is "token": rights without one do not count
  if (has === 0) return [404, route.includes('{solve_id}') ? 'no-such-solve' : 'not-found'];
  return WHO[who] > 0 ? [403, 'role-too-small'] : [401, 'token-required'];
}

async function tryOne(client, route, need, who, session, foreign) {
  const [method, template] = route.split(' ');
  if (template.includes('{job_id}')) PARTS.job_id = (await client.expect(202, 'POST', '/v1/solve', { cube: { size: 3 }, wait_ms: 0 })).id;
  const target = template.replace('/c/{name}', `/c/${session.id}`).replace('{version}', session.version).replace('{id}', session.id).replace('{solve_id}', session.solve).replace(/\{(?:folder|language)\}\/\{name\}|\{name\}\/\{case_name\}|\{(\w+)\}/, (_, name) => PARTS[route] ?? PARTS[name]);
  const { json = method === 'POST' ? {} : undefined, query = '' } = REQUESTS[route]?.(session) ?? {};
  const tokens = { ...session.tokens, foreign, unknown: forged(session.tokens.owner) };
  const answer = await client.send(method, target + query, { json, token: tokens[who] });
  const [status, name] = right(route, need, who, session.access);
  const seen = answer.status < 300 ? 200 : answer.status;
  assert.equal(seen, status, `${route} by ${who}, access ${session.access}: ${answer.status} ${answer.text.slice(0, 300)}`);
  if (name) assert.equal(answer.json.type, `urn:cubed:problem:${name}`);
  if (status === 401) assert.equal(answer.headers['www-authenticate'], answer.json?.type === 'urn:cubed:problem:token-invalid' ? 'Bearer error="invalid_token"' : 'Bearer');
}

const changes = (route) => !route.startsWith('GET ') && !(LEVEL[NEEDS.get(route)] <= LEVEL.see);

export default [
  ['every route has a row, and every row a route', () => {
    const routes = [...contract.operations, ...contract.pages].map(({ method, path }) => `${method} ${path}`).sort();
    assert.deepEqual([...NEEDS.keys()].sort(), routes);
  }],

  ...[...NEEDS].map(([route, need]) => [`${route} is for those who may ${need}`, async ({ client }) => {
    const foreign = (await client.session()).token;
    for (const access of need === 'nothing' ? ['view'] : Object.keys(ACCESS)) {
      let session;
      for (const who of Object.keys(WHO)) {
        if (!session || changes(route)) {
          session = await shared(client, access);
          const token = { ...session.tokens, foreign: null, unknown: null }[who];
          await prepare(client, route, session, token);
          await close(client, session);
        }
        await tryOne(client, route, need, who, session, foreign);
      }
    }
  }]),

  ['a client that may not see a session gets the answer for an unknown session', async ({ client }) => {
    const hidden = await client.session({ size: 2, access: 'none' });
    const there = await client.get(hidden.path, { token: null });
    const gone = await client.get('/v1/sessions/0123456789abcdef', { token: null });
    assert.deepEqual([there.status, there.text], [gone.status, gone.text]);
    await client.expect(204, 'DELETE', hidden.path);
    assert.deepEqual((await client.get(hidden.path, { token: null })).text, gone.text, 'nor that it was deleted');
    assert.equal((await client.get(hidden.path)).status, 410, 'but its owner is');
  }],

  ['a solve of a hidden session is answered like one that does not exist', async ({ client }) => {
    const session = await client.session({ size: 2 });
    const { token: viewer } = await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer' });
    const { id } = await client.expect(201, 'POST', '/v1/solves', { session: session.id, time_ms: 12340 });
    const foreign = (await client.session()).token;
    const bytes = ({ status, text, headers }, solve) => {
      const { date, ratelimit, 'ratelimit-policy': policy, 'x-request-id': request, ...others } = headers;
      return JSON.stringify([status, text, others]).replaceAll(solve, 'ID');
    };
    const routes = [...NEEDS.keys()].filter((route) => route.includes('{solve_id}')).map((route) => route.split(' '));
    assert.deepEqual(routes.map(([method]) => method).sort(), ['DELETE', 'GET', 'PATCH']);
    const key = { 'idempotency-key': '"once"' };
    await client.expect(200, 'PATCH', `/v1/solves/${id}`, { penalty: '+2' }, { headers: key });
    const compare = async (when) => {
      const none = '0'.repeat(id.length);
      for (const [method, path] of [...routes, ['HEAD', '/v1/solves/{solve_id}']]) {
        for (const token of [null, foreign]) {
          for (const headers of [{}, { 'if-match': '*' }, { 'if-none-match': '*' }, { 'idempotency-key': `"${method}"` }]) {
            const options = { token, headers, json: method === 'PATCH' ? { penalty: '+2' } : undefined };
            const ask = async (solve) => bytes(await client.send(method, path.replace('{solve_id}', solve), options), solve);
            const hidden = await ask(id);
            assert.equal(hidden, await ask(none), `${method} ${when} ${JSON.stringify(headers)}`);
            assert.match(hidden, method === 'HEAD' ? /^\[404,/ : /^\[404,.*no-such-solve.*No solve has this id\./);
          }
        }
      }
    };
    await client.expect(200, 'PATCH', session.path, { access: 'none' });
    await compare('hidden');
    await client.expect(200, 'GET', `/v1/solves/${id}`, undefined, { token: viewer });
    await client.expect(200, 'PATCH', `/v1/solves/${id}`, { penalty: '+2' }, { headers: key });
    await client.expect(204, 'DELETE', session.path);
    await compare('deleted');
    await client.expect(410, 'GET', `/v1/solves/${id}`);
  }],

  ['an unknown token is 401 everywhere, also on an unknown path', async ({ client }) => {
    const { token } = await client.session();
    const wrong = [forged(token), token.slice(1), `${token}0`, 'x', '', token.toUpperCase(), `0000000000000000${token.slice(16)}`];
    for (const one of wrong) {
      for (const target of ['/v1/limits', '/nowhere', '/v1/sessions/x', '/v1/apply?size=1']) {
        const answer = await client.get(target, { headers: { authorization: `Bearer ${one}` }, token: null }).catch((e) => e);
        assert.ok(answer.status === 401 || /documents no answer|was expected/.test(answer.message), `${one} ${target}: ${answer.status}`);
      }
    }
    for (const scheme of ['Basic', 'Bearer,', 'bearer:']) {
      const answer = await client.get('/v1/limits', { headers: { authorization: `${scheme} ${token}` }, token: null });
      assert.equal(answer.status, 401, scheme);
    }
    for (const good of [`bearer ${token}`, `BEARER   ${token}`]) {
      assert.equal((await client.get('/v1/limits', { headers: { authorization: good }, token: null })).status, 200, good);
    }
  }],

  ['a revoked token is an unknown token', async ({ client }) => {
    const session = await shared(client, 'none');
    await close(client, session);
    const editor = { token: session.tokens.editor };
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' }, editor);
    await client.expect(204, 'DELETE', `${session.path}/tokens/2`);
    await client.expect(204, 'DELETE', `${session.path}/tokens/2`);
    await client.expect(401, 'POST', `${session.path}/moves`, { moves: 'R' }, editor);
    await client.expect(401, 'GET', '/v1/limits', undefined, editor);
    const { items } = await client.expect(200, 'GET', `${session.path}/history`);
    assert.deepEqual(items[0].actor, { id: '2', label: 'editor', role: 'editor' }, 'what he did keeps his name');
    const list = (await client.expect(200, 'GET', `${session.path}/tokens`)).items;
    assert.deepEqual(list.map(({ id, revoked_at: at }) => [id, at !== null]), [['1', false], ['2', true], ['3', false], ['4', false]]);
    assert.ok(!JSON.stringify(list).includes(session.tokens.owner.slice(17)));
    for (const id of ['0', '9', 'x', '01', '99999999999']) await client.expect(404, 'DELETE', `${session.path}/tokens/${id}`);
  }],

  ['a session keeps an owner', async ({ client }) => {
    const session = await client.session();
    assert.equal((await client.expect(409, 'DELETE', `${session.path}/tokens/1`)).type, 'urn:cubed:problem:last-owner');
    const { token } = await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'owner', label: 'second' });
    await client.expect(204, 'DELETE', `${session.path}/tokens/1`);
    await client.expect(401, 'PATCH', session.path, { name: 'x' });
    assert.equal((await client.expect(200, 'PATCH', session.path, { name: 'x' }, { token })).name, 'x');
  }],

  ['labels and roles are read strictly', async ({ client }) => {
    const { path } = await client.session();
    for (const json of [{}, { role: 'king' }, { role: 3 }, { role: 'editor', label: 'x'.repeat(33) }, { role: 'editor', label: 'a\u0007' }, { role: 'editor', more: 1 }]) {
      assert.equal((await client.expect(400, 'POST', `${path}/tokens`, json)).type, 'urn:cubed:problem:bad-member');
    }
    const made = await client.expect(201, 'POST', `${path}/tokens`, { role: 'editor', label: 'Zoë 🧊' });
    assert.deepEqual([made.id, made.label, made.role], ['2', 'Zoë 🧊', 'editor']);
  }],

  ['a ticket replaces a token, in the sessions it is for', async ({ client }) => {
    const session = await shared(client, 'none');
    await close(client, session);
    const ask = async (sessions, token = null) => (await client.expect(201, 'POST', '/v1/tickets', { sessions }, { token })).ticket;
    const ticket = await ask([{ id: session.id, token: session.tokens.viewer }]);
    const watch = (path, text, headers = {}) => client.get(`${path}/events?ticket=${text}`, { accept: 'application/x-ndjson', token: null, headers });
    assert.equal((await watch(session.path, ticket)).status, 200);
    assert.equal((await watch('/v1', ticket)).status, 200);
    const other = await client.session();
    assert.equal((await watch(other.path, ticket)).status, 401);
    for (const wrong of [`${ticket[0] === '0' ? 1 : 0}${ticket.slice(1)}`, ticket.slice(1), 'x']) {
      assert.equal((await watch(session.path, wrong)).status, 401);
      assert.equal((await watch('/v1', wrong)).status, 401);
    }
    assert.equal((await client.expect(400, 'GET', '/v1/events')).parameter, 'ticket');
    assert.equal((await watch(session.path, await ask([{ id: session.id }], session.tokens.viewer))).status, 200, "the request's own token");
    await client.expect(204, 'DELETE', `${session.path}/tokens/3`);
    assert.equal((await watch(session.path, ticket)).status, 401, 'it is good as long as its token is');
    assert.match((await watch('/v1', ticket)).text, /"event":"end".*"reason":"revoked"/);
    const visible = await shared(client, 'view');
    const seen = await ask([{ id: visible.id, token: visible.tokens.viewer }]);
    await client.expect(204, 'DELETE', `${visible.path}/tokens/3`);
    assert.equal((await watch(visible.path, seen)).status, 401, 'nor a stream of nobody');
  }],

  ['a ticket is refused unless each of its sessions may be seen', async ({ client }) => {
    const [open, hidden, gone] = [await shared(client, 'view'), await shared(client, 'none'), await client.session()];
    await close(client, hidden);
    await client.send('DELETE', gone.path);
    const refused = async (status, type, pointer, sessions) => {
      const problem = await client.expect(status, 'POST', '/v1/tickets', { sessions }, { token: null });
      assert.deepEqual([problem.type, problem.pointer], [`urn:cubed:problem:${type}`, pointer]);
    };
    const good = { id: open.id };
    await refused(404, 'not-found', '/sessions/1/id', [good, { id: hidden.id }]);
    await refused(404, 'not-found', '/sessions/1/id', [good, { id: '0000000000000000' }]);
    await refused(410, 'gone', '/sessions/0/id', [{ id: gone.id }, good]);
    await refused(401, 'token-invalid', '/sessions/1/token', [good, { id: hidden.id, token: forged(hidden.tokens.viewer) }]);
    await refused(400, 'bad-member', '/sessions/0/token', [{ id: open.id, token: hidden.tokens.viewer }]);
    await refused(400, 'bad-member', '/sessions/0/token', [{ id: open.id, token: 'nonsense' }]);
    await refused(400, 'bad-member', '/sessions/1/id', [good, good]);
    await refused(400, 'bad-member', '/sessions', []);
    await refused(400, 'bad-member', '/sessions', Array.from({ length: 33 }, (_, i) => ({ id: `${i}`.padStart(16, '0') })));
    for (const wrong of [{}, { sessions: {} }, { sessions: [3] }, { sessions: [{}] }, { sessions: [{ id: 'x' }] }, { sessions: [{ ...good, more: 1 }] }]) {
      await client.expect(400, 'POST', '/v1/tickets', wrong);
    }
    const made = await client.expect(201, 'POST', '/v1/tickets', { sessions: [good, { id: hidden.id, token: hidden.tokens.viewer }] }, { token: null });
    assert.deepEqual(made.sessions, [open.id, hidden.id]);
    assert.equal(Date.parse(made.reopens_until) - Date.parse(made.expires_at), 12 * 3600000 - 60000);
  }],

  ['a client that waits for an entry is answered when its token is revoked', async ({ client }) => {
    for (const access of ['none', 'view']) {
      const session = await shared(client, access);
      await close(client, session);
      const waits = client.get(`${session.path}/history?wait_ms=60000`, { token: session.tokens.viewer });
      const others = client.get(`${session.path}/history?wait_ms=60000`, { token: session.tokens.editor });
      await sleep(100); // bound: they wait then, or are refused at once
      await client.send('DELETE', `${session.path}/tokens/3`);
      const { status, json } = await waits;
      assert.deepEqual([status, json.type], [401, 'urn:cubed:problem:token-invalid'], access);
      // A client that may still read goes on waiting, whatever else changes.
      await client.expect(200, 'PATCH', session.path, { name: 'renamed' }, { token: session.tokens.owner });
      await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' }, { token: session.tokens.owner });
      assert.deepEqual((await others).json.items.map(({ moves }) => moves), ['R'], access);
    }
  }],
];
