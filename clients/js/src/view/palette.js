// palette.js: the colours of the faces, and what is written on them.

/**
 * The colours of a cube: six of faces in the order URFDLB, as '#rrggbb'; the plastic between the stickers; the colours of
 * letters on them. `stickerless`: the pieces are coloured through, with next to no plastic in between.
 * @typedef {{name: string, colours: string[], plastic: string, inks: string[], stickerless: boolean}} Palette
 */

const PLASTIC = '#16181d';
const WHITE = '#ffffff';
const BLACK = '#000000';

/** The contrast that WCAG 2 requires of letters. */
const CONTRAST = 4.5;

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A place whose colour is not known. */
export const UNKNOWN = '#8b8f98';

/** @param {string} colour @returns {number[]} red, green and blue, 0 to 255 */
export const rgbOf = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));

/** The relative luminance of WCAG 2. @param {string} colour */
function luminance(colour) {
  const [r, g, b] = rgbOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours by WCAG 2: 1 to 21. @param {string} a @param {string} b */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

/** The colour of letters on a colour: dark if that can be read, else the better of black and white. @param {string} colour */
export function inkOn(colour) {
  const best = contrast(WHITE, colour) > contrast(BLACK, colour) ? WHITE : BLACK;
  return best === BLACK && contrast(PLASTIC, colour) >= CONTRAST ? PLASTIC : best;
}

/**
 * A palette of own colours. Throws a RangeError if they are not six colours such as '#c8102e'.
 * @param {{name?: string, colours: string[], plastic?: string, stickerless?: boolean}} parts
 * @returns {Palette}
 */
export function paletteOf({ name = 'own', colours, plastic = PLASTIC, stickerless = false }) {
  if (colours.length !== 6 || ![...colours, plastic].every((colour) => COLOUR.test(colour))) {
    throw new RangeError("A palette is six colours such as '#c8102e', in the order URFDLB.");
  }
  return { name, colours: [...colours], plastic, inks: colours.map(inkOn), stickerless };
}

/** The palettes that are always there, by name: those of the server's pictures (core/format/palette.c). @type {Record<string, Palette>} */
export const PALETTES = {
  wca: paletteOf({ name: 'wca', colours: ['#ffffff', '#c41e3a', '#009e60', '#ffd500', '#ff5800', '#0051ba'] }),
  // The six of Okabe's and Ito's colours, black left out, that the colour-blind tell apart best.
  'okabe-ito': paletteOf({ name: 'okabe-ito', colours: ['#ffffff', '#d55e00', '#56b4e9', '#f0e442', '#e69f00', '#0072b2'] }),
};
