// Sessions and solves that are hidden from the caller take as many reads of the store as what does not exist: so the time of the answer does not
// tell them apart. Counted, not timed.
// Usage: node hidden.mjs [path of the binary]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server, temporaryDirectory } from '../api/server.mjs';

const binary = binaryArgument();
const store = `sqlite:${join(temporaryDirectory(), 'cubed.db')}`;
const ABSENT = '0123456789abcdef';

async function withServer(run) {
  const server = await Server.start(binary, store);
  const client = new Client(server.url);
  const storeReads = async () => Number(/\ncubed_store_reads_total (\d+)/.exec((await client.get('/metrics')).text)[1]);
  /** The answer of a stranger to that request, and how many reads of the store it took. */
  const ask = async (method, path, json) => {
    const before = await storeReads();
    const { status, text } = await client.send(method, path, { token: null, ...(json && { json }) });
    return { status, text, reads: (await storeReads()) - before };
  };
  try {
    await run(client, ask);
  } finally {
    client.close();
    assert.equal((await server.stop()).code, 0);
  }
}

const CALLS = [
  ['GET', '/v1/solves/'], ['PATCH', '/v1/solves/', { penalty: '+2' }], ['DELETE', '/v1/solves/'],
  ['GET', '/v1/sessions/'], ['PATCH', '/v1/sessions/', { name: 'x' }], ['DELETE', '/v1/sessions/'],
];
let session, token, solve;
const idOf = (path) => (path.includes('solves') ? solve : session);

await check('in memory', () =>
  withServer(async (client, ask) => {
    ({ id: session, token } = await client.expect(201, 'POST', '/v1/sessions', { size: 3, access: 'none' }));
    ({ id: solve } = await client.expect(201, 'POST', `/v1/solves?session=${session}`, { time_ms: 12340 }, { token }));
    for (const [method, path, json] of CALLS) {
      const [hidden, absent] = [await ask(method, path + idOf(path), json), await ask(method, path + ABSENT, json)];
      assert.equal(hidden.status, 404, `${method} ${path}`);
      assert.deepEqual(hidden, absent, `${method} ${path}`);
      assert.ok(hidden.reads > 0);
    }
    await client.expect(200, 'GET', `/v1/solves/${solve}`, undefined, { token });
  }),
);

for (const [method, path, json] of CALLS)
  await check(`after a start: ${method} ${path}`, () =>
    withServer(async (client, ask) => {
      const absent = await ask(method, path + ABSENT, json);
      assert.deepEqual(await ask(method, path + idOf(path), json), absent, 'not in memory');
      assert.deepEqual(await ask(method, path + idOf(path), json), absent, 'in memory since');
      await client.expect(200, 'GET', `/v1/solves/${solve}`, undefined, { token });
    }),
  );

finish();
