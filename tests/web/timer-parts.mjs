// The parts of the timer that need no page: the clock, times as text, averages against the server's, the plot, files, the book.
// Usage: node timer-parts.mjs [path of the binary]

import assert from 'node:assert/strict';
import { Cubed, LocalCube, NoAnswer, Problem } from '../../clients/js/src/index.js';
import { Attempt, makes } from '../../web/page/timer/attempt.js';
import { Book } from '../../web/page/timer/book.js';
import { Choices, EVENTS, eventOfSize, scrambleFor } from '../../web/page/timer/choices.js';
import { callsBetween, Clock, inspectionText, penaltyOfInspection } from '../../web/page/timer/clock.js';
import { fileName, namesEvents, readTable, resultsOf, summaryOf, textOf } from '../../web/page/timer/files.js';
import { daysOf, distributionOf } from '../../web/page/timer/histogram.js';
import { drawnAverages, plotOf, scaleOf } from '../../web/page/timer/plot.js';
import { averages, readAverages, records } from '../../web/page/timer/statistics.js';
import { clockText, readTime, resultMs, resultText } from '../../web/page/timer/times.js';
import { check, finish } from '../api/report.mjs';
import { binaryArgument, Server } from '../api/server.mjs';

const server = await Server.start(binaryArgument(), 'memory:');
const cubed = new Cubed(server.url);

// ---- the clock ----

await check('held long enough, the release starts; the next press stops', () => {
  const clock = new Clock();
  clock.press(1000);
  assert.equal(clock.state, 'held');
  assert.deepEqual([clock.armed(1299), clock.armed(1300)], [false, true]);
  clock.release(1299);
  assert.equal(clock.state, 'rest', 'too early');
  clock.press(2000);
  clock.release(2300);
  assert.equal(clock.state, 'running');
  assert.equal(clock.elapsedMs(3000), 700);
  assert.deepEqual(clock.press(14640.9), { time_ms: 12340, inspection_ms: null });
  assert.equal(clock.state, 'stopped');
  clock.press(14650);
  assert.equal(clock.state, 'stopped', 'a second finger');
  clock.release(14700);
  assert.deepEqual([clock.state, clock.elapsedMs(20000)], ['rest', 12340]);
});

await check('with inspection: its length is part of the result; what is held too short goes on', () => {
  const clock = new Clock({ inspection: true });
  clock.press(0);
  assert.equal(clock.state, 'opening');
  clock.release(100);
  assert.deepEqual([clock.state, clock.inspectedMs(8100)], ['inspecting', 8000]);
  clock.press(9000);
  clock.release(9100);
  assert.equal(clock.state, 'inspecting');
  clock.press(15000);
  assert.equal(clock.inspectedMs(15100), 15000, 'it goes on while a key is held');
  clock.release(15300);
  assert.deepEqual(clock.press(16300), { time_ms: 1000, inspection_ms: 15200 });
});

await check('what is given up leaves nothing', () => {
  const clock = new Clock({ inspection: true });
  assert.equal(clock.cancel(), false);
  for (const steps of [['press'], ['press', 'release'], ['press', 'release', 'press']]) {
    steps.forEach((step, i) => clock[step](i * 1000));
    assert.equal(clock.cancel(), true);
    assert.deepEqual([clock.state, clock.result, clock.inspectedMs(9000)], ['rest', null, null]);
  }
  clock.start(0);
  assert.equal(clock.cancel(), true);
  assert.deepEqual([clock.state, clock.result], ['rest', null]);
});

await check('calls at 8 and 12 seconds, once each; +2 from 15.000, DNF from 17.000', async () => {
  assert.deepEqual([callsBetween(0, 7999), callsBetween(7999, 8000), callsBetween(8000, 12000), callsBetween(7000, 20000)], [[], [8000], [12000], [8000, 12000]]);
  assert.deepEqual([0, 1, 14000, 14001, 14999, 15000, 16999, 17000].map(inspectionText), ['15', '15', '1', '1', '1', '+2', '+2', 'DNF']);
  for (const ms of [0, 14999, 15000, 16999, 17000]) {
    const { penalty } = await cubed.solves.add({ time_ms: 1000, inspection_ms: ms });
    assert.equal(penaltyOfInspection(ms), penalty, `${ms} as the server judges`);
  }
});

