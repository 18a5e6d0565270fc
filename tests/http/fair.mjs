// fair.mjs: a client whose reads of the store or computations are long does not stop the others. Counted, not timed: how
// much of the one's work is done while the other's is.
// Usage: node fair.mjs [path of the binary]
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { happens } from '../support/patience.mjs';
import { check, finish, sleep, start } from './support/server.mjs';

const SOLVES = 30000;
const FLOOD = 24; // requests of the one client at a time
const SERVED = 6; // beside as many answers of the flood; in the order of arrival, one or two would be

const directory = mkdtempSync(join(tmpdir(), 'cubed-test-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const server = await start('--store', `sqlite:${join(directory, 'cubed.db')}`, '--rate-limit', 'on', '--trusted-proxy', '127.0.0.1',
  '--max-reads', '100000', '--max-reads-burst', '100000', '--max-writes', '100000', '--max-writes-burst', '100000');
const agent = new http.Agent({ keepAlive: true });

/** The answer to a request of the client with that address: status, headers, text. */
function ask(address, method, path, { body, type = 'application/json', headers = {} } = {}) {
  return new Promise((done, failed) => {
    const options = { port: server.port, host: '127.0.0.1', method, path, agent,
      headers: { 'x-forwarded-for': address, ...(body === undefined ? {} : { 'content-type': type }), ...headers } };
    const request = http.request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part)).on('error', failed);
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    request.on('error', failed).end(body);
  });
}

const json = async (...args) => JSON.parse((await ask(...args)).text);

async function metric(name) {
  const { text } = await ask('192.0.2.99', 'GET', '/metrics');
  return Number(text.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1] ?? NaN);
}

