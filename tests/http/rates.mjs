// Too many requests: by address, as a proxy reports it, and by token; who is not counted; what the answer says.
// Usage: node rates.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Client } from '../api/client.mjs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { until } from '../support/patience.mjs';

const binary = binaryArgument();

/** Runs with a server behind a proxy on loopback; `as` makes the headers of a client with that address. */
async function behindProxy(flags, run) {
  const server = await Server.start(binary, 'memory:', ['--rate-limit', 'on', '--trusted-proxy', '127.0.0.0/8', ...flags]);
  const client = new Client(server.url);
  const as = (address) => ({ headers: { 'x-forwarded-for': address } });
  try {
    await run(client, as);
  } finally {
    client.close();
    assert.equal((await server.stop()).code, 0);
  }
}

/** Counts how many of `count` requests are served, and returns the first that is not. `within`: true if these are a
 * burst, and no more than what comes back meanwhile, one a second or another rate. */
async function served(count, ask, atOnce = 1) {
  const begin = performance.now();
  let good = 0;
  let refused;
  for (let i = 0; i < count; i += atOnce) {
    for (const answer of await Promise.all(Array.from({ length: atOnce }, (_, k) => ask(i + k)))) {
      if (answer.status !== 429) good++;
      else refused ??= answer;
    }
  }
  const seconds = (performance.now() - begin) / 1000;
  return { good, refused, within: (burst, rate = 1) => good >= burst && good <= burst + 1 + rate * seconds };
}

await check('reads are counted by address', () =>
  behindProxy(['--max-reads', '1', '--max-reads-burst', '20'], async (client, as) => {
    const { good, refused, within } = await served(40, () => client.get('/v1/formats', as('192.0.2.1')));
    assert.ok(within(20), `${good}`);
    assert.equal(refused.json.type, 'urn:cubed:problem:rate-limited');
    assert.match(refused.headers['retry-after'], /^[1-9]\d*$/);
    assert.match(refused.headers.ratelimit, /^"reads";r=0;t=\d+$/);
    assert.equal(refused.headers['ratelimit-policy'], '"reads";q=20;w=20');
    assert.equal((await client.get('/v1/formats', as('192.0.2.2'))).status, 200, 'others are served');
    assert.equal((await client.get('/nowhere', as('192.0.2.3'))).status, 404);
  }),
);

await check('every answer that counts tells what is left', () =>
  behindProxy(['--max-reads', '1', '--max-reads-burst', '20', '--max-writes', '1', '--max-writes-burst', '30'], async (client, as) => {
    const left = async (answer) => {
      const { ratelimit, 'ratelimit-policy': policy } = (await answer).headers;
      const [, name, rest] = ratelimit?.match(/^"([a-z-]+)";r=(\d+);t=\d+$/) ?? [];
      assert.match(policy ?? '', new RegExp(`^"${name}";q=\\d+;w=\\d+$`));
      return `${name} ${rest}`;
    };
    const options = as('192.0.2.1');
    const all = [];
    all.push(await left(client.get('/v1/formats', options)), await left(client.get('/healthz', options)), await left(client.get('/v1/nothing', options)));
    all.push(await left(client.get('/v1/apply?moves=Q', options)), await left(client.post('/v1/apply', { moves: 'R' }, options)));
    const scrambles = client.get('/v1/scramble?size=100&count=3', options);
    all.push(await left(scrambles), await left(client.get('/', options)));
    // One is given back each second, so a slow machine may have one more.
    all.slice(1).forEach((one, i) => assert.match(one, /^reads \d+$/, all.join()));
    const rest = all.map((one) => Number(one.split(' ')[1]));
    assert.ok(rest[0] === 19 && rest.every((one, i) => one >= 19 - i) && rest.at(-1) < 19, all.join());
    const { id } = await client.expect(201, 'POST', '/v1/sessions', { size: 2, access: 'edit' }, options);
    assert.match(await left(client.post(`/v1/sessions/${id}/moves`, { moves: 'R' }, { ...options, token: null })), /^writes 2[89]$/);
    assert.match(await left(client.post('/v1/sessions', { size: 2 }, options)), /^creations 8$/);
    assert.match(await left(client.post('/v1/sessions', { size: 1 }, options)), /^writes/, 'what failed is no creation');
  }),
);