// ---- times ----

await check('times as people type them', () => {
  const read = (text) => {
    const time = readTime(text);
    return time && [time.time_ms, time.penalty];
  };
  for (const [text, expected] of [
    ['12.34', [12340, 'none']], [' 12 ', [12000, 'none']], ['1:02.3', [62300, 'none']], ['0:59.99', [59990, 'none']], ['12,34', [12340, 'none']],
    ['1:00:00.5', [3600500, 'none']], ['12.345', [12345, 'none']], ['14.34+', [12340, '+2']], ['2.01+', [10, '+2']], ['0.01', [10, 'none']], ['DNF', [null, 'dnf']],
    ['dnf(9.87)', [9870, 'dnf']], ['DNF (1:02.3)', [62300, 'dnf']], ['90', [90000, 'none']],
    ['', null], ['0', null], ['0.00', null], ['0.009', null], ['0:00.00', null], ['DNF(0)', null], ['1.99+', null], ['2.00+', null], ['12.34.5', null], ['1:60', null], ['1:2:61', null], ['DNF(x)', null], ['-5', null], ['12.3456', null], ['abc', null], ['9999999', null],
  ]) assert.deepEqual(read(text), expected, text);
});

await check('times as text', () => {
  assert.deepEqual([0, 9, 10, 12345, 59999, 60000, 3600000, 3725670].map((ms) => clockText(ms)), ['0.00', '0.00', '0.01', '12.34', '59.99', '1:00.00', '1:00:00.00', '1:02:05.67']);
  assert.deepEqual([clockText(12345, 1), clockText(12945, 0)], ['12.3', '12']);
  assert.deepEqual([null, Infinity, 12340, 602000].map(resultText), ['–', 'DNF', '12.34', '10:02']);
});

await check('results count as the server has them', async () => {
  for (const [time, penalty] of [[12345, 'none'], [12349, '+2'], [599999, 'none'], [600499, 'none'], [600500, 'none'], [598001, '+2'], [5000, 'dnf'], [1, '+4']]) {
    const { result, result_ms: ms } = await cubed.solves.add({ time_ms: time, penalty });
    assert.equal(resultMs(time, penalty), ms ?? Infinity, `${time} ${penalty}`);
    assert.equal(resultText(resultMs(time, penalty)), result);
  }
});

// ---- averages ----

