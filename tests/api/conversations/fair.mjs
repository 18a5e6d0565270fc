// Fairness: rebase, turn policies, whose entries may be taken back; and that of two writers one wins.

import assert from 'node:assert/strict';
import { Client } from '../client.mjs';
import { Cube } from '../model.mjs';

const TIMES = 1000;

/** A session with an owner and two editors. */
async function game(client, body = {}) {
  const session = await client.session({ size: 3, ...body });
  const who = { owner: session.token, nobody: null };
  for (const label of ['anna', 'bo']) {
    who[label] = (await client.expect(201, 'POST', `${session.path}/tokens`, { role: 'editor', label })).token;
  }
  const turn = (name, status, moves, more = {}) =>
    client.expect(status, 'POST', `${session.path}/moves`, { moves, ...more }, { token: who[name] });
  const call = (name, status, path, json = {}) => client.expect(status, 'POST', `${session.path}/${path}`, json, { token: who[name] });
  return { ...session, who, turn, call };
}

const label = (actor) => actor && (actor.label ?? actor.role);

export default [
  ['of two writes to one revision exactly one succeeds, a thousand times', async ({ client }) => {
    const other = new Client(client.url);
    const { path, who } = await game(client, { size: 2 });
    for (let revision = 0; revision < TIMES; revision++) {
      const answers = await Promise.all(
        [[client, 'anna'], [other, 'bo']].map(([one, name]) =>
          one.post(`${path}/moves?as=facelets`, { moves: 'R', revision }, { token: who[name] }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], `at ${revision}`);
      const [winner, loser] = answers[0].status === 200 ? answers : [answers[1], answers[0]];
      assert.deepEqual(loser.json.missed, [winner.json.entry]);
    }
    other.close();
    assert.equal((await client.expect(200, 'GET', path)).revision, TIMES);
  }],

  ['each entry names its actor', async ({ client }) => {
    const { path, turn } = await game(client, { access: 'edit' });
    const names = ['anna', 'owner', 'nobody', 'bo', 'anna'];
    for (const name of names) {
      const { entry } = await turn(name, 200, 'R');
      assert.equal(label(entry.actor), name === 'nobody' ? null : name);
    }
    const { items } = await client.expect(200, 'GET', `${path}/history`, undefined, { token: null });
    assert.deepEqual(items.map(({ actor }) => label(actor)), ['anna', 'owner', null, 'bo', 'anna']);
    assert.deepEqual(items[0].actor, { id: '2', label: 'anna', role: 'editor' });
  }],

  ['an editor can undo their own newest entries, an owner any', async ({ client }) => {
    const { path, turn, call } = await game(client, { access: 'edit' });
    for (const name of ['anna', 'bo', 'bo', 'nobody']) await turn(name, 200, 'R U');
    const refused = await call('bo', 403, 'undo');
    assert.deepEqual([refused.type, refused.revision, refused.actor], ['urn:cubed:problem:not-your-entry', 4, null]);
    assert.equal((await call('nobody', 200, 'undo')).entry.restores, 3);
    await call('nobody', 403, 'undo');
    await call('bo', 403, 'undo', { count: 3 });
    assert.equal((await call('bo', 200, 'undo', { count: 2 })).entry.restores, 1);
    const last = await call('bo', 403, 'undo');
    assert.equal(last.actor.label, 'anna');
    await call('anna', 200, 'redo');
    await call('owner', 200, 'undo', { count: 2 });
    assert.ok((await client.expect(200, 'GET', path)).cube.solved);
    await call('anna', 409, 'undo');
  }],

  ['undo of an entry too long to write out also checks its actor', async ({ client }) => {
    const { turn, call } = await game(client);
    await turn('anna', 200, 'R');
    for (let i = 0; i < 3; i++) await turn('bo', 200, "(R U R' U')1200");
    await call('bo', 403, 'undo', { count: 4 });
    assert.equal((await call('bo', 200, 'undo', { count: 3 })).entry.moves, null);
  }],

  ['alternate: no actor turns twice in a row', async ({ client }) => {
    const { path, turn, call } = await game(client, { turn_policy: 'alternate', access: 'edit' });
    await turn('anna', 200, 'R');
    const refused = await turn('anna', 403, 'U');
    assert.deepEqual([refused.type, refused.turn_policy, refused.last.label], ['urn:cubed:problem:not-your-turn', 'alternate', 'anna']);
    await turn('nobody', 200, 'U');
    await turn('nobody', 403, 'U');
    await turn('owner', 200, 'U');
    await call('owner', 403, 'scramble', { moves: 'R' });
    await call('owner', 403, 'reset');
    await call('owner', 200, 'undo');
    await turn('nobody', 403, 'F'); // theirs is the newest in force now
    await turn('owner', 200, 'F');
    await call('owner', 200, 'undo', { count: 2 });
    await turn('anna', 403, 'F');
    await call('owner', 200, 'undo');
    await turn('anna', 200, 'F');
    await client.expect(200, 'PATCH', path, { turn_policy: 'free' });
    await turn('anna', 200, 'F');
    assert.equal((await client.expect(200, 'GET', path)).turn_policy, 'free');
  }],

  ['round-robin: actors turn in the order of their tokens', async ({ client }) => {
    const { path, turn } = await game(client, { turn_policy: 'round-robin' });
    await turn('anna', 200, 'R');
    const refused = await turn('owner', 403, 'U');
    assert.deepEqual([refused.last.label, refused.next.label], ['anna', 'bo']);
    await turn('anna', 403, 'U');
    await turn('bo', 200, 'U');
    await turn('anna', 403, 'U');
    await turn('owner', 200, 'U');
    await turn('anna', 200, 'U');
    await client.expect(204, 'DELETE', `${path}/tokens/3`); // bo leaves
    await turn('owner', 200, 'U');
    await client.expect(200, 'PATCH', path, { access: 'edit' });
    await turn('anna', 200, 'U');
    await turn('owner', 403, 'U');
    await turn('nobody', 200, 'U');
    await turn('owner', 200, 'U');
  }],

  ['turn policies hold under simultaneous requests', async ({ client }) => {
    const { path, who } = await game(client, { turn_policy: 'alternate', size: 2 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => client.post(`${path}/moves`, { moves: 'R' }, { token: who[['anna', 'bo', 'owner'][i % 3]] })),
    );
    assert.ok(answers.every(({ status }) => status === 200 || status === 403));
    const { items } = await client.expect(200, 'GET', `${path}/history?limit=1000`);
    assert.equal(items.length, answers.filter(({ status }) => status === 200).length);
    for (let i = 1; i < items.length; i++) assert.notEqual(items[i].actor.id, items[i - 1].actor.id);
  }],

  ['only the owner sets the turn policy, and only to a known one', async ({ client }) => {
    const { path, who } = await game(client);
    await client.expect(403, 'PATCH', path, { turn_policy: 'alternate' }, { token: who.anna });
    for (const wrong of ['alternating', '', 3, null]) await client.expect(400, 'PATCH', path, { turn_policy: wrong });
    await client.expect(400, 'POST', '/v1/sessions', { size: 3, turn_policy: 'random' });
  }],

  ['a change on an older revision is accepted if the order does not matter', async ({ client }) => {
    const { path, turn, call } = await game(client);
    await turn('anna', 200, 'R');
    await turn('anna', 200, "M2 L' x");
    const answer = await turn('bo', 200, 'L Rw2', { revision: 0, rebase: 'commuting' });
    assert.deepEqual([answer.rebased_from, answer.revision], [0, 3]);
    assert.equal(answer.cube.facelets, new Cube(3).apply("R M2 L' x L Rw2").facelets);
    assert.equal((await turn('bo', 200, 'R', { revision: 3, rebase: 'commuting' })).rebased_from, undefined);
    const refused = await turn('bo', 409, 'L U', { revision: 0, rebase: 'commuting' });
    assert.deepEqual([refused.type, refused.missed.length], ['urn:cubed:problem:stale-revision', 4]);
    await turn('bo', 409, 'U', { revision: 0, rebase: 'commuting' });
    await turn('bo', 409, 'R', { revision: 0, rebase: 'never' });
    await turn('bo', 409, 'R', { revision: 9, rebase: 'commuting' });
    await turn('anna', 200, 'U');
    await turn('bo', 409, 'R', { revision: 3, rebase: 'commuting' });
    const forced = await turn('bo', 200, 'F', { revision: 0, rebase: 'always' });
    assert.deepEqual([forced.rebased_from, forced.revision], [0, 6]);
    assert.equal((await call('bo', 200, 'scramble', { moves: 'B', revision: 5, rebase: 'commuting' })).rebased_from, 5);
    for (const wrong of [{ rebase: 'commuting' }, { revision: 1, rebase: 'comuting' }, { revision: 1, rebase: true }, { revision: 1, rebase: 1 }]) {
      assert.equal((await turn('bo', 400, 'R', wrong)).pointer, '/rebase');
    }
    const etag = await client.post(`${path}/moves`, { moves: 'R', revision: 5, rebase: 'commuting' }, { headers: { 'if-match': '"1"' } });
    assert.equal(etag.status, 412, 'If-Match means what it says');
  }],
];
