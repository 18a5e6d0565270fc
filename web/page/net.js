// net.js: the unfolded cube, drawn on a canvas and as text.

import { FACES } from '../client/cube.js';

/** The places of the faces in the unfolding, in columns and rows of faces. */
const UNFOLDED = [[1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [3, 1]];

export const COLOURS = ['#f7f7f4', '#c8102e', '#00984a', '#ffd400', '#ff6a13', '#0057b8'];
const PLASTIC = '#16181d';

/** Dark or light letters, for contrast with the colour. */
export const INKS = [PLASTIC, '#ffffff', PLASTIC, PLASTIC, PLASTIC, '#ffffff'];

const rgbOf = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const PIXELS = COLOURS.map((text) => [...rgbOf(text), 255]);

/** Cells narrower than this have no lines between them, and no letters if narrower than that. */
const LINED = 3;
const LETTERED = 7;

export class Net {
  #drawn = ''; // what the canvas shows, except the stickers
  #stickers = null;

  constructor(canvas) {
    this.canvas = canvas;
    this.pixels = document.createElement('canvas'); // a pixel for each sticker
  }

  /** Draws the unfolding as large as the canvas allows, unless it shows that already. */
  draw(stickers, n, letters) {
    const { canvas } = this;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * scale, canvas.clientHeight * scale];
    const asked = [width, height, n, letters].join();
    if (asked === this.#drawn && stickers === this.#stickers) return;
    [this.#drawn, this.#stickers] = [asked, stickers];
    [canvas.width, canvas.height] = [width, height];
    this.#paint(stickers, n);
    const face = Math.floor(Math.min(canvas.width / 4.15, canvas.height / 3.1));
    const gap = Math.round(face * 0.04);
    const left = Math.round((canvas.width - 4 * face - 3 * gap) / 2);
    const top = Math.round((canvas.height - 3 * face - 2 * gap) / 2);
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = false;
    UNFOLDED.forEach(([across, along], side) => {
      const place = { x: left + across * (face + gap), y: top + along * (face + gap), cell: face / n, n };
      context.drawImage(this.pixels, 0, side * n, n, n, place.x, place.y, face, face);
      drawLines(context, place);
      if (letters) drawLetters(context, place, stickers.subarray(side * n * n, (side + 1) * n * n));
    });
  }

  #paint(stickers, n) {
    [this.pixels.width, this.pixels.height] = [n, 6 * n];
    const image = new ImageData(n, 6 * n);
    stickers.forEach((colour, place) => image.data.set(PIXELS[colour], 4 * place));
    this.pixels.getContext('2d').putImageData(image, 0, 0);
  }
}

function drawLines(context, { x, y, cell, n }) {
  if (cell <= LINED) return;
  const line = Math.max(1, cell * 0.06);
  context.fillStyle = PLASTIC;
  for (let i = 0; i <= n; i++) {
    context.fillRect(x + i * cell - line / 2, y - line / 2, line, n * cell + line);
    context.fillRect(x - line / 2, y + i * cell - line / 2, n * cell + line, line);
  }
}

function drawLetters(context, { x, y, cell, n }, stickers) {
  if (cell < LETTERED) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `600 ${cell * 0.55}px system-ui, sans-serif`;
  stickers.forEach((colour, place) => {
    context.fillStyle = INKS[colour];
    context.fillText(FACES[colour], x + ((place % n) + 0.5) * cell, y + (Math.floor(place / n) + 0.5) * cell);
  });
}

/** The unfolding as text, as in text/plain answers of the server. */
export function textNet(stickers, n) {
  const row = (side, y) => Array.from(stickers.subarray((side * n + y) * n, (side * n + y + 1) * n), (colour) => FACES[colour]).join(' ');
  const lines = [];
  const margin = ' '.repeat(2 * n + 1);
  for (let y = 0; y < n; y++) lines.push(margin + row(0, y));
  for (let y = 0; y < n; y++) lines.push([4, 2, 1, 5].map((side) => row(side, y)).join('  '));
  for (let y = 0; y < n; y++) lines.push(margin + row(3, y));
  return lines.join('\n');
}
