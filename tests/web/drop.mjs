// Files that are dropped on the page: solves, cubes, and what is neither. Usage: node drop.mjs [path of the binary]

import assert from 'node:assert/strict';
import { kindOf } from '../../web/page/open/dropped.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, until, visitor } from './browser.mjs';

const CSTIMER = JSON.stringify({ session1: [[[0, 12340], "R U R'", '', 1700000000]], properties: {} });
const FACELETS = 'UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB';

await check('what a text is', () => {
  const kinds = {
    solves: [CSTIMER, '12.34\n1:02.3, DNF', '1. 12.34   R U\n2. 9.87+', 'Puzzle,Category,Time(millis)\n333,Normal,12340', 'No.;Time\n1;12.34'],
    cube: [FACELETS, FACELETS.replaceAll('D', '?'), "R U R' U'", '{"facelets": "U"}', '123456', 'UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR'],
    null: ['', 'Dear Ann, how are you?', '\0PNG 1.5', '<html>'],
  };
  for (const [kind, texts] of Object.entries(kinds)) for (const text of texts) assert.equal(String(kindOf(text, 3)), kind, text);
});

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();
const page = await visitor(browser, server.url, { viewport: { width: 1280, height: 800 } });
await page.locator('#moment').waitFor();

async function drag(text, name) {
  const data = await page.evaluateHandle(([content, file]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], file, { type: 'text/plain' }));
    return transfer;
  }, [text, name]);
  await page.dispatchEvent('#view', 'dragover', { dataTransfer: data });
  assert.equal(await page.evaluate(() => document.body.className), 'dropping');
  await page.dispatchEvent('#view', 'drop', { dataTransfer: data });
  assert.equal(await page.evaluate(() => document.body.className), '');
}

await check('solves of csTimer, dropped on the cube, are imported by the timer', async () => {
  await page.evaluate(() => globalThis.cubed.app.panel('timer'));
  await drag(CSTIMER, 'cstimer.txt');
  await until(() => page.locator('#panel-timer .files [role=status]').textContent(), 'cstimer.txt: 1 solve imported.');
});

await check('a cube as text is painted, also if the panel was never there', async () => {
  await drag(FACELETS.replace('UR', 'RU'), 'cube.txt');
  await until(() => page.isVisible('#panel-paint'), true);
  await until(() => page.evaluate(() => [...globalThis.cubed.app.shown.stickers].slice(7, 11).join()), '0,1,0,1');
  await drag('{"nonsense": 1}', 'cube.json');
  await until(async () => (await page.locator('#paste-fault').textContent()).length > 10, true, 'a fault in words');
  assert.equal(await page.inputValue('#paste'), '{"nonsense": 1}');
});

await check('what is neither is said to be', async () => {
  await drag('Dear Ann', 'letter.txt');
  await until(() => page.locator('#notice-text').textContent(), 'letter.txt is not understood. Drop solves of csTimer or Twisty Timer, a table or list of times, or a cube as text.');
  assert.deepEqual(page.faults, []);
});

await browser.close();
await server.stop();
finish();
