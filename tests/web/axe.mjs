// axe-core finds nothing: on every panel, every dialog and /embed, light and dark, on a phone and on a desktop.
// Usage: node axe.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed } from '../../clients/js/src/index.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { COLOURS, launch, until, violationsIn, visitor } from './browser.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);
const browser = await launch();

const PLACES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const PANELS = ['turn', 'history', 'solver', 'timer', 'paint', 'ask', 'friends', 'cubes'];

const session = await cubed.createSession({ size: 3, access: 'edit', listed: true, name: 'Küche' });
await session.turn("R U R' U'");
await session.turn('F2');

/** Fails with everything that axe finds in a part of the page. */
const clean = async (page, what, part = 'html', options = {}) => assert.deepEqual(await violationsIn(page, part, options), [], what);

/** Things to open in a panel, so that more of it is seen. */
const MORE = {
  turn: (page) => page.click('#typed summary'),
  paint: async (page) => {
    await page.click('#panel-paint .paste summary');
    await page.fill('#paste', 'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB');
    await page.locator('#panel-paint button', { hasText: 'Read it' }).click();
    await page.locator('#panel-paint button', { hasText: 'Repair it' }).waitFor();
  },
  ask: async (page) => {
    await page.fill('#ask-search', 'cross');
    await page.locator('#panel-ask .cards button').first().click();
    await page.locator('#panel-ask .more *').first().waitFor();
  },
};

async function open(options, path) {
  const page = await visitor(browser, `${server.url}${path}`, options);
  await page.waitForFunction(() => globalThis.cubed?.app.room);
  await page.locator('#panel-turn #pad button').first().waitFor();
  return page;
}

for (const [place, options] of Object.entries(PLACES)) {
  for (const colorScheme of ['light', 'dark']) {
    // Alone and in a session, each on a desktop and on a phone, each light and dark.
    const alone = (place === 'desktop') === (colorScheme === 'light');
    for (const path of [alone ? '/' : `/c/${session.id}#${session.token}`]) {
      const where = `${place}, ${colorScheme}, ${path === '/' ? 'alone' : 'in a session'}`;
      const page = await open({ ...options, colorScheme }, path);
      for (const name of PANELS) {
        await check(`${where}: ${name}`, async () => {
          await page.evaluate((panel) => globalThis.cubed.app.panel(panel), name);
          await until(() => page.locator(`#panel-${name}`).isVisible(), true);
          // The frame around the panels has other colours in another theme, but not in another panel.
          await clean(page, name, colorScheme === 'light' || name === PANELS[0] ? 'html' : `#panel-${name}`);
          if (!MORE[name]) return;
          await MORE[name](page);
          await clean(page, `${name}, opened`, `#panel-${name}`);
        });
      }
      for (const [dialog, button] of [['settings', '#adjust'], ['keys', '#help']]) {
        if (!(await page.locator(button).isVisible())) continue;
        await check(`${where}: ${dialog}`, async () => {
          await page.click(button);
          await page.locator('dialog[open]').waitFor();
          await clean(page, dialog, 'dialog[open]');
          await page.keyboard.press('Escape');
        });
      }
      await check(`${where}: the quiet theme`, async () => {
        await page.evaluate(() => globalThis.cubed.app.settings.set('theme', 'quiet'));
        for (const name of ['turn', 'timer', 'paint']) {
          await page.evaluate((panel) => globalThis.cubed.app.panel(panel), name);
          await clean(page, name, name === 'turn' ? 'html' : `#panel-${name}`, COLOURS);
        }
        await page.evaluate(() => globalThis.cubed.app.settings.set('theme', 'system'));
      });
      await check(`${where}: the tables`, async () => {
        await page.locator('#words summary').focus();
        await page.keyboard.press('Enter');
        await page.locator('#table table').first().waitFor();
        await clean(page, 'tables', '#words');
      });
      await page.context().close();
    }
    await check(`${place}, ${colorScheme}: /embed`, async () => { // docs.mjs has the documents
      const page = await visitor(browser, `${server.url}/embed`, { ...options, colorScheme });
      await page.waitForFunction(() => document.querySelector('cubed-cube')?.model);
      await clean(page, '/embed');
      await page.context().close();
    });
  }
}

await browser.close();
await server.stop();
finish();
