// The page that opens without a network: what the service worker keeps and answers, how one version follows another, and what
// happens if a part does not come. Usage: node service.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, fromFacelets } from '../../clients/js/src/index.js';
import { toFacelets } from '../../clients/js/src/cube.js';
import { fitted } from '../../web/page/trainer/angle.js';
import { endOf } from '../../web/page/trainer/ends.js';
import { caseWords } from '../../web/page/trainer/times.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { doesAll, isIndependent, turnOnce } from './alone.mjs';
import { launch, until, visitor } from './browser.mjs';
import { ChangingServer } from './changing.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const web = await ChangingServer.start(server);
const browser = await launch({ args: ['--host-resolver-rules=MAP phone.example 127.0.0.1'] });
const REAL = web.real;
const [OLDER, NEWER] = ['0'.repeat(12), 'f'.repeat(12)];

/** A page that is ready to be used. */
async function ready(page, address = web.url) {
  await page.goto(address);
  await page.locator('#moment').waitFor();
  return page;
}

/** A browser of its own, at a server as it is first. */
async function newcomer() {
  web.version = '';
  web.answers.clear();
  return visitor(browser, 'about:blank', { serviceWorkers: 'allow' });
}

const open = async () => ready(await newcomer());

/** Another page of the same browser, which takes the first one's place. */
async function visit(page, address) {
  const next = await page.context().newPage();
  next.faults = page.faults;
  next.on('pageerror', (error) => next.faults.push(error.stack));
  await page.close();
  return ready(next, address);
}

async function use(page) {
  await turnOnce(page);
  await until(() => isIndependent(page), true);
}

