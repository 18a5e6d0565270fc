// Files of other timers (tests/data/timers): each is recognised, read as a cuber would, and kept.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const data = (name) => readFileSync(new URL(`../../data/timers/${name}`, import.meta.url), 'utf8');
const CSTIMER = 'application/vnd.cstimer+json';

const send = (client, body, query, { type = 'text/plain', token } = {}) => client.send('POST', `/v1/solves/import${query}`, { body, headers: { 'content-type': type }, token });

async function load(client, name, query = '', type = 'text/plain') {
  const session = await client.session();
  const answer = await send(client, data(name), `?session=${session.id}${query}`, { type });
  assert.equal(answer.status, 201, answer.text);
  const { items } = await client.expect(200, 'GET', `/v1/solves?session=${session.id}&limit=100`);
  return { session, items: items.reverse() };
}

const short = ({ result, penalty, event, list }) => [result, penalty, event, list];
const groups = async (client, session, query = '') => (await client.expect(200, 'GET', `/v1/solves/stats?session=${session.id}${query}`)).items;
const download = async (client, session, accept) => (await client.get(`/v1/solves?session=${session.id}`, { accept })).text;

export default [
  ["csTimer's sessions become lists with their events", async ({ client }) => {
    const { session, items } = await load(client, 'cstimer.json');
    assert.deepEqual(items.map(short), [
      ['12.34', 'none', '333', '1'], ['11.87', '+2', '333', '1'], ['DNF', 'dnf', '333', '1'],
      ['24.31', 'none', '333oh', 'one hand & slow'], ['26.00', 'none', '333oh', 'one hand & slow'],
      ['1:01.23', 'none', '333bf', 'blind'], ['1.99', 'none', 'other', 'PLL']]);
    assert.deepEqual(items[4].splits, [5200, 18000, 26000].map((ms) => ({ name: null, time_ms: ms })));
    assert.deepEqual((await groups(client, session)).map(({ event, list, solves, best }) => [event, list, solves, best?.result]), [
      ['other', 'PLL', 1, '1.99'], ['333bf', null, 1, '1:01.23'], ['333oh', null, 2, '24.31'], ['333', null, 3, '11.87']]);
    assert.equal((await groups(client, session, '&list=one+hand+%26+slow'))[0].solves, 2);
    assert.equal(await download(client, session, CSTIMER), data('cstimer.json'));
  }],

  ['new solves go to the list of their name or event', async ({ client }) => {
    const { session, items } = await load(client, 'cstimer.json');
    const put = (json) => client.expect(201, 'POST', '/v1/solves', { session: session.id, created_at: '2026-01-01T00:00:00Z', ...json });
    for (const json of [{ time_ms: 1 }, { time_ms: 2, event: '333bf' }, { time_ms: 3, event: '333oh', list: 'one hand & slow' }, { time_ms: 4, list: 'home <3>' }, { time_ms: 5, size: 4 }, { time_ms: 6, size: 9 }, { time_ms: 7, event: 'pyram' }]) await put(json);
    await client.expect(200, 'PATCH', `/v1/solves/${items[0].id}`, { list: 'home <3>' }, { token: session.token });
    const text = await download(client, session, CSTIMER);
    const file = JSON.parse(text);
    const times = Object.fromEntries(Object.entries(file).filter(([key]) => key.startsWith('session')).map(([key, list]) => [key, (typeof list === 'string' ? JSON.parse(list) : list).map(([[, ms]]) => ms)]));
    assert.deepEqual(times, { session1: [9870, 15010, 1], session2: [24310, 26000, 3], session3: [61230, 2], session4: [1990], session5: [], session6: [12345, 4], session7: [5], session8: [6], session9: [7] });
    const { sessionData, sessionN, useMilli } = file.properties;
    assert.deepEqual([sessionN, useMilli], [9, true]);
    const facts = JSON.parse(sessionData);
    assert.deepEqual([6, 7, 8, 9].map((number) => [facts[number].name, facts[number].opt.scrType]), [['home &lt;3&gt;', '333'], ['444', '444wca'], ['9x9x9', '999'], ['pyram', 'pyrso']]);
    // And back: the same solves, lists and events.
    const copy = await client.session();
    assert.equal((await send(client, text, `?session=${copy.id}`)).json.imported, 14);
    assert.equal(await download(client, copy, CSTIMER), text);
    assert.deepEqual((await groups(client, copy, '&group_by=list')).map(({ event, size, list, solves }) => [event, size, list, solves]), [
      ['pyram', null, 'pyram', 1], ['other', 9, '9x9x9', 1], ['444', 4, '444', 1], ['333', 3, 'home <3>', 2], ['other', null, 'PLL', 1],
      ['333bf', 3, 'blind', 2], ['333oh', 3, 'one hand & slow', 3], ['333', 3, '1', 3]]);
  }],

  ['solves that are known are left out if that is asked for', async ({ client }) => {
    const session = await client.session();
    const take = async (text, query = '&skip_known=true', type = 'text/plain') => {
      const { status, json, text: answer } = await send(client, text, `?session=${session.id}${query}`, { type });
      assert.equal(status, 201, answer);
      return [json.imported, json.known];
    };
    const solve = [[0, 12349], 'R  U', '', 1700000000];
    const changed = [[2000, 12340], 'R U', 'lucky', 1700000000]; // penalty, comment and thousandths may differ
    const others = [[[0, 12349], 'R U', '', 1700000001], [[0, 12350], 'R U', '', 1700000000], [[0, 12349], 'R U F', '', 1700000000], [[0, 12349], 'RU', '', 1700000000]];
    const file = (...solves) => JSON.stringify({ session1: solves, properties: {} });
    assert.deepEqual(await take(file(solve), ''), [1, undefined]);
    assert.deepEqual(await take(file(solve)), [0, 1]);
    assert.deepEqual(await take(file(changed, ...others)), [4, 1]);
    assert.deepEqual(await take(file(...others, solve)), [0, 5]);
    assert.deepEqual(await take(file(solve, solve, changed)), [2, 1], 'as often as they are there');
    assert.deepEqual(await take(file(solve), '&skip_known=0'), [1, undefined]);
    // Without a date they are new; with one they are found in every form.
    for (let i = 0; i < 2; i++) assert.deepEqual(await take('12.34, 13.00+, DNF, DNF(1:02.03)'), [4, 0]);
    const count = 1 + 4 + 2 + 1 + 8;
    for (const accept of ['text/csv', CSTIMER]) assert.deepEqual(await take(await download(client, session, accept), '&skip_known=true', accept), [0, count], accept);
    assert.deepEqual(await take(await download(client, session, 'text/csv'), '&skip_known=true&list=other&event=222'), [0, count], 'whatever list and event');
    assert.equal((await client.expect(200, 'GET', `/v1/solves?session=${session.id}&limit=100`)).items.length, count);
    const old = [[0, 12340], 'R U F']; // before csTimer had dates
    assert.deepEqual([await take(file(old)), await take(file(old))], [[1, 0], [0, 1]]);
    // A book that is made now has none of them.
    const made = await send(client, '12.34\n', '?skip_known=true', { token: null });
    assert.deepEqual([made.status, made.json.imported, made.json.known], [201, 1, 0]);
    assert.equal((await send(client, '12.34', `?session=${session.id}&skip_known=perhaps`)).status, 400);
  }],

  ['lists are added to session data without any', async ({ client }) => {
    const session = await client.session();
    const text = JSON.stringify({ session1: [[[0, 5000], '', '', 1700000000]], properties: { sessionData: '{ }', sessionN: 1 } });
    assert.equal((await send(client, text, `?session=${session.id}`)).json.imported, 1);
    await client.expect(201, 'POST', '/v1/solves', { session: session.id, time_ms: 2, list: 'home' });
    const file = JSON.parse(await download(client, session, CSTIMER));
    assert.deepEqual(Object.values(JSON.parse(file.properties.sessionData)).map(({ name }) => name), ['home']);
  }],

  ['a book without a file is exported with its lists', async ({ client }) => {
    const session = await client.session();
    for (const json of [{ time_ms: 1 }, { time_ms: 2, size: 5 }, { time_ms: 3, list: 'home' }]) await client.expect(201, 'POST', '/v1/solves', { session: session.id, ...json });
    const file = JSON.parse(await download(client, session, CSTIMER));
    assert.deepEqual([file.session1, file.session2, file.session3].map((list) => list.map(([[, ms]]) => ms)), [[1], [2], [3]]);
    assert.deepEqual(Object.values(JSON.parse(file.properties.sessionData)).map(({ name, opt }) => [name, opt.scrType]), [['555', '555wca'], ['home', '333']]);
  }],

  ["csTimer's statistics are read, with and without numbers", async ({ client }) => {
    const { session, items } = await load(client, 'cstimer-statistics.txt', '&list=evening');
    assert.deepEqual(items.map(short), [['12.34', 'none'], ['9.87', 'none'], ['14.34', '+2'], ['DNF', 'dnf'], ['1:11.50', 'none']].map(([result, penalty]) => [result, penalty, '333', 'evening']));
    assert.deepEqual(items.map(({ scramble }) => scramble), ["R U R' U' F2", 'L2 D', 'B2 U', "F'", 'D2 R']);
    assert.deepEqual(items.map(({ comment }) => comment), [null, null, 'one move off', 'a [very] bad (lock)', null]);
    assert.equal(items[3].created_at, '2026-11-21T18:03:00.000Z');
    assert.deepEqual(items[4].splits, [41000, 71500].map((ms) => ({ name: null, time_ms: ms })));
    assert.match(await download(client, session, 'text/csv'), /^No\.;Time;Comment;Scramble;Date;P\.1;P\.2\r\n1;12\.34;;R U R' U' F2;2026-11-21 18:00:00;12\.34;\r\n/);
    const times = await load(client, 'cstimer-times.txt', '&event=333oh');
    assert.deepEqual(times.items.map(short).map(([result, , event]) => [result, event]), ['12.34', '9.87', '14.34', 'DNF', '11.50', '1:02.03'].map((result) => [result, '333oh']));
    assert.equal(times.items[4].comment, 'easy');
  }],

  ["csTimer's table is read, also without a date", async ({ client }) => {
    const { session, items } = await load(client, 'cstimer.csv', '&size=2', 'text/csv');
    assert.deepEqual(items.map(short), [['12.34', 'none', '222', null], ['14.34', '+2', '222', null], ['DNF', 'dnf', '222', null]]);
    assert.deepEqual(items[0].splits.map(({ time_ms: ms }) => ms), [5000, 12340]);
    const date = items[1].created_at.slice(0, 19).replace('T', ' '); // of the import
    assert.ok((await download(client, session, 'text/csv')).includes(`\n2;14.34+;"a;b";F2;${date};12.34;\r\n`));
  }],

  ["Twisty Timer's exports are read", async ({ client }) => {
    const { session, items } = await load(client, 'twisty-backup.txt');
    assert.deepEqual(items.map(short), [
      ['12.34', 'none', '333', null], ['26.87', '+2', '333oh', 'OH'], ['DNF', 'dnf', '333bf', 'BLD'], ['3.21', 'none', '222', 'home'], ['7.80', 'none', 'pyram', null], ['30.00', 'none', 'sq1', null]]);
    assert.deepEqual(items.map(({ size, time_ms: ms }) => [size, ms]), [[3, 12340], [3, 24870], [3, 61230], [2, 3210], [null, 7800], [null, 30000]]);
    assert.deepEqual(items.map(({ comment }) => comment), [null, 'say "hello"', null, null, 'a\nb', null]);
    assert.deepEqual([items[0].created_at, items[2].scramble], ['2023-11-14T22:13:20.123Z', 'D; U']);
    const exported = JSON.parse(await download(client, session, CSTIMER));
    assert.equal(Object.keys(exported).length, 7, 'five more lists, and the properties');
    const times = await load(client, 'twisty-times.txt', '&event=333oh&list=left');
    assert.deepEqual(times.items.map(short), [['12.34', 'none', '333oh', 'left'], ['DNF', 'dnf', '333oh', 'left'], ['9.87', 'none', '333oh', 'left']]);
    assert.deepEqual(times.items.slice(0, 2).map(({ created_at: at }) => at), ['2026-11-21T17:00:00.000Z', '2026-11-21T18:01:00.000Z']);
  }],

  ["Cubic Timer's backup is read, and other headings in quotes", async ({ client }) => {
    const { items } = await load(client, 'cubic-backup.txt');
    const wanted = [
      ['12.34', 'none', '333', null], ['26.87', '+2', '333oh', null], ['DNF', 'dnf', '333bf', null], ['333fm'], ['333mbf'], ['3:20.00', 'none', '444bf', 'home']];
    assert.deepEqual(items.map((one, i) => (wanted[i].length === 1 ? [one.event] : short(one))), wanted);
    assert.deepEqual(items.map(({ comment }) => comment), [null, 'say "hello"', null, null, null, null]);
    for (const separator of [',', '\t']) {
      const text = [['Puzzle', 'Category', 'Time(millis)', 'Date(millis)', 'Scramble', 'Penalty', 'Comment'], ['333oh', 'Normal', '9870', '1700000000000', 'R, U', '0', '']]
        .map((row) => row.map((field) => `"${field}"`).join(separator)).join('\n');
      const session = await client.session();
      const sent = await send(client, text, `?session=${session.id}`, { type: 'text/plain' });
      assert.equal(sent.status, 201, sent.text);
      const { items: [one] } = await client.expect(200, 'GET', `/v1/solves?session=${session.id}`);
      assert.deepEqual([one.result, one.event, one.scramble], ['9.87', '333oh', 'R, U']);
    }
  }],

  ['a list of times is read', async ({ client }) => {
    const { items } = await load(client, 'times.txt');
    assert.deepEqual(items.map(({ result }) => result), ['12.34', '1:02.03', 'DNF', '14.34', 'DNF', '10.00', '11.50', '12.99', '10:00']);
    assert.deepEqual(items.map(({ time_ms: ms }) => ms), [12340, 62030, null, 12340, 9870, 10000, 11500, 12999, 600000]);
    const { items: oh } = await load(client, 'times.txt', '&event=pyram', 'text/csv');
    assert.deepEqual([oh[0].event, oh[0].size], ['pyram', null]);
  }],

  ['a bad line is told with its place, and nothing is imported', async ({ client }) => {
    const session = await client.session();
    const bad = async (body, type, [line, column, offset], what) => {
      const { status, json } = await send(client, body, `?session=${session.id}`, { type });
      assert.deepEqual([status, json.type], [422, 'urn:cubed:problem:bad-file'], body);
      assert.deepEqual([json.line, json.column, json.offset], [line, column, offset], body);
      assert.match(json.detail, what, body);
    };
    const plain = 'text/plain';
    await bad('12.34\n13.x4\n', plain, [2, 1, 6], /not a time/);
    await bad('12.34\n\n  hello', plain, [3, 3, 9], /not a time/);
    await bad('12.34 hello', plain, [1, 7, 6], /not a time/);
    await bad('12,34', plain, [1, 1, 0], /with a point/);
    await bad('', plain, [1, 1, 0], /no time/);
    await bad('\n \n', plain, [3, 1, 3], /no time/);
    await bad('(12.34', plain, [1, 1, 0], /not closed/);
    await bad('1.00+', plain, [1, 1, 0], /shorter than its penalty/);
    await bad('12.34[x', plain, [1, 6, 5], /no closing bracket/);
    await bad('1. 12.34   R U\n13.00', plain, [2, 1, 15], /no number/);
    await bad('1. 12.34   R U   @yesterday', plain, [1, 19, 18], /not a date/);
    await bad('1. 3.00=1.00+x', plain, [1, 14, 13], /phase/);
    await bad('Generated By csTimer on 2026-11-21\n\nTime List:\nx', plain, [4, 1, 47], /not a time/);
    await bad('No.;Time\n1;1.00\n2;1:2:3:4', 'text/csv', [3, 3, 18], /not a time/);
    await bad('"333";"Normal";"1x";"5";"";"0";""', 'text/csv', [1, 16, 15], /milliseconds/);
    await bad('"333";"Normal";"1";"5";"";"3";""', plain, [1, 27, 26], /penalty/);
    await bad('"333";"Normal";"1";"5";""', plain, [1, 26, 25], /too few/);
    await bad('"12.34";"R";"then"', plain, [1, 13, 12], /not a date/);
    await bad('"12.34', plain, [1, 1, 0], /quote is not closed/);
    await bad('{"session1":[\n[[0,1],"","",0]', plain, [2, 16, 29], /not valid JSON/);
    await bad('{"session1":[],\n"session2":[],"session1":[]}', plain, [2, 15, 30], /same name/);
    for (const json of ['{}', '[]', '[12.34]', '{"solves":[{"time_ms":1}]}', '5', '"x"', 'null'])
      for (const type of ['application/json', ...(/^[[{]/.test(json) ? [plain, 'text/csv'] : [])]) await bad(json, type, [1, 1, 0], /JSON, but not a csTimer export/);
    assert.deepEqual((await client.expect(200, 'GET', `/v1/solves?session=${session.id}`)).items, []);
    for (const query of ['event=334', 'event=333oh&size=4', 'size=1', `list=${'x'.repeat(201)}`, 'list=%07']) assert.equal((await send(client, '1.00', `?session=${session.id}&${query}`)).status, 400, query);
  }],
];
