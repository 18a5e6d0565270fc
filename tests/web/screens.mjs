// screens.mjs: takes the pictures of the page that the documents show, docs/pictures/page-*.png: each view on a phone and on a
// desktop. Needs pngquant of Debian. Usage: node screens.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Cubed } from '../../clients/js/src/index.js';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, visitor } from './browser.mjs';

const FOLDER = new URL('../../docs/pictures/', import.meta.url);
const BYTES_MAX = 60_000;
const COLOURS = 64;

const PLACES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1440, height: 900 } },
};
const DARK = ['front', 'timer'];
const SCRAMBLE = "R U F' D2 L B U2";

const server = await Server.start(binaryArgument(), 'memory:');
const session = await new Cubed(server.url).createSession({ size: 3, access: 'edit', name: 'Anna and Ben' });
await session.turn(SCRAMBLE);
const browser = await launch();

const panel = (page, name) => page.evaluate((one) => globalThis.cubed.app.panel(one), name);

/** The address of each view, and what is done there before its picture is taken. */
const VIEWS = {
  front: { path: '/', newcomer: true, use: (page) => page.locator('#hint').waitFor() },
  lesson: {
    path: `/c/${session.id}`,
    use: async (page) => {
      await panel(page, 'solver');
      await page.click('#lesson');
      await page.locator('#lesson-main').waitFor();
    },
  },
  timer: {
    path: '/',
    use: async (page) => {
      await panel(page, 'timer');
      await page.locator('#timing .picture').waitFor();
    },
  },
  painting: {
    path: '/',
    use: async (page) => {
      await panel(page, 'paint');
      await page.locator('#panel-paint button').first().waitFor();
    },
  },
  friends: {
    path: `/c/${session.id}#${session.token}`,
    use: async (page) => {
      await panel(page, 'friends');
      await page.locator('#panel-friends h2').first().waitFor();
    },
  },
  patterns: {
    path: '/',
    use: async (page) => {
      await panel(page, 'ask');
      await page.fill('#ask-search', 'c');
      await page.locator('#panel-ask .cards button').first().waitFor();
    },
  },
};

/** Writes a picture of a page with few colours. */
async function take(page, name) {
  await page.waitForFunction(() => document.fonts.check('700 16px "Cubed Rounded"') && !globalThis.cubed.app.view.busy);
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const file = fileURLToPath(new URL(`page-${name}.png`, FOLDER));
  const input = await page.screenshot();
  const { status, stderr, error } = spawnSync('pngquant', [String(COLOURS), '--speed', '1', '--strip', '--output', file, '--force', '-'], { input, maxBuffer: 1 << 24 });
  assert.equal(status, 0, `pngquant: ${error ?? stderr}`);
  assert.ok(statSync(file).size <= BYTES_MAX, `${name}: ${statSync(file).size} bytes`);
}

for (const [place, options] of Object.entries(PLACES)) {
  for (const [name, { path, newcomer = false, use }] of Object.entries(VIEWS)) {
    for (const colorScheme of DARK.includes(name) ? ['light', 'dark'] : ['light']) {
      const page = await visitor(browser, server.url + path, { ...options, newcomer, colorScheme, deviceScaleFactor: 1 });
      await page.waitForFunction(() => globalThis.cubed?.app.room && document.querySelector('#timeline > *'));
      await use(page);
      await take(page, `${name}-${place}${colorScheme === 'dark' ? '-dark' : ''}`);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
  }
}

await browser.close();
await server.stop();
