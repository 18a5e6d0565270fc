// A lesson in a browser: one step at a time, a hint first, pieces lit; and a teacher whom others follow.
// Usage: node lesson.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Playback } from '../../clients/js/src/playback.js';
import { marksOf, marksOfCue, stepsOf } from '../../web/page/solver/lesson.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';
import { apiOf, launch, until, violationsIn, visitor } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const COLOURS = { white: 'U', red: 'R', green: 'F', yellow: 'D', orange: 'L', blue: 'B' };
const LONG = 'b'; // of a scramble whose lesson has more than 2000 characters of moves
const SCRAMBLE = "R U F' D2 L B2 U R2 F L' D B";

const server = await Server.start(binaryArgument(), 'memory:');
const browser = await launch();

const api = apiOf(server);

async function classroom() {
  const session = await api('/v1/sessions', { size: 3, access: 'view' });
  await api(`/v1/sessions/${session.id}/scramble`, { moves: SCRAMBLE }, session.token);
  return session;
}

/** A 7x7x7 whose lesson is long. */
async function largeCube() {
  const session = await api('/v1/sessions', { size: 7, access: 'view' });
  await api(`/v1/sessions/${session.id}/scramble`, { seed: LONG }, session.token);
  return session;
}

async function open({ id }, token = null, options = {}) {
  const page = await visitor(browser, `${server.url}/c/${id}${token ? `#${token}` : ''}`, options);
  await page.waitForSelector('#timeline .bar:visible');
  // Lit stickers are recorded, as they can only be seen on the canvas.
  await page.evaluate(() => {
    const { view } = globalThis.cubed.app;
    const mark = view.mark.bind(view);
    view.mark = (marks) => {
      globalThis.marks = marks;
      mark(marks);
    };
  });
  return page;
}

async function learn(page) {
  await page.click('#tab-solver');
  await page.click('#lesson');
  await page.waitForSelector('#lesson-step:visible');
}

const shown = (page) => page.evaluate(() => Array.from(globalThis.cubed.app.shown.stickers, (face) => 'URFDLB'[face]).join(''));
const marks = (page) => page.evaluate(() => globalThis.marks);
const title = (page) => page.innerText('#lesson-step .title');
const main = (page) => page.innerText('#lesson-main');

await check('a hint first, with the piece and its goal lit; then the moves, one at a time, with what they mean', async () => {
  const session = await classroom();
  const page = await open(session, session.token);
  await learn(page);
  assert.match(await title(page), /^The cross, 1 of \d · step 1 of \d\d$/);
  assert.match(await page.innerText('#lesson-hint'), /^Look for the white-\w+ edge: it is at the /);
  assert.equal(await page.isVisible('#lesson-step .cards'), false);
  assert.equal(await page.isVisible('#lesson-text'), false);
  assert.match(await page.innerText('#lesson-hold'), /yellow is up|yellow up/);
  const hold = /(\w+) (?:is )?up and (\w+)/.exec(await page.innerText('#lesson-hold'));
  const stickers = await shown(page);
  assert.deepEqual([stickers[4], stickers[22]], [hold[1], hold[2]].map((name) => COLOURS[name]), 'the cube is shown as it is to be held');
  assert.deepEqual((await marks(page)).map(({ kind, places }) => [kind, places.length]), [['goal', 2], ['piece', 2]]);
  await page.click('#lesson-about summary');
  assert.match(await page.innerText('#lesson-about'), /white centre[^]*How to read moves/);
  await until(() => page.evaluate(() => document.querySelector('#lesson-about img').naturalWidth > 0), true);
  await page.click('#lesson-about summary');
  await page.click('#lesson-main');
  assert.equal(await page.isVisible('#lesson-hint'), false);
  assert.ok((await page.innerText('#lesson-text')).length > 20);
  const moves = await page.locator('#lesson-step .cards b').allInnerTexts();
  assert.match(await page.innerText('#lesson-meaning'), new RegExp(`^${moves[0]}: the `));
  assert.equal(await page.locator('#lesson-step .cards .move-picture').count(), moves.length);
  const before = await marks(page);
  for (const move of moves) {
    assert.equal(await page.innerText('#lesson-step .cards [aria-current] b'), move);
    await page.click('#lesson-main');
  }
  assert.equal(await page.innerText('#lesson-meaning'), 'This step is done.');
  const after = await marks(page);
  assert.deepEqual(after, [{ kind: 'piece', places: before.find(({ kind }) => kind === 'goal').places }]);
  assert.equal(await main(page), 'Next step');
  await page.click('#lesson-main');
  assert.match(await title(page), /step 2 of/);
  assert.equal(await main(page), 'All moves', 'it is made like the first one');
  await page.click('#lesson-main');
  await page.click('#lesson-main');
  assert.match(await title(page), /step 3 of/);
  assert.equal(await main(page), 'Show moves', 'a hint again');
  await page.click('#lesson-back');
  assert.match(await title(page), /step 2 of/);
  await page.click('#lesson-back');
  assert.match(await title(page), /step 1 of/);
  await page.click('#lesson-close');
  assert.deepEqual(await marks(page), []);
  assert.equal((await api(`/v1/sessions/${session.id}`)).revision, 1, 'the cube itself was not turned');
  assert.deepEqual(page.faults, []);
});

await check('back ends at the beginning: the cube as the first step holds it', async () => {
  const session = await classroom();
  const page = await open(session, session.token);
  await learn(page);
  const position = () => page.evaluate(() => globalThis.cubed.app.shown.position);
  const start = await position();
  assert.ok(start > 0, 'the cube is turned first');
  assert.equal(await page.isDisabled('#lesson-back'), true);
  await page.click('#lesson-main');
  await page.click('#lesson-main');
  await until(position, start + 1);
  await page.click('#lesson-back');
  await until(position, start);
  assert.equal(await page.isDisabled('#lesson-back'), true);
  await page.click('#timeline .first');
  await until(position, 0);
  assert.equal(await page.isDisabled('#lesson-back'), true);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('on other panels nothing of the lesson is lit and the back is not shown; coming back shows both again', async () => {
  const session = await classroom();
  const page = await open(session, session.token);
  const seen = async () => [(await marks(page)).map(({ kind }) => kind), await page.evaluate(() => globalThis.cubed.app.view.settings.back)];
  await learn(page);
  await until(seen, [['goal', 'piece'], true]);
  for (const name of ['history', 'turn']) {
    await page.click(`#tab-${name}`);
    await until(seen, [[], false]);
    if (name === 'history') await page.evaluate(() => globalThis.cubed.app.turn('y')); // the lesson is brought up to date behind it
    await until(seen, [[], false]);
  }
  await page.click('#tab-solver');
  await until(seen, [[], true], 'of a cube that was turned meanwhile nothing is lit');
  await page.click('text="Solve again"');
  await until(seen, [['goal', 'piece'], true]);
  await page.click('#lesson-letters summary');
  assert.match(await page.innerText('#lesson-letters'), /F\s*B\s*front and back/);
  await page.click('#lesson-main');
  assert.match(await page.locator('#lesson-step .cards button').first().getAttribute('title'), /, (a quarter|half a turn)/);
  await page.click('#lesson-close');
  await until(seen, [[], false]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

/** Makes all moves from the end of the first step on. */
async function finishLesson(page, steps) {
  // Pressed by the page itself: a click of the mouse waits for some frames.
  const press = (times) => page.evaluate((count) => {
    for (let i = 0; i < count; i++) document.getElementById('lesson-main').click();
  }, times);
  for (let at = 1; at < steps; at++) {
    await press(1);
    assert.match(await title(page), new RegExp(`step ${at + 1} of ${steps}$`));
    const isKnown = (await main(page)) !== 'Show moves';
    if (!isKnown) await press(1);
    await press(isKnown ? 1 : await page.locator('#lesson-step .cards li').count());
  }
}

await check('the whole way through, and the cube itself with it', async () => {
  const session = await classroom();
  const page = await open(session, session.token);
  await learn(page);
  await page.click('#lesson-turn');
  const steps = Number(/of (\d+)$/.exec(await title(page))[1]);
  const length = await page.evaluate(() => document.querySelector('#lesson-step') && globalThis.cubed.app.cube.revision);
  assert.ok(length >= 1);
  await until(() => page.innerText('#lesson-meaning'), 'This step is done.');
  assert.ok((await api(`/v1/sessions/${session.id}`)).revision > 1);
  await finishLesson(page, steps);
  await until(() => page.innerText('#lesson-meaning'), 'Solved! Your own cube is as it was: “Turn my cube” makes the moves, or you do.');
  assert.equal(await main(page), 'End the lesson');
  await page.evaluate(() => {
    performance.now = () => 0; // no time has passed, however slow this machine is
    document.getElementById('lesson-main').click();
    delete performance.now;
  });
  assert.equal(await page.isVisible('#lesson-step'), true, 'one press too many does not end it');
  assert.equal(await page.evaluate(() => new Set(Array.from(globalThis.cubed.app.shown.stickers).slice(0, 9)).size), 1);
  assert.deepEqual(page.faults, []);
});

await check('at the end of the lesson of a painted cube the one in the hand is solved', async () => {
  const { cube: { facelets } } = await api('/v1/apply', { size: 3, moves: "R U R'" });
  const page = await visitor(browser, server.url);
  await until(() => page.evaluate(() => Boolean(globalThis.cubed?.app.room)), true);
  await page.evaluate((painted) => {
    const { app } = globalThis.cubed;
    app.openLocal(new app.cube.constructor({ size: 3, facelets: painted }));
  }, facelets);
  await learn(page);
  const steps = Number(/of (\d+)$/.exec(await title(page))[1]);
  await page.click('#lesson-main');
  const moves = await page.locator('#lesson-step .cards li').count();
  for (let i = 0; i < moves; i++) await page.click('#lesson-main');
  await finishLesson(page, steps);
  await until(() => page.innerText('#lesson-meaning'), 'Solved! The cube in your hand should look like this one now.');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a key turns the cube as it is shown: held as the step says', async () => {
  const session = await classroom();
  const page = await open(session, session.token);
  await learn(page);
  await page.click('#lesson-main');
  const moves = await page.locator('#lesson-step .cards b').allInnerTexts();
  const before = await shown(page);
  await page.evaluate((move) => globalThis.cubed.app.press(move), moves[0].replace('′', "'"));
  await until(() => page.locator('#lesson-step .cards .made').count(), 1, 'the first move of the step is made');
  assert.notEqual(await shown(page), before);
  const made = await shown(page);
  await until(async () => (await api(`/v1/sessions/${session.id}`)).cube.facelets, made, 'by the cube itself');
  assert.equal(await page.isVisible('text="Solve again"'), false);
  // A slip, and back.
  await page.evaluate(() => globalThis.cubed.app.press('D'));
  await page.evaluate(() => globalThis.cubed.app.press('L2'));
  await until(() => page.isVisible('text="Solve again"'), true);
  await page.evaluate(() => globalThis.cubed.app.undo());
  await page.evaluate(() => globalThis.cubed.app.press("D'"));
  await until(() => page.isVisible('#lesson-step'), true, 'the lesson goes on');
  assert.equal(await page.isVisible('text="Solve again"'), false);
  await until(() => shown(page), made);
  assert.equal(await page.locator('#lesson-step .cards .made').count(), 1);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

await check('a teacher shows it to everybody: step, words, angle and what is lit', async () => {
  const session = await classroom();
  const teacher = await open(session, session.token);
  const pupil = await open(session, null, PHONE);
  await learn(teacher);
  await teacher.click('#lesson-everybody');
  await until(() => pupil.isVisible('#follow strong'), true);
  await until(() => pupil.innerText('#follow strong'), await title(teacher));
  const words = () => pupil.innerText('#follow p');
  const [question, answer] = [await teacher.innerText('#lesson-hint'), await teacher.textContent('#lesson-text')];
  assert.ok((await words()).includes(question) && !(await words()).includes(answer), 'the question, not the answer');
  assert.ok((await words()).includes(await teacher.innerText('#lesson-hold')), 'and how the cube is held');
  await teacher.click('#lesson-main');
  await teacher.click('#lesson-main');
  await until(() => shown(pupil), await shown(teacher));
  await until(() => marks(pupil), await marks(teacher));
  assert.ok((await words()).includes(answer), 'what the teacher has shown');
  await teacher.evaluate(() => {
    globalThis.cubed.app.view.look(-0.8, 0.9);
    globalThis.cubed.app.view.onLook(globalThis.cubed.app.view.looking);
  });
  await until(() => pupil.evaluate(() => globalThis.cubed.app.view.looking.yaw.toFixed(3)), await teacher.evaluate(() => globalThis.cubed.app.view.looking.yaw.toFixed(3)));
  const late = await open(session);
  await until(() => shown(late), await shown(teacher), 'who comes later sees it too');
  await pupil.tap('#follow button');
  const { cube } = await api(`/v1/sessions/${session.id}`);
  await until(() => shown(pupil), cube.facelets);
  assert.equal(await pupil.innerText('#follow button'), 'Follow');
  await teacher.click('#lesson-main');
  await until(() => shown(late), await shown(teacher));
  assert.equal(await shown(pupil), cube.facelets);
  await pupil.tap('#follow button');
  await until(() => shown(pupil), await shown(teacher));
  await teacher.click('#lesson-close');
  for (const page of [pupil, late]) {
    await until(() => page.isVisible('#follow'), false);
    await until(() => shown(page), cube.facelets);
    assert.deepEqual(page.faults, []);
  }
  await teacher.click('#lesson');
  await teacher.waitForSelector('#lesson-step:visible');
  await teacher.click('#lesson-everybody');
  await until(() => pupil.isVisible('#follow strong'), true, 'who followed goes on');
  await teacher.context().setOffline(true);
  await until(() => words(), 'Somebody is not here any more.');
  assert.deepEqual(teacher.faults, []);
});

await check('a lesson of a 7x7x7 is shown to everybody, to its end', async () => {
  const session = await largeCube();
  const teacher = await open(session, session.token);
  const pupil = await open(session);
  await learn(teacher);
  assert.ok(await teacher.evaluate(() => globalThis.cubed.app.shown.moves.join(' ').length > 2000));
  await teacher.click('#lesson-everybody');
  await until(() => pupil.isVisible('#follow strong'), true);
  await teacher.click('#timeline .last');
  await until(() => shown(pupil), await shown(teacher));
  assert.equal(await teacher.innerText('#lesson-everybody'), 'Everybody sees this. Stop');
  assert.doesNotMatch(await teacher.textContent('#notice-text'), /too long|at most|refused/);
  assert.deepEqual([...teacher.faults, ...pupil.faults], []);
  await Promise.all([teacher, pupil].map((page) => page.context().close()));
});

await check('what is lit in each step of a 7x7x7 can be shown', async () => {
  const { id, token } = await largeCube();
  const { cube } = await api(`/v1/sessions/${id}`);
  const answer = await api('/v1/solve', { cube: { size: 7, facelets: cube.facelets }, method: 'beginner', wait_ms: 60000 });
  const playback = new Playback({ size: 7, facelets: cube.facelets, moves: answer.solution.split(' ') });
  let most = 0;
  for (const step of stepsOf(answer)) {
    const marks = marksOf(step, (at) => playback.stickersAt(at), step.start, 7);
    most = Math.max(most, ...marks.map(({ places }) => places.length));
    const parts = marksOfCue(marks);
    assert.deepEqual(parts.flatMap(({ places }) => places), marks.flatMap(({ places }) => places));
    await api(`/v1/sessions/${id}/cue`, { moves: answer.solution, text: step.text.slice(0, 500), marks: parts }, token);
  }
  assert.ok(most > 100, String(most));
});

await check('a cue that is refused ends teaching, and says why', async () => {
  const session = await classroom();
  const teacher = await open(session, session.token);
  await learn(teacher);
  await teacher.route('**/cue', (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"type":"urn:cubed:problem:bad-member","title":"No","status":400,"detail":"It is too long."}' }));
  await teacher.click('#lesson-everybody');
  await until(() => teacher.innerText('#lesson-everybody'), 'Show this to everybody');
  assert.equal(await teacher.getAttribute('#lesson-everybody', 'aria-pressed'), 'false');
  assert.equal(await teacher.innerText('#notice-text'), 'It is too long.');
  assert.deepEqual(teacher.faults, []);
  await teacher.context().close();
});

await check('the end of teaching comes after what is under way', async () => {
  const session = await classroom();
  const teacher = await open(session, session.token);
  const pupil = await open(session);
  await learn(teacher);
  let release;
  const held = new Promise((done) => (release = done));
  const sent = [];
  await teacher.route('**/cue', async (route) => {
    sent.push(Object.keys(route.request().postDataJSON()).length);
    if (sent.length === 1) await held;
    await route.continue();
  });
  await teacher.click('#lesson-everybody');
  await until(() => sent.length, 1);
  await teacher.click('#lesson-everybody');
  await teacher.waitForTimeout(500);
  release();
  await until(() => sent.length, 2);
  assert.equal(sent[1], 0);
  await until(() => pupil.evaluate(() => Object.keys(globalThis.cubed.app.cube.shown?.cue ?? { none: true }).length), 0);
  assert.equal(await pupil.isVisible('#follow'), false);
  await Promise.all([teacher, pupil].map((page) => page.context().close()));
});

await check('what a cue without moves has lit goes with it, and with its cube', async () => {
  const session = await classroom();
  const pupil = await open(session);
  const cue = (body) => api(`/v1/sessions/${session.id}/cue`, body, session.token);
  const lit = [{ kind: 'piece', places: [4, 13] }];
  await cue({ title: 'Look', marks: lit });
  await until(() => marks(pupil), lit);
  await cue({});
  await until(() => marks(pupil), []);
  await cue({ title: 'Look', marks: lit });
  await until(() => marks(pupil), lit);
  await pupil.evaluate(() => globalThis.cubed.app.go('/'));
  await until(() => pupil.evaluate(() => globalThis.cubed.app.session), null);
  assert.deepEqual(await marks(pupil), []);
  assert.deepEqual(pupil.faults, []);
  await pupil.context().close();
});

await check('who may turn the cube is asked before following; a pupil has no button to teach', async () => {
  const session = await classroom();
  const { token } = await api(`/v1/sessions/${session.id}/tokens`, { role: 'editor', label: 'Bob' }, session.token);
  const teacher = await open(session, session.token);
  const bob = await open(session, token);
  const { facelets } = (await api(`/v1/sessions/${session.id}`)).cube;
  await learn(teacher);
  await teacher.click('#lesson-main');
  await teacher.click('#lesson-main');
  await teacher.click('#lesson-everybody');
  await until(() => bob.innerText('#follow p'), 'Somebody shows a lesson.');
  assert.equal(await shown(bob), facelets);
  await bob.click('#follow button');
  await until(() => shown(bob), await shown(teacher));
  const viewer = await open(session);
  await learn(viewer);
  assert.equal(await viewer.isVisible('#lesson-everybody'), false);
  await teacher.evaluate(() => globalThis.cubed.app.go('/'));
  await until(() => bob.isVisible('#follow'), false, 'who leaves stops teaching');
  assert.deepEqual([...teacher.faults, ...bob.faults], []);
});

await check('on a phone everything of a step is in one screen; axe finds nothing, light and dark', async () => {
  const session = await classroom();
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(session, session.token, { ...PHONE, colorScheme });
    await page.tap('#tab-solver');
    await page.tap('#lesson');
    await page.waitForSelector('#lesson-step:visible');
    await page.tap('#lesson-main');
    const tabs = await page.locator('#tabs').boundingBox();
    const button = await page.locator('#lesson-main').boundingBox();
    assert.ok(button.y + button.height <= tabs.y, `${button.y + button.height} ${tabs.y}`);
    for (const target of await page.locator('#lesson-step button:visible').all()) assert.ok((await target.boundingBox()).height >= 44, await target.innerText());
    assert.deepEqual(await violationsIn(page, '#timeline, #panel-solver'), []);
    assert.deepEqual(page.faults, []);
  }
});

await browser.close();
await server.stop();
finish();
