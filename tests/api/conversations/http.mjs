// HTTP itself: methods, media types, CORS, sizes, and requests that are no HTTP.

import assert from 'node:assert/strict';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, contract, exchange } from '../client.mjs';
import { mediaType } from '../contract.mjs';
import { PATIENCE_MS } from '../../support/patience.mjs';

const type = (problem) => problem.type.replace('urn:cubed:problem:', '');

const ORIGIN = { headers: { origin: 'https://example.org' } };

/** Sends bytes as they are; answers {status, head, text} of the first answer, or null if the server just closed. */
function raw(url, bytes) {
  return new Promise((answered, failed) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no answer and not closed:\n${bytes}`)));
    socket.on('data', (part) => (text += part));
    socket.on('error', (error) => (error.code === 'ECONNRESET' ? undefined : failed(error)));
    socket.on('close', () => {
      const found = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n([^]*)$/.exec(text);
      answered(found && { status: Number(found[1]), head: found[2], text: found[3] });
    });
  });
}

/** Refused by the HTTP library before the server sees it, in words of its own. */
const BY_LIBRARY = true;

/** Bytes that are not a good request, each refused and the connection closed. */
const BROKEN = [
  ['two Content-Length headers', 'POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['both Content-Length and chunks', 'POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an unknown transfer coding', 'POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n'],
  ['a space before the colon', 'POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Length : 2\r\n\r\n{}'],
  ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n'],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['a NUL in the path', 'GET /healthz%00x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a length with a sign', 'POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n', BY_LIBRARY],
  ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', BY_LIBRARY],
  ['a control character in a header', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\x01b\r\n\r\n'],
  ['lines without a carriage return', 'GET /healthz HTTP/1.1\nHost: localhost\n\n'],
  ['a target that is not a path', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

export default [
  ['HEAD is GET without the body', async ({ client }) => {
    const session = await client.session();
    for (const path of ['/healthz', '/v1/limits', '/v1/apply?moves=R', session.path, `${session.path}/history`, '/openapi.yaml']) {
      const get = await client.get(path);
      const head = await client.send('HEAD', path);
      assert.equal(head.status, get.status);
      assert.equal(head.text, '');
      for (const name of ['content-type', 'content-length', 'etag']) assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
    }
    assert.equal((await client.send('HEAD', '/v1/sessions/0000000000000000')).status, 404);
  }],

  ['OPTIONS lists the methods, and for browsers the headers they may send', async ({ client }) => {
    for (const { path } of [...contract.operations, ...contract.pages]) {
      const answer = await client.send('OPTIONS', path.replace('{id}', '0000000000000000'), {
        headers: { origin: 'https://example.org', 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,if-match' },
      });
      const list = (name) => (answer.headers[name] ?? '').toLowerCase().split(/,\s*/);
      const allowed = ['authorization', 'content-type', 'if-match', 'if-none-match', 'idempotency-key', 'last-event-id', 'prefer', 'x-request-id', 'traceparent'];
      for (const name of allowed) assert.ok(list('access-control-allow-headers').includes(name), name);
      const methods = list('access-control-allow-methods');
      for (const method of contract.methodsOf(path.replace('{id}', '0'))) assert.ok(methods.includes(method.toLowerCase()), `${path} ${method}`);
    }
  }],

  ['browsers may read every answer, including errors, and the important headers', async ({ client }) => {
    const answers = [
      await client.get('/healthz', ORIGIN),
      await client.get('/nothing', ORIGIN),
      await client.send('PUT', '/healthz', ORIGIN),
      await client.post('/v1/apply', { moves: 'Q' }, ORIGIN),
      await client.send('POST', '/v1/apply', { body: '{', ...ORIGIN }),
    ];
    for (const answer of answers) {
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase().split(/,\s*/);
      for (const name of ['etag', 'location', 'link', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotent-replayed', 'x-request-id', 'content-range', 'accept-ranges']) assert.ok(exposed.includes(name), name);
    }
  }],

  ['an unknown path is 404', async ({ client }) => {
    for (const path of ['/v2/apply', '/v1/apply/x', '/v1/sessions/0000000000000000/nothing', '/V1/apply', '//healthz', '/v1/sessions/']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        assert.equal(type((await client.send(method, path)).json), 'no-such-route', `${method} ${path}`);
      }
    }
    assert.equal((await client.get('/healthz/')).json.suggestion, '/healthz');
  }],

  ['a path that is written out is not one with a hole: other methods are 405', async ({ client }) => {
    for (const [method, path, allow] of [['GET', '/v1/solves/import', 'POST, OPTIONS'], ['DELETE', '/v1/solves/stats', 'GET, HEAD, OPTIONS'], ['PATCH', '/v1/solves/import', 'POST, OPTIONS']]) {
      const { status, headers, json } = await client.send(method, path);
      assert.deepEqual([status, headers.allow, type(json)], [405, allow, 'method-not-allowed'], `${method} ${path}`);
    }
    assert.equal((await client.send('OPTIONS', '/v1/solves/import')).headers.allow, 'POST, OPTIONS');
    assert.equal((await client.get('/v1/solves/importx')).status, 404);
  }],

  ['an unknown token is told from a missing one in WWW-Authenticate', async ({ client }) => {
    const session = await client.session({ size: 3 });
    const moves = (token) => client.send('POST', `${session.path}/moves`, { json: { moves: 'R' }, token });
    const wrong = `${session.token.slice(0, -1)}${session.token.endsWith('0') ? 1 : 0}`;
    for (const [token, header] of [[wrong, 'Bearer error="invalid_token"'], [null, 'Bearer']]) {
      const { status, headers } = await moves(token);
      assert.deepEqual([status, headers['www-authenticate']], [401, header]);
    }
  }],

  ['PATCH takes a merge patch by its media type, other methods do not', async ({ client }) => {
    const session = await client.session({ size: 3, name: 'old' });
    const send = (method, path, body) => client.send(method, path, { body, headers: { 'content-type': 'application/merge-patch+json' }, token: session.token });
    const named = await send('PATCH', session.path, '{"name":"new"}');
    assert.deepEqual([named.status, named.json.name], [200, 'new']);
    assert.equal((await send('PATCH', session.path, '{"name":null}')).json.name, null);
    assert.equal((await send('POST', '/v1/apply', '{"moves":"R"}')).status, 415);
    const form = await client.send('PATCH', session.path, { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' }, token: session.token });
    assert.deepEqual([form.status, form.json.expected], [415, 'application/json or application/merge-patch+json']);
  }],

  ['a compressed body is refused with the coding that is read', async ({ client }) => {
    const { status, headers, json } = await client.send('POST', '/v1/apply', { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
    assert.deepEqual([status, headers['accept-encoding'], json.expected], [415, 'identity', 'an uncompressed body, without Content-Encoding']);
    assert.equal((await client.send('POST', '/v1/apply', { body: 'x', headers: { 'content-type': 'text/html' } })).headers['accept-encoding'], undefined);
  }],

  ['a job that runs says when to look again', async ({ client }) => {
    const asked = await client.post('/v1/solve', { size: 3, moves: "R U2 F' D L2 B' U R' D2 F L U'", method: 'fewest', timeout_ms: 300000, wait_ms: 0 });
    assert.deepEqual([asked.status, asked.headers['retry-after']], [202, '1'], asked.text);
    const { location } = asked.headers;
    assert.equal((await client.get(location)).headers['retry-after'], '1');
    const ended = await client.send('DELETE', location);
    assert.equal(ended.headers['retry-after'], ['queued', 'running'].includes(ended.json.status) ? '1' : undefined);
  }],

  ['an unknown path suggests the nearest one', async ({ client }) => {
    const nearest = {
      '/v1/scrambles': '/v1/scramble', '/solve': '/v1/solve', '/docs/nothing': '/v1', '/sessions/x/move': '/v1/sessions/x/moves', '/scrambles': '/v1/scramble', '/v1/session': '/v1/sessions', '/v1/sesions/abc/move': '/v1/sessions/abc/moves', '/V1/APPLY': '/v1/apply',
      '/v2/apply': '/v1/apply', '//healthz': '/healthz', '/v1/apply/': '/v1/apply', '/v1/apply/x': '/v1/apply', '/doc': '/docs', '/v1/session/x/history': '/v1/sessions/x/history',
      '/v1/patterns/a/b': '/v1/patterns/a', '/v1/limit?x=1': '/v1/limits', '/v1/': '/v1',
      '/api': '/v1', '/cubed': '/v1', '/cubed.jss': '/cubed.js', '/embd': '/embed', '/v1/nothing': '/v1', '/robots.txt': '/v1', '/v1/%FF': '/v1', [`/v1/${'x'.repeat(200)}`]: '/v1', [`/v1/patterns/${'x'.repeat(105)}/y`]: `/v1/patterns/${'x'.repeat(105)}`,
    };
    for (const [path, suggestion] of Object.entries(nearest)) {
      const { json } = await client.get(path);
      assert.deepEqual([json.status, json.suggestion], [404, suggestion], path);
      assert.match(json.detail, /\/docs/);
    }
  }],

  ['and so does one of recorded solves', async ({ client }) => {
    await client.expect(400, 'GET', '/v1/solves/stats', undefined, { token: null });
    assert.equal((await client.get('/v1/solvs/stat')).json.suggestion, '/v1/solves/stats');
  }],

  ['GET /v1 is an index', async ({ client }) => {
    await client.expect(400, 'GET', '/v1/solves', undefined, { token: null }); // each call is in the index
    const index = await client.expect(200, 'GET', '/v1');
    assert.equal(index.version, contract.document.info.version);
    const { items } = await client.expect(200, 'GET', '/v1/formats');
    assert.deepEqual(index.formats, items.map(({ name }) => name));
    const { limits } = await client.expect(200, 'GET', '/v1/limits');
    assert.deepEqual(index.limits, Object.fromEntries(Object.entries(limits).map(([name, { value }]) => [name, value])));
    const paths = Object.keys(contract.document.paths).filter((path) => path.startsWith('/v1/') && !path.includes('{'));
    const { self, docs, openapi, ...links } = index.links;
    assert.deepEqual([self, docs, openapi], ['/v1', '/docs', '/openapi.json']);
    assert.deepEqual(Object.values(links).sort(), paths.sort());
    for (const [name, path] of Object.entries(links)) assert.equal(path, `/v1/${name}`);
  }],

  ['an unsupported method is 405, with the supported ones', async ({ client }) => {
    const cases = [['PUT', '/healthz'], ['DELETE', '/v1/apply'], ['PATCH', '/v1/sessions'], ['GET', '/v1/compose'], ['POST', '/v1/sessions/0000000000000000'], ['TRACE', '/healthz']];
    for (const [method, path] of cases) {
      const answer = await client.send(method, path);
      assert.equal(answer.status, 405);
      assert.equal(type(answer.json), 'method-not-allowed');
      const allowed = answer.headers.allow.split(', ');
      for (const one of contract.methodsOf(path)) assert.ok(allowed.includes(one), `${path} ${one}`);
      assert.ok(!allowed.includes(method));
    }
  }],

  ['Accept is weighed', async ({ client }) => {
    const chosen = async (accept, path = '/v1/apply') => mediaType((await client.get(path, { accept })).headers['content-type']);
    const json = 'application/json';
    assert.equal(await chosen('*/*'), json);
    assert.equal(await chosen('text/html,application/xhtml+xml,*/*;q=0.8'), json);
    assert.equal(await chosen('text/plain'), 'text/plain');
    assert.equal(await chosen('text/plain, */*;q=0.1'), 'text/plain');
    assert.equal(await chosen('text/plain;q=0.5, application/json;q=0.6'), json);
    assert.equal(await chosen('application/json;q=0, */*'), 'text/plain');
    assert.equal(await chosen('APPLICATION/*'), json);
    assert.equal(await chosen('text/*'), 'text/plain');
    assert.equal(await chosen('application/yaml', '/openapi.yaml'), 'application/yaml');
    assert.equal(await chosen('*/*', '/openapi.yaml'), 'application/yaml');
    for (const accept of ['image/png', 'text/html', 'application/json;q=0']) {
      const answer = await client.get('/v1/apply', { accept });
      assert.deepEqual([answer.status, type(answer.json)], [406, 'not-acceptable'], accept);
      assert.match(answer.json.expected, /application\/json/);
    }
    assert.equal((await client.get('/healthz', { accept: 'text/plain' })).text, 'ok\n');
    assert.equal((await client.get('/readyz', { accept: 'text/plain' })).text, 'ready\n');
    assert.equal((await client.get('/v1/limits', { accept: 'text/plain' })).status, 406);
    assert.equal((await client.post('/v1/apply', { moves: 'Q' }, { accept: 'text/plain' })).type, 'application/problem+json');
  }],

  ['only JSON is read, and moves as text', async ({ client }) => {
    const send = (contentType, body = '{}') => client.send('POST', '/v1/apply', { body, headers: { 'content-type': contentType } });
    for (const good of ['application/json', 'application/json; charset=utf-8', 'application/json;a=b', 'Application/JSON']) assert.equal((await send(good)).status, 200, good);
    for (const bad of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/xml', 'application/jsonp', 'application/', 'application']) {
      const answer = await send(bad);
      assert.deepEqual([answer.status, type(answer.json)], [415, 'unsupported-media-type'], bad);
      assert.match(answer.json.suggestion, /Content-Type: application\/json/);
    }
    assert.equal((await client.send('POST', '/v1/apply')).status, 200, 'no body needs no type');
    const packed = (encoding, body) => client.send('POST', '/v1/apply', { body, headers: { 'content-type': 'application/json', 'content-encoding': encoding } });
    for (const [encoding, body] of [['gzip', gzipSync('{}')], ['deflate', '{}']]) {
      const answer = await packed(encoding, body);
      assert.deepEqual([answer.status, type(answer.json)], [415, 'unsupported-media-type'], encoding);
      assert.match(answer.json.expected, /Content-Encoding/);
    }
    assert.equal((await packed('identity', '{}')).status, 200);
  }],

  ['a body that is too large is refused, and others are still served', async ({ client }) => {
    const large = JSON.stringify({ moves: 'R '.repeat(600000) });
    const [answer, other] = await Promise.all([
      client.send('POST', '/v1/apply', { body: large }),
      client.get('/healthz'),
    ]);
    assert.deepEqual([answer.status, type(answer.json), other.status], [413, 'too-large', 200]);
    const { limits } = await client.expect(200, 'GET', '/v1/limits');
    for (const name of answer.json.detail.match(/\w+_\w+/g)) assert.ok(name in limits, `${name} is a limit`);
    const fits = JSON.stringify({ moves: 'R '.repeat(500000) });
    assert.equal((await client.send('POST', '/v1/apply', { body: fits })).status, 200);
  }],

  ['an address or a header that is too large is refused', async ({ client }) => {
    const address = await client.get(`/v1/apply?moves=${'R'.repeat(10000)}`);
    assert.deepEqual([address.status, type(address.json)], [414, 'too-large']);
    const header = await client.get('/healthz', { headers: { 'x-long': 'x'.repeat(10300) } });
    assert.deepEqual([header.status, type(header.json)], [431, 'too-large']);
    // Far larger ones do not fit the connection's memory: the HTTP library refuses them in words of its own.
    assert.equal((await exchange(client.url, undefined, 'GET', `/v1/apply?moves=${'R'.repeat(100000)}`)).status, 414);
    assert.equal((await exchange(client.url, undefined, 'GET', '/healthz', { 'x-long': 'x'.repeat(100000) })).status, 431);
    assert.equal((await client.get('/healthz')).status, 200);
  }],

  ['each answer has the Date of its second and the ETag of its revision', async ({ client }) => {
    const { path } = await client.session({ size: 3, access: 'edit' });
    const dates = [];
    for (let revision = 1; revision <= 24; revision++) {
      const answer = await client.post(`${path}/moves`, { moves: 'R' });
      assert.ok(answer.headers.etag.startsWith(`"${revision}-`), answer.headers.etag);
      dates.push(answer.headers.date);
      assert.match(answer.headers.date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
      const away = Date.now() - Date.parse(answer.headers.date);
      assert.ok(away > -2000 && away < PATIENCE_MS, `${away} ms`);
      await new Promise((done) => setTimeout(done, 60));
    }
    assert.ok(Date.parse(dates.at(-1)) > Date.parse(dates[0]), `${dates[0]}, ${dates.at(-1)}`);
  }],

  ['the body of a GET is ignored', async ({ client }) => {
    assert.equal((await client.send('GET', '/healthz', { body: '{"a":1}' })).status, 200);
  }],

  ['an unknown host name is refused on loopback', async ({ client }) => {
    for (const host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org', '10.0.0.1']) {
      const answer = await client.get('/healthz', { headers: { host } });
      assert.deepEqual([answer.status, type(answer.json)], [403, 'host-not-allowed'], host);
    }
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:1', '[::1]', '[::1]:8080']) {
      assert.equal((await client.get('/healthz', { headers: { host } })).status, 200, host);
    }
  }],

  ['query parameters must be known, unique and well encoded', async ({ client }) => {
    const wrong = async (query, parameter) => {
      const answer = await client.get(`/v1/apply?${query}`);
      assert.deepEqual([answer.status, type(answer.json)], [400, 'bad-parameter'], query);
      if (parameter) assert.equal(answer.json.parameter, parameter, query);
      return answer.json;
    };
    assert.equal((await wrong('move=R', 'move')).suggestion, 'moves');
    assert.match((await wrong('as=facelet', 'as')).expected, /facelets/);
    await wrong('as=', 'as');
    await wrong('as=net,,faces', 'as');
    await wrong('size=3&size=4', 'size');
    await wrong('size=1', 'size');
    await wrong('size=101', 'size');
    await wrong('size=3.0', 'size');
    await wrong('size=', 'size');
    await wrong('turns=yes', 'turns');
    await wrong('color=sometimes', 'color');
    await wrong('notation=SIGN2', 'notation');
    await wrong('moves=%zz');
    await wrong('moves=%');
    await wrong('moves=R&%ff(=1');
    await wrong('%E2%80=R');
    await wrong('facelets=UUU', 'facelets');
    await wrong('at=1');
  }],

  ['what is not HTTP is refused and the connection closed', async ({ client }) => {
    for (const [name, bytes, byLibrary] of BROKEN) {
      const answer = await raw(client.url, bytes);
      assert.ok(answer, `${name} is answered`);
      assert.match(answer.head, /connection: close/i, name);
      assert.ok(answer.status === 400 || (byLibrary && answer.status === 505), `${name}: ${answer.status} ${answer.text}`);
      if (byLibrary) continue;
      assert.match(answer.head, /content-type: application\/problem\+json/i, `${name}: ${answer.head}`);
      const problem = JSON.parse(answer.text);
      assert.equal(contract.faults('#/components/schemas/BadRequestProblem', problem), '', name);
      assert.equal(type(problem), 'bad-request', name);
    }
    assert.equal((await client.get('/healthz')).status, 200);
  }],

  ['many simultaneous requests are all answered', async ({ client }) => {
    for (const amount of [128, 256, 384]) {
      client.agent.maxSockets = amount;
      const answers = await Promise.all(Array.from({ length: amount }, () => client.get('/healthz')));
      assert.ok(answers.every(({ status }) => status === 200));
    }
    client.agent.maxSockets = 64;
  }],

  ['a refused request leaves the connection usable', async ({ client: { url } }) => {
    const client = new Client(url, true);
    const { agent } = client;
    agent.maxSockets = 1;
    for (const path of ['/nothing', '/v1/apply?x=1', '/v1/sessions/x', '/healthz']) await client.get(path);
    await client.post('/v1/apply', { moves: 'Q' });
    const open = Object.values(agent.freeSockets).flat().length;
    client.close();
    assert.ok(open >= 1, 'the connection was closed');
  }],
];
