// <cubed-cube> in plain pages, and /embed in a frame of another origin. Usage: node element.mjs [path of the binary]

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { until } from './browser.mjs';
import { openStage, serveStage } from './view/stage.mjs';

const server = await Server.start(binaryArgument(), 'memory:', ['--allow-origin', '*']);
const PAGE = `<!doctype html><html lang="en" data-ready="yes"><meta charset="utf-8"><title>Elements</title><link rel="icon" href="/icon.svg">
<script type="module" src="/client/element.js"></script>
<main><cubed-cube id="plain"></cubed-cube>
<cubed-cube id="moves" alg="R U R' U'" setup="F2" size="3" speed="20"></cubed-cube></main></html>`;
const FRAME = `<!doctype html><html lang="en" data-ready="yes"><meta charset="utf-8"><title>Frame</title><link rel="icon" href="/icon.svg">
<iframe title="A cube" width="400" height="400" src="${server.url}/embed#alg=R+U2&setup=F&letters=1"></iframe></html>`;
const COOKBOOK = readFileSync(new URL('../../docs/guide/cookbook.md', import.meta.url), 'utf8').split('## Put a cube into a page')[1];
/** The first example in a language. */
const blockOf = (language) => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(COOKBOOK)[1];
const COOKED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cookbook</title><link rel="icon" href="/icon.svg">${blockOf('html').replace('/cubed-client/src/', '/client/')}</html>`;
const stage = await serveStage({ '/cookbook.html': COOKED, '/cube-page.js': blockOf('js page'), '/element.html': PAGE, '/frame.html': FRAME, '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }, { connect: server.url });
const { browser, page } = await openStage(`${stage.url}/element.html`);
await page.waitForFunction(() => document.getElementById('moves').model);

const facelets = (id) => page.evaluate((name) => document.getElementById(name).facelets, id);
const apply = async (moves, size = 3) => {
  const answer = await fetch(`${server.url}/v1/apply`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ size, moves }) });
  return (await answer.json()).cube.facelets;
};

/** Adds an element with attributes, and gathers its events. */
async function add(attributes, properties = {}) {
  await page.evaluate(([given, own]) => {
    document.getElementById('made')?.remove();
    const cube = document.createElement('cubed-cube');
    cube.id = 'made';
    for (const [name, value] of Object.entries(given)) cube.setAttribute(name, value);
    Object.assign(cube, own);
    globalThis.events = [];
    for (const type of ['ready', 'turn', 'change', 'solved', 'position', 'error', 'refused']) {
      cube.addEventListener(type, ({ detail }) => events.push([type, detail.move ?? detail.position ?? detail.problem?.message ?? null]));
    }
    document.querySelector('main').prepend(cube);
  }, [attributes, properties]);
}
const events = () => page.evaluate(() => globalThis.events);
const eventsOf = async (type) => (await events()).filter(([one]) => one === type).map(([, value]) => value);
const ready = () => until(async () => (await eventsOf('ready')).length, 1, 'ready');
const made = (run) => page.evaluate(`(async () => { const cube = document.getElementById('made'); ${run} })()`);

/** Drags the sticker in the middle of the front of the element to the right. */
async function drag(selector = '#made') {
  const box = await page.locator(selector).boundingBox();
  const [dx, dy] = await page.evaluate((one) => document.querySelector(one).view.placeOnScreen(22), selector);
  const [x, y] = [box.x + dx, box.y + dy];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 12, { steps: 6 });
  await page.waitForTimeout(100);
  await page.mouse.up();
}

await check('without attributes it is a solved 3x3x3 that turns under the hand', async () => {
  assert.equal(await page.evaluate(() => document.getElementById('plain').solved), true);
  await drag('#plain');
  assert.equal(await facelets('plain'), await apply('E'));
});

await check('moves are watched: steps, play to the end, back, and the events of it', async () => {
  await add({ alg: "R U R' U'", setup: 'F2', speed: '20' });
  await ready();
  assert.equal(await facelets('made'), await apply('F2'));
  await made('cube.step(); cube.step();');
  assert.equal(await facelets('made'), await apply('F2 R U'));
  await made('cube.step(-1);');
  assert.equal(await facelets('made'), await apply('F2 R'));
  await made('cube.play();');
  await until(async () => made('return [cube.position, cube.playing];'), [4, false], 'played');
  assert.equal(await facelets('made'), await apply("F2 R U R' U'"));
  await made('cube.position = 0;');
  assert.equal(await facelets('made'), await apply('F2'));
  assert.deepEqual((await eventsOf('turn')).slice(0, 3), ['R', 'U', "U'"]);
  assert.equal((await eventsOf('position')).at(-1), 0);
});

await check('listeners that fail are reported in the page, and stop neither the element nor the others', async () => {
  await add({});
  await ready();
  await made(`
    globalThis.faults = [];
    addEventListener('error', (event) => (event.preventDefault(), faults.push(event.message)));
    addEventListener('unhandledrejection', (event) => (event.preventDefault(), faults.push('unhandled')));
    const fail = (text) => { throw new Error(text); };
    cube.addEventListener('turn', () => fail('of an event'));
    cube.model.subscribe(({ type }) => type === 'turned' && fail('of the model'));
    cube.model.subscribe(async ({ type }) => type === 'turned' && fail('later'));
    cube.view.onLook = () => fail('of the view');
    cube.view.resetLook();
    await cube.turn('R');
    await cube.turn('U');`);
  assert.equal(await facelets('made'), await apply('R U'));
  assert.deepEqual(await eventsOf('turn'), ['R', 'U']);
  const faults = await page.evaluate(() => globalThis.faults);
  assert.deepEqual(['of an event', 'of the model', 'later', 'of the view', 'unhandled'].map((text) => faults.filter((one) => one.endsWith(text)).length), [2, 2, 2, 1, 0]);
  page.faults.splice(0, Infinity, ...page.faults.filter((one) => !/of an event|of the model|later|of the view/.test(one)));
});

await check('the buttons below it do the same, and are named', async () => {
  await add({ alg: 'R U' });
  await ready();
  const button = (name) => page.locator('#made').getByRole('button', { name });
  await button('One move on').click();
  assert.equal(await facelets('made'), await apply('R'));
  await button('To the end').click();
  assert.equal(await facelets('made'), await apply('R U'));
  assert.equal(await button('One move on').isDisabled(), true);
  await button('One move back').click();
  await button('To the start').click();
  assert.equal(await facelets('made'), await apply(''));
  await button('Play').click();
  await until(() => facelets('made'), await apply('R U'), 'played');
  await made("cube.setAttribute('player', 'none');");
  assert.equal(await button('Play').count(), 0);
});

await check('attributes that change are followed; what is wrong is said', async () => {
  await add({ size: '4' });
  await ready();
  await made("cube.size = 5; cube.setup = 'Rw';");
  await until(() => facelets('made'), await apply('Rw', 5), 'size and setup');
  assert.equal((await eventsOf('ready')).length, 2);
  await made("cube.size = '1';");
  await until(() => eventsOf('error'), ['size must be 2 to 100, not "1".'], 'the error');
  assert.match(await page.locator('#made').getByRole('alert').textContent(), /cannot be shown: size must be/);
  await made("cube.size = 2; cube.setup = null;");
  await until(() => facelets('made'), await apply('', 2), 'mended');
  await made("cube.removeAttribute('size'); cube.setup = '[R, U]';");
  await until(async () => (await eventsOf('error')).length, 2, 'no server to read it');
  await made(`cube.server = '${server.url}';`);
  await until(() => facelets('made'), await apply("R U R' U'"), 'read by the server');
});

await check('turns, undo and solved; control says what hands may do', async () => {
  await add({});
  await ready();
  await made("await cube.turn('R U'); await cube.undo();");
  await until(() => eventsOf('solved'), [null], 'solved');
  await made("cube.control = 'look';");
  await drag();
  assert.equal(await made('return cube.solved;'), true);
  assert.notEqual(await made('return cube.view.looking.yaw;'), -0.62);
  await made("cube.control = 'none'; cube.view.look(null);");
  await drag();
  assert.equal(await made('return cube.view.looking.yaw;'), -0.62);
});

await check('a session is followed, and turned with a token that only a script can give', async () => {
  const answer = await fetch(`${server.url}/v1/sessions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size": 3, "access": "view"}' });
  const { id, token } = await answer.json();
  const turn = (moves) => fetch(`${server.url}/v1/sessions/${id}/moves`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body: JSON.stringify({ moves }) });
  await turn('R');
  await add({ session: id, server: server.url, control: 'turn' });
  await ready();
  assert.equal(await facelets('made'), await apply('R'));
  await turn('U');
  await until(() => facelets('made'), await apply('R U'), 'followed');
  await drag();
  await until(async () => (await eventsOf('refused')).length, 1, 'refused without the token');
  await until(() => facelets('made'), await apply('R U'), 'taken back');
  await made(`cube.setAttribute('token', '${token}');`);
  assert.equal(await made('return cube.token;'), null);
  await made(`cube.token = '${token}';`);
  await until(async () => (await eventsOf('ready')).length, 2, 'opened again');
  await drag();
  await until(() => facelets('made'), await apply('R U E'), 'turned');
  await until(async () => (await (await fetch(`${server.url}/v1/sessions/${id}`)).json()).cube.facelets, await apply('R U E'), 'on the server');
});

