// firefox_driver.mjs: Debian's Firefox by WebDriver BiDi, which it serves itself: its pages, their faults, and hands and keys.
//
// FIREFOX is the path of another one. It has no WebGL without a display, so one with WebGL gets a display of its own, by Xvfb.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import WebSocket from 'ws';
import { temporaryDirectory } from '../api/server.mjs';
import { until } from '../support/patience.mjs';

const PREFERENCES = {
  'ui.prefersReducedMotion': 1, // each frame of a turn costs some milliseconds of the processor
  'dom.w3c_touch_events.enabled': 1, // as on a device with a touch screen
  'intl.locale.requested': 'en-US',
  'network.dns.localDomains': 'cube.test', // a name of this machine that is not known to be one
};
const VIEWPORT = { width: 720, height: 740 };
/** Half as many pixels as CSS has, along each edge, as in browser.mjs. */
const SCALE = 0.5;

const LEVELS = ['error', 'warn'];

/** Starts a program that ends with the test at the latest. `pipe`: the number of its output that is read, by `read`, until a line matches. */
function begin(path, args, { pipe, read, env = {} }) {
  const stdio = Array.from({ length: pipe + 1 }, (_, i) => (i === pipe ? 'pipe' : 'ignore'));
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio });
  process.on('exit', () => child.kill());
  const ended = new Promise((done) => child.once('exit', done));
  const found = new Promise((done, fail) => {
    let text = '';
    child.stdio[pipe].on('data', (bytes) => {
      text = (text + bytes).slice(-20000);
      const match = read.exec(text);
      if (match) done(match[1]);
    });
    child.once('error', fail);
    ended.then((code) => fail(new Error(`${path} ended with ${code}: ${text}`)));
  });
  return { child, ended, found };
}

/** In the page: the middle of the first element of a selector that has this text, is seen, enabled and not covered; else null. */
const middleOf = (selector, text) => {
  const isMeant = (one) => one.checkVisibility() && !one.disabled && (text === null || one.textContent.trim() === text);
  const element = [...document.querySelectorAll(selector)].find(isMeant);
  if (!element) return null;
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const middle = [left + width / 2, top + height / 2].map(Math.round);
  return element.contains(document.elementFromPoint(...middle)) ? middle : null;
};

export class Firefox {
  #programs = [];
  #socket = null;
  #commands = new Map();
  #last = 0;
  #pages = new Map();

  /** Starts one with a profile of its own, with WebGL or with a user.js that disables it. */
  static async launch({ webgl = true } = {}) {
    const firefox = new Firefox();
    const profile = temporaryDirectory();
    const lines = Object.entries({ ...PREFERENCES, 'webgl.disabled': !webgl }).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, 'user.js'), lines.join(''));
    const env = { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1', MOZ_ENABLE_WAYLAND: '0' };
    if (webgl) env.DISPLAY = `:${await firefox.#begin('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], { pipe: 3, read: /^(\d+)\n/ })}`;
    const flags = [...(webgl ? [] : ['-headless']), '-no-remote', '-profile', profile, '--remote-debugging-port', '0', 'about:blank'];
    const address = await firefox.#begin(process.env.FIREFOX ?? 'firefox-esr', flags, { pipe: 2, read: /WebDriver BiDi listening on (ws:\S+)/, env });
    await firefox.#connect(address);
    return firefox;
  }

  #begin(...program) {
    this.#programs.push(begin(...program));
    return this.#programs.at(-1).found;
  }

  async #connect(address) {
    this.#socket = new WebSocket(`${address}/session`);
    this.#socket.on('message', (data) => this.#receive(JSON.parse(data)));
    this.#socket.on('close', () => this.#commands.forEach(({ fail }) => fail(new Error('Firefox has ended'))));
    await new Promise((opened, failed) => this.#socket.once('open', opened).once('error', failed));
    await this.send('session.new', { capabilities: {} });
    await this.send('session.subscribe', { events: ['log.entryAdded', 'network.responseCompleted', 'network.fetchError'] });
  }

  /** Sends a command; resolves with its result. */
  send(method, params) {
    const id = ++this.#last;
    return new Promise((done, fail) => {
      this.#commands.set(id, { method, done, fail });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive({ type, id, method, params, result, error, message }) {
    if (type === 'event') return this.#record(method, params);
    const command = this.#commands.get(id);
    this.#commands.delete(id);
    if (type === 'success') return command.done(result);
    return command?.fail(new Error(`${command.method}: ${error}: ${message}`));
  }

  /** Records a fault of a page. Requests that the page itself cancelled do not count. */
  #record(method, params) {
    const faults = this.#pages.get(params.context ?? params.source.context)?.faults;
    if (method === 'log.entryAdded' && LEVELS.includes(params.level)) faults?.push(`${params.level}: ${params.text}`);
    if (method === 'network.fetchError' && !/ABORT/.test(params.errorText)) faults?.push(`${params.errorText}: ${params.request.url}`);
    if (method === 'network.responseCompleted' && params.response.status >= 400) faults?.push(`${params.response.status}: ${params.request.url}`);
  }

  /** Opens an address in a browser of somebody's own. `kept`: what its local storage has first, by name. */
  async visitor(url, { kept = {}, ...look } = {}) {
    const { userContext } = await this.send('browser.createUserContext', {});
    const page = await this.#open(userContext, look);
    // Not in the empty page that a tab begins with.
    const keep = `() => { if (origin !== 'null') for (const [name, value] of Object.entries(${JSON.stringify(kept)})) localStorage[name] ??= JSON.stringify(value); }`;
    await this.send('script.addPreloadScript', { functionDeclaration: keep, contexts: [page.context] });
    await page.goto(url);
    return page;
  }

  async #open(userContext, look) {
    const { viewport = VIEWPORT, scale = SCALE } = look;
    const { context } = await this.send('browsingContext.create', { type: 'tab', userContext });
    await this.send('browsingContext.setViewport', { context, viewport, devicePixelRatio: scale });
    const page = new Page(context, (method, params) => this.send(method, { context, ...params }), () => this.#open(userContext, look));
    this.#pages.set(context, page);
    return page;
  }

  async close() {
    const [browser, display] = this.#programs.reverse();
    await this.send('browser.close', {});
    await browser.ended;
    display?.child.kill();
    await display?.ended;
  }
}

