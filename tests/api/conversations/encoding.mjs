// Compressed answers: for clients that accept gzip, what is text and not small; with an ETag of its own.

import assert from 'node:assert/strict';

const GZIP = { 'accept-encoding': 'gzip' };
const LARGE = '/v1/apply?size=20&as=faces';

const packed = ({ headers }) => headers['content-encoding'] === 'gzip';
const get = (client, target, encoding, headers = {}) => client.get(target, { headers: { ...(encoding !== undefined && { 'accept-encoding': encoding }), ...headers } });

export default [
  ['Accept-Encoding is weighed', async ({ client }) => {
    for (const good of ['gzip', 'GZIP', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8, *;q=0.1', '*', 'x-gzip', 'gzip;q=0.5', 'identity;q=0.5, gzip;q=0.5', 'deflate,  gzip ;q=1', 'identity;q=0, *']) {
      assert.ok(packed(await get(client, LARGE, good)), good);
    }
    for (const bad of [undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.000', '*;q=0', 'gzip;q=0, *', 'gzip;q=0.4, identity;q=0.5', 'gzipped', 'x', ',,']) {
      assert.ok(!packed(await get(client, LARGE, bad)), bad);
    }
  }],

  ['the content is the same, in fewer bytes', async ({ client }) => {
    const session = await client.session({ size: 20, access: 'edit' });
    const targets = [LARGE, '/v1/formats', '/v1/limits', '/v1/patterns', '/openapi.yaml', '/openapi.json', '/', '/docs', '/v1/image.svg?size=20', `${session.path}?as=faces`,
      `${session.path}/cube?as=poses`];
    for (const target of targets) {
      const plain = await get(client, target), gzip = await get(client, target, 'gzip');
      assert.ok(!packed(plain) && packed(gzip), target);
      assert.equal(gzip.text, plain.text, target);
      assert.ok(gzip.sent.length < plain.sent.length * 0.7, `${target}: ${gzip.sent.length} of ${plain.sent.length}`);
      assert.equal(Number(gzip.headers['content-length']), gzip.sent.length);
      for (const name of ['content-type', 'cache-control', 'vary', 'content-security-policy']) assert.equal(gzip.headers[name], plain.headers[name], target);
      const head = await client.send('HEAD', target, { headers: GZIP });
      for (const name of ['content-length', 'content-encoding', 'etag']) assert.equal(head.headers[name], gzip.headers[name], `${target} ${name}`);
    }
    const moves = await client.send('POST', `${session.path}/moves?as=faces`, { json: { moves: 'R' }, headers: GZIP });
    assert.ok(packed(moves) && moves.json.revision === 1, 'answers to writes too');
  }],

  ['what is small, not text or a stream is sent as it is', async ({ client }) => {
    const rows = { cubes: [{ size: 3 }] };
    assert.ok(!packed(await get(client, '/v1/apply', 'gzip')));
    assert.ok(!packed(await get(client, '/v1/apply?moves=Q', 'gzip')));
    assert.ok(!packed(await client.post('/v1/features', rows, { accept: 'application/octet-stream', headers: GZIP })));
    assert.ok(!packed(await get(client, '/v1/scramble?size=100&count=3', 'gzip')));
  }],

  ['each coding has its ETag, and 304 for those that have it', async ({ client }) => {
    const session = await client.session({ size: 20, access: 'edit' });
    for (const target of [LARGE, '/openapi.json', `${session.path}?as=faces`]) {
      const plain = (await get(client, target)).headers.etag, gzip = (await get(client, target, 'gzip')).headers.etag;
      assert.equal(gzip, plain.replace(/"$/, '-gz"'), target);
      const ask = async (encoding, known) => {
        const { status, headers } = await get(client, target, encoding, { 'if-none-match': known });
        return [status, headers.etag];
      };
      assert.deepEqual(await ask('gzip', gzip), [304, gzip], target);
      assert.deepEqual(await ask('gzip', plain), [304, plain], target);
      assert.deepEqual(await ask(undefined, plain), [304, plain], target);
      assert.deepEqual(await ask(undefined, gzip), [200, plain], target);
      assert.deepEqual(await ask('gzip', gzip.replace('-gz', '-gx')), [200, gzip], target);
    }
  }],

  ['If-Match takes the ETag of a compressed answer', async ({ client }) => {
    const session = await client.session({ size: 20, access: 'edit' });
    const { etag } = (await get(client, `${session.path}?as=faces`, 'gzip')).headers;
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' }, { headers: { 'if-match': etag } });
    await client.expect(412, 'POST', `${session.path}/moves`, { moves: 'R' }, { headers: { 'if-match': etag } });
    for (let i = 0; i < 12; i++) await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer', label: `a long label ${i}` });
    const list = await get(client, `${session.path}/tokens`, 'gzip');
    assert.ok(packed(list) && /-gz"$/.test(list.headers.etag));
    await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'viewer' }, { headers: { 'if-match': list.headers.etag } });
    await client.expect(412, 'POST', `${session.path}/tokens`, { role: 'viewer' }, { headers: { 'if-match': list.headers.etag } });
  }],

  ['a retry may ask for another coding', async ({ client }) => {
    const { path } = await client.session({ size: 20, access: 'edit' });
    const write = (headers) => client.send('POST', `${path}/moves?as=faces`, { json: { moves: 'R' }, headers: { 'idempotency-key': `coding-${path}`, ...headers } });
    const first = await write({}), again = await write(GZIP);
    assert.ok(!packed(first) && packed(again));
    assert.equal(again.text, first.text);
    assert.equal(again.headers['idempotent-replayed'], 'true');
  }],
];
