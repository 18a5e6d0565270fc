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
  ['a write with the revision last seen goes through', async ({ client }) => {
    const s = await turned(client, 2);
    for (const [call, json] of [['moves', { moves: 'R' }], ['undo', {}], ['redo', {}], ['scramble', { moves: 'U' }], ['reset', {}]]) {
      const { revision } = await client.expect(200, 'GET', s.path);
      const answer = await client.expect(200, 'POST', `${s.path}/${call}`, { ...json, revision });
      assert.equal(answer.revision, revision + 1);
    }
  }],

  ['a stale one is refused with all that was missed', async ({ client }) => {
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

  ['a client can rebase with what the refusal tells, and no other call', async ({ client }) => {
    const s = await turned(client, 3);
    const problem = await client.expect(409, 'POST', `${s.path}/moves`, { moves: 'M', revision: 0 });
    const model = new Cube(3);
    for (const { moves } of problem.missed) model.apply(moves);
    assert.equal(model.facelets, problem.cube.facelets);
    const answer = await client.expect(200, 'POST', `${s.path}/moves`, { moves: 'M', revision: problem.revision });
    assert.equal(answer.cube.facelets, model.apply('M').facelets);
  }],

  ['of very many only a thousand are told', async ({ client }) => {
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

  ['If-Match lets through what fits', async ({ client }) => {
    const s = await turned(client, 1);
    let revision = 1;
    for (const etag of ['"1"', '"0", "2"', '"3","4"', '*', 'W/"5", "5"', '"a,b" , "6"']) {
      const answer = await client.post(`${s.path}/moves`, { moves: 'R' }, withMatch(etag));
      assert.equal(answer.status, 200, `${etag} at ${revision}: ${answer.text}`);
      revision = answer.json.revision;
    }
    assert.equal((await client.send('PATCH', s.path, { json: { name: 'x' }, ...withMatch(`"${revision}"`) })).status, 200);
    assert.equal((await client.send('DELETE', s.path, withMatch(`"${revision}"`))).status, 204);
  }],

  ['If-Match stops what does not, before revision is looked at', async ({ client }) => {
    const s = await turned(client, 3);
    for (const etag of ['"2"', 'W/"3"', '"0", "1"', '"03"', '3', '""', '"3', '"3"x', '"3" "4"']) {
      const answer = await client.post(`${s.path}/moves`, { moves: 'R', revision: 1 }, withMatch(etag));
      assert.ok([400, 412].includes(answer.status), `${etag}: ${answer.status}`);
      if (/^(W\/)?"[^"]*"$/.test(etag)) assert.equal(answer.status, 412, etag);
    }
    const problem = (await client.post(`${s.path}/undo`, { revision: 3 }, withMatch('"1"'))).json;
    assert.equal(problem.type, 'urn:cubed:problem:precondition-failed');
    assert.equal(problem.revision, 3);
    assert.deepEqual(problem.missed, s.entries.slice(1));
    assert.equal(problem.cube.facelets, new Cube(3).apply('R U F').facelets);
    const both = await client.post(`${s.path}/moves`, { moves: 'R', revision: 2 }, withMatch('"3"'));
    assert.equal(both.status, 409, 'the ETag fits, the revision does not');
    assert.equal((await client.send('DELETE', s.path, withMatch('"1"'))).status, 412);
    assert.equal((await client.send('PATCH', s.path, { json: { name: 'x' }, ...withMatch('"1"') })).status, 412);
    const now = await client.expect(200, 'GET', s.path);
    assert.deepEqual([now.revision, now.name], [3, null]);
  }],

  ['of two that write on one revision exactly one wins', async ({ client }) => {
    const other = new Client(client.url);
    const s = await client.session();
    for (let revision = 0; revision < 40; revision++) {
      const etag = withMatch(`"${revision}"`);
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

  ['writers without a revision all get in, in one order', async ({ client }) => {
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
