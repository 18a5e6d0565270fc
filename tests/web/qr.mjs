// QR codes: what a decoder reads is what was written, for every length. Usage: node qr.mjs

import assert from 'node:assert/strict';
import jsQR from 'jsqr';
import { qrOf } from '../../web/page/parts/qr.js';
import { check, finish } from '../api/report.mjs';

const SCALE = 4;
const BORDER = 4;

/** Decodes a picture of the modules; `spoil` changes some of them. */
function read(rows, spoil = () => false) {
  const size = (rows.length + 2 * BORDER) * SCALE;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  rows.forEach((row, y) => row.forEach((dark, x) => {
    if (dark === spoil(x, y)) return;
    for (let i = 0; i < SCALE * SCALE; i++) {
      const at = 4 * (((y + BORDER) * SCALE + Math.floor(i / SCALE)) * size + (x + BORDER) * SCALE + (i % SCALE));
      pixels.fill(0, at, at + 3);
    }
  }));
  return jsQR(pixels, size, size)?.data ?? null;
}

const LINK = `https://cubed.example.org/c/7n3k9qv2m5x8c4tz#7n3k9qv2m5x8c4tz_${'0123456789abcdefghjkmnpqrstvwxyz'.repeat(2).slice(0, 52)}`;

await check('a link with a token is read', () => assert.equal(read(qrOf(LINK)), LINK));

await check('texts of every length are read', () => {
  for (let length = 1; length <= 213; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7 + length) % 90))).join('');
    assert.equal(read(qrOf(text)), text, `${length} bytes`);
  }
});

await check('every version from 1 to 10 is used, and more is refused', () => {
  const sizes = new Set(Array.from({ length: 213 }, (_, i) => qrOf('x'.repeat(i + 1)).length));
  assert.deepEqual([...sizes], [21, 25, 29, 33, 37, 41, 45, 49, 53, 57]);
  assert.equal(qrOf('x'.repeat(214)), null);
});

await check('text beyond ASCII is read', () => assert.equal(read(qrOf('Würfel 🧊')), 'Würfel 🧊'));

await check('a stain on the code is repaired', () => {
  const rows = qrOf(LINK);
  const middle = rows.length / 2;
  const stained = (x, y) => Math.abs(x - middle - 5) < 3.5 && Math.abs(y - middle) < 3.5;
  assert.equal(read(rows, (x, y) => stained(x, y) && rows[y][x]), LINK);
});

finish();
