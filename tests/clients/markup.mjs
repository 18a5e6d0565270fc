// The types of <cubed-cube>: in the DOM, in React 18 and 19, in templates of Vue, and without any of these; what the
// cookbook writes for them is compiled. Usage: node markup.mjs [path of the binary]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';
import { temporaryDirectory } from '../api/server.mjs';
import { PATIENCE_MS } from '../support/patience.mjs';
import { PROGRAMS, ROOT, unpack } from './support/packed.mjs';

const INSTALLED = fileURLToPath(new URL('node_modules/', import.meta.url));
const COOKBOOK = readFileSync(join(ROOT, 'docs/guide/cookbook.md'), 'utf8');
/** The examples in a language. */
const blocks = (language) => [...COOKBOOK.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text);

const folder = temporaryDirectory();
unpack(folder);
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
mkdirSync(join(folder, 'node_modules/@types'));

/** Compiles files strictly and answers what the compiler prints; `installed`: packages that are there meanwhile. */
function compile(files, { program = 'tsc', installed = {} } = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const places = Object.keys(installed).map((name) => join(folder, 'node_modules', name));
  Object.values(installed).forEach((from, i) => symlinkSync(join(INSTALLED, from), places[i]));
  const compilerOptions = {
    strict: true, noEmit: true, skipLibCheck: false, jsx: 'react-jsx', target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, vueCompilerOptions: { strictTemplates: true }, files: Object.keys(files) }));
  const { stdout, stderr } = spawnSync(join(PROGRAMS, program), ['-p', '.'], { cwd: folder, encoding: 'utf8', timeout: PATIENCE_MS });
  for (const place of places) rmSync(place);
  return stdout + stderr;
}

const REACT = { 18: { '@types/react': 'react18' }, 19: { '@types/react': 'react19' } };
const VUE = { program: 'vue-tsc', installed: { vue: 'vue' } };

/** Compiles all at once: only the files that begin with "wrong" have an error, one each. */
function expectFaults(files, options) {
  const faults = compile(files, options).match(/^\S.*$/gm)?.map((line) => line.split('(')[0]) ?? [];
  assert.deepEqual(faults.sort(), Object.keys(files).filter((name) => name.startsWith('wrong')).sort());
}

const DOM = `
import 'cubed-client/element.js';
const cube = document.createElement('cubed-cube');
cube.size = 4;
cube.letters = true;
const [size, letters]: [string | null, boolean] = [cube.size, cube.letters];
cube.addEventListener('turn', ({ detail }) => { const move: string = detail.move; const from: number = detail.turn.from; });
cube.addEventListener('error', ({ detail }) => { const text: string = detail.problem.message; });
cube.addEventListener('click', ({ clientX }) => clientX);
cube.addEventListener('other', (event: Event) => event);
document.querySelector('cubed-cube')?.play();
cube.token = null;
export {};
`;

await check('in the DOM, without React and Vue', () => expectFaults({
  'dom.ts': DOM,
  'wrong-event.ts': `${DOM}cube.addEventListener('turn', ({ detail }) => detail.moves);`,
  'wrong-property.ts': `${DOM}cube.hints = 'no';`,
}));

for (const [version, installed] of Object.entries(REACT)) {
  await check(`in React ${version}`, () => {
    const [withEffect, withProperty] = blocks('tsx');
    const one = (attributes) => `import 'cubed-client/element.js';\nexport const one = <cubed-cube ${attributes} />;`;
    expectFaults({
      'effect.tsx': withEffect,
      'property.tsx': withProperty,
      'more.tsx': one('size={4} letters control="look" class="large" style={{ width: 300 }} onClick={() => 1}'),
      'wrong-name.tsx': one('sice={4}'),
      'wrong-word.tsx': one('control="lok"'),
      'wrong-switch.tsx': one('letters="no"'),
      'wrong-event.tsx': one('onturn={({ detail }) => detail.moves}'),
    }, { installed });
  });
}

await check('in templates of Vue', () => {
  const [component] = blocks('vue');
  const other = (right, wrong) => component.replace(right, wrong);
  expectFaults({
    'Cube.vue': component,
    'wrong-event.vue': other('detail.move)', 'detail.moves)'),
    'wrong-value.vue': other(':alg="alg"', ':alg="alg" :speed="{}"'),
    'wrong-name.vue': other(':alg="alg"', ':alg="alg" sice="4"'),
  }, VUE);
});

finish();