/** The workers of the page's path: the states of each. */
const workers = (page) => page.evaluate(async () => {
  const all = await navigator.serviceWorker.getRegistrations();
  return all.map(({ installing, waiting, active }) => [installing, waiting, active].map((one) => one?.state ?? '').join(' ').trim());
});
const files = (page) => page.evaluate(async () => {
  const names = (await caches.keys()).filter((name) => / [0-9a-f]{12} [a-z]{2}$/.test(name));
  return Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
});
/** The versions of the caches. */
const versions = async (page) => (await files(page)).map((paths) => [...new Set(paths.flatMap((path) => /^\/assets\/(\w+)\//.exec(path)?.[1] ?? []))].join());
const shownVersion = (page) => page.evaluate(() => /assets\/(\w+)\//.exec(document.querySelector('script[src]').src)[1]);

/** A page that is kept, and the number of its files. */
async function keptPage() {
  const page = await open();
  await use(page);
  await until(() => workers(page), ['activated'], 'the page is kept');
  return page;
}

/** Does something without a network. */
async function offline(run) {
  await web.end();
  try {
    return await run();
  } finally {
    await web.begin();
  }
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** Returns true if an address opens, in another tab: the browser's own page for what does not open comes a moment later. */
async function opens(page, address = web.url) {
  const tab = await page.context().newPage();
  const isOpen = await tab.goto(address).then(() => true, () => false);
  await tab.close();
  return isOpen;
}

/** Waits until the browser has done with a newer worker. */
const tried = (page, path) => until(() => web.asked.includes(path), true).then(() => until(() => workers(page), ['activated'], 'the older one goes on'));

// ---- what is kept, and what for ----

await check('nothing is kept until the page was used, and then all of its files, of one version, and nothing else', async () => {
  web.asked.length = 0;
  const page = await open();
  assert.deepEqual([await workers(page), await page.evaluate(() => caches.keys())], [[], []]);
  assert.ok(!web.asked.includes('/service-worker.js'));
  await use(page);
  await until(() => workers(page), ['activated']);
  const assets = web.asked.filter((path) => path.startsWith('/assets/') && !path.endsWith('.css')); // for which browsers have an Accept of their own
  assert.deepEqual(assets.filter((path, i) => assets.indexOf(path) !== i), [], 'what the browser has is not fetched again');
  const [paths, ...others] = await files(page);
  assert.deepEqual(others, []);
  const script = await (await fetch(`${web.url}/service-worker.js`)).text();
  const [, ...listed] = /^const \[KEY, \.\.\.FILES\] = \[(.*)\]/m.exec(script)[1].split(', ').map((name) => name.slice(1, -1));
  const isOfOthers = (name) => /\/page\.words\.(?!js$)/.test(name); // the page is in English
  assert.equal(listed.filter(isOfOthers).length, 16);
  assert.deepEqual(paths.sort(), listed.filter((name) => !isOfOthers(name)).map((name) => new URL(name, web.url).pathname).sort());
  assert.ok(paths.includes('/') && paths.includes(`/assets/${REAL}/libcube.wasm`) && paths.includes('/manifest.webmanifest'));
  assert.deepEqual(paths.filter((path) => /^\/(v1|docs|embed|c\/|cubed)|\/docs/.test(path)), []);
  assert.deepEqual(await versions(page), [REAL]);
  await close(page);
});

await check('without a network the page opens and does all that it does alone', async () => {
  const page = await keptPage();
  await offline(async () => {
    await ready(page);
    await use(page);
    await page.context().setOffline(true);
    await doesAll(page);
    await page.context().setOffline(false);
  });
  await close(page);
});

await check('a link to moves opens too; what the server answers is left to it', async () => {
  const page = await keptPage();
  await offline(async () => {
    await ready(page, `${web.url}/?alg=R+U+R'`);
    await until(() => page.evaluate(() => globalThis.cubed.app.shown.length), 3, 'the moves of the link');
    for (const path of ['/docs', '/embed', '/openapi.json', '/c/0123456789abcdef']) assert.equal(await opens(page, web.url + path), false, path);
    await ready(page);
    assert.equal(await page.evaluate(() => fetch('/v1/limits').catch(() => null)), null);
  });
  const answers = [];
  page.on('response', (answer) => answers.push([new URL(answer.url()).pathname, answer.fromServiceWorker()]));
  await ready(page);
  await page.evaluate(() => fetch('/v1/limits'));
  await page.goto(`${web.url}/docs`);
  const byWorker = (test) => answers.filter(([path]) => test(path)).map(([, isKept]) => isKept);
  assert.ok(byWorker((path) => path.startsWith(`/assets/${REAL}/pack/`)).every(Boolean));
  assert.ok(byWorker((path) => /^\/(v1|docs)|docs/.test(path)).length > 2);
  assert.ok(!byWorker((path) => /^\/(v1|docs)|docs/.test(path)).some(Boolean));
  await close(page);
});

await check('below a path of a site the worker has that path alone', async () => {
  const below = await Server.start(binaryArgument(), 'memory:', ['--base-path', '/cubes']);
  const page = await ready(await newcomer(), `${below.url}/cubes/`);
  await use(page);
  await until(() => workers(page), ['activated']);
  assert.deepEqual(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => new URL(scope).pathname))), ['/cubes/']);
  assert.deepEqual((await files(page)).flat().filter((path) => !path.startsWith('/cubes/')), []);
  await below.stop();
  await ready(page, `${below.url}/cubes/`);
  await close(page);
});

// ---- who keeps nothing ----

const KEEPS_NOTHING = {
  'that saves data': [() => Object.defineProperty(navigator.connection, 'saveData', { value: true }), 'This browser saves data, so it does not keep the page.'],
  'without WebAssembly': [() => delete globalThis.WebAssembly, 'This browser keeps no pages. It may be a private window.'],
};
for (const [name, [prepare, words]] of Object.entries(KEEPS_NOTHING)) {
  await check(`a browser ${name} keeps nothing`, async () => {
    const page = await newcomer();
    await page.addInitScript(prepare);
    await ready(page);
    await turnOnce(page);
    await page.click('#adjust');
    await until(() => page.textContent('#keeping'), words);
    assert.ok(await page.isDisabled('#set-keep'));
    assert.deepEqual(await workers(page), []);
    await close(page);
  });
}

await check('over plain HTTP the settings say what is missing', async () => {
  const page = await ready(await newcomer(), `http://phone.example:${web.port}/`);
  await use(page);
  await page.click('#adjust');
  await until(() => page.textContent('#keeping').then((text) => text.includes('plain HTTP')), true);
  assert.ok(await page.isDisabled('#set-keep'));
  assert.equal(await page.isChecked('#set-keep'), false);
  const href = await page.getAttribute('#keeping a', 'href');
  const [path, id] = href.split('#');
  assert.ok((await (await fetch(web.url + path)).text()).includes(` id="${id}"`), href);
  page.faults = page.faults.filter((fault) => !/Cross-Origin-Opener-Policy/.test(fault)); // which needs HTTPS as well
  await close(page);
});

await check('it can be removed in the settings, and kept again', async () => {
  const page = await keptPage();
  await page.click('#adjust');
  await until(() => page.textContent('#keeping'), 'The page is kept in this browser.');
  await page.uncheck('#set-keep');
  await until(() => page.textContent('#keeping'), 'Nothing of the page is kept.');
  assert.deepEqual([await workers(page), await page.evaluate(() => caches.keys())], [[], []]);
  const again = await visit(page);
  await use(again);
  await again.click('#adjust');
  await until(() => again.textContent('#keeping'), 'Nothing of the page is kept.');
  assert.deepEqual(await workers(again), []);
  await again.check('#set-keep');
  await until(() => workers(again), ['activated']);
  await close(again);
});

// ---- versions ----

/** Closes the only page. Returns an empty one, as soon as the worker that waited has taken over. */
async function leave(page) {
  const blank = await page.context().newPage();
  blank.faults = page.faults;
  const cdp = await page.context().newCDPSession(blank);
  const states = new Map();
  cdp.on('ServiceWorker.workerVersionUpdated', ({ versions: all }) => all.forEach(({ versionId, status }) => states.set(versionId, status)));
  await cdp.send('ServiceWorker.enable');
  await page.close();
  await until(() => [...states.values()].filter((state) => state !== 'redundant'), ['activated'], 'the newer one takes over');
  return blank;
}

/** The next version is fetched, and waits. */
const waits = (page) => until(() => workers(page), ['installed activated'], 'the newer one waits');

for (const [what, version] of [['newer', NEWER], ['older', OLDER]]) {
  await check(`${what === 'newer' ? 'a newer' : 'an older'} version is fetched beside the kept one, and replaces it when no tab has that open`, async () => {
    const page = await keptPage();
    web.version = version;
    await ready(page);
    assert.equal(await shownVersion(page), version, 'online the page is the one of the server');
    await waits(page);
    assert.deepEqual((await versions(page)).sort(), [REAL, version].sort());
    assert.equal((await files(page))[0].length, (await files(page))[1].length);
    await offline(async () => {
      await ready(page);
      assert.equal(await shownVersion(page), REAL, 'until then the older one opens without a network');
      await use(page);
    });
    const next = await ready(await leave(page));
    assert.deepEqual([await workers(next), await versions(next)], [['activated'], [version]]);
    await offline(async () => {
      await ready(next);
      assert.equal(await shownVersion(next), version);
      await use(next);
    });
    await close(next);
  });
}

await check('the texts of the language are kept, and those of another one when it is chosen', async () => {
  const wordsOf = async (page) => (await files(page)).map((paths) => paths.filter((path) => /\/page\.words\.(?!js$)/.test(path)).map((path) => /words\.(\w+)/.exec(path)[1]));
  const page = await keptPage();
  assert.deepEqual(await wordsOf(page), [[]]);
  await page.evaluate(() => globalThis.cubed.app.settings.set('language', 'de'));
  await use(await ready(page));
  await waits(page);
  const next = await ready(await leave(page));
  assert.deepEqual([await workers(next), await wordsOf(next)], [['activated'], [['de', 'de', 'de', 'de']]]);
  await offline(async () => {
    await ready(next);
    assert.equal(await next.textContent('#undo'), 'Zurück');
    await next.click('#tab-timer');
    await until(() => next.textContent('#panel-timer [data-mode=hand]'), 'Würfel in der Hand');
  });
  await close(next);
});

await check('a page that is open keeps its version: the parts that it loads later are there, though the server has others', async () => {
  const page = await keptPage();
  web.version = NEWER;
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((one) => one.update()));
  await waits(page);
  await page.click('#tab-friends');
  await page.locator('#play').waitFor();
  assert.equal(await shownVersion(page), REAL);
  await close(page);
});

for (const status of [404, 500]) {
  await check(`a version of which a file is ${status} is not kept, and the older one stays complete`, async () => {
    const page = await keptPage();
    const count = (await files(page))[0].length;
    web.version = NEWER;
    const missing = `/assets/${NEWER}/pack/page.panels.paint.js`;
    web.answers.set(missing, status);
    web.asked.length = 0;
    await ready(page);
    await tried(page, missing);
    await until(async () => (await files(page)).filter((paths) => paths.length > 0).map((paths) => paths.length), [count]);
    await offline(async () => assert.equal(await shownVersion(await ready(page)), REAL));
    web.answers.clear();
    await ready(page);
    await waits(page);
    await close(page);
  });
}

await check('a script and a page of two versions are not mixed', async () => {
  const page = await keptPage();
  web.version = NEWER;
  const script = await (await fetch(`${web.url}/service-worker.js`)).text();
  web.version = OLDER; // of the page
  web.answers.set('/service-worker.js', { text: script });
  web.asked.length = 0;
  await ready(page);
  await until(() => web.asked.filter((path) => path === '/').length > 1, true, 'the new worker asks for the page');
  await until(() => workers(page), ['activated']);
  assert.deepEqual((await versions(page)).filter(Boolean), [REAL]);
  await close(page);
});

await check('no room for the files: the page goes on without', async () => {
  const page = await open();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: web.url, quotaSize: 100000 });
  await page.evaluate(() => {
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = async function watched(...all) {
      const made = await register.apply(this, all);
      globalThis.worker = made.installing;
      return made;
    };
  });
  await use(page);
  await until(() => page.evaluate(() => globalThis.worker?.state), 'redundant', 'the worker gives up');
  await until(() => workers(page), []);
  assert.deepEqual((await files(page)).flat(), []);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: web.url });
  const next = await visit(page);
  await use(next);
  await until(() => workers(next), ['activated'], 'there is room again');
  await close(next);
});

