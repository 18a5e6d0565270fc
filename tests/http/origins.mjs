// Pages of other origins: what a browser may read of a loopback server, and which changes it may send.
// Usage: node origins.mjs [path of the binary]

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const binary = binaryArgument();
const PAGE = 'https://page.example';

/** Sends one request with the headers of a browser to an address of this machine; resolves to its status, headers and body. */
function send(server, method, path, headers, body, to = '127.0.0.1') {
  return new Promise((done, fail) => {
    const sent = request({ host: to, port: server.port, path, method, headers: { ...(body && { 'content-type': 'application/json' }), ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Server.start allows every origin, for the other tests; these say themselves what is allowed. */
async function withServer(flags, run) {
  const server = await Server.startPlain(binary, ['--store', 'memory:', '--listen', '127.0.0.1:0', ...flags]);
  try {
    await run((...all) => send(server, ...all), server);
  } finally {
    assert.equal((await server.stop()).code, 0);
  }
}

const crossSite = { origin: PAGE, 'sec-fetch-site': 'cross-site' };
const create = (ask, headers, to) => ask('POST', '/v1/sessions', headers, '{"size": 2}', to);

await check('a loopback server tells pages of other sites nothing', () =>
  withServer([], async (ask) => {
    for (const path of ['/v1/sessions', '/metrics', '/healthz', '/nowhere', '/v1/apply?moves=Q', '/']) {
      const answer = await ask('GET', path, crossSite);
      assert.notEqual(answer.status, 403, path);
      assert.equal(answer.headers['access-control-allow-origin'], undefined, path);
    }
    const preflight = await ask('OPTIONS', '/v1/sessions', { ...crossSite, 'access-control-request-method': 'POST' });
    for (const name of Object.keys(preflight.headers)) assert.doesNotMatch(name, /^access-control/);
  }),
);

await check('nor does it take changes from them', () =>
  withServer([], async (ask) => {
    for (const headers of [crossSite, { 'sec-fetch-site': 'cross-site' }, { origin: PAGE }, { origin: 'null' }]) {
      for (const [method, path] of [['POST', '/v1/sessions'], ['POST', '/v1/solve'], ['POST', '/v1/sessions/0000000000000000/undo'], ['DELETE', '/v1/sessions/0000000000000000']]) {
        const answer = await ask(method, path, headers);
        assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
    }
  }),
);

const LOOPBACK = ['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:3000', 'http://[::1]:8443', 'HTTP://LocalHost:1'];
const allowed = (answer) => answer.headers['access-control-allow-origin'];

await check('pages on loopback, its own page, and programs are served', () =>
  withServer([], async (ask, { port }) => {
    for (const origin of LOOPBACK) {
      const answer = await create(ask, { origin, 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([answer.status, allowed(answer), answer.headers.vary], [201, origin, 'Origin'], origin);
    }
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin', origin: `http://127.0.0.1:${port}` }, { 'sec-fetch-site': 'none' }])
      assert.equal((await create(ask, headers)).status, 201, JSON.stringify(headers));
  }),
);

await check('every kind of answer says that they may read it', () =>
  withServer(['--max-body', '100'], async (ask, server) => {
    const [origin] = LOOPBACK;
    const session = (await (await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size": 2}' })).json()).id;
    for (const [status, method, path, headers, body] of [
      [200, 'GET', '/healthz'], [200, 'GET', '/'], [200, 'GET', '/v1/limits'], [404, 'GET', '/nowhere'], [422, 'GET', '/v1/apply?moves=Q'],
      [405, 'PUT', '/v1/sessions'], [401, 'GET', '/v1/sessions', { authorization: 'Bearer nonsense' }], [413, 'POST', '/v1/sessions', {}, 'x'.repeat(101)],
      [415, 'POST', '/v1/sessions', { 'content-type': 'text/css' }, '{}'], [400, 'GET', '/v1/%00'], [304, 'GET', '/v1', { 'if-none-match': '*' }],
    ]) {
      const answer = await ask(method, path, { origin, ...headers }, body);
      assert.deepEqual([answer.status, allowed(answer)], [status, origin], `${method} ${path}`);
    }
    const abort = new AbortController();
    const stream = await fetch(`${server.url}/v1/sessions/${session}/events`, { headers: { origin }, signal: abort.signal });
    assert.deepEqual([stream.status, stream.headers.get('access-control-allow-origin'), stream.headers.get('vary')], [200, origin, 'Origin']);
    abort.abort();
  }),
);

await check('names that only look like loopback are other origins', () =>
  withServer([], async (ask) => {
    for (const origin of ['http://localhost.evil.example', 'http://localhost:5173.evil.example', 'http://localhost@evil.example', 'http://127.0.0.1.evil.example',
      'http://127.0.0.12', 'http://[::1', 'http://[::1].evil.example', 'http://localhost:', 'http://localhost:80x', 'ftp://localhost', 'localhost', 'http://', 'null', 'file://', 'http://localhost http://localhost']) {
      const answer = await create(ask, { origin });
      assert.deepEqual([answer.status, allowed(answer)], [403, undefined], origin);
    }
  }),
);

await check('another page is refused with the flag that allows it, and is in the log once', () =>
  withServer([], async (ask, server) => {
    const answer = await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { origin: PAGE } });
    const problem = await answer.json();
    assert.equal(problem.type, 'urn:cubed:problem:origin-not-allowed');
    assert.equal(problem.suggestion, `--allow-origin ${PAGE}`);
    assert.match(problem.detail, /--allow-origin https:\/\/page\.example/);
    for (const [method, origin] of [['POST', PAGE], ['GET', PAGE], ['OPTIONS', 'http://10.0.0.9:8080'], ['GET', 'null'], ['GET', 'null']]) await ask(method, '/v1/sessions', { origin });
    const lines = server.log.split('\n').filter((line) => line.includes('refused a page'));
    assert.deepEqual(lines.map((line) => /level=info .* origin=(\S+) allowed_by="(.*)"/.exec(line)?.slice(1)),
      [[PAGE, `--allow-origin ${PAGE}`], ['http://10.0.0.9:8080', '--allow-origin http://10.0.0.9:8080'], ['null', "--allow-origin '*'"]]);
  }),
);

await check('the log of origins is bounded', () =>
  withServer([], async (ask, server) => {
    for (let i = 0; i < 200; i++) await ask('GET', '/healthz', { origin: `https://page-${i}.example` });
    assert.equal(server.log.match(/refused a page/g).length, 64);
  }),
);

await check('a preflight allows the usual headers and those that are asked for', () =>
  withServer([], async (ask) => {
    const ahead = async (headers, origin = LOOPBACK[0]) => (await ask('OPTIONS', '/v1/sessions', { origin, 'access-control-request-method': 'POST', ...headers })).headers['access-control-allow-headers'];
    const usual = await ahead({});
    assert.match(usual, /^Authorization, Content-Type, .*, traceparent$/);
    assert.equal(await ahead({ 'access-control-request-headers': 'baggage,tracestate,x-own' }), `${usual}, baggage,tracestate,x-own`);
    for (const wrong of ['a b:c', 'a"b', 'x{}', `a${'b'.repeat(3000)}`]) assert.equal(await ahead({ 'access-control-request-headers': wrong }), usual, wrong.slice(0, 9));
    assert.equal(await ahead({ 'access-control-request-headers': 'authorization' }, PAGE), undefined);
  }),
);

await check('origins that are listed may do both, others still not', () =>
  withServer(['--allow-origin', PAGE, '--allow-origin', 'http://app.example:3000'], async (ask) => {
    const answer = await create(ask, crossSite);
    assert.deepEqual([answer.status, allowed(answer), answer.headers.vary], [201, PAGE, 'Origin']);
    const refused = await create(ask, { ...crossSite, origin: `${PAGE}.evil` });
    assert.deepEqual([refused.status, allowed(refused)], [403, undefined]);
    assert.equal(allowed(await ask('OPTIONS', '/v1/sessions', { origin: 'http://app.example:3000', 'access-control-request-method': 'POST' })), 'http://app.example:3000');
    assert.equal((await create(ask, { origin: LOOPBACK[0] })).status, 201);
  }),
);

await check('the origin * stands for all', () =>
  withServer(['--allow-origin', '*'], async (ask) => {
    const answer = await create(ask, crossSite);
    assert.deepEqual([answer.status, allowed(answer)], [201, '*']);
  }),
);

await check('with the origin none not even pages on loopback are served, but its own page is', () =>
  withServer(['--allow-origin', 'none', '--allow-host', 'localhost'], async (ask, { port }) => {
    for (const origin of LOOPBACK) assert.equal((await create(ask, { origin, 'sec-fetch-site': 'same-site' })).status, 403, origin);
    assert.equal((await create(ask, { 'sec-fetch-site': 'same-site' })).status, 403);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) assert.equal((await create(ask, { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status, 201, host);
  }),
);

await check('... and those listed beside none are', () =>
  withServer(['--allow-origin', 'none', '--allow-origin', PAGE], async (ask) => {
    assert.equal((await create(ask, crossSite)).status, 201);
    assert.equal((await create(ask, { origin: LOOPBACK[0] })).status, 403);
  }),
);

await check('a page of another site cannot start a search', () =>
  withServer([], async (ask) => {
    const search = (headers) => ask('GET', '/v1/solve?moves=R', headers);
    assert.equal((await search({ 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await search({ origin: PAGE })).status, 403);
    for (const headers of [{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }, { origin: LOOPBACK[0], 'sec-fetch-site': 'cross-site' }]) assert.equal((await search(headers)).status, 200, JSON.stringify(headers));
  }),
);

for (const flags of [[], ['--lan']])
  await check(`a server on every address serves its own page and pages on loopback${flags.length ? ', with --lan too' : ''}`, () =>
    withServer(['--listen', '0.0.0.0:0', ...flags], async (ask, { port }) => {
      const TO = '127.0.0.2'; // an address of this machine, as that in its network would be
      const own = `${TO}:${port}`;
      for (const [host, origin] of [[own, `http://${own}`], [own, LOOPBACK[0]], [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`]]) {
        const answer = await create(ask, { host, origin }, TO);
        assert.deepEqual([answer.status, allowed(answer)], [201, origin], origin);
      }
      for (const origin of [PAGE, `http://127.0.0.3:${port}`, `http://${TO}:3000`, `http://${TO}`]) {
        const answer = await create(ask, { host: own, origin }, TO);
        assert.deepEqual([answer.status, allowed(answer)], [403, undefined], origin);
      }
      // Whatever Host says: the server is not there.
      for (const host of [own, `192.168.1.5:${port}`, `[fd00::5]:${port}`, `[::ffff:127.0.0.2]:${port}`]) {
        const answer = await create(ask, { host, origin: `http://${host}` });
        assert.deepEqual([answer.status, allowed(answer)], [403, undefined], host);
        assert.equal((await ask('GET', '/v1/solve?moves=R', { host, 'sec-fetch-site': 'same-origin' })).status, 403, host);
      }
      assert.equal(JSON.parse((await create(ask, { host: own, origin: `http://${own}` })).text).suggestion, `--allow-host ${TO}`);
    }),
  );

await check('a name that leads to a server on every address gives no rights until --allow-host lists it', async () => {
  const rebound = (port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}`, 'sec-fetch-site': 'same-origin' });
  await withServer(['--listen', '0.0.0.0:0'], async (ask, { port, url }) => {
    assert.equal((await create(ask, rebound(port))).status, 403);
    assert.equal((await ask('GET', '/v1/solve?moves=R', { host: `evil.example:${port}`, 'sec-fetch-site': 'same-origin' })).status, 403);
    const problem = await (await fetch(`${url}/v1/sessions`, { method: 'POST', headers: { origin: url.replace('127.0.0.1', 'evil.example') } })).json();
    assert.match(problem.suggestion, /^--allow-origin http:\/\/evil\.example:\d+$/);
  });
  await withServer(['--listen', '0.0.0.0:0', '--allow-host', 'cubes.example'], async (ask, { port }) => {
    assert.equal((await create(ask, rebound(port))).status, 403);
    assert.equal((await ask('GET', '/healthz', { host: 'evil.example' })).status, 403);
    for (const [host, origin] of [['cubes.example', 'https://cubes.example'], [`cubes.example:${port}`, `http://cubes.example:${port}`], ['localhost', 'https://cubes.example']])
      assert.equal((await create(ask, { host, origin })).status, 201, origin);
    assert.equal((await create(ask, { host: `cubes.example:${port}`, origin: 'http://cubes.example:9' })).status, 403);
  });
  await withServer(['--lan'], async (ask) => assert.equal((await ask('GET', '/healthz', { host: 'evil.example' })).status, 403));
  await withServer([], async (ask) => {
    const refusal = async (host) => JSON.parse((await ask('GET', '/healthz', { host })).text);
    assert.deepEqual((({ type, suggestion }) => [type, suggestion])(await refusal('cubes.example:8080')), ['urn:cubed:problem:host-not-allowed', '--allow-host cubes.example']);
    for (const host of ['a"b', `${'x'.repeat(300)}.example`, '10.0.0.1@x']) assert.equal((await refusal(host)).suggestion, undefined, host);
  });
});

await check('a page behind a proxy that sends Host: localhost is its own page if the browser says so', () =>
  withServer([], async (ask) => {
    assert.equal((await create(ask, { host: 'localhost', origin: 'https://cubes.example', 'sec-fetch-site': 'same-origin' })).status, 201);
    assert.equal((await create(ask, { host: 'localhost', origin: 'https://cubes.example' })).status, 403);
  }),
);

finish();
