// file_box.js: files of other timers, in and out: by buttons, and by dropping a file on the page.

import { element } from '../parts/element.js';
import { fileName, namesEvents, textOf } from './files.js';
import { averageRows } from './scores.js';
import { errorText, t } from '../words.js';

/** Larger files are refused before they are read. */
const BYTES_MAX = 64 * 1024 * 1024;

function download(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Describes what went wrong with a file. */
export function faultOf(error, name) {
  const line = error.details?.line ? ` (${t('line {n}', { n: error.details.line })})` : '';
  return `${name}: ${errorText(error)}${line}`;
}

export class FileBox {
  /**
   * `scores`: what is exported; `words()`: for the names of files; `importText(text, {event})` records a file;
   * `mayImport()`.
   */
  constructor({ app, root, scores, words, eventFor, importText, mayImport }) {
    Object.assign(this, { app, root, scores, words, eventFor, importText, mayImport });
    this.status = element('p', { class: 'faint', role: 'status' });
    this.input = element('input', { type: 'file', class: 'unseen', tabindex: '-1', 'aria-label': t('File of another timer'), onchange: () => this.#importFile(this.input.files[0]) });
    this.open = element('button', { type: 'button', onclick: () => this.input.click() }, t('Import a file…'));
    const save = (form, text) => element('button', { type: 'button', 'data-form': form, onclick: () => this.#export(form) }, text);
    this.saves = [save('cstimer', 'csTimer'), save('csv', t('Table (CSV)')), save('text', t('Text'))];
    this.box = element('details', { class: 'files' }, element('summary', {}, t('Import and export')),
      element('p', { class: 'faint' }, t('Files of csTimer, Twisty Timer and Cubic Timer, tables and lists of times: choose one, or drop it on the page.')),
      element('div', { class: 'row' }, this.open, this.input),
      element('div', { class: 'row' }, element('span', { class: 'faint' }, t('Save as')), this.saves), this.status);
    app.on('solves-file', (file) => {
      if (mayImport()) this.#importFile(file);
      else app.notify(t('{file}: the solves of this cube are recorded here. To import, choose “Cube in my hand”, and drop the file again.', { file: file.name }));
    });
  }

  show() {
    this.open.hidden = !this.mayImport();
    this.#report('');
    for (const button of this.saves) button.disabled = !this.scores.source?.query;
  }

  async #importFile(file) {
    this.input.value = '';
    if (!file) return;
    this.box.open = true;
    this.#report(t('Reading {file}…', { file: file.name }));
    try {
      if (file.size > BYTES_MAX) throw new Error(t('the file is too large.'));
      const text = await file.text();
      const { imported, known } = await this.importText(text, namesEvents(text) ? {} : this.eventFor());
      const were = known > 0 && t('{n} was there already|{n} were there already', { n: known });
      this.#report(`${[t('{file}: {n} solve imported|{file}: {n} solves imported', { file: file.name, n: imported }), were].filter(Boolean).join(', ')}.`);
    } catch (error) {
      this.#report(faultOf(error, file.name), true);
    }
  }

  async #export(form) {
    const { scores } = this;
    try {
      const words = this.words();
      if (form === 'text') {
        const averages = scores.stats ? averageRows(scores.stats).map(([name, , best]) => [`best ${name}`, best?.result ?? '–']) : [];
        download(textOf(await scores.all(), averages, words.join(' ')), fileName(words, 'txt'), 'text/plain');
      } else {
        const { limit, ...query } = scores.source.query;
        const text = await scores.solves.export(form, query);
        download(text, fileName(words, form === 'csv' ? 'csv' : 'txt'), form === 'csv' ? 'text/csv' : 'application/json');
      }
    } catch (error) {
      this.#report(errorText(error), true);
    }
  }

  #report(text, fault = false) {
    this.status.textContent = text;
    this.status.classList.toggle('fault', fault);
  }
}