await check('a cache that has lost a file opens no page, and is completed at the next visit', async () => {
  const page = await keptPage();
  const lost = `/assets/${REAL}/pack/page.panels.paint.js`;
  await page.evaluate(async (url) => (await caches.open((await caches.keys())[0])).delete(url), lost);
  await offline(async () => assert.equal(await opens(page), false));
  await ready(page);
  await until(async () => (await files(page))[0].includes(lost), true);
  await offline(() => ready(page));
  await close(page);
});

// ---- servers that fail ----

await check('a server that answers 500, or not at all, for the page: the kept one opens', async () => {
  const page = await keptPage();
  for (const answer of [500, 503, 'never']) {
    web.answers.set('/', answer);
    await ready(page);
    assert.equal(await shownVersion(page), REAL);
  }
  await close(page);
});

await check('a failing script changes nothing; a server without it ends the worker', async () => {
  const page = await keptPage();
  web.version = NEWER;
  for (const status of [500, 403]) {
    web.answers.set('/service-worker.js', status);
    web.asked.length = 0;
    await ready(page);
    await until(() => web.asked.filter((path) => path === '/service-worker.js').length > 0, true);
    await offline(async () => assert.equal(await shownVersion(await ready(page)), REAL));
  }
  web.answers.set('/service-worker.js', 404);
  await ready(page);
  assert.equal(await shownVersion(page), NEWER);
  await until(() => page.evaluate(() => caches.keys()), []);
  await until(() => workers(page), []);
  const next = await visit(page);
  await offline(async () => assert.equal(await opens(next), false));
  await close(next);
});