await check('nobody is counted, nothing is told', async () => {
  const server = await Server.start(binary, 'memory:');
  const client = new Client(server.url);
  const { headers } = await client.get('/v1/formats');
  assert.deepEqual([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined]);
  client.close();
  await server.stop();
});

await check('it fills up again', () =>
  behindProxy(['--max-reads', '20', '--max-reads-burst', '2'], async (client, as) => {
    await served(4, () => client.get('/v1/limits', as('192.0.2.1')));
    await until(async () => (await client.get('/v1/limits', as('192.0.2.1'))).status === 200, 'there is room again');
  }),
);

await check('of IPv6 the network counts, of a list the last that is not trusted', () =>
  behindProxy(['--max-reads', '1', '--max-reads-burst', '5', '--trusted-proxy', '2001:db8:ff::/48'], async (client, as) => {
    const { good, within } = await served(12, (i) => client.get('/v1/limits', as(`2001:db8:0:1::${i + 1}`)));
    assert.ok(within(5), `${good}`);
    assert.equal((await client.get('/v1/limits', as('2001:db8:0:2::1'))).status, 200);
    const forged = await served(12, (i) => client.get('/v1/limits', as(`10.0.0.${i}, 198.51.100.1, 2001:db8:ff::7`)));
    assert.ok(forged.within(5), `what stands before it is hearsay: ${forged.good}`);
    const ports = await served(12, (i) => client.get('/v1/limits', as(`198.51.100.2:${1000 + i}`)));
    assert.ok(ports.within(5), `${ports.good}`);
  }),
);

await check('a network has a multiple of the rates of an address', () =>
  behindProxy(['--max-reads', '1', '--max-reads-burst', '5', '--max-creations', '2', '--network-factor', '3'], async (client, as) => {
    const { good, refused, within } = await served(40, (i) => client.get('/v1/limits', as(`2001:db8:1:${i}::1`)));
    assert.ok(within(15, 3), `${good}`);
    assert.match(refused.json.detail, /^Too many requests of this kind from this network \(reads\)/);
    assert.equal(refused.headers['ratelimit-policy'], '"reads";q=15;w=5');
    const refusals = async (reason) => Number(new RegExp(`^cubed_refused_total\\{reason="${reason}",status="429"\\} (\\d+)$`, 'm').exec((await client.get('/metrics')).text)[1]);
    assert.ok((await refusals('network_factor')) > 0, 'counted as those of a network');
    assert.equal(await refusals('reads'), 0, 'and not as those of an address');
    assert.equal((await client.get('/v1/limits', as('2001:db8:2:1::1'))).status, 200, 'another /48 has its own');
    const v4 = await served(40, (i) => client.get('/v1/limits', as(`192.0.2.${i}`)));
    assert.ok(v4.within(15, 3), `${v4.good}`);
    assert.equal((await served(40, (i) => client.get('/v1/limits', as(`192.168.2.${i}`)))).good, 40, 'a private network has none');
    const made = await served(12, (i) => client.post('/v1/sessions', { size: 2 }, as(`2001:db8:3:${i}::1`)));
    assert.ok(made.within(6, 6 / 60), `${made.good}`);
    const one = await served(12, () => client.get('/v1/limits', as('2001:db8:4:1::1')));
    assert.ok(one.within(5), `one address has no more than before: ${one.good}`);
  }),
);

await check('what a network may not do is not counted for its addresses, nor anything if its factor is off', async () => {
  await behindProxy(['--max-creations', '3', '--network-factor', '1'], async (client, as) => {
    const make = (address) => client.post('/v1/sessions', { size: 2 }, as(address));
    const { good } = await served(6, (i) => make(`2001:db8:1:${i}::1`));
    assert.ok(good >= 3 && good <= 4, `${good}`);
    const { refused } = await served(3, () => make('2001:db8:1:99::1'));
    assert.match(refused.json.detail, /from this network/);
  });
  await behindProxy(['--max-reads', '1', '--max-reads-burst', '2', '--network-factor', 'off'], async (client, as) => {
    assert.equal((await served(100, (i) => client.get('/v1/limits', as(`2001:db8:1:${i}::1`)))).good, 100);
  });
});