/** A book of many solves, as a file makes it. */
async function makeBook(address) {
  const { id, token } = await json(address, 'POST', '/v1/sessions', { body: '{"size":3}' });
  let file = 'No.;Time;Comment;Scramble;Date;P.1';
  for (let i = 1; i <= SOLVES; i++) file += `\r\n${i};${10 + (i % 9)}.${10 + (i % 90)};;R U R' U' F2 D2;2026-11-21 18:00:00;12.34`;
  const answer = await ask(address, 'POST', `/v1/solves/import?session=${id}`,
    { body: file, type: 'text/csv', headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 201 && answer.status !== 200) throw new Error(answer.text);
  return { id, token };
}

/** Asks for something all the time, FLOOD at once, until stopped; counts the answers. */
function flood(makeRequest) {
  const self = { answers: 0, refused: 0, going: true };
  const one = async () => {
    while (self.going) {
      const { status } = await makeRequest();
      if (status === 200) self.answers++;
      else self.refused++;
    }
  };
  self.ended = Promise.all(Array.from({ length: FLOOD }, one));
  return self;
}

/** The reads of another client, one after the other: how many are answered before FLOOD answers of the flood are. */
async function readsBeside(begun, address, path) {
  while (begun.answers === 0 && begun.refused === 0) await sleep(5); // it is at its full length now
  const before = begun.answers;
  let served = 0;
  while (served < SERVED && begun.answers - before < FLOOD) {
    const { status } = await ask(address, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    served++;
  }
  begun.going = false;
  await begun.ended;
  return served;
}

const mine = await json('192.0.2.1', 'POST', '/v1/sessions', { body: '{"size":3}' });
for (let i = 0; i < 5; i++)
  await ask('192.0.2.1', 'POST', `/v1/sessions/${mine.id}/moves`, { body: '{"moves":"R U"}', headers: { authorization: `Bearer ${mine.token}` } });
const history = `/v1/sessions/${mine.id}/history`;
const book = await makeBook('192.0.2.2');

const table = () => ask('192.0.2.2', 'GET', `/v1/solves?session=${book.id}`, { headers: { accept: 'text/csv' } });
const besideTable = await readsBeside(flood(table), '192.0.2.1', history);
check('reads of others go on beside files of a large book', besideTable === SERVED, `${besideTable} of ${SERVED}`);

// Each asks for other dates, so that no answer is kept.
let day = 0;
const statistics = () => ask('192.0.2.2', 'GET', `/v1/solves/stats?session=${book.id}&to=${new Date(Date.UTC(2100, 0, ++day)).toISOString().slice(0, 10)}`);
const besideStatistics = await readsBeside(flood(statistics), '192.0.2.1', history);
check('and beside its statistics', besideStatistics === SERVED, `${besideStatistics} of ${SERVED}`);

const whole = await table();
check('the file has all rows, in order', whole.status === 200 && whole.text.split('\r\n').length === SOLVES + 1
  && whole.text.split('\r\n').every((row, i) => i === 0 || row.startsWith(`${i};`)));
const slices = await metric('cubed_scan_slices_total');
check('long reads are made in slices', slices > 0, `${slices}`);

// ---- computations of some milliseconds ----

// HEAD: the answer is made, and not sent.
const large = await json('192.0.2.2', 'POST', '/v1/sessions', { body: '{"size":60}' });
const besidePoses = await readsBeside(flood(() => ask('192.0.2.2', 'HEAD', `/v1/sessions/${large.id}?as=poses`)), '192.0.2.1', '/v1/convert?size=20&moves=R&as=poses');
check('computations of others go on beside large answers', besidePoses === SERVED, `${besidePoses} of ${SERVED}`);

// ---- one session: an editor who asks for scrambles all the time, and its owner ----

const shared = await json('192.0.2.5', 'POST', '/v1/sessions', { body: '{"size":4}' });
const asOwner = { authorization: `Bearer ${shared.token}` };
const sharedPath = `/v1/sessions/${shared.id}`;
const tokenOf = (role) => json('192.0.2.5', 'POST', `${sharedPath}/tokens`, { body: JSON.stringify({ role }), headers: asOwner });
const editor = await tokenOf('editor');
const scramble = () => ask('192.0.2.6', 'POST', `${sharedPath}/scramble`, { body: '{}', headers: { authorization: `Bearer ${editor.token}` } });
const scrambling = flood(scramble);
while (scrambling.answers === 0 && scrambling.refused === 0) await sleep(5); // the tables are made
const answersBefore = scrambling.answers;
let turned = 0;
while (turned < SERVED && scrambling.answers - answersBefore < FLOOD) {
  const { status, text } = await ask('192.0.2.5', 'POST', `${sharedPath}/moves`, { body: '{"moves":"R"}', headers: asOwner });
  if (status !== 200) throw new Error(text);
  turned++;
}
check("the owner's moves go on beside the scrambles of an editor", turned === SERVED, `${turned} of ${SERVED}`);
const revoked = await ask('192.0.2.5', 'DELETE', `${sharedPath}/tokens/${editor.id}`, { headers: asOwner });
check('the owner revokes the editor meanwhile', revoked.status === 204, revoked.text);
const revision = async () => (await json('192.0.2.5', 'GET', `${sharedPath}?as=none`, { headers: asOwner })).revision;
const revisionThen = await revision();
scrambling.going = false;
await scrambling.ended;
check('what the editor still asked for is refused', (await revision()) === revisionThen);

// ---- long computations ----

const nested = '[[[[[[[[[R,U],F],D],L],B],R],U],F],D] ';
const longBody = (count) => JSON.stringify({ size: 100, moves: nested.repeat(count) });

/** Asks and leaves at once. */
function leave(address) {
  return new Promise((left) => {
    const body = longBody(150); // about a second
    const request = http.request({ port: server.port, host: '127.0.0.1', method: 'POST', path: '/v1/apply', agent: false,
      headers: { 'x-forwarded-for': address, 'content-type': 'application/json', 'content-length': body.length } });
    request.on('error', () => {}).on('close', left);
    request.end(body, () => setTimeout(() => request.destroy(), 30)); // bound: the client leaves
  });
}

await Promise.all(Array.from({ length: 60 }, () => leave('192.0.2.3')));
const scrambles = await ask('192.0.2.1', 'GET', '/v1/scramble?size=100&count=5');
check('scrambles are made', scrambles.status === 200 && JSON.parse(scrambles.text).scrambles.length === 5, scrambles.text.slice(0, 200));
// The server notices a little later that they have left.
check('computations of clients that left are not made', await happens(async () => (await metric('cubed_jobs_abandoned_total')) > 0));
check('nor do they wait', await happens(async () => (await metric('cubed_computations_waiting')) === 0));

const long = Array.from({ length: 30 }, () => ask('192.0.2.3', 'POST', '/v1/apply', { body: longBody(300) }).catch(() => ({ status: 0 })));
await sleep(500); // bound: they are under way; a slow machine can only hide a fault
const other = await ask('192.0.2.4', 'POST', '/v1/apply', { body: longBody(20) });
check('a client that fills its share leaves room for others', other.status === 200, `${other.status}`);
agent.destroy(); // it leaves
const statuses = (await Promise.all(long)).map(({ status }) => status);
check('what is beyond its share is refused', statuses.filter((status) => status === 429).length > 5, statuses.join(' '));

const stopped = await server.stop();
check('the server ends well', stopped.code === 0, server.errors().slice(0, 3000));
finish();
