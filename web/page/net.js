// net.js: the cube flat: its unfolding, drawn on a canvas, and as text.

import { FACES, UNFOLDED } from './cube.js';

export const COLOURS = ['#f7f7f4', '#c8102e', '#00984a', '#ffd400', '#ff6a13', '#0057b8'];
const PLASTIC = '#16181d';

/** Draws the unfolding as large as the canvas allows. */
export function drawNet(canvas, stickers, n, letters) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  const context = canvas.getContext('2d');
  const face = Math.floor(Math.min(canvas.width / 4.15, canvas.height / 3.1));
  const gap = Math.round(face * 0.04);
  const left = (canvas.width - 4 * face - 3 * gap) / 2;
  const top = (canvas.height - 3 * face - 2 * gap) / 2;
  const cell = face / n;
  const line = cell > 3 ? Math.max(1, cell * 0.06) : 0;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 ${cell * 0.55}px system-ui, sans-serif`;
  UNFOLDED.forEach(([across, along], side) => {
    const [x, y] = [left + across * (face + gap), top + along * (face + gap)];
    context.fillStyle = PLASTIC;
    context.fillRect(x, y, face, face);
    for (let place = 0; place < n * n; place++) {
      const [cx, cy] = [x + (place % n) * cell, y + Math.floor(place / n) * cell];
      const colour = stickers[side * n * n + place];
      context.fillStyle = COLOURS[colour];
      context.fillRect(cx + line / 2, cy + line / 2, cell - line, cell - line);
      if (!letters || cell < 7) continue;
      context.fillStyle = PLASTIC;
      context.fillText(FACES[colour], cx + cell / 2, cy + cell / 2);
    }
  });
}

/** The unfolding as text, as the server's text/plain has it. */
export function textNet(stickers, n) {
  const row = (side, y) => Array.from(stickers.subarray((side * n + y) * n, (side * n + y + 1) * n), (colour) => FACES[colour]).join(' ');
  const lines = [];
  const margin = ' '.repeat(2 * n + 1);
  for (let y = 0; y < n; y++) lines.push(margin + row(0, y));
  for (let y = 0; y < n; y++) lines.push([4, 2, 1, 5].map((side) => row(side, y)).join('  '));
  for (let y = 0; y < n; y++) lines.push(margin + row(3, y));
  return lines.join('\n');
}
