// Lists: one envelope for all of them, {"items", "next_cursor"}, and a Link to the next page.

import assert from 'node:assert/strict';

/** Follows the Links from a target; the items of all pages, and how many pages there were. */
async function follow(client, target, options = {}) {
  const items = [];
  for (let pages = 1; ; pages++) {
    const page = await client.get(target, options);
    assert.equal(page.status, 200, `${target}: ${page.text}`);
    if (page.json) items.push(...page.json.items);
    else items.push(...page.text.trim().split('\n').map((line) => JSON.parse(line)));
    const next = page.headers.link?.match(/^<(.*)>; rel="next"$/)[1];
    if (page.json) assert.equal(page.json.next_cursor === null, next === undefined, target);
    if (!next) return { items, pages };
    if (page.json) assert.ok(next.includes(`cursor=${page.json.next_cursor}`), next);
    assert.equal(next.split('?')[0], target.split('?')[0]);
    target = next;
    assert.ok(pages < 2000, 'it ends');
  }
}

const name = () => `List ${Math.random().toString(36).slice(2, 12)}`;

export default [
  ['every list has items and next_cursor', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const lists = ['/v1/sessions', `${session.path}/history`, `${session.path}/tokens`, `/v1/solves?session=${session.id}`,
      '/v1/patterns', `/v1/patterns?session=${session.id}`, '/v1/solvers', '/v1/formats'];
    for (const list of lists) {
      const { items, next_cursor: cursor, ...more } = await client.expect(200, 'GET', list);
      assert.ok(Array.isArray(items), list);
      assert.ok(cursor === null || typeof cursor === 'string', list);
      for (const [key, member] of Object.entries(more)) assert.ok(!Array.isArray(member) || list === '/v1/formats', `${list} ${key}`);
    }
    const found = await client.expect(200, 'POST', '/v1/search?limit=1', { pattern: { name: 'cross' }, size: 3 });
    assert.deepEqual(Object.keys(found), ['items', 'next_cursor', 'looked_at']);
  }],

  ['the Link leads through all pages, with the same parameters', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    for (let i = 0; i < 5; i++) await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' });
    const revisions = ({ items }) => items.map(({ revision }) => revision);
    const history = await follow(client, `${session.path}/history?limit=2`);
    assert.deepEqual([revisions(history), history.pages], [[1, 2, 3, 4, 5], 3]);
    const lines = await follow(client, `${session.path}/history?limit=2&after=1`, { accept: 'application/x-ndjson' });
    assert.deepEqual([revisions(lines), lines.pages], [[2, 3, 4, 5], 2]);
    const first = await client.get(`${session.path}/history?&limit=2&after=0`);
    assert.equal(first.headers.link, `<${session.path}/history?limit=2&cursor=c2>; rel="next"`);
    const solve = { session: session.id, scramble: 'R', solution: "R'@1000" };
    for (let i = 0; i < 3; i++) await client.expect(201, 'POST', '/v1/solves', solve);
    const solves = await follow(client, `/v1/solves?limit=1&session=${session.id}`);
    assert.deepEqual([solves.items.length, new Set(solves.items.map(({ id }) => id)).size], [3, 3]);
  }],

  ['what a client wrote into its target cannot leave the Link', async ({ client }) => {
    const called = `<"${name()}ü`;
    for (let i = 0; i < 2; i++) await client.session({ size: 2, listed: true, name: called });
    const raw = `/v1/sessions?limit=1&name=${called.replaceAll(' ', '+').replace('ü', '%C3%BC')}`;
    const answer = await client.get(raw);
    assert.match(answer.headers.link, /^<\/v1\/sessions\?limit=1&name=%3C%22List\+[^<>"]*%C3%BC&cursor=[^<>"]*>; rel="next"$/);
    assert.deepEqual((await follow(client, raw)).items.map((item) => item.name), [called, called]);
  }],

  ['the history is continued by cursor or by after', async ({ client }) => {
    const session = await client.session({ size: 2, access: 'edit' });
    for (let i = 0; i < 3; i++) await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R' });
    const page = await client.expect(200, 'GET', `${session.path}/history?limit=2`);
    assert.equal(page.next_after, 2);
    const byCursor = await client.expect(200, 'GET', `${session.path}/history?limit=2&cursor=${page.next_cursor}`);
    const byAfter = await client.expect(200, 'GET', `${session.path}/history?limit=2&after=${page.next_after}`);
    assert.deepEqual(byCursor, byAfter);
    assert.deepEqual([byCursor.items.length, byCursor.next_cursor, byCursor.next_after], [1, null, null]);
    for (const wrong of [`cursor=${page.next_cursor}&after=2`, 'cursor=2', 'cursor=', 'cursor=c0']) {
      assert.equal((await client.expect(400, 'GET', `${session.path}/history?${wrong}`)).parameter, 'cursor', wrong);
    }
    assert.deepEqual((await client.expect(200, 'GET', `${session.path}/history?cursor=cffffffffffffffff`)).items, []);
  }],

  ['sessions are listed and found without their cubes unless as asks', async ({ client }) => {
    const moves = `R U2 F' D ${'RLFB'[Math.floor(Math.random() * 4)]}2 B' U R2 D`;
    const called = name();
    const session = await client.session({ cube: { moves }, listed: true, name: called });
    const { cube, standing, you, ...lean } = await client.expect(200, 'GET', session.path);
    const listed = (query) => client.expect(200, 'GET', `/v1/sessions?name=${encodeURIComponent(called)}${query}`);
    const found = (query) => client.expect(200, 'POST', `/v1/search?limit=1${query}`, { cube: { moves } });
    for (const ask of [listed, found]) {
      assert.deepEqual((await ask('')).items, [lean]);
      assert.deepEqual((await ask('&as=facelets')).items, [{ ...lean, cube }]);
      assert.deepEqual(Object.keys((await ask('&as=reid')).items[0].cube), ['size', 'facelets', 'reid', 'solved', 'home']);
    }
  }],

  ['sessions are filtered by size and by part of the name', async ({ client }) => {
    const called = name();
    const made = [];
    for (const [i, size] of [2, 3, 2, 4].entries()) made.push(await client.session({ size, listed: true, name: `${called} ${'aBcÄ'[i]}` }));
    await client.session({ size: 2 });
    const ids = async (query) => (await follow(client, `/v1/sessions?limit=1&${query}`)).items.map(({ id }) => made.findIndex((one) => one.id === id));
    const part = encodeURIComponent(called.toUpperCase().slice(1));
    assert.deepEqual(await ids(`name=${part}`), [3, 2, 1, 0]);
    assert.deepEqual(await ids(`name=${part}&size=2`), [2, 0]);
    assert.deepEqual(await ids(`name=${part}&size=5`), []);
    assert.deepEqual(await ids(`name=${part}%20b`), [1]);
    assert.deepEqual(await ids(`name=${part}+%C3%84`), [3]);
    assert.deepEqual(await ids(`name=${part}+%C3%A4`), [], 'only ASCII letters match in either case');
    for (const wrong of ['name=', 'name=%FF', `name=${'x'.repeat(129)}`, 'size=1', 'size=x', 'size=101']) {
      assert.equal((await client.expect(400, 'GET', `/v1/sessions?${wrong}`)).parameter, wrong.split('=')[0], wrong);
    }
  }],

  ['sessions are listed newest or oldest first', async ({ client }) => {
    const called = name();
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await client.session({ size: 2, name: called, listed: i !== 3 }));
    await client.expect(204, 'DELETE', made[1].path);
    const ids = async (query) => (await follow(client, `/v1/sessions?name=${encodeURIComponent(called)}${query}`)).items.map(({ id }) => made.findIndex((one) => one.id === id));
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(await ids(`&limit=${limit}`), [4, 2, 0]);
      assert.deepEqual(await ids(`&limit=${limit}&sort=-created_at`), [4, 2, 0]);
      assert.deepEqual(await ids(`&limit=${limit}&sort=created_at`), [0, 2, 4]);
    }
    const { items } = await follow(client, '/v1/sessions?sort=created_at&limit=100');
    assert.deepEqual((await follow(client, '/v1/sessions?limit=100')).items, items.reverse(), 'both have all of them');
    for (const wrong of ['name', 'updated_at', '', 'CREATED_AT']) {
      const problem = await client.expect(400, 'GET', `/v1/sessions?sort=${wrong}`);
      assert.deepEqual([problem.parameter, /created_at/.test(problem.expected)], ['sort', true], wrong);
    }
  }],
];