/** Numbers that look random and are the same each time. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

await check('averages along 150 solves are those of the server', async () => {
  const random = numbers(7);
  const times = Array.from({ length: 150 }, () => {
    const [time, penalty] = [random.next().value, random.next().value];
    return { time_ms: Math.round(8000 + 9000 * time), penalty: penalty < 0.06 ? 'dnf' : penalty < 0.15 ? '+2' : 'none' };
  });
  const { session, token } = await cubed.solves.add(times[0]);
  const lines = times.slice(1).map((one) => JSON.stringify(one)).join('\n');
  const sent = await fetch(`${server.url}/v1/solves?session=${session}`, { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${token}` }, body: lines });
  assert.equal(sent.status, 200);
  await sent.text();
  const { items: [stats] } = await cubed.solves.stats({ token });
  const results = times.map(({ time_ms: ms, penalty }) => resultMs(ms, penalty));
  for (const of of [3, 5, 12, 50, 100]) {
    const all = averages(results, of);
    assert.equal(all.filter((ms) => ms === null).length, of - 1);
    const name = of === 3 ? 'mo3' : `ao${of}`;
    const finished = all.filter((ms) => ms !== null && ms !== Infinity);
    assert.deepEqual([resultText(all.at(-1)), resultText(Math.min(...finished))], [stats[name].current.result, stats[name].best.result], name);
  }
  assert.equal(resultText(records(results).at(-1).ms), stats.best.result);
  assert.deepEqual(resultsOf(await cubed.solves.export('csv', { token })).map(({ ms }) => ms), results, 'the table has the same results');
});

await check('bests are those that were the best when they were made', () => {
  assert.deepEqual(records([Infinity, 30, 30, 20, 25, 10]), [{ at: 1, ms: 30 }, { at: 3, ms: 20 }, { at: 5, ms: 10 }]);
});

// ---- the plot ----

await check('a plot shows every solve within its box, also DNFs and one that is very slow', () => {
  const results = [...Array.from({ length: 200 }, (_, i) => 10000 + 40 * i), 400000, Infinity];
  const plot = plotOf(results, { width: 400, height: 180 });
  assert.equal(plot.dots.length + plot.above.length, 202);
  assert.deepEqual(plot.above.map(({ ms }) => ms), [400000, Infinity]);
  for (const { x, y } of [...plot.dots, ...plot.above, ...plot.short.filter(Boolean), ...plot.long.filter(Boolean), ...plot.best]) assert.ok(x >= 40 && x <= 400 && y >= 0 && y <= 180, `${x} ${y}`);
  assert.deepEqual([plot.short.filter((at) => at === null).length, plot.long.filter((at) => at === null).length], [4, 11]);
  const dots = plot.dots.map(({ y }) => y);
  assert.ok(dots[0] - dots[199] > 100, 'the usual solves use the height');
  assert.ok(plot.lines.length >= 2 && plot.lines.length <= 6);
});

await check('a distribution counts every result once, slow ones and DNFs apart; its words say what it shows', () => {
  const results = [...Array.from({ length: 300 }, (_, i) => 10000 + 20 * i), 90000, 400000, Infinity, Infinity];
  const { bars, words } = distributionOf(results);
  assert.equal(bars.reduce((sum, { count }) => sum + count, 0), results.length);
  assert.deepEqual(bars.slice(-2).map(({ count, kind }) => [count, kind]), [[2, 'slow'], [2, 'dnf']]);
  assert.deepEqual(bars.slice(0, 3).map(({ text, count }) => [text, count]), [['10', 50], ['11', 50], ['12', 50]]);
  assert.equal(words, 'Distribution of 302 times: half are 13.00 or faster; the most, 50, are from 10 to 11. 2 DNF.');
  for (const bar of bars.filter(({ kind }) => kind === 'time')) assert.equal(bar.count, results.filter((ms) => ms >= bar.from && ms < bar.from + 1000).length, bar.text);
});

await check('a distribution of none, one, two, DNFs alone, and ten thousand', () => {
  assert.equal(distributionOf([]), null);
  assert.deepEqual(distributionOf([12340]), { bars: [{ from: 12340, text: '12.34', count: 1, kind: 'time' }], words: 'Distribution of 1 time: half are 12.34 or faster; the most, 1, are from 12.34 on.' });
  assert.deepEqual(distributionOf([Infinity]), { bars: [{ text: 'DNF', count: 1, kind: 'dnf' }], words: 'Distribution: no time. 1 DNF.' });
  assert.equal(distributionOf([9000, 12000]).bars.reduce((sum, { count }) => sum + count, 0), 2);
  const random = numbers(3);
  const many = distributionOf(Array.from({ length: 10000 }, () => 10 * Math.floor(800 + 900 * random.next().value)));
  assert.equal(many.bars.reduce((sum, { count }) => sum + count, 0), 10000);
  assert.ok(many.bars.length >= 7 && many.bars.length <= 16, `${many.bars.length} bars`);
});

await check('solves by day have the days between them, by longer periods if there are many', () => {
  const day = (text) => new Date(`${text}T12:00:00`).getTime(); // here
  assert.equal(daysOf([]), null);
  assert.equal(daysOf([NaN]), null, 'a table without dates');
  assert.deepEqual(daysOf([day('2026-03-01'), day('2026-02-27'), day('2026-03-01')]), {
    bars: [['2026-02-27', 1], ['2026-02-28', 0], ['2026-03-01', 2]].map(([text, count]) => ({ text, count, kind: 'day' })),
    words: 'Solves by day: 3 solves in 2 days; the most, 2, on Mar 1, 2026.',
  });
  const spread = (days, count) => daysOf(Array.from({ length: count }, (_, i) => day('2024-01-01') + (i * days * 86400000) / count));
  for (const [days, first, most] of [[1, '2024-01-01', 2], [40, '2024-01-01', 42], [200, '2024-01-01', 42], [900, '2024-01', 42], [9000, '2024', 42]]) {
    const { bars } = spread(days, 10000);
    assert.equal(bars[0].text, first, `${days} days`);
    assert.ok(bars.length <= most && bars.reduce((sum, { count }) => sum + count, 0) === 10000, `${days} days`);
  }
  assert.match(spread(200, 1000).words, /^Solves by week: 1,000 solves in 29 weeks; the most, 35, in the week of Jan 8, 2024\.$/);
});

await check('names of averages are read as people type them', () => {
  assert.deepEqual(['ao25, mo10', 'AO5 ao5;mo2', '', 'ao1000'].map(readAverages), [['ao25', 'mo10'], ['ao5', 'mo2'], [], ['ao1000']]);
  for (const text of ['ao4', 'mo1', 'ao1001', '25', 'ao05', 'x', 'ao5 ao6 ao7 ao8 ao9']) assert.equal(readAverages(text), null, text);
});

await check('a plot of one solve, of equal ones, of none', () => {
  assert.equal(plotOf([12340], { width: 300, height: 100 }).dots.length, 1);
  assert.deepEqual([1, 400, 401, 10000].map((count) => drawnAverages(count).short), [5, 5, 12, 100]);
  const many = plotOf(Array.from({ length: 10000 }, (_, i) => 10000 + (i % 97) * 50), { width: 300, height: 100 });
  assert.deepEqual([many.dots.length + many.above.length, many.long.filter((at) => at === null).length], [10000, 999]);
  assert.equal(plotOf([9000, 9000, 9000], { width: 300, height: 100 }).dots.length, 3);
  assert.equal(plotOf([], { width: 300, height: 100 }), null);
  assert.equal(plotOf([Infinity], { width: 300, height: 100 }), null);
  for (const results of [[1], [3500000000, 1], [60000, 61000]]) assert.ok(scaleOf(results).lines.every((ms) => Number.isFinite(ms)));
});

await check('a summary in words', () => {
  assert.equal(summaryOf([12340]), '1 solve, from 12.34 to 12.34.');
  assert.equal(summaryOf([Infinity]), '1 solve, none finished.');
  assert.equal(summaryOf([...Array(5).fill(20000), Infinity, ...Array(5).fill(10000)]), '11 solves, from 10.00 to 20.00, 1 DNF. The first half has a mean of 20.00, the second 10.00.');
});

// ---- files ----

await check('which files name their events', () => {
  for (const text of ['{"session1":[]}', ' \uFEFF{"a":1}'.trim(), '"Puzzle","Category"', 'Puzzle,Category,Time']) assert.equal(namesEvents(text), true, text);
  for (const text of ['12.34, 13', 'No.;Time;Comment', '"12.34";"R U"', '1. 12.34']) assert.equal(namesEvents(text), false, text);
});

await check('a table with quotes, separators and line breaks in its fields', () => {
  assert.deepEqual(readTable('a;b\r\n"1;2";"x ""y""\nz"\n;\n'), [['a', 'b'], ['1;2', 'x "y"\nz'], ['', '']]);
  assert.deepEqual(readTable(''), []);
});

await check('text that is exported is read again by the server', async () => {
  const solves = [
    { time_ms: 12340, penalty: 'none', result: '12.34', comment: 'lucky\nend', scramble: "R U R'", created_at: '2026-11-23T20:00:00.000Z' },
    { time_ms: 10000, penalty: '+2', result: '12.00', comment: null, scramble: null, created_at: '2026-11-23T20:01:00.000Z' },
    { time_ms: 9870, penalty: 'dnf', result: 'DNF', comment: null, scramble: 'F', created_at: '2026-11-23T20:02:00.000Z' },
  ];
  const { token, imported } = await cubed.solves.import(textOf(solves, [['best ao5', '12.34']], '3x3x3'));
  assert.equal(imported, 3);
  const read = (await cubed.solves.list({ token }).all()).reverse();
  assert.deepEqual(read.map((one) => [one.time_ms, one.penalty, one.comment, one.scramble, one.created_at]),
    solves.map((one) => [one.time_ms, one.penalty, one.comment?.replace('\n', ' ') ?? null, one.scramble, one.created_at]));
});

await check('names of files', () => {
  assert.equal(fileName(['333', 'à la maison / 2'], 'csv', new Date('2026-11-23T12:00:00Z')), 'cubed-333-a-la-maison-2-2026-11-23.csv');
});

// ---- the solve of a cube on the page ----

/** Plays entries on a local cube, each at a time, and follows them as the page does. */
function follow(scramble, entries) {
  const cube = new LocalCube({ size: 3 });
  cube.scramble(scramble);
  const attempt = new Attempt({ size: 3, scramble: makes(scramble, cube.stickers, 3) ? scramble : null });
  for (const [moves, at] of entries) {
    cube.turn(moves);
    attempt.turn(moves, at);
    if (cube.solved) attempt.end(at);
  }
  assert.ok(cube.solved);
  return attempt;
}

