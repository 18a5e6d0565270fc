// Pages of other origins: what a browser may read of a loopback server, and which changes it may send.
// Usage: node origins.mjs [path of the binary]

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const binary = binaryArgument();
const PAGE = 'https://page.example';

/** Sends one request with the headers of a browser; resolves to its status and headers. */
function send(server, method, path, headers, body) {
  return new Promise((done, fail) => {
    const sent = request(`${server.url}${path}`, { method, headers: { ...(body && { 'content-type': 'application/json' }), ...headers } }, (answer) => {
      answer.resume();
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Server.start allows every origin, for the other tests; these say themselves what is allowed. */
async function withServer(flags, run) {
  const server = await Server.startPlain(binary, ['--store', 'memory:', '--listen', '127.0.0.1:0', '--log-level', 'warning', ...flags]);
  try {
    await run((...all) => send(server, ...all));
  } finally {
    assert.equal((await server.stop()).code, 0);
  }
}

const crossSite = { origin: PAGE, 'sec-fetch-site': 'cross-site' };
const create = (ask, headers) => ask('POST', '/v1/sessions', headers, '{"size": 2}');

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

await check('its own page, other ports of its host, and programs are served', () =>
  withServer([], async (ask) => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://127.0.0.1:3000' },
    ])
      assert.equal((await create(ask, headers)).status, 201, JSON.stringify(headers));
  }),
);

await check('origins that are listed may do both, others still not', () =>
  withServer(['--allow-origin', PAGE, '--allow-origin', 'http://localhost:3000'], async (ask) => {
    const answer = await create(ask, crossSite);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['access-control-allow-origin'], PAGE);
    assert.equal(answer.headers.vary, 'Origin');
    const refused = await create(ask, { ...crossSite, origin: `${PAGE}.evil` });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
    const preflight = await ask('OPTIONS', '/v1/sessions', { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' });
    assert.equal(preflight.headers['access-control-allow-origin'], 'http://localhost:3000');
    assert.match(preflight.headers['access-control-allow-headers'], /Authorization/);
  }),
);

await check('the origin * stands for all', () =>
  withServer(['--allow-origin', '*'], async (ask) => {
    const answer = await create(ask, crossSite);
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [201, '*']);
  }),
);

await check('a server on every address answers every origin, until it lists some', async () => {
  await withServer(['--listen', '0.0.0.0:0'], async (ask) => {
    const answer = await create(ask, crossSite);
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [201, '*']);
  });
  await withServer(['--listen', '0.0.0.0:0', '--allow-origin', 'https://other.example'], async (ask) => {
    assert.equal((await create(ask, crossSite)).status, 403);
  });
});

finish();
