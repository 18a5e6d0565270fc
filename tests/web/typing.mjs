// Typing on a phone: the keyboard on the screen covers neither the field nor the cube. Usage: node typing.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const KEYBOARD = 300;
const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

/** A browser that resizes only what is seen of the page, as Safari does: `coverBy(height)` of the keyboard. */
function fakeKeyboard() {
  const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: innerHeight });
  Object.defineProperty(globalThis, 'visualViewport', { value: seen, configurable: true });
  globalThis.coverBy = (height) => {
    seen.height = innerHeight - height;
    seen.dispatchEvent(new Event('resize'));
  };
}

async function phone([width, height], { fake }) {
  const page = await visitor(browser, 'about:blank', { viewport: { width, height }, hasTouch: true, isMobile: true });
  if (fake) await page.addInitScript(fakeKeyboard);
  await page.goto(server.url);
  await page.locator('#moment').waitFor(); // everything after the first screen is there
  return page;
}

const keyboard = (page, [width, height], covered, fake) => (fake ? page.evaluate((by) => globalThis.coverBy(by), covered) : page.setViewportSize({ width, height: height - covered }));

for (const fake of [true, false]) {
  for (const size of [[390, 844], [360, 640], [844, 390]]) {
    const covered = size[0] > size[1] ? KEYBOARD - 100 : KEYBOARD;
    await check(`${size.join('x')}, ${fake ? 'the keyboard lies above the page' : 'the page is resized'}`, async () => {
      const page = await phone(size, { fake });
      for (const [panel, field] of [['turn', '#moves'], ['ask', '#ask-search'], ['cubes', '#open-text']]) {
        await page.evaluate((name) => globalThis.cubed.app.panel(name), panel);
        await page.locator(field).tap();
        await keyboard(page, size, covered, fake);
        await page.waitForFunction(() => document.body.classList.contains('on-screen-keyboard'));
        const left = size[1] - covered;
        const inSight = async () => {
          const { y, height } = await page.locator(field).boundingBox();
          return y >= 0 && y + height <= left + 1;
        };
        await until(inSight, true, `${panel}: the field`);
        const view = await page.locator('#view').boundingBox();
        assert.ok(view.y >= 0 && view.y + view.height <= left + 1 && view.height >= 80, `${panel}: the cube, ${JSON.stringify(view)}`);
        await page.evaluate(() => document.activeElement.blur());
        await keyboard(page, size, 0, fake);
        await page.waitForFunction(() => !document.body.classList.contains('on-screen-keyboard'));
        assert.equal(await page.evaluate(() => document.body.getBoundingClientRect().height), size[1]);
      }
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });
  }
}

await browser.close();
await server.stop();
finish();
