// front.js: what the first screen offers to a visitor: a hint at the cube, three ways to begin, and other sizes.

import { LocalCube } from '../client/local.js';
import { SIZE_MAX, SIZE_MIN } from './cube/sizes.js';

const $ = (id) => document.getElementById(id);

/** The ways to begin stay until one is chosen or they are closed, and the hint until a layer turns. */
export function prepareFront(app) {
  const { settings } = app;
  const kept = new Map(); // the cubes of other sizes that were left here, by size
  const isOwn = () => !app.session && !app.room.link;

  function show() {
    const isOpen = isOwn() && app.shown === app.cube;
    $('front').hidden = !isOpen || !settings.get('front');
    $('hint').hidden = !isOpen || !settings.get('hint');
    $('smaller').hidden = !isOpen || app.cube.size === SIZE_MIN;
    $('larger').hidden = !isOpen || app.cube.size === SIZE_MAX;
  }
  for (const type of ['room', 'shown']) app.on(type, show);
  settings.on('front', show);
  settings.on('hint', show);
  app.on('turned', () => settings.set('hint', false));

  for (const button of $('front').children) {
    button.onclick = () => {
      settings.set('front', false);
      app.panel(button.dataset.panel ?? 'turn');
    };
  }

  async function step(by) {
    const { cube } = app;
    const size = cube.size + by;
    const next = kept.get(size) ?? new LocalCube({ size });
    if (!kept.has(size)) next.scramble();
    kept.set(cube.size, cube);
    settings.set('size', size);
    app.need(() => import('./open/replace.js'), ({ replaceCube }) => replaceCube(app, next, `This is a ${size}×${size}×${size}.`));
  }
  $('smaller').onclick = () => step(-1);
  $('larger').onclick = () => step(1);
}