// ---- solves that wait ----

const keyOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cubed.book')));
const waiting = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('cubed.book.waiting') ?? '[]').length);

async function enterTime(page, text) {
  await page.click('#tab-timer');
  await page.click('#panel-timer [data-mode=hand]');
  const typing = page.locator('#panel-timer .typing');
  if (!(await typing.evaluate((one) => one.open))) await typing.locator('summary').click();
  await page.fill('#panel-timer [name=time]', text);
  await page.press('#panel-timer [name=time]', 'Enter');
}

await check('a solve that is recorded without a network is kept over a reload, and sent later', async () => {
  const page = await keptPage();
  await offline(async () => {
    await ready(page);
    await use(page);
    await enterTime(page, '12.34');
    await until(() => waiting(page), 1);
    await ready(page);
    await use(page);
    assert.equal(await waiting(page), 1);
    await enterTime(page, '23.45');
    await until(() => waiting(page), 2);
  });
  await ready(page);
  await page.click('#tab-timer');
  await until(() => waiting(page), 0);
  const solves = await new Cubed(server.url).solves.list({ token: (await keyOf(page)).token }).all();
  assert.deepEqual(solves.map(({ time_ms: time }) => time).sort(), [12340, 23450]);
  await close(page);
});

// ---- the trainer ----