await check('rotations do not start it, and the server judges what was recorded', async () => {
  const attempt = follow('R U', [["y y'", 100], ["U'", 5000.4], ["R'", 6234.6]]);
  assert.deepEqual(attempt.solve(), { size: 3, scramble: 'R U', solution: "y@0 y'@0 U'@0 R'@1234", time_ms: 1234 });
  const solve = await cubed.solves.add(attempt.solve());
  assert.deepEqual([solve.result, solve.penalty, solve.verified, solve.clock], ['1.23', 'none', true, 'client']);
});

await check('what was played back has no time, and a solution that was shown is told', async () => {
  const scramble = "B L U2 R F";
  for (const [entries, timed] of [
    [[["F' R' U2 L' B'", 0]], false], [[["F'", 0], ["R' U2 L' B'", 80]], false], [[["F'", 0], ["R' U2 L' B'", 199]], false], [[["F'", 0], ["R' U2 L' B'", 200]], true],
    [[["D", 0], ["D' F' R' U2 L' B'", 299]], false], [[['x', 0], ["x' F' R' U2 L' B'", 9000]], false],
  ]) {
    const attempt = follow(scramble, entries);
    attempt.assisted = true;
    const body = attempt.solve();
    assert.equal(body.time_ms !== undefined, timed, JSON.stringify(entries));
    const solve = await cubed.solves.add(body);
    assert.deepEqual([solve.result !== null, solve.assisted, solve.verified], [timed, true, true]);
  }
});

