// metrics.mjs: GET /metrics is what Prometheus reads, and counts what has been done.
//
//     node tests/live/metrics.mjs PATH_TO_BINARY
import { check, exchange, finish, HOST, start } from '../http/support/server.mjs';
import { happens } from '../support/patience.mjs';
import { ask, session, Watcher } from './support.mjs';

const server = await start('--rate-limit', 'off');
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
    const comment = /^# (HELP|TYPE) (cubed_[a-z_]+) (.+)$/.exec(line);
    if (comment) {
      if (comment[1] === 'TYPE') {
        check('a family comes once', !types.has(comment[2]), line);
        types.set((family = comment[2]), comment[3]);
      }
      continue;
    }
    const sample = /^(cubed_[a-z_]+)(\{(?:[a-z]+="[^"\\\n]*"(?:,(?=[a-z])|(?=\})))*\})? ([0-9.]+)$/.exec(line);
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
];
for (const [name, count] of counts) check(name, grown(name) === count, grown(name));
check('durations are in seconds', grown('cubed_http_request_duration_seconds_sum{method="POST",route="/v1/sessions/{id}/moves"}') < (performance.now() - begin) / 1000);
check('connections are counted', after.get('cubed_http_connections') >= 3, after.get('cubed_http_connections'));
check('no id is told', ![...after.keys()].some((key) => key.includes(path.split('/').pop())));
watchers.forEach((watcher) => watcher.close());
await ask(port, 'POST', `${path}/moves`, { moves: 'R' });
check('the long poll is answered', (await poll).json.items.length === 1);
const end = await server.stop();
check('a clean end', end.code === 0, `${JSON.stringify(end)} ${server.errors()}`);
finish();