const training = (page, value) => page.selectOption('#panel-timer [aria-label="Event or training"]', value);

/** Scrambles the cube of the page for what is trained. Returns its colours. */
async function scrambleHere(page) {
  const before = await page.evaluate(() => globalThis.cubed.app.cube.facelets);
  await page.click('#panel-timer .face button');
  await until(() => page.evaluate(() => globalThis.cubed.app.cube.facelets).then((now) => now !== before), true, 'another cube');
  return fromFacelets(await page.evaluate(() => globalThis.cubed.app.cube.facelets));
}

await check('the trainer works without a network: with the cases that it had, and with goals', async () => {
  const page = await keptPage();
  await page.click('#tab-timer');
  await page.click('#panel-timer [data-mode=page]');
  await until(() => page.locator('#panel-timer option[value="set:coll"]').count(), 1);
  await training(page, 'set:coll');
  await until(() => page.textContent('#panel-timer .cases > summary'), 'All 42 cases');
  await offline(async () => {
    await ready(page);
    await use(page);
    await page.click('#tab-timer');
    await until(() => page.textContent('#panel-timer .cases > summary'), 'All 42 cases', 'it was kept');
    const { cases } = await new Cubed(server.url).caseSet('coll');
    const isDone = endOf({ set: 'coll' });
    const stickers = await scrambleHere(page);
    assert.equal(isDone(stickers), false);
    const fits = cases.filter((one) => fitted(one.algorithms[0], { size: 3, stickers }, isDone));
    assert.equal(fits.length, 1, 'it is one of the cases');
    await page.click('#panel-timer > button:has-text("Show the case")');
    await until(() => page.textContent('#panel-timer .case h2').then((text) => text.endsWith(caseWords(fits[0].name))), true);
    await training(page, 'goal:cross');
    const cross = await scrambleHere(page);
    assert.equal(endOf({ goal: 'cross', place: 'U' })(cross), false);
    const { length } = await new Cubed(server.url).solve({ cube: { size: 3, facelets: toFacelets(cross) }, goal: 'cross', place: 'U' });
    assert.equal(length, 5, 'as far as was chosen');
    await page.click('#panel-timer > button:has-text("Show a way")');
    await until(() => page.textContent('#panel-timer .case').then((text) => text.includes('The server finds the ways, and it does not answer.')), true);
  });
  page.faults = page.faults.filter((fault) => !/ERR_CONNECTION_REFUSED/.test(fault));
  await close(page);
});

await browser.close();
await web.end();
await server.stop();
finish();
