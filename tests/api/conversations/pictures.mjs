// Pictures: GET /v1/image.svg, and Accept: image/svg+xml wherever one cube is answered.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Cube } from '../model.mjs';

const WCA = { U: 'ffffff', R: 'c41e3a', F: '009e60', D: 'ffd500', L: 'ff5800', B: '0051ba' };
const SVG = 'image/svg+xml';

/** The colours of the stickers as drawn, by how many there are. */
function stickers(svg) {
  const counts = {};
  for (const [, color, path] of svg.matchAll(/<path fill="#([0-9a-f]{6})" stroke="#\1" d="([^"]*)"/g)) {
    counts[color] = (counts[color] ?? 0) + path.split('M').length - 1;
  }
  return counts;
}

function lettersOf(letters, colors = WCA) {
  const counts = {};
  for (const letter of letters) counts[colors[letter]] = (counts[colors[letter]] ?? 0) + 1;
  return counts;
}

/** Tags that open and close each other in turn. */
function assertWellFormed(svg) {
  const open = [];
  for (const [, closing, name, empty] of svg.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (closing) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(svg, /script|href|url\(|style|&/);
}

async function image(client, query) {
  const answer = await client.get(`/v1/image.svg${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.type, SVG);
  assertWellFormed(answer.text);
  return answer;
}

export default [
  ['a picture shows the stickers of the cube, of any size', async ({ client }) => {
    for (const size of [2, 3, 4, 7]) {
      const moves = "R U2 F' L D'";
      const { facelets } = new Cube(size).apply(moves);
      const query = `?size=${size}&moves=${encodeURIComponent(moves)}`;
      const area = size * size;
      assert.deepEqual(stickers((await image(client, `${query}&view=net`)).text), lettersOf(facelets));
      assert.deepEqual(stickers((await image(client, query)).text), lettersOf(facelets.slice(0, 3 * area)));
      const rows = [1, 2, 4, 5].map((face) => facelets.slice(face * area, face * area + size));
      const last = facelets.slice(0, area) + rows.join('');
      assert.deepEqual(stickers((await image(client, `${query}&view=plan`)).text), lettersOf(last));
    }
    assert.deepEqual(stickers((await image(client, '')).text), lettersOf('U'.repeat(9) + 'R'.repeat(9) + 'F'.repeat(9)));
  }],

  ['the picture of README.md is drawn by its command', async ({ client }) => {
    const kept = readFileSync(new URL('../../../docs/cube.svg', import.meta.url), 'utf8');
    const [, query] = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').match(/v1\/image\.svg(\?[^"]*)" > cube\.svg/);
    assert.equal((await image(client, query)).text, kept);
  }],

  ['the largest one is drawn', async ({ client }) => {
    const { text } = await image(client, '?size=100&moves=50Rw&view=net');
    assert.equal(Object.values(stickers(text)).reduce((a, b) => a + b), 60000);
  }],

  ['colours that are not a cube are drawn; malformed states are refused', async ({ client }) => {
    const { facelets } = new Cube(3);
    const painted = `R${facelets.slice(1)}`;
    assert.deepEqual(stickers((await image(client, `?facelets=${painted}&view=net`)).text), lettersOf(painted));
    assert.equal((await client.get('/v1/image.svg?moves=Q')).status, 422);
    for (const query of ['index=1x', 'facelets=UU', 'reid=UF']) {
      const { status } = await client.get(`/v1/image.svg?${query}`);
      assert.ok(status === 400 || status === 422, `${query}: ${status}`);
    }
  }],

  ['in other colours: a scheme, or six given colours', async ({ client }) => {
    const own = { U: '000000', R: '111111', F: '222222', D: 'abcdef', L: '444444', B: '555555' };
    const { facelets } = new Cube(3).apply('R U');
    const query = `?moves=RU&view=net&colors=${Object.values(own).join(',')}`;
    assert.deepEqual(stickers((await image(client, query)).text), lettersOf(facelets, own));
    assert.ok(stickers((await image(client, '?colors=okabe-ito')).text)['009e73']);
  }],

  ['an invalid view or colour is refused', async ({ client }) => {
    const wrong = async (query, parameter) => {
      const problem = await client.expect(400, 'GET', `/v1/image.svg?${query}`);
      assert.equal(problem.parameter, parameter);
      return problem;
    };
    assert.equal((await wrong('view=plane', 'view')).suggestion, 'plan');
    for (const colors of ['', 'wca,', 'red', '000000', '000000,111111,222222,333333,444444,55555g', '%3Cscript%3E']) await wrong(`colors=${colors}`, 'colors');
    await wrong('as=net', 'as');
    await wrong('size=101', 'size');
    assert.equal((await client.get('/v1/image.svg', { accept: 'application/json' })).status, 406);
  }],

  ['a picture is inert in a browser, and can be cached unless it shows a stored cube', async ({ client }) => {
    const { headers } = await image(client, '?moves=R');
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    const session = await client.session({ size: 3 });
    assert.equal((await image(client, `?session=${session.id}`)).headers['cache-control'], 'private, no-cache');
    assert.equal((await client.get('/v1/image.svg?moves=Q')).headers['cache-control'], 'no-store');
    const head = await client.send('HEAD', '/v1/image.svg?moves=R');
    assert.equal(head.headers['content-length'], headers['content-length']);
  }],

  ['every call that returns one cube can return it as a picture', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const cube = { moves: 'R U' };
    const calls = [
      ['POST', '/v1/apply', cube],
      ['GET', '/v1/apply?moves=RU'],
      ['POST', '/v1/convert', { cube }],
      ['POST', '/v1/compose', { cubes: [cube] }],
      ['POST', '/v1/invert', { cube: { moves: "U' R'" } }],
      ['POST', `${session.path}/moves`, { moves: 'R U' }],
      ['GET', session.path],
      ['GET', `${session.path}/cube`],
      ['POST', `${session.path}/undo`, {}],
      ['POST', `${session.path}/redo`, {}],
      ['POST', `${session.path}/scramble`, { moves: "U' R' R U" }],
    ];
    const expected = (await image(client, '?moves=RU')).text;
    const solved = (await image(client, '')).text;
    for (const [method, target, json] of calls) {
      const answer = await client.send(method, target, { json, accept: SVG });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.type, SVG);
      assert.equal(answer.text, target.endsWith('/undo') ? solved : expected, target);
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'; sandbox");
    }
    const plan = await client.send('POST', '/v1/apply?view=plan&colors=okabe-ito', { json: cube, accept: SVG });
    assert.equal(plan.text, (await image(client, '?moves=RU&view=plan&colors=okabe-ito')).text);
    const problem = await client.post('/v1/apply', { moves: 'Q' }, { accept: SVG });
    assert.equal(problem.type, 'application/problem+json');
    assert.match((await client.send('POST', '/v1/sessions', { json: { size: 4 }, accept: SVG })).text, /A 4x4x4 cube/);
  }],
];
