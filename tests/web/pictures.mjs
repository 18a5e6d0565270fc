// A PNG of the server and the SVG of the same address, as Chromium draws it, are the same picture: they are drawn by two programs
// from one description. Usage: node pictures.mjs [path of the binary]

import assert from 'node:assert/strict';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { launch, visitor } from './browser.mjs';

/** Edges are blended by different rules, so a pixel may differ there; on the whole hardly anything does. */
const MEAN_MAX = 4; // of 255
const FAR = 64;
const FAR_PART_MAX = 0.015;

const queries = [
  'moves=R+U+F%27', 'size=2&view=net&moves=R', 'size=7&view=plan&moves=3R+U&mask=oll', 'view=trans&mask=f2l&moves=R+U+R%27', 'rotate=y-20x30&size=5',
  'rotate=z25.5y200x-20&plastic=silver&colors=okabe-ito', 'view=plan&arrows=U0U2-red,U6U2U8-s8-i5,U3U5-s5', 'size=11&moves=5Rw+U+3F', 'size=16&view=net&moves=5Rw+U&plastic=888',
  `facelets=${'n.U'.repeat(18)}&view=iso&background=336699`, 'size=12&view=plan&moves=3R', 'plastic=transparent&size=4',
];

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();
const page = await visitor(browser, server.url);

/** Returns the difference of two pictures: the mean of all channels, and the part of the pixels that differ much. */
function compare([svg, png]) {
  const pixels = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff'; // transparent pixels have no colour
    context.fillRect(0, 0, image.width, image.height);
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  return Promise.all([pixels(svg), pixels(png)]).then(([a, b]) => {
    let sum = 0, far = 0;
    for (let i = 0; i < a.data.length; i++) {
      const difference = Math.abs(a.data[i] - b.data[i]);
      sum += difference;
      if (difference > 64) far++;
    }
    return { sizes: [a.width, a.height, b.width, b.height], mean: sum / a.data.length, far: far / a.data.length };
  });
}

for (const query of queries) {
  for (const pixels of [128, 400]) {
    await check(`${query}, ${pixels} pixels`, async () => {
      const { sizes: [a, b, c, d], mean, far } = await page.evaluate(compare, ['svg', 'png'].map((form) => `/v1/image.${form}?${query}&pixels=${pixels}`));
      assert.deepEqual([a, b], [c, d]);
      assert.equal(a, pixels);
      assert.ok(mean < MEAN_MAX && far < FAR_PART_MAX, `mean ${mean}, more than ${FAR}: ${far}`);
    });
  }
}

await check('two different pictures are not the same', async () => {
  const { mean } = await page.evaluate(compare, ['/v1/image.svg?pixels=128&moves=R', '/v1/image.png?pixels=128&moves=U']);
  assert.ok(mean > MEAN_MAX, `${mean}`);
});

await browser.close();
await server.stop();
finish();
