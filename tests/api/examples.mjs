// Sends every example of openapi.yaml to a running server and compares the answers with the examples of the
// same name. Usage: node examples.mjs [path of the binary]; once for each store.
//
// An example of an operation is what bears one name in its body and parameters. Where it has no body of
// that name, the first one is sent. An operation without any request examples is sent once, and its
// example of the answer, whatever its name, is compared. Members that differ from run to run are not.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Client, contract } from './client.mjs';
import { examplesOf } from './contract.mjs';
import { operationSource, requestNames, sendExample, settle } from './documented.mjs';
import { binaryArgument } from './server.mjs';
import { check, finish } from './report.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { newStores, startServers } from '../support/stores.mjs';

function settleText(type, text) {
  if (type !== 'application/x-ndjson') return text;
  return text.split('\n').filter(Boolean).map((line) => settle(JSON.parse(line)));
}

/** The documented answers of one name: [status, media type, value]. */
function answersOf(operation, name) {
  return Object.entries(operation.responses).flatMap(([status, given]) =>
    Object.entries(contract.resolve(given).value.content ?? {}).flatMap(([type, media]) => {
      const examples = name === null && status === '200' ? Object.keys(examplesOf(media)) : [name];
      return examples
        .filter((key) => examplesOf(media)[key])
        .map((key) => [Number(status), type, contract.resolve(examplesOf(media)[key]).value.value]);
    }),
  );
}

/** Operations whose examples show some of the items that are answered. */
const EXCERPTS = new Set(['listSolvers', 'getIndex', 'listPatterns', 'listSets', 'getSet', 'listFormats', 'getGeometry']);

/** Streams that may go on with events that the example does not show. */
const OPEN = new Set(['streamSessionEvents']);

/** The answer has at least the members and the items that the example has. */
function compareExcerpt(answer, value) {
  for (const [key, member] of Object.entries(value)) {
    if (Array.isArray(member)) for (const item of member) assert.ok(answer[key].some((one) => isDeepStrictEqual(one, item)), JSON.stringify(item));
    else if (member && typeof member === 'object') compareExcerpt(answer[key], member);
    else assert.equal(answer[key], member, key);
  }
}

/** The tests' servers wait longer for slow clients than the example says. */
function patient(operation, answer, example) {
  if (operation.id !== 'listLimits') return answer;
  for (const [name, limit] of Object.entries(answer.limits)) if (limit.value === 5 * PATIENCE_MS) limit.value = example.limits[name].value;
  return answer;
}

async function compare(client, operation, name, [status, type, value]) {
  const accept = type.includes('problem') ? undefined : type;
  const answer = await sendExample(client, operation, name, { accept });
  assert.equal(answer.status, status, answer.text);
  if (EXCERPTS.has(operation.id)) compareExcerpt(settle(answer.json), settle(value));
  else if (type.endsWith('json') && type !== 'application/x-ndjson') assert.deepEqual(settle(patient(operation, answer.json, value)), settle(value));
  else if (OPEN.has(operation.id)) assert.deepEqual(settleText(type, answer.text).slice(0, settleText(type, value).length), settleText(type, value));
  else assert.deepEqual(settleText(type, answer.text), settleText(type, value));
}

async function send(client, operation, name) {
  const answer = await sendExample(client, operation, name);
  assert.ok(answer.status < 300, `an example without a documented answer should succeed\n${answer.text}`);
}

for (const store of await newStores()) {
  const server = await startServers(binaryArgument(), store);
  const client = new Client(server.url);
  for (const operation of contract.operations) {
    const names = requestNames(operation);
    for (const name of names.length > 0 ? names : [null]) {
      const where = `${store.split(':')[0]} ${operation.id} ${name ?? ''}`;
      const answers = answersOf(operation, name);
      if (answers.length === 0) await check(where, () => send(client, operation, name));
      for (const answer of answers) await check(`${where} ${answer[1]}`, () => compare(client, operation, name, answer));
    }
    await check(`${operation.id} is described`, () => assert.ok(operationSource(operation).summary));
  }
  client.close();
  await check(`${store} ends well`, async () => assert.deepEqual((await server.stop()).code, 0));
}

finish();
