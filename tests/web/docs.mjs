// The documents at /docs in a browser: the search, the marked hit, schemas that unfold, the examples, requests that are sent;
// on a phone and a desktop, light and dark, with axe; and how soon the first screen is there on a slow line.
// Usage: node docs.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { COLOURS, launch, LONG, until, violationsIn, visitor } from './browser.mjs';

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const server = await Server.start(binaryArgument(), 'memory:');
const api = await (await fetch(`${server.url}/openapi.json`)).json();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.values(api.paths).flatMap((item) => METHODS.filter((method) => item[method]).map((method) => item[method].operationId));

const browser = await launch();
const open = (path, options = DESKTOP) => visitor(browser, server.url + path, options);

/** The field of the search, once it listens. */
async function searchOf(page) {
  await page.waitForSelector('#find[role=combobox]');
  return page.locator('#find');
}

/** The names and places that the search lists. */
async function found(page, text) {
  await (await searchOf(page)).fill(text);
  await page.waitForSelector('#found:not([hidden]) a');
  await until(() => page.$eval('#found', (list) => list.previousSibling !== null), true);
  return page.$$eval('#found a', (all) => all.map((one) => `${one.querySelector('b').textContent} | ${one.querySelector('small').textContent}`));
}

/** Returns true if something is on the screen, below the header. */
const onScreen = (page, selector) => page.$eval(selector, (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 40 && bottom > 0 && top < innerHeight - 40;
});

const page = await open('/docs#validateCube');

await check('each call is told once, and is in the contents', async () => {
  assert.deepEqual((await page.$$eval('section.call', (all) => all.map((one) => one.id))).sort(), [...operations].sort());
  assert.deepEqual((await page.$$eval('#contents .calls a', (all) => all.map((one) => one.hash.slice(1)))).sort(), [...operations].sort());
});

await check('the address leads to its call', () => until(() => onScreen(page, '#validateCube h3'), true));

await check('/ searches, and the hit is shown and marked', async () => {
  await searchOf(page);
  await page.keyboard.press('/');
  await page.keyboard.type('turn_policy patch');
  await page.waitForSelector('#found a[aria-selected=true]');
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => location.hash), '#updateSession.body.turn_policy');
  await page.waitForSelector('[id="updateSession.body.turn_policy"].hit');
  await until(() => onScreen(page, '[id="updateSession.body.turn_policy"]'), true);
  assert.equal(await page.isVisible('#found'), false);
});

await check('the search finds calls, parameters, members, problems and headings, the best first', async () => {
  for (const [text, first] of [
    ['POST /v1/apply', 'POST /v1/apply | Apply moves to a cube'], ['undoEntries', 'POST /v1/sessions/{id}/undo'], ['stale-revision', 'stale-revision | The session has a newer revision'],
    ['record the first solve', 'Record the first solve | Build a timer'], ['AppliedMoves', 'AppliedMoves | Schemas'], ['If-Match', 'If-Match |'], ['cookbook', 'Cookbook | Guides'],
  ]) {
    const hits = await found(page, text);
    assert.ok(hits[0].startsWith(first), `${text}: ${hits.slice(0, 3).join(' // ')}`);
  }
  const all = await found(page, 'size');
  assert.ok(all.every((one) => one.toLowerCase().includes('size')) && all.length > 10);
});

await check('the search finds what is in the guides, not only their headings', async () => {
  for (const [text, place] of [['cubed-cube', /^Put a cube into a page \| Cookbook/], ['iframe', /\| Cookbook/], ['nginx', /\| Run it for others/], ['fsync', /./]]) {
    const hits = await found(page, text);
    assert.ok(hits.some((hit) => place.test(hit)), `${text}: ${hits.join('\n')}`);
  }
  const short = await found(page, 'oll');
  assert.ok(short.length > 5 && short.every((hit) => !/follow/i.test(hit) || /\boll/i.test(hit)), short.join('\n'));
});

await check('the list is moved through with the keys, and closed', async () => {
  await found(page, 'notation');
  const field = page.locator('#find');
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  const chosen = await page.getAttribute('#found [aria-selected=true]', 'id');
  assert.equal(chosen, 'found-2');
  assert.equal(await field.getAttribute('aria-activedescendant'), chosen);
  await field.press('Escape');
  assert.equal(await page.isVisible('#found'), false);
  await (await searchOf(page)).fill('qqqq');
  await until(() => page.textContent('#found'), 'Nothing has “qqqq”.');
});