await check('writes are counted by token and by address', () =>
  behindProxy(['--max-writes', '1', '--max-writes-burst', '8'], async (client, as) => {
    const { path } = await client.session({ size: 2 });
    const byToken = await served(16, (i) => client.post(`${path}/moves`, { moves: 'R' }, as(`192.0.2.${i + 1}`)));
    assert.ok(byToken.within(8), `${byToken.good}`);
    const { path: open } = await client.session({ size: 2, access: 'edit' });
    const byAddress = await served(16, () => client.post(`${open}/moves`, { moves: 'R' }, { ...as('192.0.2.99'), token: null }));
    assert.ok(byAddress.within(8), `${byAddress.good}`);
    assert.equal((await client.get(open, as('192.0.2.99'))).status, 200, 'reading is counted apart');
  }),
);

await check('new sessions are counted', () =>
  behindProxy(['--max-creations', '6', '--max-sessions-per-address', '9'], async (client, as) => {
    const { good, refused, within } = await served(10, () => client.post('/v1/sessions', { size: 2 }, as('192.0.2.1')));
    assert.ok(within(6, 6 / 60), `${good}`);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
  }),
);

await check('wrong tokens are counted', () =>
  behindProxy(['--max-wrong-tokens', '4'], async (client, as) => {
    const { good, refused, within } = await served(10, () => client.get('/v1/limits', { ...as('192.0.2.1'), token: 'x' }));
    assert.ok(within(4, 4 / 60), `${good}`);
    assert.match(refused.headers.ratelimit, /^"wrong-tokens"/);
    assert.equal((await client.get('/v1/limits', as('192.0.2.1'))).status, 200);
  }),
);

await check('creations that fail do not count as creations, but as writes', () =>
  behindProxy(['--max-creations', '2', '--max-sessions-per-address', '3', '--max-writes', '1', '--max-writes-burst', '12'], async (client, as) => {
    const failed = await served(8, () => client.post('/v1/sessions', { size: 1 }, as('192.0.2.1')));
    assert.equal(failed.good, 8);
    const made = await served(3, () => client.post('/v1/sessions', { size: 2 }, as('192.0.2.1')));
    assert.equal(made.good, 2);
    const { refused } = await served(20, () => client.post('/v1/sessions', { size: 1 }, as('192.0.2.1')), 20);
    assert.match(refused.headers.ratelimit, /^"(writes|creations)"/);
  }),
);

/** Runs with a server that nobody is a proxy of. */
async function onLoopback(flags, run) {
  const server = await Server.start(binary, 'memory:', ['--rate-limit', 'on', '--max-reads', '1', '--max-reads-burst', '2', ...flags]);
  const client = new Client(server.url);
  try {
    await run((count, atOnce) => served(count, () => client.get('/v1/limits', { headers: { 'x-forwarded-for': '192.0.2.1' } }), atOnce));
  } finally {
    client.close();
    await server.stop();
  }
}

await check('loopback has a multiple of the rates, whatever address it claims', () =>
  onLoopback(['--loopback-factor', '10'], async (ask) => {
    const { good, refused, within } = await ask(60, 30);
    assert.ok(within(20, 10), `${good}`);
    assert.match(refused.headers['ratelimit-policy'], /^"reads";q=20;/);
  }),
);

await check('loopback has no rates if its factor is off', () =>
  onLoopback(['--loopback-factor', 'off'], async (ask) => assert.equal((await ask(300)).good, 300)),
);

await check('keys without a token belong to the address, also where nobody is counted', async () => {
  for (const flags of [[], ['--rate-limit', 'off']]) {
    await behindProxy(flags, async (client, as) => {
      const ask = (address) => client.post('/v1/sessions', { size: 3 }, { headers: { ...as(address).headers, 'idempotency-key': '1' }, token: null });
      const [one, other, again, network] = [await ask('192.0.2.1'), await ask('192.0.2.2'), await ask('192.0.2.1'), await ask('2001:db8::1')];
      assert.deepEqual([one, other, again].map(({ status }) => status), [201, 201, 201]);
      assert.notEqual(one.json.token, other.json.token, 'a stranger has a token of their own');
      assert.equal(again.text, one.text);
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.equal((await ask('2001:db8::2')).text, network.text, 'of IPv6 the network counts');
      assert.notEqual((await ask('2001:db8:0:1::1')).text, network.text);
    });
  }
});

await check('a creation that is sent again is not counted as a new one', () =>
  behindProxy(['--max-creations', '2'], async (client, as) => {
    const retry = { headers: { ...as('192.0.2.1').headers, 'idempotency-key': 'one' }, token: null };
    const { good } = await served(6, () => client.post('/v1/sessions', { size: 2 }, retry));
    assert.equal(good, 6);
    const others = await served(3, () => client.post('/v1/sessions', { size: 2 }, as('192.0.2.1')));
    assert.equal(others.good, 1);
  }),
);

