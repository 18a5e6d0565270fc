// Several clients on one session: revision, ETag and If-Match.

import assert from 'node:assert/strict';
import { Client } from '../client.mjs';
import { Cube } from '../model.mjs';

async function turned(client, count) {
  const session = await client.session({ size: 3 });
  const entries = [];
  for (let i = 0; i < count; i++) {
    entries.push((await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'RUFDLB'[i % 6] })).entry);
  }
  return { ...session, entries };
}

const withMatch = (etag) => ({ headers: { 'if-match': etag } });

export default [
  ['a write with the newest revision is accepted', async ({ client }) => {
    const s = await turned(client, 2);
    for (const [call, json] of [['moves', { moves: 'R' }], ['undo', {}], ['redo', {}], ['scramble', { moves: 'U' }], ['reset', {}]]) {
      const { revision } = await client.expect(200, 'GET', s.path);
      const answer = await client.expect(200, 'POST', `${s.path}/${call}`, { ...json, revision });
      assert.equal(answer.revision, revision + 1);
    }
  }],

  ['a write with a stale revision is refused, with all missed entries', async ({ client }) => {
    const s = await turned(client, 4);
    const calls = [['moves', { moves: 'R' }], ['undo', {}], ['redo', {}], ['scramble', { moves: 'U' }], ['reset', {}]];
    for (const [call, json] of calls) {
      const problem = await client.expect(409, 'POST', `${s.path}/${call}?as=net`, { ...json, revision: 1 });
      assert.equal(problem.type, 'urn:cubed:problem:stale-revision');
      assert.equal(problem.revision, 4);
      assert.deepEqual(problem.missed, s.entries.slice(1));
      assert.equal(problem.next_after, undefined);
      assert.equal(problem.cube.facelets, new Cube(3).apply('R U F D').facelets);
    }
    const ahead = await client.expect(409, 'POST', `${s.path}/moves`, { moves: 'R', revision: 9 });
    assert.deepEqual([ahead.revision, ahead.missed], [4, []]);
    assert.equal((await client.expect(200, 'GET', s.path)).revision, 4);
  }],

  ['a client can rebase with the refusal alone, without another call', async ({ client }) => {
    const s = await turned(client, 3);
    const problem = await client.expect(409, 'POST', `${s.path}/moves`, { moves: 'M', revision: 0 });
    const model = new Cube(3);
    for (const { moves } of problem.missed) model.apply(moves);
    assert.equal(model.facelets, problem.cube.facelets);
    const answer = await client.expect(200, 'POST', `${s.path}/moves`, { moves: 'M', revision: problem.revision });
    assert.equal(answer.cube.facelets, model.apply('M').facelets);
  }],

  ['at most a thousand missed entries are listed', async ({ client }) => {
    const s = await client.session({ size: 2 });
    for (let i = 0; i < 1005; i += 5) {
      await Promise.all(Array.from({ length: 5 }, () => client.expect(200, 'POST', `${s.path}/moves`, { moves: 'R' })));
    }
    const problem = await client.expect(409, 'POST', `${s.path}/moves`, { moves: 'R', revision: 2 });
    assert.equal(problem.revision, 1005);
    assert.equal(problem.missed.length, 1000);
    assert.deepEqual([problem.missed[0].revision, problem.missed.at(-1).revision, problem.next_after], [3, 1002, 1002]);
    const rest = await client.expect(200, 'GET', `${s.path}/history?after=${problem.next_after}`);
    assert.deepEqual(rest.items.map(({ revision }) => revision), [1003, 1004, 1005]);
    const big = await client.expect(200, 'GET', `${s.path}/history?limit=1000`);
    assert.ok(big.items.length <= 1000 && big.next_after === big.items.at(-1).revision);
  }],

  ['If-Match is checked before the revision', async ({ client }) => {
    const s = await turned(client, 3);
    const etag = (await client.get(s.path)).headers.etag;
    const answer = await client.post(`${s.path}/undo`, { revision: 3 }, withMatch('"1-5e3b01c9aa42.7d0c11f2"'));
    assert.equal(answer.status, 412);
    assert.equal(answer.json.type, 'urn:cubed:problem:precondition-failed');
    assert.equal(answer.json.revision, 3);
    assert.deepEqual(answer.json.missed, s.entries.slice(1));
    assert.equal(answer.json.cube.facelets, new Cube(3).apply('R U F').facelets);
    const older = await client.post(`${s.path}/undo`, {}, withMatch('"2"'));
    assert.deepEqual([older.status, older.json.missed], [412, s.entries.slice(2)], 'an ETag of an older server');
    assert.equal((await client.post(`${s.path}/undo`, {}, withMatch('"3"'))).status, 412, 'a revision alone is no ETag');
    const both = await client.post(`${s.path}/moves`, { moves: 'R', revision: 2 }, withMatch(etag));
    assert.equal(both.status, 409, 'the ETag fits, the revision does not');
    const now = await client.expect(200, 'GET', s.path);
    assert.deepEqual([now.revision, now.name], [3, null]);
  }],

  ['of two writes to one revision exactly one succeeds', async ({ client }) => {
    const other = new Client(client.url);
    const s = await client.session();
    for (let revision = 0; revision < 40; revision++) {
      const etag = withMatch((await client.get(s.path)).headers.etag);
      const byMember = (who, moves) => who.post(`${s.path}/moves`, { moves, revision });
      const byHeader = (who, moves) => who.post(`${s.path}/moves`, { moves }, etag);
      const call = revision % 2 ? byMember : byHeader;
      const answers = await Promise.all([call(client, 'R'), call(other, 'U')]);
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, revision % 2 ? 409 : 412]);
      const [winner, loser] = answers[0].status === 200 ? answers : answers.reverse();
      assert.equal(winner.json.revision, revision + 1);
      assert.deepEqual(loser.json.missed, [winner.json.entry], 'the loser is told what won');
      assert.equal(loser.json.cube.facelets, winner.json.cube.facelets);
    }
    other.close();
  }],

  ['writes without a revision are all accepted, in one order', async ({ client }) => {
    const s = await client.session();
    const clients = Array.from({ length: 16 }, () => new Client(client.url));
    const answers = (await Promise.all(clients.map(async (one, i) => {
      const own = [];
      for (let k = 0; k < 10; k++) {
        own.push(await one.expect(200, 'POST', `${s.path}/moves`, { moves: 'URFDLB'[(i + k) % 6] }));
      }
      return own;
    }))).flat();
    clients.forEach((one) => one.close());
    answers.sort((a, b) => a.revision - b.revision);
    assert.deepEqual(answers.map(({ revision }) => revision), Array.from({ length: 160 }, (_, i) => i + 1));
    const model = new Cube(3);
    for (const { entry, cube } of answers) assert.equal(model.apply(entry.moves).facelets, cube.facelets);
    const { items } = await client.expect(200, 'GET', `${s.path}/history?limit=1000`);
    assert.deepEqual(items, answers.map(({ entry }) => entry));
  }],
];