await check('without a known scramble only the time is kept', () => {
  const cube = new LocalCube({ size: 3 });
  cube.turn('D');
  cube.scramble('R');
  assert.equal(makes('R', cube.stickers, 3), false);
  const attempt = new Attempt({ size: 3 });
  attempt.turn("R'", 0);
  attempt.turn("D'", 700);
  attempt.end(700);
  assert.deepEqual(attempt.solve(), { size: 3, time_ms: 700 });
});

// ---- the book ----

const storageOf = (values = new Map()) => ({ getItem: (name) => values.get(name) ?? null, setItem: (name, value) => values.set(name, value) });

await check('the first solve makes the book, later ones go there, also after a reload', async () => {
  const storage = storageOf();
  const book = new Book({ solves: cubed.solves, storage });
  assert.equal(book.key, null);
  await Promise.all([book.add({ time_ms: 1000 }), book.add({ time_ms: 2000 })]);
  const again = new Book({ solves: cubed.solves, storage });
  await again.add({ time_ms: 3000, list: 'home' });
  const solves = await cubed.solves.list({ token: again.key.token }).all();
  assert.deepEqual(solves.map(({ time_ms: ms, session }) => [ms, session]), [3000, 2000, 1000].map((ms) => [ms, book.key.session]));
  assert.deepEqual(again.waiting, []);
  assert.equal((await again.import('12.34, 13.00', { event: '222' })).session, book.key.session);
  for (const form of ['csv', 'cstimer']) {
    const { imported, known } = await again.import(await cubed.solves.export(form, { token: again.key.token }), {});
    assert.deepEqual([imported, known], [0, 5], form);
  }
});

