// Entries with their turns as objects, wherever entries are answered.

import assert from 'node:assert/strict';

const lines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

export default [
  ['entries have their turns wherever they are answered', async ({ client }) => {
    const session = await client.session({ size: 4, access: 'edit' });
    const call = (path, body, query = '?turns=true&as=none') => client.expect(200, 'POST', `${session.path}/${path}${query}`, body);
    const entries = [];
    for (const [path, body] of [['moves', { moves: "Rw' (U2 x)2" }], ['undo', {}], ['redo', {}], ['scramble', { moves: '2F' }], ['reset', {}]]) {
      const { entry } = await call(path, body);
      assert.ok(Array.isArray(entry.turns), path);
      entries.push(entry);
    }
    const { turns } = await client.expect(200, 'POST', '/v1/apply?turns=true', { size: 4, moves: "Rw' (U2 x)2" });
    assert.deepEqual(entries[0].turns, turns, 'as apply has them');
    assert.deepEqual(turns[0], { face: 'R', from: 1, to: 2, turns: -1, axis: [1, 0, 0], layers: [1, 2], move: "Rw'" });
    assert.deepEqual((await client.expect(200, 'GET', `${session.path}/history?turns=true`)).items, entries);
    const history = await client.get(`${session.path}/history?turns=true`, { accept: 'application/x-ndjson' });
    assert.deepEqual(lines(history.text), entries);
    for (const { items } of [await client.expect(200, 'GET', `${session.path}/history`), await client.expect(200, 'GET', `${session.path}/history?turns=false`)]) {
      assert.ok(items.every((entry) => !('turns' in entry)), 'only if asked for');
    }
    const stale = await client.expect(409, 'POST', `${session.path}/moves?turns=true`, { moves: 'R', revision: 3 });
    assert.deepEqual(stale.missed, entries.slice(3), 'also the missed ones');
    await client.expect(400, 'POST', `${session.path}/moves?turns=cubies`, { moves: 'R' });
    const back = await call('moves', { moves: entries[0].turns });
    assert.equal(back.entry.moves, entries[0].moves, 'and they are read again');
  }],

  ['events have them too, also long entries', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R U' });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: '(R U)200' });
    const { items } = await client.expect(200, 'GET', `${session.path}/history?turns=true`);
    const stream = await client.get(`${session.path}/events?after=0&turns=true`, { accept: 'application/x-ndjson', enough: (text) => /"event":"entry".*\n/.test(text) });
    const entries = lines(stream.text).filter(({ event }) => event === 'entry').map(({ data }) => data);
    assert.deepEqual(entries, items.slice(0, entries.length));
    assert.ok(entries.length > 0);
  }],

  ['they are null where the moves are', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    for (let i = 0; i < 6; i++) await client.expect(200, 'POST', `${session.path}/moves?as=none`, { moves: '(R U)1000' });
    const { entry } = await client.expect(200, 'POST', `${session.path}/undo?turns=true&as=none`, { count: 6 });
    assert.deepEqual([entry.moves, entry.turns], [null, null]);
  }],

  ['a retry has the turns that the first answer had', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const send = () => client.post(`${session.path}/moves?turns=true`, { moves: 'R U2' }, { headers: { 'idempotency-key': `turns-${session.id}` } });
    const [first, again] = [await send(), await send()];
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.text, first.text);
    assert.equal(first.json.entry.turns.length, 2);
  }],
];
