// stage.mjs: a page with only views of cubes: the drawing and the hands of clients/js without the app and its server.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { launch, visitor } from '../browser.mjs';

const SOURCES = new URL('../../../clients/js/src/', import.meta.url);
/** As strict as that of the app; `server` may be asked and framed. */
const policyFor = (server) => `default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self' ${server}; frame-src ${server || "'none'"}; require-trusted-types-for 'script'`;
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Views</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/stage.css"><link rel="icon" href="/icon.svg"><script type="module" src="/stage.js"></script><main id="host"></main><p id="below">Below</p></html>`;
const STYLE = 'body { margin: 0 } #host { width: 600px; height: 500px; background: #e4e6ea } .tall #below { height: 3000px }';

/** The interface that the page offers to the tests, as `stage`. */
const SCRIPT = `
import { CubeView } from '/client/view/view.js';
import { PALETTES, paletteOf } from '/client/view/palette.js';
import { readPalette } from '/client/view/palettetext.js';
import { isSolved, turned, turnedAll } from '/client/cube.js';
import { parseMoves } from '/client/moves.js';

class Model {
  #listeners = new Set();
  constructor(size, stickers) {
    this.size = size;
    this.stickers = stickers ?? Uint8Array.from({ length: 6 * size * size }, (_, i) => Math.floor(i / (size * size)));
  }
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  report(change) { this.#listeners.forEach((listener) => listener(change)); }
  turn(turns, by = 'here') {
    this.stickers = turnedAll(this.stickers, this.size, turns);
    this.report({ type: 'turned', turns, by });
  }
  replace(stickers) {
    this.stickers = stickers;
    this.report({ type: 'redrawn' });
  }
}

const host = document.getElementById('host');
/** Returns the picture of a view, as one canvas. */
function pictureOf(view) {
  const { width, height, clientWidth } = view.canvas;
  const picture = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  const scale = width / clientWidth;
  for (const canvas of view.element.querySelectorAll('canvas:not([hidden])')) {
    const { left, top } = canvas.style;
    picture.drawImage(canvas, Math.round(parseFloat(left || 0) * scale), Math.round(parseFloat(top || 0) * scale));
  }
  return picture;
}
const pixelsOf = (view) => pictureOf(view).getImageData(0, 0, view.canvas.width, view.canvas.height).data;

globalThis.stage = {
  CubeView, Model, PALETTES, paletteOf, readPalette, isSolved, turned, turnedAll, parseMoves,
  open(size, options = {}) {
    this.view?.close();
    this.view = new CubeView(host, options);
    this.turns = [];
    this.points = [];
    this.onTurn = (turn) => {
      this.turns.push(turn);
      this.model.turn([turn], 'hand');
    };
    this.view.onTurn = this.onTurn;
    this.view.onPoint = (place, turns) => this.points.push([place, turns]);
    this.model = new Model(size);
    this.view.show(this.model);
    return this.still();
  },
  /** Returns true if the view shows what a new one would show of the same cube. */
  async isRight() {
    const { view, model } = this;
    const { yaw, pitch, zoom } = view.looking;
    await this.still();
    view.onTurn = null; // nothing is lit
    view.redraw();
    await this.still();
    const shown = pixelsOf(view);
    const fresh = new CubeView(host, view.settings);
    fresh.look(yaw, pitch, zoom);
    fresh.show(new Model(model.size, model.stickers));
    await this.still();
    await this.still();
    const wanted = pixelsOf(fresh);
    fresh.close();
    view.onTurn = this.onTurn;
    return shown.length === wanted.length && shown.every((value, i) => Math.abs(value - wanted[i]) < 3);
  },
  /** A short text that differs if the picture does: how many pixels are painted, and a sum over all. */
  picture() {
    const pixels = new Uint32Array(pixelsOf(this.view).buffer);
    let [painted, sum] = [0, 0];
    for (const pixel of pixels) {
      if (pixel !== 0) painted++;
      sum = (Math.imul(sum, 31) + pixel) >>> 0;
    }
    return [painted, sum].join(' ');
  },
  /** The picture in greys. */
  greyPicture() {
    const pixels = pixelsOf(this.view);
    let text = '';
    for (let i = 0; i < pixels.length; i += 4) text += String.fromCharCode(Math.round((0.3 * pixels[i] + 0.6 * pixels[i + 1] + 0.1 * pixels[i + 2]) / 8));
    return text;
  },
  /** Many small views at once; which of them do not show their own cube. */
  async crowd(count) {
    this.view.close();
    const cells = Array.from({ length: count }, () => document.createElement('div'));
    for (const cell of cells) Object.assign(cell.style, { width: '60px', height: '60px', display: 'inline-block' });
    host.append(...cells);
    const views = cells.map((cell, i) => {
      const view = new CubeView(cell);
      view.look(0, 0);
      view.show(new Model(2, new Uint8Array(24).fill(i % 6)));
      return view;
    });
    for (let i = 0; i < 3; i++) await this.still();
    const wrong = views.flatMap((view, i) => {
      const beyond = Math.floor(0.55 * view.canvas.width); // the middle is between stickers
      const middle = 4 * (beyond * view.canvas.width + beyond);
      const shown = Array.from(pixelsOf(view).slice(middle, middle + 3));
      const wanted = [1, 3, 5].map((k) => parseInt(PALETTES.wca.colours[i % 6].slice(k, k + 2), 16));
      return shown.every((value, k) => Math.abs(value - wanted[k]) < 30) ? [] : [{ i, shown, wanted }];
    });
    views.forEach((view) => view.close());
    cells.forEach((cell) => cell.remove());
    return wrong;
  },
  /** Places that are not where placeOnScreen() says: one red sticker on a white cube, seen from everywhere. */
  async findWrongPlaces(size, unfolded) {
    await this.open(size, { unfolded, palette: paletteOf({ colours: ['#ffffff', '#ff0000', '#ffffff', '#ffffff', '#ffffff', '#ffffff'] }) });
    const wrong = [];
    let seen = 0;
    for (let i = 0; i < 18; i++) {
      const place = Math.floor(Math.random() * 6 * size * size);
      const stickers = new Uint8Array(6 * size * size);
      stickers[place] = 1;
      this.view.look(Math.random() * 7 - 3.5, Math.random() * 3 - 1.5);
      this.model.replace(stickers);
      await this.still();
      const at = this.view.placeOnScreen(place);
      if (!at) continue;
      seen++;
      const { width } = this.view.canvas;
      const scale = width / this.view.canvas.clientWidth;
      const [x, y] = at.map((value) => Math.floor(value * scale));
      const pixels = pixelsOf(this.view);
      // A side that is seen from its edge has stickers of a single pixel, which mix with their neighbours: one near it will do.
      const isRed = (dx, dy) => {
        const [r, g, b] = pixels.subarray(4 * ((y + dy) * width + x + dx));
        return r > 100 && g < 100 && b < 100;
      };
      const near = [-2, -1, 0, 1, 2];
      const around = near.flatMap((dx) => near.map((dy) => isRed(dx, dy)));
      // Seen still more from its edge, it is nowhere.
      let red = 0;
      for (let k = 0; k < pixels.length; k += 4) if (pixels[k] > 100 && pixels[k + 1] < 100 && pixels[k + 2] < 100) red++;
      if (red >= 6 && !around.some(Boolean)) wrong.push({ place, at, looking: this.view.looking });
    }
    return seen > 0 ? wrong : ['none was seen'];
  },
  /** Until nothing moves, and that was drawn. */
  async still() {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    do await frame(); while (this.view.busy);
    await frame();
  },
};
document.documentElement.dataset.ready = 'yes';
`;

const TYPES = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', html: 'text/html; charset=utf-8' };

/** Serves the page, and the sources of the client below /client/. `pages`: more of them, by path; `connect`: a server. */
export async function serveStage(pages = {}, { connect = '' } = {}) {
  const policy = policyFor(connect);
  const made = { '/': PAGE, '/stage.css': STYLE, '/stage.js': SCRIPT, ...pages };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const kind = pathname.split('.').at(1) ?? 'html';
    const body = made[pathname] ?? (await readFile(new URL(`.${pathname.replace(/^\/client/, '')}`, SOURCES)).catch(() => null));
    response.writeHead(body === null ? 404 : 200, { 'content-type': TYPES[kind] ?? 'text/plain', 'content-security-policy': policy });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A browser with the page open, in which turns are animated. `args`: more flags of Chromium. */
export async function openStage(url, { args = [], software = true, ...options } = {}) {
  const browser = await launch({ args, software });
  const page = await visitor(browser, url, { reducedMotion: 'no-preference', ...options });
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  return { browser, page };
}
