// Random states without moves: /v1/states, in each of its forms.

import assert from 'node:assert/strict';

const NDJSON = { accept: 'application/x-ndjson' }, TEXT = { accept: 'text/plain' }, NPY = { accept: 'application/x-npy' }, OCTETS = { accept: 'application/octet-stream' };

const get = async (client, query, headers) => {
  const answer = await client.get(`/v1/states?${query}`, headers);
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

const linesOf = ({ text }) => text.split('\n').slice(0, -1);

export default [
  ['states of every size are possible cubes, with the middle centres or DBL at home', async ({ client }) => {
    for (const size of [2, 3, 4, 5, 6, 7, 24, 99]) {
      const { json } = await get(client, `size=${size}&count=3`);
      assert.deepEqual([json.size, json.seed, json.states.length], [size, null, 3]);
      const shown = json.states.map(({ cube }) => cube.facelets);
      assert.equal(new Set(shown).size, 3, shown.join(' '));
      for (const { cube } of json.states) {
        assert.equal(cube.identity, 'assumed');
        const { possible, rotation } = await client.expect(200, 'POST', '/v1/validate', { cube });
        assert.deepEqual([possible, rotation], [true, '']);
      }
    }
  }],

  ['a seed gives the same states in each form, and another seed others', async ({ client }) => {
    for (const size of [2, 3, 6]) {
      const query = `size=${size}&count=5&seed=part%201`;
      const { json } = await get(client, query);
      assert.equal(json.seed, 'part 1');
      const shown = json.states.map(({ cube }) => cube.facelets);
      assert.deepEqual(linesOf(await get(client, query, TEXT)), shown);
      assert.deepEqual(linesOf(await get(client, query, NDJSON)).map((line) => JSON.parse(line)), json.states);
      const more = await get(client, query.replace('count=5', 'count=9'), TEXT);
      assert.deepEqual(linesOf(more).slice(0, 5), shown, 'the number asked for changes nothing');
      assert.notDeepEqual(linesOf(await get(client, query.replace('201', '202'), TEXT)), shown);
    }
    const [one, other] = [await get(client, 'count=2', TEXT), await get(client, 'count=2', TEXT)];
    assert.notEqual(one.text, other.text, 'without a seed');
  }],

  ['one state is asked for if nothing says how many, of the usual size', async ({ client }) => {
    const { json } = await get(client, '');
    assert.deepEqual([json.size, json.states.length], [3, 1]);
  }],

  ['other formats stand beside the facelets', async ({ client }) => {
    const { json } = await get(client, 'count=2&seed=a&as=index,features,cubies,ranks&order=reid&pieces=URF,UF');
    for (const { cube } of json.states) {
      const { cube: converted } = await client.expect(200, 'POST', '/v1/convert?as=index,features,cubies,ranks&order=reid&pieces=URF,UF', { cube: { facelets: cube.facelets } });
      assert.deepEqual(cube, converted);
    }
  }],

  ['rows of features are those of POST /v1/features', async ({ client }) => {
    const lines = (await get(client, 'count=40&seed=rows', NDJSON)).text;
    for (const [accept, dtype] of [[NPY, 'uint8'], [NPY, 'float32'], [OCTETS, 'uint8'], [OCTETS, 'float32']]) {
      const direct = await get(client, `count=40&seed=rows&dtype=${dtype}`, accept);
      const sent = await client.send('POST', `/v1/features?dtype=${dtype}`, { body: lines, headers: { 'content-type': 'application/x-ndjson', ...accept } });
      assert.equal(sent.status, 200, sent.text);
      assert.equal(Buffer.compare(direct.bytes, sent.bytes), 0, `${accept.accept} ${dtype}`);
    }
  }],

  ['lines go on to /v1/convert as they are', async ({ client }) => {
    const lines = (await get(client, 'size=5&count=20', NDJSON)).text;
    const converted = await client.send('POST', '/v1/convert', { body: lines, headers: { 'content-type': 'application/x-ndjson' } });
    assert.deepEqual(linesOf(converted).map((line) => JSON.parse(line).cube.facelets), linesOf({ text: lines }).map((line) => JSON.parse(line).cube.facelets));
  }],

  ['many states are sent while they are made, all of them', async ({ client }) => {
    const shown = linesOf(await get(client, 'count=30000', TEXT));
    assert.equal(shown.length, 30000);
    assert.equal(new Set(shown).size, 30000);
    assert.equal((await get(client, 'count=3000')).json.states.length, 3000);
    assert.equal(linesOf(await get(client, 'count=40&size=100', TEXT)).at(-1).length, 60000);
  }],

  ['what cannot be is refused with the parameter', async ({ client }) => {
    const { limits } = await client.expect(200, 'GET', '/v1/limits');
    assert.equal(limits.states.value, 1000000);
    for (const [query, parameter, headers] of [
      ['count=0', 'count'], ['count=1000001', 'count'], ['count=x', 'count'], ['size=1', 'size'], ['size=101', 'size'], ['seed=', 'seed'],
      [`seed=${'x'.repeat(65)}`, 'seed'], ['as=none', 'as'], ['as=indx', 'as'], ['as=index&size=4', 'as'], ['pieces=UF', 'pieces'],
      ['dtype=int8', 'dtype'], ['size=4', 'size', NPY], ['size=2', 'size', OCTETS], ['event=333', 'event'],
    ]) {
      const { status, json } = await client.get(`/v1/states?${query}`, headers);
      assert.deepEqual([status, json.parameter], [400, parameter], query);
    }
    assert.equal((await client.get('/v1/states', { accept: 'image/png' })).status, 406);
    assert.equal((await client.send('POST', '/v1/states', {})).status, 405);
  }],
];
