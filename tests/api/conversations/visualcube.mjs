// GET /v1/visualcube: VisualCube's parameters mean what its documentation says, or are refused.

import assert from 'node:assert/strict';
import { Cube } from '../model.mjs';

const COLORS = { U: 'fefe00', R: 'ee0000', F: '0000f2', D: 'ffffff', L: 'ffa100', B: '00d800' };
const GREY = '808080';

async function draw(client, query) {
  const answer = await client.get(`/v1/visualcube?fmt=svg&${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.type, 'image/svg+xml');
  return answer.text;
}

/** Counts the stickers of each colour that are drawn; arrows are paths too. */
function stickers(svg) {
  const counts = {};
  for (const [, color, path] of svg.matchAll(/<path fill="#([0-9a-f]{6})"[^>]* d="([^"]*)"/g)) {
    counts[color] = (counts[color] ?? 0) + path.split('M').length - 1;
  }
  return counts;
}

function lettersOf(letters) {
  const counts = {};
  for (const letter of letters) counts[COLORS[letter]] = (counts[COLORS[letter]] ?? 0) + 1;
  return counts;
}

/** Returns the facelets that the view `plan` shows: U, and the rows beside it. */
const planOf = (facelets) => facelets.slice(0, 9) + [1, 2, 4, 5].map((face) => facelets.slice(9 * face, 9 * face + 3)).join('');

const encode = encodeURIComponent;

export default [
  ['moves without spaces are applied, or their inverse for a case', async ({ client }) => {
    const { facelets } = new Cube(3).apply("R U R' U R U2 R'");
    assert.deepEqual(stickers(await draw(client, `alg=${encode("RUR'URU2R'")}`)), lettersOf(facelets.slice(0, 27)));
    const inverse = new Cube(3).apply("R U2 R' U' R U' R'");
    assert.deepEqual(stickers(await draw(client, `view=plan&case=${encode("RUR'URU2R'")}`)), lettersOf(planOf(inverse.facelets)));
    const slices = new Cube(3).apply("M2 E S' Rw2 Uw' x y2");
    assert.deepEqual(stickers(await draw(client, `alg=${encode("M2ES'r2u'xy2")}`)), lettersOf(slices.facelets.slice(0, 27)));
    assert.equal(await draw(client, 'alg=R+U'), await draw(client, 'alg=RU'));
  }],

  ['PNG is the default, of 128 pixels, and both are square', async ({ client }) => {
    for (const [query, pixels] of [['', 128], ['?size=40&fmt=png', 40], ['?view=plan&size=1024', 1024]]) {
      const { type, bytes } = await client.get(`/v1/visualcube${query}`);
      assert.equal(type, 'image/png');
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [pixels, pixels]);
    }
    assert.match(await draw(client, 'size=77'), /width="77" height="77"/);
  }],

  ['a stage masks the solved cube, before the moves', async ({ client }) => {
    // The mask is of stickers: of a solved cube after the moves only they have colours.
    const counts = stickers(await draw(client, `view=plan&stage=oll&case=${encode("RUR'URU2R'")}`));
    assert.equal(counts[COLORS.U], 9);
    assert.equal(counts[GREY], 12);
    assert.deepEqual(stickers(await draw(client, 'view=plan&stage=cross-x2')), { [COLORS.U]: undefined, ...stickers(await draw(client, 'view=plan&stage=crossx2')) });
    assert.equal(stickers(await draw(client, 'view=plan&stage=cross'))[GREY], 21);
    assert.equal(stickers(await draw(client, 'stage=f2l&view=trans'))[GREY], undefined);
    assert.equal(stickers(await draw(client, 'pzl=2&stage=ll&view=plan'))[GREY], undefined);
  }],

  ['facelets and colours', async ({ client }) => {
    const fd = 'nnnnunnnnrrrrrrrrrfffffffffdddddddddlllllllllbbbbbbbbb';
    assert.equal(stickers(await draw(client, `view=plan&fd=${fd}`))[GREY], 8);
    assert.equal(stickers(await draw(client, `view=plan&fd=${fd.replaceAll('n', 'o')}`)).bfbfbf, 8);
    assert.equal(stickers(await draw(client, `view=plan&fd=${fd.replaceAll('n', 't')}`))[COLORS.U], 1);
    assert.equal(stickers(await draw(client, `view=trans&fd=${fd}`))[GREY], undefined);
    const fc = 'p'.repeat(9) + 'm'.repeat(45);
    assert.deepEqual(stickers(await draw(client, `fc=${fc}&fd=${fd}`)), { f33d7b: 9, a83dd9: 18 });
    // They follow the moves.
    assert.equal(stickers(await draw(client, `fc=${fc}&alg=R`)).f33d7b, 6);
    assert.equal(stickers(await draw(client, `pzl=2&fd=${'u'.repeat(24)}`))[COLORS.U], 12);
  }],

  ['scheme, background, plastic and opacity', async ({ client }) => {
    assert.deepEqual(stickers(await draw(client, 'sch=wrgyob')), { ffffff: 9, ee0000: 9, '00d800': 9 });
    assert.deepEqual(stickers(await draw(client, 'sch=123456,red,fff,black,0f0,blue')), { 123456: 9, ee0000: 9, ffffff: 9 });
    assert.match(await draw(client, ''), /<rect width="100%" height="100%" fill="#ffffff"\/>/);
    assert.match(await draw(client, 'bg=silver'), /<rect width="100%" height="100%" fill="#bfbfbf"\/>/);
    assert.doesNotMatch(await draw(client, 'bg=t'), /<rect/);
    assert.match(await draw(client, 'cc=123'), /z" fill="#112233"/);
    assert.equal(Object.values(stickers(await draw(client, 'co=50'))).reduce((a, b) => a + b), 54);
    assert.match(await draw(client, 'fo=25'), /opacity="\.25"/);
    assert.notEqual(await draw(client, 'dist=1'), await draw(client, 'dist=100'));
    assert.equal(await draw(client, 'dist=5&r=y45x-34'), await draw(client, ''));
    assert.match(await draw(client, 'view=plan&arw=U0U2,U6U2U8-s8-i5-y&ac=p'), /fill="#f33d7b" d="[^]*fill="#fefe00" d="M[^"]*L[^"]*"\/>\n<\/g>/);
  }],

  ['what is not supported is refused, with its parameter', async ({ client }) => {
    const wrong = { fmt: ['gif', 'jpg', 'tiff', 'ico'], pzl: ['0', '1', '11', 'x'], size: ['0', '15', '1025'], view: ['net', 'iso'], r: ['45', 'y', 'y45w3'],
      stage: ['zbll', 'cross-u', 'f2', 'x2'], fd: ['u', 'u'.repeat(53), 'u'.repeat(55), 'x'.repeat(54)], fc: ['y', 'e'.repeat(54), 'ndwyrob'.repeat(7) + 'nnnnn'],
      sch: ['yrb', 'yrbwoq', 'red,blue', 'yrbwogg'], bg: ['beige', '12345'], cc: ['q'], co: ['101', '-1'], fo: ['101'], dist: ['0', '101'],
      arw: ['U0', 'D0D1', 'U0U2-mauve'], ac: ['t', 'q'], alpha: ['1'] };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const problem = await client.expect(400, 'GET', `/v1/visualcube?${name}=${encode(value)}`);
        assert.equal(problem.parameter, name, `${name}=${value}`);
      }
    }
    assert.equal((await client.expect(400, 'GET', '/v1/visualcube?alg=R&case=R')).parameter, 'case');
    assert.equal((await client.expect(400, 'GET', '/v1/visualcube?view=plan&r=y20')).parameter, 'r');
    assert.equal((await client.expect(400, 'GET', '/v1/visualcube?fmt=gif')).suggestion, 'png');
    assert.equal((await client.expect(422, 'GET', '/v1/visualcube?alg=Q')).parameter, 'alg');
    assert.equal((await client.expect(422, 'GET', '/v1/visualcube?case=RQ')).parameter, 'case');
  }],

  ['an empty parameter is as none', async ({ client }) => {
    const names = ['view', 'stage', 'r', 'alg', 'case', 'fd', 'fc', 'sch', 'bg', 'cc', 'arw', 'ac'];
    assert.equal(await draw(client, names.map((name) => `${name}=`).join('&')), await draw(client, ''));
  }],
];
