// settings.js: the dialog of the settings: colours, views, keys.

import { base } from '../base.js';
import { forgetPage, keepPage, stateOfKeeping } from '../offline/keep.js';
import { element } from '../parts/element.js';
import { openDialog } from './dialog.js';
import { t } from '../words.js';

/** Choices, each as [value, words]. */
const CHOICES = [
  ['language', t('Language'), [['', t('as the browser')], ['de', 'Deutsch'], ['en', 'English'], ['es', 'Español'], ['fr', 'Français'], ['zh', '简体中文']]],
  ['theme', t('Theme'), [['system', t('as the system')], ['light', t('light')], ['dark', t('dark')], ['quiet', t('quiet')]]],
  ['palette', t('Colours'), [['wca', t('standard')], ['okabe-ito', t('colour-blind')], ['own', t('my own')]]],
  ['back', t('The back'), [['none', t('not shown')], ['hints', t('hint stickers')], ['view', t('a second view')]]],
  ['keys', t('Single keys'), [['letters', t('letters of moves')], ['speed', t('speed (csTimer)')], ['off', t('do nothing')]]],
];

/** The sides in the order of the palette. */
const SIDES = [t('top'), t('right'), t('front'), t('bottom'), t('left'), t('back')];

const SWITCHES = [
  ['unfolded', t('Unfolded cube')],
  ['letters', t('Letters on the stickers')],
  ['stickerless', t('Stickerless')],
  ['announceTurns', t('Say turns to screen readers')],
];

/** Sentences about the page that is kept in this browser, by the states of offline/keep.js. */
const KEEPING = {
  kept: t('The page is kept in this browser.'),
  on: t('Once you use the page, this browser keeps it.'),
  off: t('Nothing of the page is kept.'),
  saving: t('This browser saves data, so it does not keep the page.'),
  unable: t('This browser keeps no pages. It may be a private window.'),
  insecure: t('Browsers keep a page only if it came over HTTPS or from localhost, and this one came over plain HTTP.'),
};
/** The states in which there is something to choose. */
const CHOSEN = ['kept', 'on', 'off'];

/** Another language is seen when the page is loaded again. */
function change(settings, name, value) {
  settings.set(name, value);
  if (name === 'language') location.reload();
}

function choice(settings, [name, label, options]) {
  const select = element('select', { id: `set-${name}`, onchange: () => change(settings, name, select.value) },
    options.map(([value, words]) => element('option', { value, selected: settings.get(name) === value }, words)));
  return element('label', { class: 'choice' }, element('span', {}, label), select);
}

function switchOf(settings, [name, label]) {
  const box = element('input', { id: `set-${name}`, type: 'checkbox', checked: settings.get(name), onchange: () => settings.set(name, box.checked) });
  return element('label', {}, box, label);
}

/** Six colours to choose, shown for the own palette. */
function ownColours(settings) {
  const row = element('div', { class: 'own-colours', role: 'group', 'aria-label': t('My colours') }, settings.get('colours').map((colour, i) => {
    const input = element('input', { type: 'color', value: colour, 'aria-label': SIDES[i], title: SIDES[i] });
    input.addEventListener('input', () => settings.set('colours', settings.get('colours').map((one, k) => (k === i ? input.value : one))));
    return input;
  }));
  const show = () => (row.hidden = settings.get('palette') !== 'own');
  show();
  return { row, off: settings.on('palette', show) };
}

/** The switch of the page that opens without a network, with a sentence that says how it stands. */
function keeping(settings) {
  const text = element('p', { id: 'keeping', class: 'faint', role: 'status' });
  const box = element('input', { id: 'set-keep', type: 'checkbox', 'aria-describedby': text.id, disabled: true, onchange: () => change() });
  const show = async () => {
    const state = await stateOfKeeping(settings);
    box.disabled = !CHOSEN.includes(state);
    box.checked = settings.get('keep') && !box.disabled;
    text.replaceChildren(KEEPING[state], ...(state === 'insecure' ? [' ', element('a', { href: `${base}/docs/guide/run-it-for-others#make-it-reachable` }, t('How to serve it over HTTPS'))] : []));
  };
  const change = async () => {
    settings.set('keep', box.checked);
    await (box.checked ? keepPage(settings) : forgetPage()).catch(() => {}); // the sentence says what is the case
    await show();
  };
  show();
  return [element('label', {}, box, t('Open without a network')), text];
}

/** Shows that without WebGL the cube is unfolded, its back as well, whatever was chosen. */
function showUnfolded(dialog) {
  Object.assign(dialog.querySelector('#set-unfolded'), { checked: true, disabled: true });
  dialog.querySelector('#set-back').disabled = true;
}

export function openSettings({ settings, view }) {
  const own = ownColours(settings);
  /** A button of what is seen on the page behind the dialog. */
  const shows = (text, run) => element('button', { type: 'button', onclick: () => {
    dialog.close();
    run();
  } }, text);
  const full = shows(t('Full screen'), () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  const dialog = openDialog(t('Settings'),
    element('div', { id: 'choices' }, CHOICES.map((one) => [choice(settings, one), one[0] === 'palette' && own.row]), SWITCHES.map((one) => switchOf(settings, one)), keeping(settings)),
    element('div', { class: 'row' }, document.fullscreenEnabled && full,
      shows(t('Look from the front'), () => view.resetLook()), element('a', { href: `${base}/docs` }, t('API and guides'))));
  dialog.id = 'settings';
  if (!view.hasSpace) showUnfolded(dialog);
  dialog.addEventListener('close', own.off);
}
