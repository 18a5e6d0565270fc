// dialog.js: a dialog with a title and a button that closes it; removed when it is closed.

import { element } from '../parts/element.js';
import { t } from '../words.js';

/** Returns true if the pointer is beside a dialog. */
function isBeside(dialog, { target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (x < left || x > right || y < top || y > bottom);
}

/** A click beside a dialog closes it, if it began there, too: text that is selected in it may end there. */
function closeByClick(dialog) {
  let began = false;
  dialog.addEventListener('pointerdown', (event) => (began = isBeside(dialog, event)));
  dialog.addEventListener('click', (event) => began && isBeside(dialog, event) && dialog.close());
}

/** Opens a dialog; one that is open already is closed. */
export function openDialog(title, ...content) {
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title', onclose: () => dialog.remove() },
    element('h2', { id: 'dialog-title' }, title), ...content,
    element('form', { method: 'dialog' }, element('button', { class: 'main' }, t('Done'))));
  closeByClick(dialog);
  document.querySelector('dialog')?.close();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
