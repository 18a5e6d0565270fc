// palettes.js: the palette that the cube is shown in.

import { PALETTES } from '../client/view/palette.js';

/** @returns {{name: string, colours: string[], plastic: string, inks: string[]}} */
export function paletteOf(app) {
  return app.settings.palette ?? PALETTES.wca;
}
