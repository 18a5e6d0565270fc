// The page in each of its languages on a phone of 360 pixels: every view is in the language, nothing is wider than the
// phone, and no text of a button is cut. In German, axe finds nothing. Usage: node languages.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, violationsIn, visitor } from './browser.mjs';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'zh'];
const PARTS = ['play', 'solve', 'time'];
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const PANELS = ['history', 'solver', 'timer', 'paint', 'ask', 'friends', 'cubes', 'turn'];

const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit', listed: true, name: 'Mia' });
await session.turn("R U R' U'");
const browser = await launch();

/** The texts in a language that differ from the English ones, by these. */
async function tableOf(language) {
  if (language === 'en') return new Map();
  const files = [`${language}.js`, ...PARTS.map((part) => `${language}/${part}.js`)];
  const tables = await Promise.all(files.map((file) => import(`../../web/page/words/${file}`)));
  return new Map(tables.flatMap(({ words }) => Object.entries(words)).filter(([text, words]) => text !== words));
}

/** Returns all texts of the page, seen or read aloud. */
const textsOf = (page) => page.evaluate(() => {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (nodes.nextNode()) if (!nodes.currentNode.parentElement.closest('script, noscript, code, kbd, #notation, #title')) texts.push(nodes.currentNode.data);
  for (const name of ['aria-label', 'title', 'placeholder']) for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
  return texts.map((text) => text.trim()).filter(Boolean);
});

/** Returns what is wider than it may be: the page, its panels, a dialog, and buttons whose text is cut. */
const widerOf = (page) => page.evaluate(() => {
  const isSeen = (one) => one.checkVisibility() && !one.closest('.unseen');
  const boxes = ['html', '#side', '#panels', '.panel', 'dialog[open]', '#tabs', '#actions', '#kinds', '#welcome'].flatMap((name) => [...document.querySelectorAll(name)]);
  const buttons = [...document.querySelectorAll('button, summary, label > span, .chip, .hint, a')];
  const name = (one) => `${one.localName}${one.id ? `#${one.id}` : ''}.${one.className} "${one.textContent.slice(0, 40)}": ${one.scrollWidth} in ${one.clientWidth}`;
  return [...boxes, ...buttons].filter((one) => isSeen(one) && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1).map(name);
});

/** Returns the lists of a dialog that are narrower than their longest entry. */
const narrowOf = (page) => page.locator('dialog[open] select').evaluateAll((lists) => lists.filter((list) => {
  const copy = list.parentElement.appendChild(list.cloneNode(true));
  Object.assign(copy.style, { position: 'absolute', maxWidth: 'none', width: 'max-content' });
  const wanted = copy.offsetWidth;
  copy.remove();
  return list.offsetWidth < wanted;
}).map(({ id }) => id));

/** Opens all that is folded in a panel. */
const unfold = (page, panel) => page.evaluate((name) => {
  for (const one of document.querySelectorAll(`#panel-${name} details`)) one.open = true;
}, panel);

