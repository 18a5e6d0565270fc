// welcome.js: what the first screen offers to a newcomer: a hint at the cube, three ways to begin, and other sizes.

import { LocalCube } from '../client/local.js';
import { SIZE_MAX, SIZE_MIN, sizeText } from './cube/sizes.js';
import { t } from './words.js';

const $ = (id) => document.getElementById(id);

/** Shows the ways to begin until one is chosen or they are closed, and the hint until a layer turns. */
export function prepareWelcome(app) {
  const { settings } = app;
  const left = new Map(); // the cubes that were left for another size, by their size

  function show() {
    const isOwn = !app.session && !app.room.link && app.shown === app.cube;
    $('welcome').hidden = !isOwn || !settings.get('welcome');
    $('hint').hidden = !isOwn || !settings.get('hint');
    $('smaller').hidden = !isOwn || app.cube.size === SIZE_MIN;
    $('larger').hidden = !isOwn || app.cube.size === SIZE_MAX;
  }
  for (const type of ['room', 'shown']) app.on(type, show);
  settings.on('welcome', show);
  settings.on('hint', show);
  app.on('turned', () => settings.set('hint', false));

  for (const button of $('welcome').children) {
    const { panel = 'turn' } = button.dataset;
    if (button.dataset.panel) button.prepend($(`tab-${panel}`).querySelector('svg').cloneNode(true));
    button.onclick = () => {
      settings.set('welcome', false);
      app.panel(panel);
    };
  }

  function step(by) {
    const { cube } = app;
    const size = cube.size + by;
    const next = left.get(size) ?? new LocalCube({ size });
    if (!left.has(size)) next.scramble();
    left.set(cube.size, cube);
    settings.set('size', size);
    app.need(() => import('./open/replace.js'), ({ replaceCube }) => replaceCube(app, next, t('This is a {size}.', { size: sizeText(size) })));
  }
  $('smaller').onclick = () => step(-1);
  $('larger').onclick = () => step(1);
}
