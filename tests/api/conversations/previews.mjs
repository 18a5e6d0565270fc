// GET /c/{id}: the page of a session, with what chats show of its link.

import assert from 'node:assert/strict';

/** The meta elements, by property or name. */
function tagsOf(html) {
  const text = (value) => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return Object.fromEntries([...html.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)">/g)].map(([, name, value]) => [name, text(value)]));
}

const open = (client, id, options) => client.get(`/c/${id}`, { token: null, ...options });

/** The page of a session asks for two more modules at once. */
const withoutPreload = (html) => html.replaceAll(/<link rel="modulepreload" href="[^"]+page\.(session\.sessions|timeline)\.js">\n/g, '');

const withoutPreview = (html) => html.replaceAll(/<meta (property|name="(twitter|desc))[^>]*>\n/g, '');

export default [
  ['the page of a public session names its cube, address and picture', async ({ client }) => {
    const session = await client.session({ size: 4, name: 'Cube of Ada', access: 'edit' });
    const page = await open(client, session.id);
    const tags = tagsOf(page.text);
    assert.equal(page.status, 200);
    assert.equal(tags['og:title'], 'Cube of Ada');
    assert.equal(tags['og:description'], 'A 4x4x4 cube: open the link to turn it together.');
    assert.equal(tags['og:url'], `${client.url}/c/${session.id}`);
    assert.ok(tags['og:image'].startsWith(`${client.url}/v1/sessions/${session.id}/image.png?`), tags['og:image']);
    assert.equal(tags['twitter:card'], 'summary');
    const plain = await client.get('/');
    assert.equal(page.headers['content-security-policy'], plain.headers['content-security-policy']);
    assert.equal(page.headers['x-frame-options'], 'DENY');
    assert.equal(page.headers['cache-control'], 'private, no-cache', 'it shows what is stored');
    assert.equal(withoutPreload(withoutPreview(page.text)), withoutPreview(plain.text));
    assert.equal(page.text.split('name="description"').length, 2);
    assert.equal((await open(client, session.id, { headers: { 'if-none-match': page.headers.etag } })).status, 304);
    const head = await client.send('HEAD', `/c/${session.id}`, { token: null });
    assert.equal(head.headers['content-length'], page.headers['content-length']);
  }],

  ['what other sites add to a link changes nothing', async ({ client }) => {
    const { id } = await client.session({ size: 3, access: 'view' });
    for (const path of [`/c/${id}`, '/', '/embed', '/docs', '/docs/guide/play-together']) {
      const plain = await client.get(path);
      assert.equal(plain.status, 200, path);
      const added = await client.get(`${path}?fbclid=x&utm_source=%zz&&a&a`);
      assert.deepEqual([added.status, added.text], [200, plain.text], path);
    }
  }],

  ['a name is text, whatever it has', async ({ client }) => {
    const name = '"><script>b()</script>&amp;é';
    const { id } = await client.session({ size: 3, name });
    const { text } = await open(client, id);
    assert.equal(tagsOf(text)['og:title'], name);
    assert.doesNotMatch(text, /<script>/);
    const unnamed = await client.session({ size: 3 });
    assert.equal(tagsOf((await open(client, unnamed.id)).text)['og:title'], 'A 3x3x3 cube');
    assert.match(tagsOf((await open(client, unnamed.id)).text)['og:description'], /watch/);
  }],

  ['a session that not everybody may see, a deleted one and none at all look alike', async ({ client }) => {
    const hidden = await client.session({ size: 3, name: 'secret', access: 'none' });
    const deleted = await client.session({ size: 3, access: 'edit' });
    await client.expect(204, 'DELETE', deleted.path);
    const answers = await Promise.all([hidden.id, deleted.id, '0000000000000000', 'x', '%3Cscript%3E'].map((id) => open(client, id)));
    const plain = await client.get('/');
    for (const { status, text, headers } of answers) {
      assert.equal(status, 404);
      assert.equal(withoutPreload(text), plain.text);
      assert.equal(headers['content-security-policy'], plain.headers['content-security-policy']);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers.etag, undefined);
    }
  }],

  ['the page itself has a preview: what cubed is, with a picture that is there', async ({ client }) => {
    const { text, headers } = await client.get('/');
    const tags = tagsOf(text);
    assert.deepEqual([tags['og:title'], tags['og:url'], tags['og:image:type']], ['cubed', `${client.url}/`, 'image/png']);
    assert.match(tags['og:description'], /any size/);
    assert.equal(text.split('name="description"').length, 2);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal((await client.get('/', { headers: { 'if-none-match': headers.etag } })).status, 304);
    const picture = await client.get(tags['og:image'].slice(client.url.length));
    assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png']);
  }],

  ['a link to an algorithm has its moves and its picture in the preview', async ({ client }) => {
    for (const [query, title, page, pictured] of [
      ["alg=R+U+R'+U'", "R U R' U'", 'alg=R+U+R%27+U%27', 'moves=R+U+R%27+U%27'],
      ['alg=R_U_R-&utm_source=x', "R U R'", 'alg=R+U+R%27', 'moves=R+U+R%27'],
      ['alg=[R,%20U]&setup=F2&size=4', '[R, U]', 'alg=[R,+U]&setup=F2&size=4', 'size=4&moves=F2'],
      [`alg=R&cube=${'U'.repeat(24)}`, 'R', `alg=R&cube=${'U'.repeat(24)}`, `facelets=${'U'.repeat(24)}`],
    ]) {
      const tags = tagsOf((await client.get(`/?${query}`)).text);
      assert.deepEqual([tags['og:title'], tags['og:url']], [title, `${client.url}/?${page}`]);
      assert.ok(tags['og:image'].endsWith(`&${pictured}`), tags['og:image']);
      const picture = await client.get(tags['og:image'].slice(client.url.length));
      assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png']);
    }
    const long = tagsOf((await client.get(`/?alg=${'R+'.repeat(200)}`)).text);
    assert.equal(long['og:title'], `${'R '.repeat(40)}...`);
  }],

  ['what is hostile in a link is text in its preview, or not in it', async ({ client }) => {
    const plain = await client.get('/');
    for (const query of ['alg=%22%3E%3Cscript%3Ealert(1)%3C/script%3E', "alg='onload='x", 'alg=R&setup=%22%3E%3Cb%3E', 'alg=R&size=%22%3E', 'alg=%26quot;%3C']) {
      const { status, text } = await client.get(`/?${query}`);
      assert.equal(status, 200);
      assert.equal(withoutPreview(text), withoutPreview(plain.text), query);
      for (const line of text.split('\n').filter((one) => /og:|twitter|"description"/.test(one))) assert.match(line, /^<meta (property|name)="[\w:]+" content="[^"<>]*">$/);
    }
    // Nothing of these is repeated: no ASCII, no end of a code, control characters, too long, no algorithm; no moves, no size, no cube.
    for (const query of ['alg=%C3%A9', 'alg=R%', 'alg=R%zz', 'alg=R%0d%0aX', `alg=${'R+'.repeat(400)}`, `alg=R&setup=${'U'.repeat(700)}`, `alg=${'%22'.repeat(600)}&setup=${'%22'.repeat(600)}`, 'setup=R', 'alg=', 'xalg=R', 'alg', 'alg=%22%3E%3Cb%3E', 'alg=XYZ', 'alg=R&setup=Q', 'alg=R&size=1000', 'alg=R&size=3x', `alg=R&cube=${'U'.repeat(23)}`]) {
      assert.equal((await client.get(`/?${query}`)).text, plain.text, query);
    }
  }],

  ['an odd Host is not put into the page', async ({ client }) => {
    const { id } = await client.session({ size: 3 });
    // With --trusted-proxy unset, nobody else says what this server is called.
    const { text } = await open(client, id, { headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' } });
    assert.doesNotMatch(text, /evil/);
    assert.equal(tagsOf(text)['og:url'], `${client.url}/c/${id}`);
  }],

  ['other sites may show /embed in a frame, and no other page', async ({ client }) => {
    const { headers } = await client.get('/embed');
    assert.match(headers['content-security-policy'], /frame-ancestors \*;/);
    assert.equal(headers['x-frame-options'], undefined);
    for (const path of ['/', '/docs']) assert.match((await client.get(path)).headers['content-security-policy'], /frame-ancestors 'none'/);
  }],
];