await check('an element that is removed lets go of everything; one that is moved stays', async () => {
  await add({ alg: 'R U' });
  await ready();
  await made("cube.step(); document.body.append(cube);");
  assert.equal(await made('return cube.position;'), 1);
  await page.evaluate(() => {
    globalThis.gone = document.getElementById('made');
    gone.remove();
  });
  await until(() => page.evaluate(() => gone.view === null && gone.model === null), true, 'closed');
  await page.evaluate(() => document.body.append(gone));
  await until(() => facelets('made'), await apply(''), 'opened again');
});

await check('/embed shows a cube in the page of another origin', async () => {
  await page.goto(`${stage.url}/frame.html`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'One move on' }).click();
  const child = page.frames().find((one) => one.url().includes('/embed'));
  await until(() => child.evaluate(() => document.querySelector('cubed-cube').facelets), await apply('F R'), 'stepped');
  assert.equal(await child.evaluate(() => document.querySelector('cubed-cube').letters), true);
  assert.equal(await frame.getByRole('link', { name: 'Open in cubed' }).getAttribute('href'), "/#alg=R+U2&setup=F");
  await child.evaluate(() => (location.hash = 'size=7&view=net'));
  await until(() => child.evaluate(() => document.querySelector('cubed-cube').facelets), await apply('', 7), 'another');
  assert.equal(await child.evaluate(() => document.querySelector('cubed-cube').unfolded), true);
});

await check('what the cookbook puts into a page works there', async () => {
  await page.goto(`${stage.url}/cookbook.html`);
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await page.waitForFunction(() => document.getElementById('trigger').model && document.getElementById('own').model);
  assert.equal(await facelets('trigger'), await apply('F2'));
  await page.evaluate(() => document.getElementById('own').turn('Rw'));
  await page.evaluate(() => document.getElementById('own').turn("Rw'"));
  await until(() => said.slice(0, 3), ['Rw', "Rw'", 'solved'], 'its script');
});

const EXPECTED = /Multiple readback|allow-scripts/;
await check('nothing went wrong in the pages', () => assert.deepEqual(page.faults.filter((one) => !EXPECTED.test(one)), []));
await browser.close();
stage.close();
await server.stop();
finish();
