// Tests the rights of a person on a cube, as the page knows them before the server is asked. Usage: node rights.mjs

import assert from 'node:assert/strict';
import { rightsAlone } from '../../web/page/app.js';
import { turned } from '../../clients/js/src/cube.js';
import { parseMoves } from '../../clients/js/src/moves.js';
import { guestName, nameText } from '../../web/page/session/names.js';
import { colourOf, placesOf } from '../../web/page/session/nametag.js';
import { isSelf, nameOf, rightsOf, roleOf, whoseTurn } from '../../web/page/session/rights.js';
import { check, finish } from '../api/report.mjs';

const ANN = { id: '1', label: 'Ann', role: 'owner' };
const BO = { id: '3', label: 'Bo', role: 'editor' };
const CY = { id: '4', label: null, role: 'viewer' };
const NOBODY = { id: null, label: null, role: 'viewer' };

function cubeOf(you, { access = 'view', policy = 'free', last = null, next = null, undoable = last ? 1 : 0, redoable = 0, ...more } = {}) {
  return { you, settings: { access, turn_policy: policy }, standing: { revision: 9, undoable, redoable, last, next }, undoable: null, redoable: null, revision: 9, waiting: 0, ...more };
}

const may = (cube) => rightsOf(cube);

await check('the name of the person who turns is shown at the layer: on its side, or on one around it', () => {
  const turn = (move, n = 3) => placesOf(parseMoves(move, n)[0], n);
  assert.deepEqual(turn('R'), [13, 5, 23, 32, 48], 'the side that turns, then U, F, D, B beside it');
  assert.deepEqual(turn('M'), [4, 22, 31, 49]);
  assert.equal(turn('x').length, 6);
  assert.deepEqual(turn('3R', 5).map((place) => Math.floor(place / 25)), [0, 2, 3, 5], 'an inner layer has no side of its own');
  for (const n of [2, 3, 4]) {
    for (const move of ['R', 'U', 'F', 'D', 'L', 'B', ...(n === 3 ? ['M', 'E', 'S'] : []), ...(n === 4 ? ['2R', '2U', '2F', '2D', '2L', '2B'] : [])]) {
      const after = turned(Uint8Array.from({ length: 6 * n * n }, (_, place) => place), n, parseMoves(move, n)[0]);
      const still = turn(move, n).filter((place) => after[place] === place);
      assert.equal(still.length, n === 3 && /[URFDLB]/.test(move) ? 1 : 0, `${move}: only the middle of a side stays where it is`);
    }
  }
  assert.equal(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((id) => colourOf({ id: String(id) }))).size, 8);
  assert.equal(colourOf(null), colourOf({ id: null }));
});

await check('a name that was given is one that the server takes', () => {
  for (const random of [() => 0, () => 0.999999, Math.random]) {
    const name = guestName(random);
    assert.match(name, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
    assert.equal(nameText(name), name);
  }
});

await check('a cube of this page alone belongs to the person', () => {
  const { turn, own, undo, redo } = rightsAlone({ undoable: 0, redoable: 2 });
  assert.deepEqual([turn, own, undo, redo], [true, true, false, true]);
});

await check('the role is that of the token or of the access, whichever allows more', () => {
  assert.deepEqual([ANN, BO, CY, NOBODY].map((you) => roleOf(cubeOf(you))), ['owner', 'editor', 'viewer', 'viewer']);
  assert.deepEqual([ANN, CY, NOBODY].map((you) => roleOf(cubeOf(you, { access: 'edit' }))), ['owner', 'editor', 'editor']);
  assert.equal(roleOf({ settings: { access: 'view' } }), 'viewer', 'of a server that does not say it');
});

await check('who watches may do nothing, and learns why', () => {
  const { turn, own, undo, redo, why } = may(cubeOf(CY, { last: BO, redoable: 1 }));
  assert.deepEqual([turn, own, undo, redo], [false, false, false, false]);
  assert.match(why, /watching/);
});

await check('editors undo their own entries, owners all, and nobody what is not there', () => {
  assert.deepEqual([ANN, BO].map((you) => may(cubeOf(you, { last: BO })).undo), [true, true]);
  assert.deepEqual([ANN, BO].map((you) => may(cubeOf(you, { last: ANN })).undo), [true, false]);
  assert.deepEqual([ANN, BO].map((you) => may(cubeOf(you)).undo), [false, false]);
  assert.equal(may(cubeOf(BO, { last: ANN, waiting: 1 })).undo, true, 'an own turn that waits');
  assert.equal(may(cubeOf(NOBODY, { access: 'edit', undoable: 2 })).undo, true, 'all without a token are one');
  assert.deepEqual([may(cubeOf(BO, { redoable: 1 })).redo, may(cubeOf(BO)).redo], [true, false]);
});

await check('whose turn it is', () => {
  const text = (you, settings) => whoseTurn(cubeOf(you, settings)).text;
  assert.equal(text(BO, { last: ANN }), null, 'anybody');
  assert.equal(whoseTurn(cubeOf(BO, { policy: 'alternate' })).yours, true, 'who begins');
  assert.equal(text(BO, { policy: 'alternate', last: ANN }), 'It is your turn.');
  assert.match(text(BO, { policy: 'alternate', last: BO }), /somebody else/);
  assert.equal(text(BO, { policy: 'round-robin', last: ANN, next: BO }), 'It is your turn.');
  assert.equal(text(BO, { policy: 'round-robin', last: BO, next: ANN }), 'It is the turn of Ann.');
  assert.deepEqual([may(cubeOf(BO, { policy: 'alternate', last: BO })).turn, may(cubeOf(BO, { policy: 'alternate', last: ANN })).turn], [false, true]);
});

await check('an owner on another device is the same person, unless they have another name', () => {
  const device = { id: '7', label: null, role: 'owner' };
  assert.deepEqual([ANN, device, { ...device, label: 'Ann' }, { ...device, label: 'Bo' }, BO, null].map((one) => isSelf(one, ANN)), [true, true, true, false, false, false]);
  assert.deepEqual([isSelf(device, BO), isSelf(BO, { ...BO, id: '8' }), isSelf(BO, { ...BO, id: '8' }, ['3']), isSelf(NOBODY, NOBODY)], [false, false, true, false]);
});

await check('everybody can be called something', () => {
  assert.deepEqual([ANN, { ...ANN, label: null }, { ...BO, label: null }, CY, null].map(nameOf), ['Ann', 'the owner', 'somebody without a name', 'somebody who watches', 'somebody without a name']);
});

finish();
