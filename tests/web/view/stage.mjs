// stage.mjs: a page with nothing but views of cubes: the drawing and the hands of clients/js without the app and its server.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { visitor } from '../browser.mjs';

const SOURCES = new URL('../../../clients/js/src/', import.meta.url);
const POLICY = "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Views</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/stage.css"><link rel="icon" href="/icon.svg"><script type="module" src="/stage.js"></script><main id="host"></main><p id="below">Below</p></html>`;
const STYLE = 'body { margin: 0 } #host { width: 600px; height: 500px; background: #e4e6ea } .tall #below { height: 3000px }';

/** What the page offers to the tests, as `stage`. */
const SCRIPT = `
import { CubeView } from '/client/view/view.js';
import { PALETTES, paletteOf, readPalette } from '/client/view/palette.js';
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

/** Every sticker has a number of its own in a plan, so that a test sees where each goes. */
globalThis.stage = {
  CubeView, Model, PALETTES, paletteOf, readPalette, isSolved, turned, turnedAll, parseMoves,
  open(size, options = {}) {
    this.view?.close();
    this.view = new CubeView(document.getElementById('host'), options);
    this.turns = [];
    this.points = [];
    this.view.onTurn = (turn) => {
      this.turns.push(turn);
      this.model.turn([turn], 'hand');
    };
    this.model = new Model(size);
    this.view.show(this.model);
    return this.still();
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

const TYPES = { js: 'text/javascript', css: 'text/css', html: 'text/html; charset=utf-8' };

/** Serves the page, and the sources of the client below /client/. `pages`: more of them, by path. */
export async function serveStage(pages = {}) {
  const made = { '/': PAGE, '/stage.css': STYLE, '/stage.js': SCRIPT, ...pages };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const kind = pathname.split('.').at(1) ?? 'html';
    const body = made[pathname] ?? (await readFile(new URL(`.${pathname.replace(/^\/client/, '')}`, SOURCES)).catch(() => null));
    response.writeHead(body === null ? 404 : 200, { 'content-type': TYPES[kind] ?? 'text/plain', 'content-security-policy': POLICY });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A browser with the page open. `args`: more flags of Chromium. */
export async function openStage(url, { args = [], software = true, ...options } = {}) {
  const flags = software ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : [];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', ...flags, ...args] });
  const page = await visitor(browser, url, options);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  return { browser, page };
}
