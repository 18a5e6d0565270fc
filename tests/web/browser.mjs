// browser.mjs: what the tests of the page share: Debian's Chromium, a page with its faults, waiting.
//
// Chromium runs as its headless shell, without the browser around the page: that takes about a third less processor time.
// CHROMIUM is the path of another one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { PATIENCE_MS, sleep } from '../support/patience.mjs';

/** True in `make prove`: all combinations are tried, where otherwise a part of them is. */
export const LONG = Boolean(process.env.CUBED_TEST_LONG);

/** WebGL in software, without a graphics processor. */
export const SWIFTSHADER = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** The page itself is composited on the processor, which costs a third less than by SwiftShader. */
const SOFTWARE = [...SWIFTSHADER, '--disable-gpu-compositing'];
/** Half as many pixels as CSS has, along each edge, cost a third to a half less processor time. */
const SCALE = 0.5;

/** The messages that a browser logs of its own accord: an answer is an error, there is no network, WebGL is read
 * back, no service worker is allowed. */
const EXPECTED = /^Failed to load resource|GPU stall due to ReadPixels|^Service Worker registration blocked/;

/** In pages of most tests somebody was here before: the first screen has no ways to begin. */
const visitBefore = () => {
  try {
    localStorage['cubed.settings'] ??= '{"welcome":false,"hint":false}';
  } catch {
    // A page without storage.
  }
};

/** A browser, whose pages have patience. `args`: more flags of Chromium; option `newcomer` of a context: nobody was here before.
 * Service workers are for service.mjs alone: the files that one keeps would come though a test holds them back. */
export async function launch({ args = [], software = true } = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', ...(software ? SOFTWARE : []), ...args],
    timeout: PATIENCE_MS,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async ({ newcomer = false, ...options } = {}) => {
    const context = await newContext({ serviceWorkers: 'block', ...options });
    if (!newcomer) await context.addInitScript(visitBefore);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** A browser of somebody's own, with one page. `faults` gathers what goes wrong in it. It prefers reduced motion unless the options
 * say otherwise: each frame of a turn costs some milliseconds of the processor. */
export async function visitor(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 720, height: 740 }, deviceScaleFactor: SCALE, reducedMotion: 'reduce', ...options });
  // A page's emulation of no network or other answers does not reach a SharedWorker; tabs.mjs tests that.
  await context.addInitScript(() => delete globalThis.SharedWorker);
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`${error.message}\n${error.stack}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) page.faults.push(message.text());
  });
  page.on('request', (request) => {
    if (/[?&](token|ticket)=|\.[0-9a-z_]{60}/.test(request.url())) page.faults.push(`a secret in ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules whose findings depend on the theme. */
export const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * Returns what axe finds in parts of a page, each with its first elements. Without `resultTypes` it would also describe, and the
 * browser send, each element that passes. `part`: a selector; `options`: those of axe.
 */
export async function violationsIn(page, part = 'html', options = {}) {
  // The page's policy lets no script in that is not its own; a script of the browser's own is not under it.
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  return page.evaluate(async ([root, rules]) => {
    const { violations } = await globalThis.axe.run(root, { resultTypes: ['violations'], ...rules });
    return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 4).map(({ html, any }) => `${html.slice(0, 200)}${any[0]?.message ? ` [${any[0].message}]` : ''}`).join('; ')}`);
  }, [part, options]);
}

/** The pauses between two looks at a page grow to this. */
const PAUSE_MAX_MS = 100;

/** Returns a function that asks a server: a POST with a body as JSON, or a GET without one. It resolves to the answer's JSON. */
export const apiOf = ({ url }) => async (path, body, token) => {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
};

/** Waits until `probe()` answers what is expected. It must not change anything: it is called many times. */
export async function until(probe, expected, what) {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = 5; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
    const found = await probe();
    try {
      assert.deepEqual(found, expected, what);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(pause);
  }
}

/** The colours of a picture, a PNG in Base64: how many pixels each. `blank`: an empty page of any browser. */
export function coloursOfPicture(blank, png) {
  return blank.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data: pixels } = canvas.getImageData(0, 0, image.width, image.height);
    const found = {};
    for (let i = 0; i < pixels.length; i += 4) {
      // Shades of one colour count as one: the hue in twelfths, or grey.
      const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
      const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
      const hue = high === r ? (6 + (g - b) / (high - low)) % 6 : high === g ? 2 + (b - r) / (high - low) : 4 + (r - g) / (high - low);
      const name = high - low < 60 ? (high > 140 ? 'light' : 'dark') : Math.round(hue * 2) % 12;
      found[name] = (found[name] ?? 0) + 1;
    }
    return found;
  }, png);
}

/** The colours of a picture of an element: how many pixels each. */
export async function coloursOf(page, selector) {
  const png = (await page.locator(selector).screenshot()).toString('base64');
  const blank = await page.context().newPage();
  const counts = await coloursOfPicture(blank, png);
  await blank.close();
  return counts;
}
