// metrics.mjs: GET /metrics is what Prometheus reads, and counts what has been done.
//
//     node tests/live/metrics.mjs PATH_TO_BINARY
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, exchange, finish, HOST, start } from '../http/support/server.mjs';
import { happens } from '../support/patience.mjs';
import { ask, session, Watcher } from './support.mjs';

const server = await start('--rate-limit', 'off', '--max-store-bytes', '5000000', '--max-watchers-per-session', '2', '--max-connections', '500');
const { port } = server;

/** The exposition as a map from "name{labels}" to numbers, held to the format's rules. */
async function metrics() {
  const { status, text, headers } = await ask(port, 'GET', '/metrics');
  check('it is answered', status === 200 && headers['content-type'] === 'text/plain; version=0.0.4; charset=utf-8', headers['content-type']);
  const values = new Map();
  const types = new Map();
  let family;
  check('its last line is ended', text.endsWith('\n'));
  for (const line of text.split('\n').slice(0, -1)) {
    const comment = /^# (HELP|TYPE) ((?:cubed|process)_[a-z_]+) (.+)$/.exec(line);
    if (comment) {
      if (comment[1] === 'TYPE') {
        check('a family comes once', !types.has(comment[2]), line);
        types.set((family = comment[2]), comment[3]);
      }
      continue;
    }
    const sample = /^((?:cubed|process)_[a-z_]+)(\{(?:[a-z]+="[^"\\\n]*"(?:,(?=[a-z])|(?=\})))*\})? ([0-9.]+)$/.exec(line);
    if (!sample) {
      check('a line is a sample', false, line);
      continue;
    }
    const name = types.get(family) === 'histogram' ? sample[1].replace(/_(bucket|sum|count)$/, '') : sample[1];
    if (name !== family || values.has(sample[1] + (sample[2] ?? ''))) check('a sample stands once, with its family', false, line);
    values.set(sample[1] + (sample[2] ?? ''), Number(sample[3]));
  }
  for (const [name, type] of types) check('names end as they should', (type === 'counter') === name.endsWith('_total'), `${name} ${type}`);
  return values;
}

/** Buckets grow, and the last is the count. */
function check_histograms(values) {
  const series = new Map();
  for (const [key, value] of values) {
    const bucket = /^(\w+)_bucket\{(?:(.*),)?le="([^"]*)"\}$/.exec(key);
    if (!bucket) continue;
    const name = `${bucket[1]}_count${bucket[2] ? `{${bucket[2]}}` : ''}`;
    const before = series.get(name) ?? 0;
    check('buckets grow', value >= before, key);
    series.set(name, value);
    if (bucket[3] === '+Inf') check('the last bucket is the count', values.get(name) === value, key);
  }
  check('there are histograms', series.size >= 2, series.size);
}

const begin = performance.now();
const before = await metrics();
const path = await session(port);
const watchers = [new Watcher(path), new Watcher(path, '?cube=true')];
for (const watcher of watchers) await watcher.open(port);
for (let i = 0; i < 10; i++) await ask(port, 'POST', `${path}/moves`, { moves: 'R' });
await ask(port, 'POST', `${path}/moves`, { moves: 'Q' });
check('a watcher too many', (await ask(port, 'GET', `${path}/events`)).status === 429);
await exchange(port, `GET / HTTP/1.1\r\n${HOST}\r\n${HOST}\r\n\r\n`);
await Promise.all(watchers.map((watcher) => watcher.at(10)));
const poll = ask(port, 'GET', `${path}/history?after=10&wait_ms=30000`);
await happens(async () => /^cubed_long_polls 1$/m.test((await ask(port, 'GET', '/metrics')).text));
const after = await metrics();
check_histograms(after);

const grown = (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
const counts = [
  ['cubed_http_requests_total{method="POST",route="/v1/sessions",status="201"}', 1],
  ['cubed_http_requests_total{method="POST",route="/v1/sessions/{id}/moves",status="200"}', 10],
  ['cubed_http_requests_total{method="POST",route="/v1/sessions/{id}/moves",status="422"}', 1],
  ['cubed_http_requests_total{method="GET",route="/v1/sessions/{id}/events",status="200"}', 2],
  ['cubed_http_requests_total{method="GET",route="/v1/sessions/{id}/events",status="429"}', 1],
  ['cubed_http_requests_total{method="",route="",status="400"}', 1],
  ['cubed_http_request_duration_seconds_count{method="POST",route="/v1/sessions/{id}/moves"}', 11],
  ['cubed_problems_total{type="bad-notation",status="422"}', 1],
  ['cubed_problems_total{type="bad-request",status="400"}', 1],
  ['cubed_commit_writes_sum', 11],
  ['cubed_watchers', 2],
  ['cubed_sessions_watched', 1],
  ['cubed_long_polls', 1],
  ['cubed_events_published_total', 10],
  ['cubed_events_sent_total', 20],
  ['cubed_writes_queued', 0],
  ['cubed_refused_total{reason="watchers",status="429"}', 1],
  ['cubed_refused_total{reason="rate-limited",status="429"}', 0],
  ['cubed_refused_total{reason="storage-full",status="507"}', 0],
  ['cubed_problems_total{type="rate-limited",status="429"}', 1],
  ['cubed_problems_total{type="internal",status="500"}', 0],
];
for (const [name] of counts.slice(-5)) check(`${name} is there before it grows`, before.has(name));
for (const [name, count] of counts) check(name, grown(name) === count, grown(name));
check('durations are in seconds', grown('cubed_http_request_duration_seconds_sum{method="POST",route="/v1/sessions/{id}/moves"}') < (performance.now() - begin) / 1000);
check('connections are counted', after.get('cubed_http_connections') >= 3, after.get('cubed_http_connections'));
const limits = { cubed_http_connections_limit: 500, cubed_store_limit_bytes: 5000000, cubed_writes_queued_limit: 8192, cubed_jobs_queued_limit: 64,
  cubed_request_limit_bytes: 268435456, cubed_store_away: 0, cubed_store_full: 0, cubed_store_broken: 0 };
for (const [name, value] of Object.entries(limits)) check(name, after.get(name) === value, after.get(name));
check('the store grows', grown('cubed_store_bytes') > 0, grown('cubed_store_bytes'));
check('a store in memory is on no disk', !after.has('cubed_store_disk_free_bytes'));
check('without TLS no certificate expires', !after.has('cubed_tls_certificate_expiry_timestamp_seconds'));

// The metrics of the process, compared with those of the system; the clock of the start has steps of a hundredth of a second.
const proc = (name) => readFileSync(`/proc/${server.child.pid}/${name}`, 'utf8');
const fields = proc('stat').replace(/^.*\) /, '').split(' ');
const booted = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))[1]);
const is = (name, value, slack) => check(name, Math.abs(after.get(name) - value) <= slack, `${after.get(name)}, expected ${value}`);
is('process_resident_memory_bytes', Number(fields[21]) * 4096, 2 ** 27);
is('process_virtual_memory_bytes', Number(fields[20]), 2 ** 31);
is('process_open_fds', readdirSync(`/proc/${server.child.pid}/fd`).length, 20);
is('process_max_fds', Number(/^Max open files +(\d+)/m.exec(proc('limits'))[1]), 0);
is('process_start_time_seconds', booted + Number(fields[19]) / 100, 120);
check('the same start', after.get('process_start_time_seconds') === after.get('cubed_start_time_seconds'));
check('processor time passes', after.get('process_cpu_seconds_total') > before.get('process_cpu_seconds_total') && after.get('process_cpu_seconds_total') <=
  (Number(fields[11]) + Number(fields[12])) / 100 + 1, after.get('process_cpu_seconds_total'));
