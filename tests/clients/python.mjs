// Runs the tests of the Python client, tests/clients/python. Usage: node python.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { binaryArgument } from '../api/server.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

await check('python3 -m unittest', () => {
  const env = { ...process.env, CUBED_TEST_BINARY: binaryArgument(), PYTHONPATH: path('../../clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stderr } = spawnSync('python3', ['-m', 'unittest', 'discover', path('python')], { env, encoding: 'utf8', timeout: 1800000 });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /Ran (4[0-9]|[5-9]\d) tests/);
});

finish();