await check('names are not broken over lines', async () => {
  const broken = await page.$$eval('article code, .told code, .told .name', (all) => all.filter((one) => !one.matches('pre *, .long, .line *') && one.getClientRects().length > 1).map((one) => one.textContent));
  assert.deepEqual(broken, []);
});

await check('descriptions are text, not marks', async () => {
  for (const selector of ['main > article', '#appendMoves .told', '#streamSessionEvents .told']) {
    const text = await page.$eval(selector, (one) => [...one.querySelectorAll('p, li, td')].filter((part) => !part.querySelector('pre')).map((part) => part.textContent).join('\n'));
    assert.ok(text.length > 300);
    assert.doesNotMatch(text, /`|\*\*|^#/m, selector);
  }
  assert.ok(await page.locator('#streamSessionEvents table').count() > 0);
});

await check('schemas unfold where they are named, and schemas in them', async () => {
  await page.goto(`${server.url}/docs#createSession`);
  const cube = page.locator('[id="createSession.body.cube"]');
  await cube.locator('a.schema[aria-expanded=false]').first().click();
  const member = page.locator('[id="createSession.body.cube"] + dd > .unfolded');
  await member.locator('a.schema', { hasText: 'CubeDescription' }).first().click();
  await until(() => member.locator('.unfolded dt', { hasText: 'facelets' }).count().then((count) => count > 0), true);
  const again = member.locator('.unfolded a.schema[aria-expanded=false]').first();
  const before = await page.locator('.unfolded').count();
  await again.click();
  await until(() => page.locator('.unfolded').count().then((count) => count > before), true);
  await cube.locator('a.schema').first().click();
  assert.equal(await member.count(), 0);
  assert.equal(await page.$$eval('[id]', (all) => new Set(all.map((one) => one.id)).size === all.length), true, 'each id once');
});

await check('each status has its headers, schema and examples', async () => {
  await page.goto(`${server.url}/docs#appendMoves.409`);
  const conflict = page.locator('[id="appendMoves.409"]');
  await until(() => conflict.locator('dt', { hasText: 'ETag' }).count(), 1);
  await conflict.locator('summary', { hasText: 'A history that is full' }).click();
  assert.match(await conflict.innerText(), /urn:cubed:problem:session-full/);
  await page.goto(`${server.url}/docs#appendMoves.default`);
  const others = page.locator('[id="appendMoves.default"]');
  await until(() => others.locator('dt', { hasText: 'Retry-After' }).count(), 1);
  assert.match(await others.innerText(), /^4xx, 5xx An error that any operation may answer with\.[^]*410 gone/);
  await others.locator('summary', { hasText: 'A deleted session' }).click();
  assert.match(await others.innerText(), /urn:cubed:problem:gone/);
  const good = page.locator('[id="appendMoves.200"]');
  assert.match(await good.innerText(), /Headers[^]*Preference-Applied/);
  await until(() => good.locator('.example').count().then((count) => count > 1), true);
});

/** The section of a call with its examples. */
async function called(id) {
  await page.goto(`${server.url}/docs#${id}`);
  const section = page.locator(`#${id}`);
  await section.locator('[role=tab]').first().waitFor();
  return section;
}

await check('examples are shown for each language, and copied', async () => {
  const section = await called('applyMoves');
  const code = section.locator('.samples pre').first();
  assert.match(await code.innerText(), /^curl --json '\{"moves": "RUR/);
  await section.locator('[role=tab]', { hasText: 'Python' }).click();
  assert.match(await code.innerText(), /cubed\.apply\(moves="RUR'U'"\)/);
  await section.locator('select').first().selectOption({ index: 1 });
  await until(() => code.innerText().then((text) => /cubed\.apply\(/.test(text) && !text.includes("RUR'U'")), true);
  await page.evaluate(() => document.addEventListener('copy', () => (globalThis.copied = document.getSelection().toString() || document.activeElement.value)));
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await section.locator('.copy').click();
  assert.equal(await page.evaluate(() => globalThis.copied), await code.textContent());
  const other = await called('invertCube');
  assert.match(await other.locator('.samples pre').first().innerText(), /^curl|^from cubed_client/);
});

/** Opens the form of a call; its answer is then in `.reply`. */
async function trial(id) {
  const section = await called(id);
  await section.locator('.below .main').click();
  return { section, form: section.locator('form.try'), reply: section.locator('.reply') };
}

await check('a request is sent as the form says, with its status, headers and answer', async () => {
  const { section, form, reply } = await trial('applyMoves');
  await form.locator('textarea').fill(`{"size": 2, "moves": "F'"}`);
  assert.match(await section.locator('.samples pre').first().innerText(), /size/);
  await form.locator('.main').click();
  await until(() => reply.locator('.status').allInnerTexts(), ['200']);
  const answer = await (await fetch(`${server.url}/v1/apply?size=2&moves=F'`)).json();
  assert.deepEqual(JSON.parse(await reply.locator('pre').last().innerText()), answer);
  await reply.locator('summary').click();
  assert.match(await reply.locator('details pre').innerText(), /^x-request-id: /m);
  await form.locator('textarea').fill('{"moves": "Q"}');
  await form.locator('.main').click();
  await until(() => reply.locator('.status').allInnerTexts(), ['422']);
  assert.match(await reply.innerText(), /bad-notation/);
});

await check('what was typed stays in the form and is shown in each language', async () => {
  const { section, form } = await trial('invertCube');
  const code = section.locator('.samples pre').first();
  const tabNamed = (name) => section.locator('[role=tab]', { hasText: name });
  await form.locator('textarea').fill('{"cube": {"size": 2, "moves": "F2 D"}}');
  for (const [name, text] of [['JavaScript', /F2 D/], ['Python', /F2 D/], ['curl', /"size": 2/]]) {
    await tabNamed(name).click();
    assert.match(await code.innerText(), text, name);
  }
  assert.equal(await form.locator('textarea').inputValue(), '{"cube": {"size": 2, "moves": "F2 D"}}');
  await tabNamed('curl').focus();
  await page.evaluate(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true, cancelable: true })));
  assert.equal(await tabNamed('curl').getAttribute('aria-selected'), 'true', 'that is a key of the browser');
  await section.locator('.below .main').click();
  assert.doesNotMatch(await code.innerText(), /F2 D/, 'without the form it is the example again');
});

await check('a session that was made is the one that the next form turns', async () => {
  const made = await trial('createSession');
  await made.form.locator('.main').click();
  await until(() => made.reply.locator('.status').allInnerTexts(), ['201']);
  const { id } = JSON.parse(await made.reply.locator('pre').last().innerText());
  await page.evaluate(() => (location.hash = '#appendMoves'));
  const turned = page.locator('#appendMoves');
  await turned.locator('.below .main').click();
  assert.equal(await turned.locator('[data-name=id]').inputValue(), id);
  await turned.locator('textarea').fill('{"moves": "R"}');
  await turned.locator('form .main').click();
  await until(() => turned.locator('.reply .status').allInnerTexts(), ['200']);
});

await check('a picture is shown, bytes can be saved', async () => {
  const { form, reply } = await trial('drawCube');
  await form.locator('.main').click();
  await until(() => reply.locator('img').evaluateAll((all) => all.map((one) => one.complete && one.naturalWidth > 50)), [true]);
  const bytes = await trial('computeFeatures');
  await bytes.form.locator('label', { hasText: 'Accept' }).locator('select').selectOption('application/octet-stream');
  await bytes.form.locator('.main').click();
  await until(() => bytes.reply.innerText().then((text) => /\d+ bytes of application\/octet-stream/.test(text)), true);
  assert.match(await bytes.reply.locator('a[download]').getAttribute('href'), /^blob:/);
});

await check('events are shown as they come, until they are stopped; the token is in memory only', async () => {
  const session = await (await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size": 3, "access": "none"}' })).json();
  const { form, reply } = await trial('streamSessionEvents');
  await form.locator('[data-name=id]').fill(session.id);
  await form.locator('[data-name=after]').fill('');
  await form.locator('input[type=password]').fill(session.token);
  await form.locator('.main').click();
  await until(() => reply.locator('.events li b').first().innerText(), 'state');
  await fetch(`${server.url}/v1/sessions/${session.id}/moves`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` }, body: '{"moves": "R U"}' });
  await until(() => reply.locator('.events').innerText().then((text) => /"moves": "R U"/.test(text)), true);
  await form.locator('button', { hasText: 'Stop' }).click();
  await until(() => reply.innerText().then((text) => text.endsWith('Stopped.')), true);
  assert.equal(await page.evaluate((token) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(token) || location.href.includes(token) || document.body.innerText.includes(token), session.token), false);
});

await check('commands in the text ask this server', async () => {
  for (const path of ['/docs', '/docs/guide/animate-a-session']) {
    const other = await open(path);
    const { host } = new URL(server.url);
    await until(() => other.$$eval('pre', (all, here) => all.some((one) => one.textContent.includes('curl') && one.textContent.includes(here)), host), true, path);
    assert.equal(await other.$$eval('pre', (all) => all.filter((one) => one.textContent.includes('curl') && /(localhost|127\.0\.0\.1):8080/.test(one.textContent)).length), 0, path);
    await other.context().close();
  }
});

await check('a document has its contents, code with a copy button, and its neighbours', async () => {
  const guide = await open('/docs/guide/build-a-timer');
  await guide.waitForSelector('.copied > button');
  await guide.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })); // as over plain HTTP
  await guide.evaluate(() => document.addEventListener('copy', () => (globalThis.copied = document.getSelection().toString() || document.activeElement.value)));
  await guide.locator('.copied').first().hover();
  await guide.locator('.copied > button').first().click();
  assert.ok((await guide.evaluate(() => globalThis.copied)).startsWith(`curl '${new URL(server.url).host}/v1/scramble?size=3'\n`), 'with this server');
  await guide.click('#contents ul ul a >> text=Show the averages');
  await until(() => onScreen(guide, '#show-the-averages'), true);
  await guide.click('a[rel=next]');
  await guide.waitForURL('**/docs/guide/animate-a-session');
  assert.deepEqual(guide.faults, []);
  await guide.context().close();
});

await check('on paper there is the text alone, all of it', async () => {
  const paper = await open('/docs/guide/cookbook');
  await paper.emulateMedia({ media: 'print' });
  for (const selector of ['body > header', '#contents', '.neighbours', '.copied > button']) assert.equal(await paper.locator(selector).first().isVisible(), false, selector);
  assert.equal(await paper.$$eval('pre', (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length), 0);
  await paper.context().close();
});

await check('on a phone: the search and the contents fill the screen, nothing is wider than it', async () => {
  const phone = await open('/docs', PHONE);
  await found(phone, 'GET /v1/sessions/{id}/history limit');
  await phone.locator('#found a').first().tap();
  await until(() => phone.evaluate(() => location.hash), '#getHistory.limit');
  await until(() => onScreen(phone, '[id="getHistory.limit"]'), true);
  await phone.tap('header .menu');
  await until(() => phone.isVisible('#contents'), true);
  await phone.tap('#contents a[href="#getHistory"]');
  await until(() => phone.isVisible('#contents'), false);
  await until(() => onScreen(phone, '#getHistory h3'), true);
  for (const path of ['/docs', '/docs/schemas', '/docs/guide', '/docs/guide/cookbook', '/docs/reference/models', '/docs/problems', '/nowhere']) {
    await phone.goto(server.url + path);
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390, path);
  }
  assert.deepEqual(phone.faults, []);
  await phone.context().close();
});

/** All calls have one form, and so have schemas: two calls and each eighth schema are read; in `make prove` all of them. The
 * others are taken out of the page, since axe first looks at the style of each element. */
const REMOVED = LONG ? [] : ['.call ~ .call ~ .call', '#schemas ~ section:not(:nth-of-type(8n + 1))'];

for (const [name, options] of [['desktop', DESKTOP], ['phone', PHONE]]) {
  await check(`axe finds nothing, ${name}, light and dark`, async () => {
    const one = await open('/docs', options);
    for (const path of ['/docs', '/docs/guide', '/docs/reference/notation', '/docs/problems', '/docs/problems/bad-member', '/nowhere', '/docs/schemas']) {
      if (path !== '/docs') await one.goto(server.url + path);
      await searchOf(one);
      if (path === '/docs/guide') await found(one, 'size');
      await one.evaluate((selectors) => selectors.forEach((selector) => document.querySelectorAll(selector).forEach((element) => element.remove())), REMOVED);
      // On a phone alone the header, the search and the contents have other colours: one page stands for all.
      const dark = LONG || name === 'desktop' || path === '/docs/guide';
      for (const [colorScheme, rules] of [['light', {}], ...(dark ? [['dark', COLOURS]] : [])]) {
        await one.emulateMedia({ colorScheme });
        assert.deepEqual(await violationsIn(one, 'html', rules), [], `${path}, ${colorScheme}`);
      }
    }
    await one.context().close();
  });
}

await check('nothing went wrong in the page', () => assert.deepEqual(page.faults, []));

await browser.close();
await server.stop();
finish();