await check('without a network nothing is lost, and nothing is recorded twice', async () => {
  const storage = storageOf();
  let lost = 0;
  const solves = {
    add: async (body, options) => {
      if (lost === 0) throw new NoAnswer('no network', null);
      const answer = await cubed.solves.add(body, options);
      if (lost-- === 2) throw new NoAnswer('the answer was lost', null);
      return answer;
    },
  };
  const offline = new Book({ solves, storage });
  await offline.add({ time_ms: 1000 });
  await offline.add({ time_ms: 2000 });
  assert.equal(offline.waiting.length, 2);
  offline.drop(offline.waiting[1].key);
  lost = 2;
  await offline.send();
  assert.equal(offline.waiting.length, 1, 'recorded, but its answer did not arrive');
  await new Book({ solves, storage }).send();
  const { token } = new Book({ solves, storage }).key;
  assert.deepEqual((await cubed.solves.list({ token }).all()).map(({ time_ms: ms }) => ms), [1000]);
});

await check('a solve that is refused is told and does not block; a book that is gone is replaced', async () => {
  const refused = [];
  const storage = storageOf();
  const book = new Book({ solves: cubed.solves, storage, onRefused: (problem) => refused.push(problem) });
  await book.add({ time_ms: 1000, event: 'nonsense' });
  await book.add({ time_ms: 2000 });
  assert.deepEqual(refused.map((problem) => problem instanceof Problem), [true]);
  const { session, token } = book.key;
  await cubed.session(session, { token }).remove();
  await book.add({ time_ms: 3000 });
  assert.notEqual(book.key.session, session);
  assert.deepEqual((await cubed.solves.list({ token: book.key.token }).all()).map(({ time_ms: ms }) => ms), [3000]);
});

await check('a server without recorded solves refuses a solve, and the book is kept for one that has them', async () => {
  const refused = [];
  const storage = storageOf();
  await new Book({ solves: cubed.solves, storage }).add({ time_ms: 1000 });
  const solves = { add: () => Promise.reject(new Problem({ type: 'urn:cubed:problem:no-such-route', status: 404, detail: 'This server was built without recorded solves.' })) };
  const without = new Book({ solves, storage, onRefused: (problem) => refused.push(problem.message) });
  const { key } = without;
  await without.add({ time_ms: 2000 });
  assert.deepEqual(refused, ['This server was built without recorded solves.']);
  assert.deepEqual(without.key, key);
});

await check('a browser that forbids storage still records', async () => {
  const forbidden = { getItem: () => { throw new Error('forbidden'); }, setItem: () => { throw new Error('forbidden'); } };
  const book = new Book({ solves: cubed.solves, storage: forbidden });
  await book.add({ time_ms: 1000 });
  await book.add({ time_ms: 2000 });
  assert.equal((await cubed.solves.list({ token: book.key.token }).all()).length, 2);
});

await check('what was chosen is found again; the server scrambles for every event of cubes', async () => {
  const storage = storageOf();
  new Choices(storage).set('event', '444');
  assert.deepEqual([new Choices(storage).get('event'), new Choices(storageOf(new Map([['cubed.timer', '{']]))).get('event')], ['444', '333']);
  assert.deepEqual([2, 3, 7, 8].map(eventOfSize), ['222', '333', '777', 'other']);
  for (const { id, size } of EVENTS) {
    const query = scrambleFor(id);
    assert.equal(query === null, size === null, id);
    if (query) assert.ok((await cubed.scramble(query)).scrambles[0].moves.length > 0, id);
    await cubed.solves.add({ time_ms: 5000, event: id });
  }
});

await server.stop();
finish();
