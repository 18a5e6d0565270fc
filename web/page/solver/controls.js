// controls.js: how a lesson goes on without much pressing: the pace of its moves, swipes, arrow keys, and commands by voice.

import { element } from '../parts/element.js';
import { chosenPace, choosePace, movesPerSecond, NAMES } from './pace.js';
import { listenForSwipes } from './swipe.js';
import { mayListen, Voice } from './voice.js';
import { t } from '../words.js';

/** The phrases of each command, with commas between them. */
const COMMANDS = { next: t('next, okay, done~spoken'), back: t('back, previous~spoken'), pause: t('stop, pause~spoken'), play: t('play, go on, again~spoken') };

const LISTENS = t('Say “next”, “back”, “stop” or “play”. Your browser may send what it hears to its maker, to understand it. This server gets no sound.');
const REFUSED = t('Your browser does not listen: it may need your permission, a microphone, or a connection to its maker.');

export class LessonControls {
  #voice = null;

  /** `commands`: functions {next, back, pause, play}; `changed` is called when another pace was chosen. */
  constructor(commands, changed) {
    this.commands = commands;
    this.pace = element('select', { id: 'lesson-pace', onchange: () => {
      choosePace(this.pace.value);
      changed();
    } }, Object.entries(NAMES).map(([value, words]) => element('option', { value, selected: value === chosenPace() }, words)));
    this.root = element('div', { class: 'column wide' },
      element('div', { class: 'row' }, element('label', { for: 'lesson-pace' }, t('Pace of the moves')), this.pace), mayListen() ? this.#listening() : null);
  }

  /** The switch, with a sentence about what it means. */
  #listening() {
    this.note = element('p', { id: 'lesson-voice-note', class: 'faint', role: 'status' }, LISTENS);
    this.box = element('input', { id: 'lesson-voice', type: 'checkbox', 'aria-describedby': this.note.id, onchange: () => this.#switch() });
    this.#voice = new Voice(COMMANDS, (name) => this.commands[name](), () => {
      this.box.checked = false;
      this.note.textContent = REFUSED;
    });
    return [element('label', {}, this.box, t('Listen for “next”')), this.note];
  }

  #switch() {
    this.note.textContent = LISTENS;
    if (this.box.checked) this.#voice.start();
    else this.#voice.stop();
  }

  /** Lets swipes and arrow keys within a part of the page go on and back. */
  listen(root) {
    const { next, back } = this.commands;
    listenForSwipes(root, (way) => (way > 0 ? next() : back()));
    root.addEventListener('keydown', (event) => {
      const run = { ArrowRight: next, ArrowLeft: back }[event.key];
      if (!run || event.altKey || event.ctrlKey || event.metaKey || event.target === this.pace) return;
      event.preventDefault();
      run();
    });
  }

  /** Returns the moves a second for a step, at the chosen pace or another one; 0: each waits for a press. */
  paceOf({ known }, name = this.pace.value) {
    return movesPerSecond(name, known);
  }

  /** The lesson is not in front any more. */
  end() {
    if (!this.box?.checked) return;
    this.box.checked = false;
    this.#voice.stop();
  }
}
