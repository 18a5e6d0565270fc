// Pictures: GET /v1/image.svg and .png, of sessions too, and Accept: image/svg+xml wherever one cube is answered.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
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

/** The same of a large cube, whose stickers are strokes of so many cells. */
function cells(svg) {
  const counts = {};
  for (const [, color, path] of svg.matchAll(/<path stroke="#([0-9a-f]{6})" d="([^"]*)"/g)) {
    counts[color] = [...path.matchAll(/h(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), counts[color] ?? 0);
  }
  return counts;
}

const GREY = '808080';

/** Width, height and pixels (of four bytes) of a PNG, as libpng writes it here: eight bits, no filters. */
function pixelsOf({ bytes }) {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const parts = [];
  let at = 8, width, height, kind;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at), name = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') [width, height, kind] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9]];
    if (name === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const each = kind === 6 ? 4 : 3, raw = inflateSync(Buffer.concat(parts)), line = width * each + 1;
  assert.equal(raw.length, line * height);
  const pixel = (x, y) => {
    assert.equal(raw[y * line], 0);
    return [...raw.subarray(y * line + 1 + x * each, y * line + 1 + x * each + each)];
  };
  return { width, height, kind, pixel, hex: (x, y) => Buffer.from(pixel(x, y).slice(0, 3)).toString('hex') };
}

