// look.js: the page and the cube look as the settings say.

import { paletteOf } from '../client/view/palette.js';

/** Settings of the view that have the name of its option. */
const OPTIONS = ['letters', 'unfolded', 'back'];

export function prepareLook({ settings, view }) {
  const theme = () => (document.documentElement.dataset.theme = settings.get('theme'));
  const palette = () => view.set({ palette: paletteOf(settings.get('palette'), { colours: settings.get('colours'), stickerless: settings.get('stickerless') }) });
  settings.on('theme', theme);
  for (const name of ['palette', 'colours', 'stickerless']) settings.on(name, palette);
  for (const name of OPTIONS) settings.on(name, (value) => view.set({ [name]: value }));
  theme();
  palette();
  view.set(Object.fromEntries(OPTIONS.map((name) => [name, settings.get(name)])));
}
