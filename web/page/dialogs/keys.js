// keys.js: the dialog that shows the keys, for the layout that is chosen.

import { moveOf } from '../cube/moves.js';
import { element } from '../parts/element.js';
import { LETTER_KEYS, SPEED_ROWS, speedTurn } from '../keys.js';
import { openDialog } from './dialog.js';
import { t } from '../words.js';

/** Returns the label of the key with this code on an English keyboard. */
const capOf = (code) => ({ Semicolon: ';', Comma: ',', Period: '.', Slash: '/' })[code] ?? code.replace(/^(Key|Digit)/, '');

const WIDTHS = { Digit3: t('left −'), Digit4: t('left +'), Digit7: t('right +'), Digit8: t('right −') };

function speedTable(n) {
  const wordsOf = (code) => {
    const turn = speedTurn(code, { n, left: 1, right: 1 });
    return WIDTHS[code] ?? (turn ? moveOf(turn, n) : '');
  };
  return element('div', { id: 'speed-keys', role: 'list' }, SPEED_ROWS.map((row) => element('div', { role: 'presentation' },
    row.map((code) => element('span', { role: 'listitem' }, element('kbd', {}, capOf(code)), ' ', wordsOf(code))))));
}

const list = (rows) => element('dl', { class: 'key-list' }, rows.map(([keys, words]) => [element('dt', {}, keys.split(' ').map((key) => element('kbd', {}, key))), element('dd', {}, words)]));

const speed = (n) => element('div', { class: 'column' }, speedTable(n),
  element('p', { class: 'faint' }, t('The keys 3, 4 and 8, 7 make the left and the right hand take fewer or more layers. Keys are known by their place, on every keyboard.')));

export function openKeys({ settings, cube }) {
  const shown = element('div');
  const off = () => element('p', {}, t('Single keys do nothing. This browser remembers it; turn them on here or in the settings.'));
  const about = element('p', { class: 'faint' }, t('Single keys turn the cube while it, the buttons of its turns, a tab beside it, or nothing has the focus. If you speak to your computer, or use a screen reader, Off may suit you better.'));
  const show = () => shown.replaceChildren({ off, letters: () => list(LETTER_KEYS), speed: () => speed(cube.size) }[settings.get('keys')]());
  const layouts = element('div', { class: 'row', role: 'group', 'aria-label': t('Single keys') }, [['letters', t('Letters')], ['speed', t('Speed~keys')], ['off', t('Off')]].map(([value, words]) => {
    const button = element('button', { type: 'button', 'aria-pressed': String(settings.get('keys') === value) }, words);
    button.onclick = () => settings.set('keys', value);
    return button;
  }));
  const end = settings.on('keys', (value) => {
    [...layouts.children].forEach((button, i) => button.setAttribute('aria-pressed', String(['letters', 'speed', 'off'][i] === value)));
    show();
  });
  show();
  const dialog = openDialog(t('Keys'), layouts, about, shown, list([['Ctrl+Z', t('undo; with Shift: redo')], ['← → ↑ ↓', t('on the cube: look around it')], ["[ ] '", t('with friends here: clap, heart, wow')], ['?', t('these keys, unless single keys are off')]]));
  dialog.id = 'keys';
  dialog.addEventListener('close', end);
}
