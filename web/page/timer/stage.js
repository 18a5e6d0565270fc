// stage.js: the stage as the timer: while a cube in the hand is timed, the clock stands where else the cube is drawn. The
// cube goes on behind it.

import { element } from '../parts/element.js';
import { t } from '../words.js';

export class TimerStage {
  #wanted = false;
  #lent = false;

  /** `parts`: what stands there. */
  constructor(app, parts) {
    this.app = app;
    this.stage = document.getElementById('stage');
    this.name = this.stage.getAttribute('aria-label');
    this.box = element('div', { id: 'timing', hidden: true }, parts);
    this.stage.append(this.box);
    app.on('shown', () => this.#lent && app.shown === app.cube && this.#lend(false));
  }

  /** True if the timer should stand there. */
  set wanted(wanted) {
    this.#wanted = wanted;
    this.#lend(this.#lent && wanted);
  }

  /** Gives the stage to what is shown on the cube, until that ends. */
  lend() {
    this.#lend(this.app.shown !== this.app.cube);
  }

  /** Ends what is shown on the cube, to go on with the timer. */
  takeBack() {
    if (this.#lent) this.app.showNow();
  }

  #lend(lent) {
    this.#lent = lent;
    const covers = this.#wanted && !lent;
    this.app.covered = covers;
    this.box.hidden = !covers;
    this.stage.toggleAttribute('data-timing', covers);
    this.stage.setAttribute('aria-label', covers ? t('The timer') : this.name);
  }
}
