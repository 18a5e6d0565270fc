// brush.js: the six colours to paint with, how many stickers of each are left, and one to take colour away.

import { FACES } from '../../client/cube.js';
import { element } from '../parts/element.js';
import { EMPTY } from './painted.js';
import { t } from '../words.js';

export class Brush {
  constructor(onChoose) {
    this.colour = 0;
    this.buttons = [0, 1, 2, 3, 4, 5, EMPTY].map((colour) => element('button', { type: 'button', class: colour === EMPTY ? 'swatch eraser' : 'swatch', onclick: () => onChoose(colour) },
      element('span', { class: 'colour' }), element('small')));
    this.root = element('div', { class: 'brush', role: 'group', 'aria-label': t('Colour to paint with') }, this.buttons);
  }

  show({ colours, inks, names, counts, size, letters }) {
    this.buttons.forEach((button, colour) => {
      const [patch, small] = button.children;
      button.setAttribute('aria-pressed', String(colour === this.colour));
      if (colour === EMPTY) {
        button.setAttribute('aria-label', t('erase'));
        small.textContent = t('erase');
        return;
      }
      const left = size * size - counts[colour];
      patch.style.backgroundColor = colours[colour];
      patch.style.color = inks[colour];
      patch.textContent = letters ? FACES[colour] : '';
      small.textContent = left >= 0 ? String(left) : `+${-left}`;
      small.classList.toggle('many', left < 0);
      const words = left >= 0 ? t('{n} left', { n: left }) : t('{n} too many', { n: -left });
      button.setAttribute('aria-label', `${names[colour]}, ${words}`);
      button.title = `${names[colour]}: ${words}`;
    });
  }
}
