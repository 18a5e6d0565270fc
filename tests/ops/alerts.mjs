// alerts.mjs: the alerts and the dashboard of packaging/ ask for metrics that the server has, in expressions that Prometheus reads.
// Usage: node alerts.mjs [binary]. It needs promtool.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';
import { start } from '../http/support/server.mjs';

const yaml = createRequire(new URL('../api/', import.meta.url))('yaml');
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const directory = temporaryDirectory();
const file = (name) => join(directory, name);

const alerts = yaml.parse(read('packaging/prometheus-alerts.yml')).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read('packaging/grafana-dashboard.json'));
const asked = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

/** Names that are not the server's: Prometheus makes them. */
const OTHERS = ['up'];
const WORDS = ['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right'];

/** The names of metrics in an expression: identifiers that are not functions, outside of strings, selectors and lists of labels. */
function names_of(expr) {
  const bare = expr.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/\{[^{}]*\}|\[[^\]]*\]/g, ' ').replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)/g, ' ');
  return [...bare.matchAll(/(?<![\w.:])[a-zA-Z_:][\w:]*(?!\w|\s*\()/g)].map(([name]) => name).filter((name) => !WORDS.includes(name));
}

/** Reads the names of /metrics, those of the parts of histograms too, and for each the values of its labels that are
 * fixed. */
async function metrics() {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file('key'), '-out', file('crt'), '-days', '2', '-subj', '/CN=localhost'],
    { stdio: 'ignore' });
  const server = await start('--store', `sqlite:${file('cubed.db')}`, '--tls-cert', file('crt'), '--tls-key', file('key'));
  const get = (path) => new Promise((done, fail) => {
    https.get({ host: '127.0.0.1', port: server.port, path, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (bytes) => (text += bytes)).on('end', () => done(text));
    }).on('error', fail);
  });
  await get('/healthz');
  const text = await get('/metrics');
  assert.equal((await server.stop()).code, 0, server.errors());
  return text;
}
const text = await metrics();
const there = new Set([...text.matchAll(/^([a-z_]+)[ {]/gm)].map(([, name]) => name));
const missing = (expr) => names_of(expr).filter((name) => !there.has(name) && !OTHERS.includes(name));

await check('names are found in expressions', () => {
  assert.deepEqual(names_of('sum by (job, le) (rate(a_total{b="c{d}", e!~"f"}[5m])) / on (g) group_left(h) i:j > 0.1e3 and k_bytes offset 5m or max(l) - time() < 14 * 86400'),
    ['a_total', 'i:j', 'k_bytes', 'l']);
  assert.deepEqual(missing('rate(cubed_nothing_total[5m]) + cubed_watchers'), ['cubed_nothing_total']);
});

await check('each alert asks for metrics that the server has', () => {
  assert.ok(alerts.length > 20);
  for (const { alert, expr } of alerts) {
    assert.ok(names_of(expr).length > 0, `${alert} asks for nothing`);
    assert.deepEqual(missing(expr), [], alert);
  }
});

await check('each panel asks for metrics that the server has', () => {
  assert.ok(asked.length > 30);
  for (const { title, expr } of asked) {
    assert.ok(names_of(expr).length > 0, title);
    assert.deepEqual(missing(expr), [], title);
  }
});

await check('reasons, types and routes that are named exist', () => {
  const openapi = read('openapi.yaml');
  for (const { alert: title, expr } of [...alerts, ...asked.map((one) => ({ ...one, alert: one.title }))])
    for (const [, label, operator, value] of expr.matchAll(/\b(reason|type|status|route)(=~|!~|!=|=)"([^"]*)"/g))
      for (const one of value.split('|')) {
        if (label === 'route' && one.includes('.*')) continue;
        const found = label === 'route' ? openapi.includes(`\n  ${one}:\n`) : new RegExp(`^cubed_(refused|problems)_total\\{.*\\b${label}="${one}"`, 'm').test(text);
        assert.ok(found, `${title}: ${label}${operator}"${one}"`);
      }
});

await check('each alert says what to do', () => {
  const severities = new Set(alerts.map(({ labels }) => labels.severity));
  assert.deepEqual([...severities].sort(), ['critical', 'warning']);
  for (const { alert, annotations } of alerts) {
    assert.deepEqual(Object.keys(annotations), ['summary'], alert);
    assert.match(annotations.summary, /\{\{ \$labels\.instance \}\}/, alert);
    assert.ok((annotations.summary.match(/[.:;]( |$)/g) ?? []).length >= 2 && annotations.summary.length < 320, `${alert}: ${annotations.summary}`);
  }
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
});

await check('each alert is tried: it is quiet, and it fires', () => {
  const tests = yaml.parse(read('tests/ops/alerts.test.yml')).tests;
  for (const { alert, labels } of alerts) {
    const tried = tests.find(({ name }) => name === alert)?.promql_expr_test ?? [];
    const fires = `ALERTS{alertname="${alert}", alertstate="firing"`;
    assert.ok(tried.some(({ expr, exp_samples: samples }) => expr.startsWith(fires) && samples.length === 0), `${alert} is not quiet`);
    assert.ok(tried.some(({ exp_samples: samples }) => samples.some((sample) => sample.labels.startsWith(fires) && sample.labels.includes(`severity="${labels.severity}"`))), `${alert} does not fire`);
  }
});

const promtool = (...args) => execFileSync('promtool', args, { encoding: 'utf8' });

await check('Prometheus reads the alerts, and they do what they should', () => {
  const [rules, tests] = ['packaging/prometheus-alerts.yml', 'tests/ops/alerts.test.yml'].map((path) => new URL(`../../${path}`, import.meta.url).pathname);
  assert.match(promtool('check', 'rules', rules), new RegExp(`SUCCESS: ${alerts.length} rules found`));
  assert.match(promtool('test', 'rules', tests), /SUCCESS/);
});

await check('Prometheus reads each expression of the dashboard', () => {
  const filled = (expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'cubed').replaceAll('$instance', '.*');
  const rules = asked.map(({ expr }, i) => ({ record: `panel:${i}`, expr: filled(expr) }));
  assert.ok(rules.every(({ expr }) => !expr.includes('$')), 'a variable that the dashboard does not have');
  writeFileSync(file('dashboard.yml'), yaml.stringify({ groups: [{ name: 'dashboard', rules }] }));
  assert.match(promtool('check', 'rules', file('dashboard.yml')), new RegExp(`SUCCESS: ${asked.length} rules found`));
});

await check('Prometheus reads the metrics', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  assert.ok(status === 0, `${status} ${stderr}`);
});

await check('the dashboard is one page without overlaps', () => {
  const taken = new Set();
  const ids = new Set();
  for (const { id, title, description, gridPos: { x, y, w, h } } of dashboard.panels) {
    assert.ok(!ids.has(id) && title && description, title);
    ids.add(id);
    for (let column = x; column < x + w; column++)
      for (let row = y; row < y + h; row++) {
        assert.ok(column < 24 && !taken.has(`${column} ${row}`), title);
        taken.add(`${column} ${row}`);
      }
  }
  assert.deepEqual(dashboard.templating.list.map(({ name }) => name), ['datasource', 'job', 'instance']);
});

finish();