check('no id is told', ![...after.keys()].some((key) => key.includes(path.split('/').pop())));
watchers.forEach((watcher) => watcher.close());
await ask(port, 'POST', `${path}/moves`, { moves: 'R' });
check('the long poll is answered', (await poll).json.items.length === 1);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);

// A database on a disk: how large it is, what is free beside it, and whether it is full.
const directory = mkdtempSync(join(tmpdir(), 'cubed-metrics-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const MOST = 600000;
const disk = await start('--rate-limit', 'off', '--store', `sqlite:${join(directory, 'cubed.db')}`, '--max-store-bytes', String(MOST));
const gauges = async (...names) => {
  const { text } = await ask(disk.port, 'GET', '/metrics');
  return names.map((name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]));
};
const [empty, free, full] = await gauges('cubed_store_bytes', 'cubed_store_disk_free_bytes', 'cubed_store_full');
const { bavail, bsize } = statfsSync(directory);
check('an empty database has a size', empty > 0 && empty < MOST / 2 && full === 0, empty);
check('and a disk', free > 0 && Math.abs(free - bavail * bsize) < 2 ** 32, `${free} ${bavail * bsize}`);
const sessions = [];
let answer;
for (let i = 0; i < 1000 && answer?.status !== 507; i++) {
  if (i % 20 === 0) answer = await ask(disk.port, 'POST', '/v1/sessions', { size: 2, access: 'edit' });
  if (answer.status === 201) sessions.push(answer.json);
  if (answer.status !== 507) answer = await ask(disk.port, 'POST', `/v1/sessions/${sessions.at(-1).id}/moves`, { moves: "R U2 F' ".repeat(2000) });
}
check('it is full', answer.status === 507 && await happens(async () => (await gauges('cubed_store_full'))[0] === 1), answer.status);
check('its size is near the limit', await happens(async () => (await gauges('cubed_store_bytes'))[0] > MOST * 0.9), await gauges('cubed_store_bytes'));
for (const { id, token } of sessions) await ask(disk.port, 'DELETE', `/v1/sessions/${id}`, undefined, { authorization: `Bearer ${token}` });
check('it is not full any more', await happens(async () => (await gauges('cubed_store_full'))[0] === 0));
check('and smaller', await happens(async () => (await gauges('cubed_store_bytes'))[0] < MOST / 2), await gauges('cubed_store_bytes'));
await disk.stop();
finish();
