// paste.js: a cube as text, in any form that is read.

import { fromFacelets } from '../../client/cube.js';
import { element } from '../parts/element.js';
import { convert } from '../offline/answers.js';
import { readText } from './text.js';
import { errorText, t } from '../words.js';

/**
 * The form; `read(text)` reads a text that came otherwise.
 * @param {(cube: {size: number, stickers: Uint8Array}) => void} onCube
 * @param {() => number} size of the cube that moves are for
 */
export function pasteForm(onCube, size) {
  const field = element('textarea', { id: 'paste', rows: '4', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', 'aria-describedby': 'paste-help paste-fault' });
  const fault = element('p', { id: 'paste-fault', class: 'fault', role: 'alert' });
  const read = async (text) => {
    fault.textContent = '';
    const found = readText(text, size());
    if (!found) return;
    if (found.stickers) return onCube({ size: found.size, stickers: found.stickers });
    try {
      if (found.fault) throw new Error(found.fault);
      const { cube } = await convert({ cube: found.input });
      onCube({ size: cube.size, stickers: fromFacelets(cube.facelets) });
    } catch (error) {
      details.open = true;
      field.value = text;
      fault.textContent = errorText(error);
    }
  };
  const form = element('form', { class: 'column', onsubmit: (event) => {
    event.preventDefault();
    read(field.value);
  } },
  element('label', { for: 'paste' }, t('A cube as text')), field,
  element('p', { id: 'paste-help', class: 'faint' }, t('Facelets such as UUUUUUUUURRR…, an unfolding, names of colours, moves from a solved cube, or JSON of another program; “?” for an empty sticker.')),
  element('button', {}, t('Read it')), fault);
  const details = element('details', { class: 'paste' }, element('summary', {}, t('Paste a cube')), form);
  return { root: details, read };
}
