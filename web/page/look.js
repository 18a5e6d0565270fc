// look.js: the page and the cube look as the settings say.

import { PALETTES, paletteOf } from '../client/view/palette.js';

/** Returns the palette that the settings choose. */
export function chosenPalette(settings) {
  const stickerless = settings.get('stickerless');
  const known = PALETTES[settings.get('palette')];
  return known ? { ...known, stickerless } : paletteOf({ colours: settings.get('colours'), stickerless });
}

/** Settings that change the view, with what they make of it. */
const VIEW = {
  palette: (settings) => ({ palette: chosenPalette(settings) }),
  colours: (settings) => ({ palette: chosenPalette(settings) }),
  stickerless: (settings) => ({ palette: chosenPalette(settings) }),
  letters: (settings) => ({ letters: settings.get('letters') }),
  unfolded: (settings) => ({ unfolded: settings.get('unfolded') }),
  back: (settings) => ({ hints: settings.get('back') === 'hints', back: settings.get('back') === 'view' }),
};

export function prepareLook(app) {
  const { settings, view } = app;
  const theme = () => (document.documentElement.dataset.theme = settings.get('theme'));
  settings.on('theme', theme);
  theme();
  for (const [name, seen] of Object.entries(VIEW)) {
    settings.on(name, () => view.set(seen(settings)));
    view.set(seen(settings));
  }
  app.on('room', () => view.set(VIEW.unfolded(settings))); // a link may have asked for another
}