for (const language of LANGUAGES) {
  const table = await tableOf(language);

  /** Fails if a part of the page is in English, is too wide, or has a fault. */
  const examine = async (page, what, part = 'body') => {
    const english = (await textsOf(page)).filter((text) => table.has(text));
    assert.deepEqual(english, [], `${what} in English`);
    assert.deepEqual(await widerOf(page), [], `${what} is too wide`);
    if (language === 'de') assert.deepEqual(await violationsIn(page, part), [], what);
    assert.deepEqual(page.faults, []);
  };

  const open = async (path, options = {}) => {
    const page = await visitor(browser, `${server.url}${path}`, { ...PHONE, locale: language, ...options });
    await page.waitForFunction(() => globalThis.cubed?.app.room);
    await page.locator('#moment').waitFor();
    return page;
  };

  await check(`${language}: the first screen`, async () => {
    const page = await open('/', { newcomer: true });
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    await page.locator('#welcome button').first().waitFor();
    await examine(page, 'the first screen');
    await page.fill('#moves', 'R Q');
    await page.press('#moves', 'Enter');
    const title = table.get('The moves are invalid');
    const fault = page.locator('#fault p');
    await fault.waitFor();
    assert.match(await fault.textContent(), title ? new RegExp(`^${title}: "Q" at column 3: `) : /^"Q" at column 3: /);
    await page.context().close();
  });

  await check(`${language}: the panels, and all that is folded in them`, async () => {
    const page = await open('/');
    for (const name of PANELS) {
      await page.evaluate((panel) => globalThis.cubed.app.panel(panel), name);
      await page.locator(`#panel-${name}`).waitFor();
      await examine(page, name, `#panel-${name}`);
      await unfold(page, name);
      if (name === 'timer') await page.locator('#panel-timer [data-mode=page]').click();
      await examine(page, `${name}, unfolded`, `#panel-${name}`);
    }
    await page.evaluate(() => (document.getElementById('words').open = true));
    await page.locator('#table table').first().waitFor();
    await examine(page, 'the tables', '#words');
    await page.context().close();
  });

  await check(`${language}: the dialogs`, async () => {
    const page = await open('/');
    for (const button of ['#adjust', '#help']) {
      await page.evaluate((id) => document.querySelector(id).click(), button);
      await page.locator('dialog[open]').waitFor();
      await examine(page, button, 'dialog[open]');
      assert.deepEqual(await narrowOf(page), [], `${button}: entries are cut`);
      await page.keyboard.press('Escape');
    }
    await page.context().close();
  });

  await check(`${language}: a wrong cube, a pattern, a lesson`, async () => {
    const page = await open('/');
    await page.evaluate(() => globalThis.cubed.app.panel('paint'));
    await page.locator('#panel-paint .paste').waitFor();
    await page.evaluate(() => globalThis.cubed.app.report('cube-text', 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB'));
    await page.locator('#panel-paint .repair').waitFor();
    await examine(page, 'a wrong cube', '#panel-paint');
    await page.evaluate(() => globalThis.cubed.app.panel('ask'));
    await page.locator('#panel-ask details summary').first().click();
    await page.locator('#panel-ask details .cards button').first().click();
    await page.locator('#panel-ask .ways *').first().waitFor();
    await examine(page, 'a pattern', '#panel-ask');
    await page.evaluate(() => globalThis.cubed.app.panel('solver'));
    await page.locator('#lesson').click();
    await page.locator('#lesson-step').waitFor();
    await page.locator('#lesson-main').click();
    await unfold(page, 'solver');
    await examine(page, 'a lesson', '#panel-solver');
    await page.context().close();
  });

  await check(`${language}: a session: its owner with the link, and somebody who watches`, async () => {
    const page = await open(`/c/${session.id}#${session.token}`);
    await page.evaluate(() => globalThis.cubed.app.panel('friends'));
    await page.locator('#play').click();
    await page.locator('#link, #copy-here').waitFor();
    await unfold(page, 'friends');
    await examine(page, 'friends', '#panel-friends');
    await page.evaluate(() => globalThis.cubed.app.panel('cubes'));
    await page.locator('#my-cubes .icon').first().click();
    await page.locator('dialog[open]').waitFor();
    await examine(page, 'more about a cube', 'dialog[open]');
    await page.context().close();
    const { token } = await session.tokens.create({ role: 'viewer' });
    await session.configure({ access: 'view' });
    const watcher = await open(`/c/${session.id}#${token}`);
    await watcher.locator('#watch button').first().waitFor();
    await examine(watcher, 'watching', '#panel-turn');
    await session.configure({ access: 'edit' });
    await watcher.context().close();
  });
}

await check('the setting chooses the language, and the page is in it at once', async () => {
  const page = await visitor(browser, server.url, { ...PHONE, locale: 'en-US' });
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.click('#adjust');
  await page.selectOption('#set-language', 'fr');
  await until(() => page.evaluate(() => document.documentElement.lang).catch(() => null), 'fr');
  await until(() => page.locator('#undo').textContent().catch(() => null), 'Annuler');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await browser.close();
await server.stop();
finish();
