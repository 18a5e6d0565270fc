// openapi.yaml by the rules of redocly.yaml and of rules.mjs, and its examples by its own schemas. No network.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from './client.mjs';
import { examplesOf } from './contract.mjs';
import { check, finish } from './report.mjs';
import { rules } from './rules.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

await check('the rules of redocly', () => {
  const run = spawnSync(process.execPath, [redocly, 'lint', '--config', 'redocly.yaml', '../../openapi.yaml'], {
    cwd: here,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  if (run.status !== 0) throw new Error(run.stdout + run.stderr);
});

for (const [name, { find, plant }] of Object.entries(rules)) {
  await check(name, () => {
    const found = find(contract.document);
    if (found.length > 0) throw new Error([...new Set(found)].join('\n'));
  });
  await check(`${name}: a violation is found`, () => {
    const copy = structuredClone(contract.document);
    plant(copy);
    if (find(copy).length === 0) throw new Error('it is not');
  });
}

/** Calls `visit` for each media type object with examples. */
function* mediaWithExamples(content, pointer) {
  for (const [type, media] of Object.entries(content ?? {})) {
    for (const [name, example] of Object.entries(examplesOf(media))) {
      const place = `${pointer}/content/${type.replace('/', '~1')}`;
      yield { type, name, lines: 'x-examples' in media, schema: `${place}/schema`, value: contract.resolve(example).value.value };
    }
  }
}

async function checkExamples(where, content, pointer) {
  for (const { type, name, lines, schema, value } of mediaWithExamples(content, pointer)) {
    await check(`${where} ${type} example ${name}`, () => {
      const values = lines ? value.split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [value];
      for (const one of values) {
        const faults = contract.faults(schema, one);
        if (faults) throw new Error(faults);
      }
    });
  }
}

for (const operation of contract.operations) {
  const source = contract.document.paths[operation.path][operation.method.toLowerCase()];
  await checkExamples(`${operation.id} body`, source.requestBody?.content, `${operation.pointer}/requestBody`);
  for (const [status, given] of Object.entries(operation.responses)) {
    const { value, pointer } = contract.resolve(given, `${operation.pointer}/responses/${status}`);
    await checkExamples(`${operation.id} ${status}`, value.content, pointer);
    await check(`${operation.id} ${status} has an example`, () => {
      const json = Object.entries(value.content ?? {}).find(([type]) => type.endsWith('json'));
      if (json && operation.id !== 'getOpenapiJson' && Object.keys(examplesOf(json[1])).length === 0) throw new Error('there is none');
    });
  }
  await check(`${operation.id} has an example of its request`, () => {
    if (operation.body && !operation.body.examples) throw new Error('there is none');
  });
}

/** An answer to `GET /v1/formats` that is not listed there: judged by the default answer. */
const judged = ({ status = 401, headers = {}, type = 'token-invalid', ...members }) => () => contract.check(
  { method: 'GET', path: '/v1/formats' },
  {
    status,
    headers: {
      'access-control-allow-origin': '*', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-request-id': '1', 'cache-control': 'no-store',
      'content-type': 'application/problem+json', 'www-authenticate': 'Bearer error="invalid_token"', ...headers,
    },
    text: '{}', json: { type: `urn:cubed:problem:${type}`, title: 'Title', status, detail: 'Detail.', ...members },
  },
);
await check('an answer that is not listed may be the default answer', judged({}));
for (const [fault, answer, why] of [
  ['the type of another status', { type: 'gone' }, /not as documented/],
  ['a type that an operation must list', { status: 404, headers: { 'www-authenticate': undefined }, type: 'no-such-job' }, /not as documented/],
  ['another status in the problem', { status: 406, headers: { 'www-authenticate': undefined } }, /not as documented/],
  ['a member that is not documented', { invented: 1 }, /not as documented/],
  ['no header that its status has', { headers: { 'www-authenticate': undefined } }, /www-authenticate is missing/],
  ['a header of another status', { headers: { 'retry-after': '1' } }, /retry-after is not documented/],
  ['a success', { status: 202 }, /documents no answer 202/],
]) await check(`the default answer is not one with ${fault}`, () => assert.throws(judged(answer), why));

finish();
