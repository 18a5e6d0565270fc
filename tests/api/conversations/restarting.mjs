// Answers survive a restart. The memory store keeps nothing, and does not claim to.

import assert from 'node:assert/strict';

async function everything(client, sessions) {
  const all = [];
  for (const { path } of sessions) {
    const session = await client.expect(200, 'GET', path);
    const { items } = await client.expect(200, 'GET', `${path}/history?limit=1000`);
    const states = [];
    for (let at = 0; at <= session.revision; at++) states.push((await client.expect(200, 'GET', `${path}/cube?at=${at}`)).cube);
    all.push({ session, items, states });
  }
  return all;
}

async function prepare(client) {
  const sessions = [
    await client.session({ size: 4, name: 'Küche', access: 'edit', listed: true, scramble: "Rw U2 (F D')2" }),
    await client.session({ size: 3, access: 'none' }),
    await client.session({ size: 2, name: 'two', listed: true }),
  ];
  for (const { path } of sessions) {
    await client.expect(200, 'POST', `${path}/moves`, { moves: "R U2 F'" });
    await client.expect(200, 'POST', `${path}/moves`, { moves: '(R U)7 x' });
    await client.expect(200, 'POST', `${path}/scramble`, { moves: "B L' D2" });
    await client.expect(200, 'POST', `${path}/undo`, { count: 2 });
    await client.expect(200, 'POST', `${path}/redo`, {});
    await client.expect(200, 'POST', `${path}/reset`, {});
    await client.expect(200, 'PATCH', path, { name: 'renamed' });
  }
  return sessions;
}

async function survives(talk, how) {
  const sessions = await prepare(talk.client);
  const removed = await talk.client.session();
  await talk.client.send('DELETE', removed.path);
  const before = await everything(talk.client, sessions);
  const list = await talk.client.expect(200, 'GET', '/v1/sessions?limit=2');
  await talk.restart(how);
  assert.deepEqual(await everything(talk.client, sessions), before);
  assert.deepEqual((await talk.client.expect(200, 'GET', '/v1/sessions?limit=2')).items, list.items);
  await talk.client.expect(410, 'GET', removed.path);
  for (const { path } of sessions) {
    const undone = await talk.client.expect(200, 'POST', `${path}/undo`, {});
    assert.deepEqual([undone.revision, undone.entry.restores], [7, 2], 'the chain of undo goes on');
  }
}

export default [
  ['everything is there after a clean shutdown', async (talk) => {
    if (talk.persistent) await survives(talk, 'stop');
  }],

  ['everything is there after a kill', async (talk) => {
    if (talk.persistent) await survives(talk, 'kill');
  }],

  ['a clean shutdown ends by itself', async (talk) => {
    if (talk.persistent) assert.equal((await talk.restart()).code, 0);
  }],
];
