// Sessions: create, read, list, rename, remove.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const UNKNOWN = '/v1/sessions/0000000000000000';

const later = (a, b) => assert.ok(Date.parse(a) >= Date.parse(b), `${a} is before ${b}`);

/** Returns the members that are the same for everybody, and in every answer about the session. */
const shared = ({ standing, you, ...session }) => session;

export default [
  ['a client that requests text gets the token in a header, also on a retry', async ({ client }) => {
    const options = { accept: 'text/plain', headers: { 'idempotency-key': `${Math.random()}` } };
    const made = await client.post('/v1/sessions', { size: 2, access: 'none' }, options);
    const again = await client.post('/v1/sessions', { size: 2, access: 'none' }, options);
    const token = made.headers['cubed-token'];
    assert.deepEqual([made.status, made.type, again.status, again.headers['cubed-token'], again.text], [201, 'text/plain', 201, token, made.text]);
    const session = await client.expect(200, 'GET', made.headers.location, undefined, { token });
    assert.equal(session.id, made.headers.location.split('/').at(-1));
    await client.expect(204, 'DELETE', made.headers.location, undefined, { token });
    assert.equal((await client.post('/v1/sessions', { size: 2 })).headers['cubed-token'], undefined);
  }],

  ['a session begins with a solved cube of its size', async ({ client }) => {
    for (const size of [2, 3, 4, 17, 100]) {
      const answer = await client.post('/v1/sessions', { size });
      assert.equal(answer.status, 201);
      const { id, cube, ...rest } = answer.json;
      assert.equal(answer.headers.location, `/v1/sessions/${id}`);
      assert.match(answer.headers.etag, /^"0-/);
      assert.equal(cube.facelets, new Cube(size).facelets);
      assert.deepEqual(
        { size: rest.size, name: rest.name, access: rest.access, revision: rest.revision, scramble: rest.scramble },
        { size, name: null, access: 'view', revision: 0, scramble: null },
      );
      later(rest.created_at, new Date(Date.now() - 60000).toISOString());
      const read = await client.get(answer.headers.location);
      const { token, ...session } = answer.json;
      assert.deepEqual(shared(read.json), session);
      assert.match(token, new RegExp(`^${id}_`));
      assert.match(read.headers.etag, /^"0-/);
    }
  }],

  ['ids are unique', async ({ client }) => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => client.session()));
    assert.equal(new Set(sessions.map(({ id }) => id)).size, 50);
  }],

  ['a scramble is revision 0, and reset returns to it', async ({ client }) => {
    const session = await client.session({ size: 3, scramble: "(R U R' U')2 Rw" });
    assert.equal(session.scramble, "R U R' U' R U R' U' Rw");
    const scrambled = new Cube(3).apply(session.scramble).facelets;
    assert.equal(session.cube.facelets, scrambled);
    assert.equal(session.revision, 0);
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R U2' });
    const reset = await client.expect(200, 'POST', `${session.path}/reset`, {});
    assert.equal(reset.cube.facelets, scrambled);
    assert.equal(reset.entry.restores, 0);
    const byTurns = await client.session({ size: 4, scramble: [{ face: 'R', to: 2 }, { axis: 'y', start: 2 }] });
    assert.equal(byTurns.scramble, "Rw U'");
    const inner = await client.session({ size: 4, scramble: 'r', notation: 'inner' });
    assert.equal(inner.scramble, '2R');
  }],

  ['a session can begin with any cube', async ({ client }) => {
    const model = new Cube(4).apply('Rw U F2');
    const painted = await client.session({ cube: { facelets: model.facelets } });
    assert.equal(painted.size, 4);
    assert.equal(painted.cube.facelets, model.facelets);
    assert.equal(painted.scramble, null);
    await client.expect(200, 'POST', `${painted.path}/moves`, { moves: 'D' });
    await client.expect(200, 'POST', `${painted.path}/moves`, { moves: 'B' });
    const copied = await client.session({ cube: { session: painted.id, at: 1, moves: 'L' }, scramble: 'R' });
    assert.equal(copied.cube.facelets, model.copy().apply('D L R').facelets);
    assert.equal(copied.scramble, 'R');
    assert.equal(copied.revision, 0);
    const original = await client.expect(200, 'GET', painted.path);
    assert.equal(original.revision, 2, 'a copy leaves the original alone');
  }],

  ['names are text of up to 32 characters', async ({ client }) => {
    for (const name of ['a', 'Küche', '🧊'.repeat(32), 'two words', '"quoted" \\ /']) {
      const session = await client.session({ size: 2, name });
      assert.equal(session.name, name);
      assert.equal((await client.expect(200, 'GET', session.path)).name, name);
    }
    for (const name of ['a'.repeat(33), '🧊'.repeat(33), 'a\nb', 'a\u007fb', '\u202eabc', 'x\u2066y', '\u0085']) {
      const problem = await client.expect(400, 'POST', '/v1/sessions', { size: 2, name });
      assert.equal(problem.pointer, '/name', JSON.stringify(name));
    }
  }],

  ['name and access can be changed, the revision stays', async ({ client }) => {
    const session = await client.session({ size: 3, name: 'one', access: 'edit' });
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' });
    const renamed = await client.send('PATCH', session.path, { json: { name: 'two' } });
    assert.equal(renamed.status, 200);
    assert.match(renamed.headers.etag, /^"1-/);
    assert.deepEqual([renamed.json.name, renamed.json.access, renamed.json.revision], ['two', 'edit', 1]);
    later(renamed.json.updated_at, session.updated_at);
    const hidden = await client.expect(200, 'PATCH', session.path, { access: 'none' });
    assert.deepEqual([hidden.name, hidden.access], ['two', 'none']);
    const unnamed = await client.expect(200, 'PATCH', session.path, { name: null, access: 'view' });
    assert.deepEqual([unnamed.name, unnamed.access], [null, 'view']);
    assert.deepEqual(shared(await client.expect(200, 'GET', session.path)), unnamed);
    for (const wrong of [{}, { access: 'all' }, { name: 3 }, { access: null }]) {
      assert.equal((await client.expect(400, 'PATCH', session.path, wrong)).type, 'urn:cubed:problem:bad-member');
    }
    assert.deepEqual(shared(await client.expect(200, 'GET', session.path)), unnamed, 'a refused change changes nothing');
  }],

  ['updated_at follows the entries', async ({ client }) => {
    const session = await client.session();
    const { entry } = await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' });
    const read = await client.expect(200, 'GET', session.path);
    assert.equal(read.updated_at, entry.time);
    assert.equal(read.created_at, session.created_at);
  }],

  ['a deleted session is gone everywhere', async ({ client }) => {
    const session = await client.session();
    const answer = await client.send('DELETE', session.path);
    assert.equal(answer.status, 204);
    const gone = async (method, target, json) => {
      assert.equal((await client.expect(410, method, target, json)).type, 'urn:cubed:problem:gone');
    };
    await gone('GET', session.path);
    await gone('GET', `${session.path}/cube`);
    await gone('GET', `${session.path}/history`);
    await gone('PATCH', session.path, { name: 'x' });
    await gone('DELETE', session.path);
    for (const call of ['moves', 'scramble']) await gone('POST', `${session.path}/${call}`, { moves: 'R' });
    for (const call of ['undo', 'redo', 'reset']) await gone('POST', `${session.path}/${call}`, {});
    await gone('POST', '/v1/apply', { cube: { session: session.id } });
    await gone('GET', `/v1/apply?session=${session.id}`);
    await gone('POST', '/v1/sessions', { cube: { session: session.id } });
  }],

  ['an unknown id is not found, a malformed one too', async ({ client }) => {
    const missing = async (method, target, json) => {
      assert.equal((await client.expect(404, method, target, json)).type, 'urn:cubed:problem:not-found');
    };
    for (const path of [UNKNOWN, '/v1/sessions/x', '/v1/sessions/000000000000000u', '/v1/sessions/00000000000000000']) {
      await missing('GET', path);
      await missing('DELETE', path);
      await missing('GET', `${path}/history`);
      await missing('POST', `${path}/moves`, { moves: 'R' });
    }
    await missing('POST', '/v1/apply', { cube: { session: '0000000000000000' } });
    await missing('GET', '/v1/apply?session=0000000000000000');
  }],

  ['the list has the listed sessions, newest first, page by page', async ({ client }) => {
    const made = [];
    for (let i = 0; i < 7; i++) {
      made.push(await client.session({ size: 2, name: `listed ${i}`, ...[{ access: 'edit', listed: true }, { listed: true }, { access: 'edit' }][i % 3] }));
    }
    await client.send('DELETE', made[3].path);
    const wanted = [6, 4, 1, 0].map((i) => made[i].id);
    const found = [];
    let cursor = '';
    for (let pages = 0; pages < 1000; pages++) {
      const page = await client.expect(200, 'GET', `/v1/sessions?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      assert.ok(page.items.length <= 2);
      found.push(...page.items);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    assert.deepEqual(found.filter(({ id }) => made.some((one) => one.id === id)).map(({ id }) => id), wanted);
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length, 'nothing is listed twice');
    for (const item of found) assert.equal(item.listed, true);
    assert.deepEqual(found[0], shared(await client.expect(200, 'GET', `${made[6].path}?as=none`)), 'without its cube');
    const first = await client.expect(200, 'GET', '/v1/sessions');
    assert.ok(first.items.length <= 20);
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'cursor=']) {
      const problem = await client.expect(400, 'GET', `/v1/sessions?${wrong}`);
      assert.equal(problem.parameter, wrong.split('=')[0]);
    }
  }],

  ['the list is complete while others create sessions', async ({ client }) => {
    for (let i = 0; i < 6; i++) await client.session({ size: 2, listed: true });
    const { items, next_cursor: cursor } = await client.expect(200, 'GET', '/v1/sessions?limit=3');
    const newer = await client.session({ size: 2, listed: true });
    const next = await client.expect(200, 'GET', `/v1/sessions?limit=3&cursor=${encodeURIComponent(cursor)}`);
    const seen = new Set([...items, ...next.items].map(({ id }) => id));
    assert.equal(seen.size, items.length + next.items.length);
    assert.ok(!seen.has(newer.id));
  }],
];
