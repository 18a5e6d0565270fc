// The keys of `cubed play` are those of the page: the speed layout of clients/terminal/play/keys.def against web/page/keys.js, key
// by key, on several sizes and widths of the hands.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, finish } from '../api/report.mjs';
import { SPEED_ROWS, speedTurn } from '../../web/page/keys.js';

const CAPS = { Semicolon: ';', Comma: ',', Period: '.', Slash: '/' };
const capOf = (code) => CAPS[code] ?? code.replace(/^(Key|Digit)/, '').toLowerCase();

/** The rows of keys.def: {key: {face, from, to, turns}}, numbers of layers as text. */
const source = readFileSync(new URL('../../clients/terminal/play/keys.def', import.meta.url), 'utf8');
const rows = new Map([...source.matchAll(/^SPEED\('(.)', ([URFDLB]), ([^,]+), ([^,]+), (-?1)\)$/gm)].map(([, key, face, from, to, turns]) => [key, { face, from, to, turns: Number(turns) }]));

/** "RIGHT + 1" with these widths. */
function layersOf(text, { left, right, n }) {
  return text.split(/ (?=[+-])/).reduce((sum, part) => sum + ({ LEFT: left, RIGHT: right, SIZE: n }[part] ?? Number(part.replace(' ', ''))), 0);
}

function turnOf(key, widths) {
  const row = rows.get(key);
  if (!row) return null;
  const [from, to] = [layersOf(row.from, widths), layersOf(row.to, widths)];
  return from <= to && to <= widths.n ? { face: row.face, from, to, turns: row.turns } : null;
}

await check('each key of the speed layout turns the same as on the page', () => {
  assert.equal(rows.size, 36);
  for (const n of [2, 3, 4, 7])
    for (let left = 1; left < n; left++)
      for (let right = 1; right < n; right++)
        for (const code of SPEED_ROWS.flat())
          assert.deepEqual(turnOf(capOf(code), { n, left, right }), speedTurn(code, { n, left, right }), `${code} on size ${n}`);
});

finish();
