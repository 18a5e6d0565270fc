// The tokens that a browser holds, with storages of all kinds. Usage: node tokens.mjs

import assert from 'node:assert/strict';
import { allowsMore, Tokens } from '../../web/page/session/tokens.js';
import { check, finish } from '../api/report.mjs';

const A = '0000000000000001';
const B = '0000000000000002';

/** As a browser's local storage; refuses to write beyond `most` entries. */
class Storage {
  entries = new Map();

  constructor(most = Infinity) {
    this.most = most;
  }

  get length() {
    return this.entries.size;
  }

  key(i) {
    return [...this.entries.keys()][i] ?? null;
  }

  getItem(key) {
    return this.entries.get(key) ?? null;
  }

  setItem(key, value) {
    if (!this.entries.has(key) && this.entries.size >= this.most) throw new DOMException('full', 'QuotaExceededError');
    this.entries.set(key, value);
  }

  removeItem(key) {
    this.entries.delete(key);
  }
}

await check('what is kept is found again, by another tab too', () => {
  const storage = new Storage();
  const [one, two] = [new Tokens(storage), new Tokens(storage)];
  one.keep({ id: A, token: 'secret', role: 'editor', name: 'Küche', size: 3 });
  assert.equal(two.of(A).token, 'secret');
  two.keep({ id: A, name: 'Bad' });
  assert.deepEqual([one.of(A).token, one.of(A).name, one.of(A).size], ['secret', 'Bad', 3]);
  one.forget(A);
  assert.equal(two.of(A), null);
  assert.ok(one.lasting);
});

await check('the last opened comes first', () => {
  const tokens = new Tokens(new Storage());
  tokens.keep({ id: A, token: 'a', role: 'owner', seen: 1 });
  tokens.keep({ id: B, token: 'b', role: 'viewer', seen: 2 });
  assert.deepEqual(tokens.list().map(({ id }) => id), [B, A]);
  tokens.keep({ id: A, seen: 3 });
  assert.deepEqual(tokens.list().map(({ id }) => id), [A, B]);
});

await check('without a storage, tokens last as long as the page', () => {
  const forbidden = { get length() { throw new Error('denied'); }, getItem() { throw new Error('denied'); }, setItem() { throw new Error('denied'); }, removeItem() { throw new Error('denied'); } };
  for (const storage of [null, new Storage(0), forbidden]) {
    const tokens = new Tokens(storage);
    tokens.keep({ id: A, token: 'a', role: 'owner' });
    assert.equal(tokens.of(A).token, 'a');
    assert.deepEqual(tokens.list().map(({ id }) => id), [A]);
    assert.equal(tokens.lasting, false);
    tokens.forget(A);
    assert.deepEqual(tokens.list(), []);
  }
});

await check('nonsense in the storage is passed over', () => {
  const storage = new Storage();
  const tokens = new Tokens(storage);
  for (const [id, text] of [[A, '{'], [B, '{"token":3,"role":"owner"}'], ['x', '{"token":"t","role":"owner"}'], ['0000000000000003', '{"token":"t","role":"king"}']]) storage.setItem(`cubed.token.${id}`, text);
  storage.setItem('other', 'x');
  assert.deepEqual(tokens.list(), []);
  assert.throws(() => tokens.keep({ id: 'x', token: 't', role: 'owner' }), /no id/);
});

await check('listeners learn of changes until they leave', () => {
  const tokens = new Tokens(new Storage());
  let count = 0;
  const leave = tokens.subscribe(() => count++);
  tokens.keep({ id: A, token: 'a', role: 'owner' });
  tokens.forget(A);
  leave();
  tokens.keep({ id: A, token: 'a', role: 'owner' });
  assert.equal(count, 2);
});

await check('roles are ordered', () => {
  assert.ok(allowsMore('owner', 'editor') && allowsMore('editor', 'viewer') && allowsMore('viewer', undefined));
  assert.ok(!allowsMore('editor', 'editor') && !allowsMore('viewer', 'owner'));
});

finish();