async function png(client, query, path = '/v1/image.png') {
  const answer = await client.get(`${path}${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.type, 'image/png');
  return { ...answer, ...pixelsOf(answer) };
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

/** The rows of a sheet: number, moves, colours of the stickers. */
const sheetRows = (html) => html.split('<tr').slice(2).map((row) => ({
  number: row.match(/<th scope="row">(\w+)</)[1],
  moves: row.match(/<td class="moves[^>]*>([^]*?)<\/td>/)[1].replace(/<[^>]*>/g, ' ').trim().replace(/\s+/g, ' '),
  colors: stickers(row),
}));

export const storeless = true;

export default [
  ['a sheet has the scrambles of a round, with extras and pictures', async ({ client }) => {
    for (const event of ['222', '333', '333oh', '333bf', '333fm', '333mbf', '444', '444bf', '555', '555bf', '666', '777']) {
      const answer = await client.send('GET', `/v1/sheet?event=${event}&count=2&extras=1&seed=sheet`);
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/html; charset=utf-8'], event);
      assert.match(answer.headers['content-security-policy'], /^default-src 'none'; style-src 'unsafe-inline';.* sandbox$/);
      assert.doesNotMatch(answer.text.replaceAll('http://www.w3.org/2000/svg', ''), /<script|<link|<img|url\(|https?:/);
      const rows = sheetRows(answer.text);
      const { scrambles, extras, size } = await client.expect(200, 'GET', `/v1/scramble?event=${event}&count=2&extras=1&seed=sheet`);
      assert.deepEqual(rows.map(({ number }) => number), ['1', '2', 'E1']);
      for (const [i, { moves, colors }] of rows.entries()) {
        assert.equal(moves, [...scrambles, ...extras][i].moves, event);
        assert.deepEqual(colors, Object.fromEntries(Object.values(WCA).map((color) => [color, size * size])), event);
      }
    }
  }],

  ['a sheet has a title, escaped, and the usual counts', async ({ client }) => {
    const title = 'A <b>"round"</b> & more \u{1F9CA}';
    const { text } = await client.send('GET', `/v1/sheet?title=${encodeURIComponent(title)}&seed=%3Ci%3E`);
    assert.ok(text.includes('<h1>A &lt;b&gt;&quot;round&quot;&lt;/b&gt; &amp; more \u{1F9CA}</h1>'));
    assert.ok(text.includes('3x3x3 Cube: 5 scrambles and 2 extras') && text.includes('Seed: &lt;i&gt;. Made from a seed'));
    assert.deepEqual(sheetRows(text).map(({ number }) => number), ['1', '2', '3', '4', '5', 'E1', 'E2']);
    const plain = (await client.send('GET', '/v1/sheet?size=9&count=1&extras=0')).text;
    assert.ok(plain.includes('<h1>9x9x9 Cube</h1>') && plain.includes('<p>1 scramble</p>') && !plain.includes('Seed'));
    assert.notEqual((await client.send('GET', '/v1/sheet?size=9&count=1&extras=0')).text, plain);
    assert.deepEqual([(await client.send('HEAD', '/v1/sheet?count=1')).status, (await client.send('GET', '/v1/sheet', { accept: 'application/json' })).status], [200, 406]);
    for (const [query, parameter] of [['count=0', 'count'], ['count=1001', 'count'], ['extras=-1', 'extras'], ['count=600&extras=401', 'extras'], ['event=pyram', 'event'], ['event=444&size=3', 'size'],
      ['seed=', 'seed'], ['variant=x', 'variant'], [`title=${'x'.repeat(201)}`, 'title'], ['title=a%0Ab', 'title'], ['title=%FF', 'title'], ['until=cross', 'until']]) {
      assert.equal((await client.expect(400, 'GET', `/v1/sheet?${query}`)).parameter, parameter, query);
    }
  }],

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

  ['the pictures of pictures.md are drawn by their addresses', async ({ client }) => {
    const [, queries, files] = /^(`\?case[^]*?)\n\n([^]*?)\n\n/m.exec(readFileSync(new URL('../../../docs/reference/pictures.md', import.meta.url), 'utf8'));
    const addresses = [...queries.matchAll(/`([^`]*)`/g)].map(([, query]) => query);
    const names = [...files.matchAll(/\(([^)]*)\)/g)].map(([, name]) => name);
    assert.deepEqual([addresses.length, names.length], [4, 4]);
    for (const [i, name] of names.entries()) {
      assert.equal((await image(client, addresses[i])).text, readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8'));
    }
  }],

  ['the largest one is drawn', async ({ client }) => {
    const { text } = await image(client, '?size=100&moves=50Rw&view=net');
    assert.equal(Object.values(cells(text)).reduce((a, b) => a + b), 60000);
    assert.equal(cells(text)[WCA.F], 10000);
    assert.ok(text.length < 30000, `${text.length} bytes`);
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
    assert.ok(stickers((await image(client, '?colors=red,%230f0,00f,white,silver,123456')).text)['00ff00']);
    const own = { U: '000000', R: '111111', F: '222222', D: 'abcdef', L: '444444', B: '555555' };
    const { facelets } = new Cube(3).apply('R U');
    const query = `?moves=RU&view=net&colors=${Object.values(own).join(',')}`;
    assert.deepEqual(stickers((await image(client, query)).text), lettersOf(facelets, own));
    assert.ok(stickers((await image(client, '?colors=okabe-ito')).text)['56b4e9']);
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

  ['the same as PNG, of any width, with or without background', async ({ client }) => {
    const { facelets } = new Cube(3).apply('R U');
    const net = await png(client, '?moves=RU&view=net&pixels=278');
    assert.deepEqual([net.width, net.height, net.kind], [278, 210, 6]);
    // 278 units wide: a cell has 20, and faces begin at 4, 74, 144 and 214; one pixel more above than below.
    const at = { U: [74, 4], R: [144, 74], F: [74, 74], D: [74, 144], L: [4, 74], B: [214, 74] };
    [...'URFDLB'].forEach((face, f) => {
      for (let i = 0; i < 9; i++) {
        const [x, y] = [at[face][0] + 20 * (i % 3) + 10, at[face][1] + 20 * Math.floor(i / 3) + 11];
        assert.equal(net.hex(x, y), WCA[facelets[9 * f + i]], `${face}${i}`);
      }
    });
    assert.equal(net.pixel(0, 0)[3], 0);
    for (const [view, width, height] of [['iso', 300, 300], ['plan', 240, 240], ['trans', 300, 300], ['net', 400, 302]]) {
      const one = await png(client, `?view=${view}&background=336699`);
      assert.deepEqual([one.width, one.height, one.kind, one.hex(0, 0)], [width, height, 2, '336699']);
    }
    const smallest = await png(client, '?pixels=16&size=100');
    assert.deepEqual([smallest.width, smallest.height], [16, 16]);
    const largest = await png(client, '?pixels=1024&size=100&moves=50Rw');
    assert.deepEqual([largest.width, largest.height], [1024, 1024]);
    assert.equal((await client.get('/v1/image.png', { accept: 'image/svg+xml' })).status, 406);
  }],

  ['grey and hidden stickers follow the moves', async ({ client }) => {
    const facelets = `UUUUUUUU${'n'}${'R'.repeat(9)}FF.FFFFFF${'D'.repeat(9)}${'L'.repeat(9)}${'B'.repeat(9)}`;
    const counts = stickers((await image(client, `?facelets=${facelets}&view=net`)).text);
    assert.deepEqual([counts[GREY], counts[WCA.U], counts[WCA.F], counts[WCA.R]], [1, 8, 8, 9]);
    // R takes F2 to U2, and U8 to B.
    const turned = await png(client, `?facelets=${facelets}&view=plan&moves=R&pixels=84`);
    const cell = (row, column) => turned.hex(12 + 20 * column + 10, 12 + 20 * row + 10);
    assert.equal(cell(2, 0), WCA.U);
    assert.equal(cell(0, 2), '222222');
    assert.equal(cell(2, 2), WCA.F);
    const painting = stickers((await image(client, `?facelets=${'.'.repeat(9)}${'n'.repeat(45)}&view=net`)).text);
    assert.deepEqual(painting, { [GREY]: 45 });
    assert.deepEqual(stickers((await image(client, `?facelets=${'n'.repeat(24)}&view=net`)).text), { [GREY]: 24 });
    for (const path of ['apply', 'convert', 'validate']) assert.equal((await client.get(`/v1/${path}?facelets=${facelets}`)).status, 400);
  }],

  ['a mask shows what belongs to a stage, wherever it is', async ({ client }) => {
    const shown = async (query) => {
      const counts = stickers((await image(client, `?view=net&${query}`)).text);
      return 54 - (counts[GREY] ?? 0);
    };
    const stages = { fl: 21, f2l: 33, ll: 21, pll: 21, cll: 13, ell: 9, oll: 9, ocll: 5, oell: 5, coll: 17, ocell: 13, cross: 13, line: 7, '2x2x2': 12, f2b: 26 };
    for (const [stage, count] of Object.entries(stages)) assert.equal(await shown(`mask=${stage}`), count, stage);
    for (const moves of ['R U F', "R U R' U R U2 R'"]) assert.equal(await shown(`mask=cross&moves=${encodeURIComponent(moves)}`), 13);
    // A pattern of the table, its case, and six arrays of its own.
    assert.equal(await shown('mask=cross-x2'), 13);
    assert.equal(await shown('mask=petrus-222'), 12);
    assert.equal(await shown('mask=eo'), 24);
    assert.equal(await shown(`mask=${encodeURIComponent('*1*111*1* ****2**2* ***33**** ****44*** *5**5**** *********')}`), 13);
    const cross = (await image(client, '?mask=cross-x2&view=plan')).text;
    assert.deepEqual(stickers(cross)[WCA.U], 5);
    assert.equal(stickers((await image(client, '?mask=cross&view=plan')).text)[WCA.U], undefined);
    const large = cells((await image(client, '?size=20&mask=f2l&view=net')).text);
    assert.equal(large[GREY], 400 + 4 * 20);
    const clear = stickers((await image(client, '?mask=cross&view=trans')).text);
    assert.equal(clear[GREY], undefined);
    for (const mask of ['', 'crss', 'cross-', 'cross-u', '-x', 'x', 'edges-paired', '1111', '111111111']) {
      const problem = await client.expect(400, 'GET', `/v1/image.svg?mask=${encodeURIComponent(mask)}`);
      assert.equal(problem.parameter, 'mask');
    }
    assert.equal((await client.expect(400, 'GET', '/v1/image.svg?mask=crss')).suggestion, 'cross');
  }],

  ['a case is what its moves solve', async ({ client }) => {
    const moves = encodeURIComponent("R U R' U R U2 R'");
    const inverse = encodeURIComponent("R U2 R' U' R U' R'");
    assert.equal((await image(client, `?case=${moves}`)).text, (await image(client, `?moves=${inverse}`)).text);
    assert.equal((await client.expect(400, 'GET', `/v1/image.svg?case=${moves}&moves=R`)).parameter, 'case');
    assert.equal((await client.get('/v1/image.svg?case=Q')).status, 422);
  }],

  ['a picture is turned as the whole cube is, or by degrees', async ({ client }) => {
    for (const view of ['iso', 'net', 'plan', 'trans']) {
      const turned = await image(client, `?moves=${encodeURIComponent('R U F x y2')}&view=${view}`);
      assert.equal((await image(client, `?moves=RUF&rotate=${encodeURIComponent('x y2')}&view=${view}`)).text, turned.text);
    }
    assert.deepEqual(stickers((await image(client, '?rotate=x90')).text), lettersOf('D'.repeat(9)));
    for (const query of ['rotate=', 'rotate=y', 'rotate=y45w3', 'rotate=y1000', 'rotate=y45&view=net', 'rotate=y45&view=plan']) {
      const { status, json } = await client.get(`/v1/image.png?${query}`);
      if (query === 'rotate=y') assert.equal(status, 200);
      else assert.deepEqual([status, json.parameter], [400, 'rotate'], query);
    }
  }],

  ['arrows lie on what is seen', async ({ client }) => {
    const plan = await png(client, '?view=plan&pixels=84&arrows=U0U2-red');
    assert.equal(plan.hex(42, 22), 'ee0000');
    assert.match((await image(client, '?view=plan&arrows=U0U2U4-123,R0F2')).text, /fill="#112233"/);
    for (const arrows of ['', 'U0', 'U0U9', 'D0D2', 'U0D2', 'U0U2D4', 'R8R0', 'U0U2-mauve']) {
      const problem = await client.expect(400, 'GET', `/v1/image.svg?view=plan&arrows=${arrows}`);
      assert.equal(problem.parameter, 'arrows');
    }
  }],

  ['every other parameter is checked', async ({ client }) => {
    for (const [query, parameter] of [['pixels=15', 'pixels'], ['pixels=1025', 'pixels'], ['pixels=many', 'pixels'], ['background=', 'background'],
      ['background=%22', 'background'], ['plastic=12345', 'plastic'], ['plastic=beige', 'plastic'], ['turns=true', 'turns']]) {
      for (const path of ['/v1/image.svg', '/v1/image.png']) {
        const problem = await client.expect(400, 'GET', `${path}?${query}`);
        assert.equal(problem.parameter, parameter);
      }
    }
    const plain = await image(client, '?plastic=transparent&background=fff');
    assert.doesNotMatch(plain.text, /222222/);
    assert.match(plain.text, /<rect width="100%" height="100%" fill="#ffffff"\/>/);
  }],

  ['whatever the parameters, a picture is drawn or a parameter is refused', async ({ client }) => {
    let state = 12345;
    const below = (count) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % count;
    };
    const one = (list) => list[below(list.length)];
    const values = {
      view: ['iso', 'net', 'plan', 'trans', 'x'], size: ['2', '3', '4', '11', '40', '1'], pixels: ['16', '17', '63', '200', '9'], mask: ['f2l', 'oll-y', 'cross-x2', 'eo', 'petrus-222', 'x', '****'.repeat(6)],
      rotate: ['x', "y' z2", 'y45x-34', 'z0', 'x90', 'y180x180z180', 'x999y-999', 'q'], background: ['fff', 'red', 'transparent', '#00ff00', '%'], plastic: ['transparent', '123', 'n', '-'],
      arrows: ['U0U1', 'F3R2U0-s30-i50-pink', 'U0U3,U3U0-s1', 'U0U0', 'B0L0'], colors: ['wca', 'okabe-ito', '1,2,3', 'r,g,b,w,y,o'], moves: ['R U', "M2 x'", '(R U)99', '2R', '?'],
      case: ['R', "U2 R'"], facelets: ['n'.repeat(54), '.'.repeat(24), 'UUUURRRRFFFFDDDDLLLLBBBB', 'n.'.repeat(27), 'U'],
    };
    const statuses = {};
    for (let i = 0; i < 400; i++) {
      const query = Object.keys(values).filter(() => below(3) === 0).map((name) => `${name}=${encodeURIComponent(one(values[name]))}`).join('&');
      const answer = await client.get(`/v1/image.${one(['svg', 'png'])}?${query}`);
      assert.ok([200, 400, 422].includes(answer.status), `${query}: ${answer.text}`);
      if (answer.status === 400) assert.ok(answer.json.parameter, query);
      else if (answer.type === SVG) assertWellFormed(answer.text);
      else if (answer.status === 200) pixelsOf(answer);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
    assert.ok(statuses[200] > 40 && statuses[400] > 100, JSON.stringify(statuses));
  }],

  ['a client that has a picture gets 304', async ({ client }) => {
    for (const path of ['/v1/image.svg?moves=R', '/v1/image.png?moves=R', '/v1/image.png?size=100&pixels=1024']) {
      const { headers, status } = await client.get(path);
      assert.equal(status, 200);
      const again = await client.get(path, { headers: { 'if-none-match': headers.etag } });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    }
  }],

  ['a session has a picture, now and at any revision', async ({ client }) => {
    const session = await client.session({ size: 3, access: 'edit' });
    const path = `${session.path}/image.svg`;
    const first = await client.get(path);
    assert.equal(first.text, (await image(client, '')).text);
    assert.equal((await client.get(path, { headers: { 'if-none-match': first.headers.etag } })).status, 304);
    await client.expect(200, 'POST', `${session.path}/moves`, { moves: 'R U' });
    const second = await client.get(path, { headers: { 'if-none-match': first.headers.etag } });
    assert.equal(second.text, (await image(client, '?moves=RU')).text);
    assert.equal((await client.get(`${path}?at=0`)).text, first.text);
    assert.equal((await client.get(`${path}?at=9`)).status, 400);
    assert.equal((await client.get(`${path}?mask=f2l&view=plan`)).text, (await image(client, '?moves=RU&mask=f2l&view=plan')).text);
    const tags = await Promise.all(['', '?at=1', '?view=net', '?pixels=99', '?mask=oll'].map(async (query) => (await client.get(path + query)).headers.etag));
    assert.equal(new Set(tags).size, tags.length);
    const pixels = await png(client, '?view=plan&pixels=84', `${session.path}/image.png`);
    assert.equal(pixels.headers['cache-control'], 'private, no-cache');
    assert.equal(pixels.hex(22, 62), WCA.F);
    const wrong = await client.get(`${path}?mask=none`);
    assert.deepEqual([wrong.status, wrong.json.parameter, wrong.headers.etag], [400, 'mask', undefined]);
    const hidden = await client.session({ size: 3, access: 'none' });
    assert.equal((await client.get(`${hidden.path}/image.png`, { token: null })).status, 404);
    assert.equal((await client.get(`${hidden.path}/image.png`)).status, 200);
  }],

  ['a preview shows a picture that is there', async ({ client }) => {
    const { id } = await client.session({ size: 5 });
    const { text } = await client.get(`/c/${id}`, { token: null });
    const [, url] = /og:image" content="([^"]*)"/.exec(text);
    const [, width] = /og:image:width" content="(\d+)"/.exec(text);
    const preview = await client.get(url.replaceAll('&amp;', '&').replace(client.url, ''), { token: null });
    assert.equal(preview.status, 200);
    const { width: found, kind } = pixelsOf(preview);
    assert.deepEqual([found, kind], [Number(width), 2]);
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
