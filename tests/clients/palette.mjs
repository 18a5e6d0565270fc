// Palettes of the view: letters that can be read on any colour, and colours that the colour-blind tell apart.
// Usage: node palette.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { contrast, inkOn, PALETTES, paletteOf, rgbOf } from '../../clients/js/src/view/palette.js';
import { readPalette } from '../../clients/js/src/view/palettetext.js';
import { check, finish } from '../api/report.mjs';

const CONTRAST = 4.5; // WCAG 2 for text

await check('contrast is that of WCAG 2', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#777777'), 1);
  assert.ok(Math.abs(contrast('#ffffff', '#777777') - 4.48) < 0.01);
});

await check('letters can be read on every colour', () => {
  const steps = [0, 51, 102, 119, 136, 153, 204, 255].map((value) => value.toString(16).padStart(2, '0'));
  const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
  for (const colour of [...colours, ...Object.values(PALETTES).flatMap((one) => one.colours)]) {
    assert.ok(contrast(inkOn(colour), colour) >= CONTRAST, colour);
  }
});

/** The colours that the colour-blind see: Machado, Oliveira and Fernandes 2009, in linear light. */
const BLINDNESS = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const linear = (colour) => rgbOf(colour).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
const apply = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * vector[i], 0));

/** A colour in OKLab, where distances are as they are seen. */
function lab(light) {
  const [l, m, s] = apply([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], light.map((value) => Math.max(0, value))).map(Math.cbrt);
  return apply([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], [l, m, s]);
}

/** The distance of the two colours of a palette that are the hardest to tell apart. */
function nearest(colours, matrix) {
  const seen = colours.map((colour) => lab(apply(matrix, linear(colour))));
  return Math.min(...seen.flatMap((a, i) => seen.slice(i + 1).map((b) => Math.hypot(...a.map((value, k) => value - b[k])))));
}

await check('the colours for the colour-blind are far apart for them, farther than the usual ones', () => {
  const smallest = (name) => Math.min(...Object.values(BLINDNESS).map((matrix) => nearest(PALETTES[name].colours, matrix)));
  assert.ok(smallest('okabe-ito') > 0.1, String(smallest('okabe-ito')));
  assert.ok(smallest('okabe-ito') > smallest('wca'), `${smallest('okabe-ito')} ${smallest('wca')}`);
});

await check('they are the colours of the pictures of the server', () => {
  const source = readFileSync(new URL('../../core/format/palette.c', import.meta.url), 'utf8');
  const schemes = Object.fromEntries([...source.matchAll(/^\t\{"([a-z-]+)", \{((?:0x[0-9a-f]{6},? ?){6})\}\}/gm)].map(([, name, list]) => [name, list.split(', ').map((one) => one.replace('0x', '#'))]));
  assert.deepEqual(Object.fromEntries(Object.values(PALETTES).map(({ name, colours }) => [name, colours])), schemes);
});

await check('palettes are read by name and by colours', () => {
  assert.equal(readPalette('').name, 'wca');
  assert.equal(readPalette('okabe-ito stickerless').stickerless, true);
  const six = ['#111111', '#222222', '#333333', '#444444', '#555555', '#eeeeee'];
  assert.deepEqual(readPalette(six.join(', ')).colours, six);
  for (const text of ['none', '#111111', six.slice(1).join(), `${six.join()},red`, 'constructor']) assert.equal(readPalette(text), null, text);
  assert.throws(() => paletteOf({ colours: ['red'] }), RangeError);
  assert.deepEqual(paletteOf({ colours: six }).inks, ['#ffffff', '#ffffff', '#ffffff', '#ffffff', '#ffffff', '#16181d']);
});

finish();
