// dialog.js: a dialog with a title and a button that closes it; removed when it is closed.

import { element } from '../element.js';

/** Opens a dialog; one that is open already is closed. */
export function openDialog(title, ...content) {
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title', onclose: () => dialog.remove() },
    element('h2', { id: 'dialog-title' }, title), ...content,
    element('form', { method: 'dialog' }, element('button', { class: 'main' }, 'Done')));
  // A click beside it closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.querySelector('dialog')?.close();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
