// Section page: frames a second while a cube turns in the page, in 3D and unfolded, and while a hand turns it. The browser
// draws in software, on the processor: what a graphics processor does is not measured. And how long it takes over a slow
// line until the cube of the first screen can be turned.

import { cubed, median } from './lib.mjs';

const SIZES = [3, 20, 100];
const SECONDS = 2;
const TRIES = 2;
const VIEW = { width: 1400, height: 1050 };
/** A screen shows 60; less than this is seen to stutter. */
const FRAMES_LEAST = 50;
/** A frame of a large cube costs about what one of a small cube costs. */
const CPU_RATIO = 1.3;

/** A line of the third generation: 1.6 Mbit/s down, 750 kbit/s up, and 150 ms until an answer begins. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
const LOADS = 5;
const READY_MS = 1500;

/** Turns a cube for a while, in the page; answers how many frames were drawn, and in how many seconds. */
async function turning(seconds) {
  const { view, model, parseMoves } = globalThis.stage;
  const moves = ['R', 'U', '2F', "L'", 'D2', "2B'"].flatMap((move) => parseMoves(move, model.size));
  const begin = performance.now();
  const before = view.frames;
  const isTime = () => performance.now() - begin < seconds * 1000;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let i = 0; isTime(); i++) {
    model.turn([moves[i % moves.length]]);
    do await frame(); while (view.busy && isTime());
  }
  return { frames: view.frames - before, seconds: (performance.now() - begin) / 1000 };
}

/** Seconds of CPU that all processes of a browser have used. */
async function cpuOf(devtools) {
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Milliseconds until the cube can be turned by hand and by the pad, for somebody new and for somebody who was there. */
async function loadTimes(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const times = [];
  for (let i = 0; i < 2; i++) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
    await page.addInitScript(() => {
      const look = () => {
        const isReady = globalThis.cubed?.app.view.frames > 0 && document.querySelector('#pad button:enabled');
        if (isReady) globalThis.readyMs = performance.now(); // since the navigation began
        else requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(url);
    times.push(await (await page.waitForFunction(() => globalThis.readyMs)).jsonValue());
    await page.close();
  }
  await context.close();
  return times;
}

export async function measure(report) {
  const { SWIFTSHADER } = await import('../web/browser.mjs');
  const { openStage, serveStage } = await import('../web/view/stage.mjs');
  const stage = await serveStage();
  const { browser, page } = await openStage(stage.url, { viewport: VIEW, deviceScaleFactor: 1, software: false, args: SWIFTSHADER });
  const devtools = await browser.newBrowserCDPSession();

  /** Frames a second, and milliseconds of CPU for one, of all that draws. */
  async function measureView(size, settings) {
    await page.evaluate(([n, look, { width, height }]) => {
      Object.assign(document.getElementById('host').style, { width: `${width}px`, height: `${height}px` });
      return stage.open(n, look);
    }, [size, settings, VIEW]);
    const before = await cpuOf(devtools);
    const { frames, seconds } = await page.evaluate(turning, SECONDS);
    return { rate: frames / seconds, cpu: ((await cpuOf(devtools)) - before) * 1000 / frames };
  }

  const views = { '3D': {}, unfolded: { unfolded: true }, 'unfolded, letters': { unfolded: true, letters: true } };
  const found = {};
  report.section(`page: frames a second while it turns, and ms of CPU for one; ${VIEW.width} by ${VIEW.height} pixels, drawn in software`, ['size', ...Object.keys(views).flatMap((name) => [name, 'CPU'])]);
  for (const size of SIZES) {
    const tries = [];
    for (let i = 0; i < TRIES; i++) {
      for (const [name, settings] of Object.entries(views)) tries.push({ name, ...(await measureView(size, settings)) });
    }
    const best = (name) => tries.filter((one) => one.name === name).reduce((a, b) => (a.cpu < b.cpu ? a : b));
    found[size] = best('unfolded');
    report.row(`${size}x${size}x${size}`, ...Object.keys(views).flatMap((name) => [best(name).rate, best(name).cpu]));
  }
  const server = await cubed('memory:');
  const loads = [];
  for (let i = 0; i < LOADS; i++) loads.push(await loadTimes(browser, server.url));
  await server.stop();
  await browser.close();
  stage.close();
  const [unknown, known] = [0, 1].map((which) => median(loads.map((times) => times[which])));
  report.section('page: targets', ['what', 'measured', 'target', '']);
  report.atLeast('frames a second, unfolded, any size', Math.min(...SIZES.map((size) => found[size].rate)), FRAMES_LEAST);
  report.atMost('CPU for a frame of an unfolded 100x100x100 / of a 3x3x3', found[100].cpu / found[3].cpu, CPU_RATIO);
  report.atMost('first screen over 3G until it can be turned, new', unknown, READY_MS, ' ms');
  report.atMost('first screen over 3G until it can be turned, known', known, READY_MS, ' ms');
}
