// Tests /.well-known/security.txt, which names who gets reports of weaknesses, as RFC 9116 describes it, from
// --security-contact. Usage: node contact.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const binary = binaryArgument();
const PATH = '/.well-known/security.txt';
const DAY_MS = 86400000;

async function withServer(flags, run) {
  const server = await Server.start(binary, 'memory:', flags);
  const ask = (options) => fetch(server.url + PATH, { ...options, headers: { connection: 'close', ...options?.headers } });
  try {
    await run(ask);
  } finally {
    assert.equal((await server.stop()).code, 0);
  }
}

await check('a server without a contact answers 404, and says how to name one', () =>
  withServer([], async (ask) => {
    const answer = await ask();
    assert.equal(answer.status, 404);
    assert.match((await answer.json()).detail, /--security-contact mailto:/);
  }),
);

await check('the contacts are listed in their order, with a time of expiry', () =>
  withServer(['--security-contact', 'mailto:security@example.org', '--security-contact', 'https://example.org/report'], async (ask) => {
    const answer = await ask();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    const lines = (await answer.text()).split('\n');
    assert.deepEqual(lines.slice(0, 2), ['Contact: mailto:security@example.org', 'Contact: https://example.org/report']);
    const expires = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(lines[2])?.[1];
    const days = (Date.parse(expires) - Date.now()) / DAY_MS;
    assert.ok(days > 30 && days < 365, `${lines[2]}: RFC 9116 wants less than a year`);
    assert.deepEqual(lines.slice(3), ['']);
    assert.match(answer.headers.get('etag'), /^"/, 'a client need not read it again');
    assert.equal((await ask({ method: 'HEAD' })).status, 200);
    assert.equal((await ask({ method: 'DELETE' })).status, 405);
  }),
);

await check('what is no such URI is refused, and so is a fifth contact', () => {
  const good = ['--security-contact', 'mailto:a@example.org'];
  const wrong = ['security@example.org', 'http://example.org/report', 'mailto:', 'mailto:a@example.org\nExpires: never', 'mailto:a b@example.org'];
  for (const flags of [...wrong.map((value) => ['--security-contact', value]), Array(5).fill(good).flat()]) {
    const { status, stderr } = spawnSync(binary, ['--listen', '127.0.0.1:0', '--store', 'memory:', ...flags], { encoding: 'utf8' });
    assert.equal(status, 2, flags.join(' '));
    assert.match(stderr, /expected a URI such as mailto:security@example\.org/);
  }
});

finish();