/** A table of about that many bytes. */
const table = (bytes) => `Time;Comment\n${`1.5;${'x'.repeat(995)}\n`.repeat(bytes / 1000)}`;
const load = (client, bytes, options) =>
  client.send('POST', '/v1/solves/import', { body: table(bytes), token: null, ...options, headers: { ...options.headers, 'content-type': 'text/csv' } });

await check('what one address stores is counted', () =>
  behindProxy(['--max-store-bytes-per-address', '1000000', '--max-writes-burst', '1000', '--max-reads-burst', '1000'], async (client, as) => {
    const { path, token } = await client.session({ size: 3 }, as('192.0.2.1'));
    const pattern = await client.send('PUT', '/v1/patterns/mine', { json: { pattern: { name: 'f2l' } }, token, ...as('192.0.2.1') });
    assert.equal(pattern.status, 201);
    /* An import also stores the row of the file. */
    assert.equal((await load(client, 300000, as('192.0.2.1'))).status, 201);
    const refused = await load(client, 300000, as('192.0.2.1'));
    assert.deepEqual([refused.status, refused.json.type], [429, 'urn:cubed:problem:rate-limited']);
    assert.match(refused.headers.ratelimit, /^"store-bytes";r=\d+;t=\d+$/);
    assert.equal(refused.headers['ratelimit-policy'], '"store-bytes";q=1000000;w=86400');
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 10000 && wait < 40000, `${wait} s until there is room for it`);
    assert.equal((await load(client, 300000, as('192.0.2.2'))).status, 201, 'others store');
    /* Each of these takes a little; with a key, a receipt too. */
    const keyed = (i) => ({ headers: { ...as('192.0.2.1').headers, ...(i % 2 && { 'idempotency-key': `${i}` }) }, token });
    const small = await served(400, (i) => client.post(`${path}/moves`, { moves: '(R U)2000' }, keyed(i)));
    assert.ok(small.good > 50, `${small.good}`);
    assert.match(small.refused.headers.ratelimit, /^"store-bytes"/);
    assert.equal((await client.get(path, as('192.0.2.1'))).status, 200, 'reading goes on');
    assert.equal((await client.send('DELETE', '/v1/patterns/mine', { token, ...as('192.0.2.1') })).status, 204, 'so does removing');
    assert.equal((await client.send('DELETE', path, { token, ...as('192.0.2.1') })).status, 204);
  }),
);

await check('what one network stores is counted', () =>
  behindProxy(['--max-store-bytes-per-address', '1000000', '--network-factor', '1'], async (client, as) => {
    assert.equal((await load(client, 300000, as('2001:db8:1:1::1'))).status, 201);
    const refused = await load(client, 300000, as('2001:db8:1:2::1'));
    assert.deepEqual([refused.status, refused.headers['ratelimit-policy']], [429, '"store-bytes";q=1000000;w=86400']);
    assert.match(refused.json.detail, /^This network has stored/);
    assert.equal((await load(client, 300000, as('2001:db8:2:1::1'))).status, 201, 'others store');
  }),
);

await check('four imports of 16 MiB are within it; what cannot be stored is not counted', async () => {
  await behindProxy([], async (client, as) => {
    for (let i = 0; i < 4; i++) assert.equal((await load(client, 16000000, as('192.0.2.1'))).status, 201);
  });
  await behindProxy(['--max-store-bytes-per-address', '1000000', '--max-store-bytes', '600000'], async (client, as) => {
    for (let i = 0; i < 4; i++) assert.equal((await load(client, 700000, as('192.0.2.1'))).status, 507);
  });
});

await check('thousands of others do not change what is counted of one', () =>
  behindProxy(['--max-reads', '1', '--max-reads-burst', '3'], async (client, as) => {
    await Promise.all(
      Array.from({ length: 32 }, async (_, k) => {
        for (let i = 0; i < 300; i++) await client.get('/v1/limits', as(`10.${k}.${i >> 8}.${i & 255}`));
      }),
    );
    const { good, within } = await served(12, () => client.get('/v1/limits', as('192.0.2.1')));
    assert.ok(within(3), `${good}`);
  }),
);

finish();