/** A tab. `faults` gathers what goes wrong in it; `another()` opens a further, empty tab of the same person. */
class Page {
  faults = [];
  #send;

  constructor(context, send, another) {
    this.context = context;
    this.#send = send;
    this.another = another;
  }

  goto(url) {
    return this.#send('browsingContext.navigate', { url, wait: 'complete' });
  }

  close() {
    return this.#send('browsingContext.close');
  }

  /** Calls a function in the page with values that JSON can say; resolves with what it returns or promises. */
  async evaluate(run, ...values) {
    const expression = `(async () => JSON.stringify((await (${run})(...${JSON.stringify(values)})) ?? null))()`;
    const answer = await this.#send('script.evaluate', { expression, target: { context: this.context }, awaitPromise: true });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return JSON.parse(answer.result.value);
  }

  /** The picture of an element as PNG, in Base64. */
  async screenshot(selector = 'html') {
    const { x, y, width, height } = await this.evaluate((one) => document.querySelector(one).getBoundingClientRect(), selector);
    return (await this.#send('browsingContext.captureScreenshot', { clip: { type: 'box', x, y, width, height } })).data;
  }

  #act(source) {
    return this.#send('input.performActions', { actions: [source] });
  }

  #point(pointerType, actions) {
    return this.#act({ type: 'pointer', id: pointerType, parameters: { pointerType }, actions });
  }

  /** Presses, moves along the places, rests, and lets go: without the rest it would be a flick. */
  drag(places, pointerType = 'mouse') {
    const [first, ...rest] = places.map(([x, y]) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }));
    return this.#point(pointerType, [first, { type: 'pointerDown', button: 0 }, ...rest, { type: 'pause', duration: 150 }, { type: 'pointerUp', button: 0 }]);
  }

  press([x, y], pointerType = 'mouse') {
    return this.#point(pointerType, [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }]);
  }

  release(pointerType = 'mouse') {
    return this.#point(pointerType, [{ type: 'pointerUp', button: 0 }]);
  }

  /** Waits for an element that can be clicked and has come to rest; resolves with its middle. `text`: all of its text. */
  middle(selector, text = null) {
    let before = null;
    return until(async () => {
      const now = await this.evaluate(middleOf, selector, text);
      const rests = now && String(now) === String(before);
      before = now;
      return rests && now;
    }, `${selector} ${text ?? ''} can be clicked`);
  }

  /** Clicks at once: a finger that stays for half a second clicks nothing. */
  async click(selector, text, pointerType = 'mouse') {
    const [x, y] = await this.middle(selector, text);
    await this.#point(pointerType, [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]);
  }

  tap(selector, text) {
    return this.click(selector, text, 'touch');
  }

  #keys(actions) {
    return this.#act({ type: 'key', id: 'keyboard', actions });
  }

  keyDown(value) {
    return this.#keys([{ type: 'keyDown', value }]);
  }

  keyUp(value) {
    return this.#keys([{ type: 'keyUp', value }]);
  }

  /** Types a text into what has the focus. */
  type(text) {
    return this.#keys([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));
  }

  isVisible(selector) {
    return this.evaluate((one) => document.querySelector(one)?.checkVisibility() ?? false, selector);
  }

  textOf(selector) {
    return this.evaluate((one) => document.querySelector(one)?.textContent, selector);
  }
}
