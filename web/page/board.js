// board.js: shows the cube, in 3D or unfolded, animates its turns, and rotates the view by dragging.

import { turned, turnInSpace } from '../client/cube.js';
import { Net } from './net.js';
import { Solid } from './solid.js';

const TURN_MS = 240;
const QUICK_MS = 45;
/** More turns than this are not animated. */
const TURNS_MAX = 60;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const ease = (t) => t * t * (3 - 2 * t);

export class Board {
  #steps = []; // {turn, after}: turns that wait for their animation
  #began = 0; // when the animation of the first one began
  #frame = 0;
  #solid = null;

  /** Two canvases, and a callback for when the cube begins or stops turning. */
  constructor(space, flat, onMoving) {
    this.space = space;
    this.flat = flat;
    this.net = new Net(flat);
    this.onMoving = onMoving;
    this.n = 0;
    this.letters = false;
    this.unfolded = false;
    try {
      this.#solid = new Solid(space);
    } catch {
      this.unfolded = true;
    }
    this.#listen();
  }

  get hasSpace() {
    return this.#solid !== null;
  }

  /** Shows a cube without animation. */
  show(stickers, n) {
    this.n = n;
    this.now = this.shown = stickers;
    this.#steps = [];
    this.redraw();
  }

  /** Turns the cube: `now` has the result at once, the animation follows. */
  turn(turns) {
    const steps = turns.map((turn) => {
      this.now = turned(this.now, this.n, turn);
      return { turn, after: this.now };
    });
    if (this.#steps.length === 0) this.#began = performance.now();
    this.#steps.push(...steps);
    if (this.#steps.length > TURNS_MAX || still.matches || document.hidden) {
      this.#steps = [];
      this.shown = this.now;
    }
    this.redraw();
  }

  redraw() {
    if (!this.#frame && this.n) this.#frame = requestAnimationFrame((time) => this.#draw(time));
    this.onMoving(this.#steps.length > 0);
  }

  #draw(time) {
    this.#frame = 0;
    const [angle, step] = this.#advance(time);
    this.space.hidden = this.unfolded;
    this.flat.hidden = !this.unfolded;
    if (this.unfolded) this.net.draw(this.shown, this.n, this.letters);
    else this.#solid.draw(this.shown, this.n, this.letters, step && turnInSpace(step.turn, this.n), angle);
    if (step) this.redraw();
    else this.onMoving(false);
  }

  /** The angle of the first turn now; drops turns whose animation has ended. */
  #advance(time) {
    while (this.#steps.length > 0) {
      const [step] = this.#steps;
      const quarters = turnInSpace(step.turn, this.n).quarters;
      const lasts = Math.max(QUICK_MS, (TURN_MS * (1 + Math.abs(quarters) / 2)) / (1 + this.#steps.length / 3));
      const done = Math.max(0, (time - this.#began) / lasts);
      if (done < 1 && quarters !== 0) return [(ease(done) * quarters * Math.PI) / 2, step];
      this.#steps.shift();
      this.shown = step.after;
      this.#began += quarters === 0 ? 0 : lasts; // with slow frames, several turns end in one
    }
    return [0, null];
  }

  #listen() {
    const { space } = this;
    const grip = new Map();
    space.addEventListener('pointerdown', (event) => {
      space.setPointerCapture(event.pointerId);
      grip.set(event.pointerId, [event.clientX, event.clientY]);
    });
    space.addEventListener('pointermove', (event) => {
      const from = grip.get(event.pointerId);
      if (!from) return;
      this.look((event.clientX - from[0]) / 120, (event.clientY - from[1]) / 120);
      grip.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ['pointerup', 'pointercancel']) space.addEventListener(end, (event) => grip.delete(event.pointerId));
    const arrows = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
    space.addEventListener('keydown', (event) => {
      if (!arrows[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      this.look(...arrows[event.key]);
      event.preventDefault();
    });
    new ResizeObserver(() => this.redraw()).observe(space.parentElement);
    space.addEventListener('webglcontextrestored', () => this.redraw());
  }

  look(yaw, pitch) {
    this.#solid?.look(yaw, pitch);
    this.redraw();
  }
}
