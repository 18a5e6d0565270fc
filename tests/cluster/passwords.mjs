// passwords.mjs: in docker/compose-cluster.yaml each role of the database has a password of its own, and each service is
// given only those that it needs. Usage: node passwords.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';

const yaml = createRequire(fileURLToPath(new URL('../api/', import.meta.url)))('yaml');
const { services } = yaml.parse(readFileSync(new URL('../../docker/compose-cluster.yaml', import.meta.url), 'utf8'), { merge: true });

/** The variables with passwords that the environment of a service mentions, and what they are if they are not set. */
function passwords(name) {
  const found = {};
  for (const value of Object.values(services[name].environment ?? {}))
    for (const [, variable, usual] of String(value).matchAll(/\$\{(\w*PASSWORD):-([^}]*)\}/g)) found[variable] = usual;
  return found;
}

const named = (begin) => Object.keys(services).filter((name) => name.startsWith(begin));

await check('three roles have three passwords', () => {
  for (const name of named('postgresql')) {
    const { environment } = services[name];
    const all = ['PATRONI_SUPERUSER_PASSWORD', 'PATRONI_REPLICATION_PASSWORD', 'CUBED_DATABASE_PASSWORD'].map((role) => environment[role]);
    assert.equal(new Set(all).size, 3, all.join('\n'));
    assert.equal(new Set(Object.values(passwords(name))).size, 3, 'if no variable is set');
  }
});

await check('nobody gets in without one, not even from the machine of the database', () => {
  const { bootstrap } = yaml.parse(readFileSync(new URL('../../docker/cluster/patroni.yml', import.meta.url), 'utf8'));
  assert.ok(bootstrap.initdb.some((option) => option.auth === 'scram-sha-256'), 'initdb would trust 127.0.0.1');
  for (const line of bootstrap.pg_hba) assert.match(line, / scram-sha-256$/);
});

await check('nodes have theirs alone, all others none', () => {
  for (const name of named('cubed')) assert.deepEqual(Object.keys(passwords(name)), ['CUBED_DATABASE_PASSWORD'], name);
  for (const name of [...named('haproxy'), ...named('etcd')]) assert.deepEqual(passwords(name), {}, name);
});
finish();
