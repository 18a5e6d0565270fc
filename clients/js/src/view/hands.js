// hands.js: what mouse, pen and fingers mean: a layer that is dragged, a look around the cube, a zoom, a click.

import { wayAlong } from './turns.js';

/**
 * @import {Hit} from './camera.js'
 * @import {Way} from './turns.js'
 */

/**
 * The effects of hands on a view. Points are in CSS pixels of the element.
 * @typedef {object} Grip
 * @property {(x: number, y: number) => Hit | null} pick
 * @property {() => number} size
 * @property {() => boolean} turnable
 * @property {() => boolean} lookable
 * @property {() => boolean} unfolded
 * @property {(way: Way) => void} begin a layer is held
 * @property {(angle: number) => void} drag it is turned so far
 * @property {(quarters: number) => void} release it is let go, to rest at so many quarters
 * @property {(yaw: number, pitch: number) => void} turnLook by so much
 * @property {(factor: number) => boolean} zoom whether that changed anything
 * @property {() => void} resetLook
 * @property {(hit: Hit | null) => void} point the pointer is over a sticker, or no longer over one
 * @property {(hit: Hit, event: PointerEvent) => void} click
 * @property {() => boolean} picks whether clicks on stickers mean something
 */

/** Pixels that a pointer moves before it drags. */
const SLOP = { mouse: 4, pen: 6, touch: 8 };
/** A full turn of the look for so many pixels. */
const LOOK_PIXELS = 750;
const LOOK_KEYS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
const ZOOM_KEYS = { '+': 1.15, '=': 1.15, '-': 1 / 1.15 };

/** The speed of a flick is that of its last milliseconds; it carries the layer on for so long. */
const FLICK_MS = 80;
const CARRY_MS = 150;
/** A flick carries at most so far. */
const CARRY_MAX = Math.PI / 3;

const TAP_MS = 350;
const TAP_PIXELS = 30;
/** A page that scrolled so recently goes on to scroll. */
const SCROLL_MS = 250;

/**
 * A pointer that is down. `what`: a sticker is pressed, a layer held, the cube looked at; or a finger that may either
 * scroll the page or look, and one that scrolls.
 * @typedef {{x: number, y: number, fromX: number, fromY: number, type: string, hit: Hit | null,
 *   what: 'press' | 'layer' | 'look' | 'either' | 'scroll', time: number}} Pointer
 */

/** @param {number} x @param {number} y @param {[number, number]} way how far a drag goes along a way, as a share of it */
const alongWay = (x, y, [dx, dy]) => (x * dx + y * dy) / (dx * dx + dy * dy);

/** Returns true if something around the element can be scrolled up or down. @param {Element} element */
function canScroll(element) {
  /** @type {Node | null} */
  let node = element;
  while (node) {
    if (node instanceof Element && node.scrollHeight > node.clientHeight + 1) {
      if (node === document.scrollingElement) {
        // No scrolling where the style forbids it.
        return ![document.documentElement, document.body].some((one) => /hidden|clip/.test(getComputedStyle(one).overflowY));
      }
      if (/auto|scroll/.test(getComputedStyle(node).overflowY)) return true;
    }
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
  return false;
}

export class Hands {
  #element;
  #grip;
  /** @type {Map<number, Pointer>} */
  #pointers = new Map();
  /** @type {{pointer: Pointer, way: Way, right: boolean, sense: number, vector: [number, number], angle: number} | null} */
  #held = null;
  /** @type {{time: number, angle: number}[]} */
  #track = []; // the newest angles, for flicks
  #tap = { time: -Infinity, x: 0, y: 0 };
  #scrolled = -Infinity;
  #abort = new AbortController();

  /**
   * @param {HTMLElement} element
   * @param {Grip} grip
   */
  constructor(element, grip) {
    this.#element = element;
    this.#grip = grip;
    /** @param {string} type @param {(event: any) => void} listener @param {AddEventListenerOptions} [options] */
    const on = (type, listener, options = {}) => element.addEventListener(type, listener, { ...options, signal: this.#abort.signal });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => this.#cancel(event.pointerId));
    on('lostpointercapture', (event) => this.#cancel(event.pointerId));
    on('pointerleave', () => this.#grip.point(null));
    on('contextmenu', (event) => (this.#grip.lookable() || this.#grip.turnable()) && event.preventDefault());
    on('wheel', (event) => this.#wheel(event), { passive: false });
    on('keydown', (event) => this.#key(event));
    // A finger on the cube never scrolls the page; a swipe beside the cube does, if the page can be scrolled.
    on('touchstart', (event) => this.#touch(event), { passive: false });
    addEventListener('scroll', () => (this.#scrolled = performance.now()), { capture: true, passive: true, signal: this.#abort.signal });
    element.style.touchAction = 'pan-y';
  }

  /** True if a layer is held. */
  get holding() {
    return this.#held !== null;
  }

  /** Lets go of everything, without a turn. */
  drop() {
    this.#held = null;
    for (const pointer of this.#pointers.values()) pointer.what = 'look';
  }

  close() {
    this.#abort.abort();
  }

  /** @param {MouseEvent | Touch} event */
  #placeOf(event) {
    const { left, top } = this.#element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {TouchEvent} event */
  #touch(event) {
    if (!event.cancelable) return;
    const { turnable, lookable, pick, picks } = this.#grip;
    if (!turnable() && !lookable() && !picks()) return;
    const { x, y } = this.#placeOf(event.changedTouches[0]);
    const mine = (turnable() || picks()) && pick(x, y);
    if (mine || (lookable() && (event.touches.length > 1 || !canScroll(this.#element)))) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const { x, y } = this.#placeOf(event);
    const { turnable, lookable, picks } = this.#grip;
    if (!turnable() && !lookable() && !picks()) return;
    const hit = event.button === 0 && this.#pointers.size === 0 && (turnable() || picks()) ? this.#grip.pick(x, y) : null;
    const either = event.pointerType === 'touch' && this.#pointers.size === 0 && canScroll(this.#element);
    const what = hit ? 'press' : either ? 'either' : 'look';
    this.#pointers.set(event.pointerId, { x, y, fromX: x, fromY: y, type: event.pointerType, hit, what, time: event.timeStamp });
    try {
      this.#element.setPointerCapture(event.pointerId);
    } catch {
      // it is up already
    }
    if (event.pointerType === 'mouse' && event.button === 1) event.preventDefault(); // no scrolling by the middle button
    if (this.#pointers.size > 1) {
      this.#letGo(0);
      for (const pointer of this.#pointers.values()) pointer.what = 'look';
    }
    if (hit && event.pointerType !== 'mouse') this.#grip.point(hit);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    const { x, y } = this.#placeOf(event);
    if (!pointer) {
      if (event.pointerType !== 'touch') this.#grip.point(this.#grip.turnable() || this.#grip.picks() ? this.#grip.pick(x, y) : null);
      return;
    }
    if (pointer.what === 'press') this.#decide(pointer, x, y);
    if (pointer.what === 'either' && Math.hypot(x - pointer.fromX, y - pointer.fromY) >= SLOP.touch) {
      pointer.what = Math.abs(x - pointer.fromX) > Math.abs(y - pointer.fromY) ? 'look' : 'scroll';
    }
    if (pointer.what === 'layer') this.#drag(x, y, event.timeStamp);
    if (pointer.what === 'look') this.#lookBy(pointer, x, y);
    [pointer.x, pointer.y] = [x, y];
  }

  /** Decides with which of its two layers a sticker is dragged: the one whose way the drag fits better. @param {Pointer} pointer @param {number} x @param {number} y */
  #decide(pointer, x, y) {
    const [dx, dy] = [x - pointer.fromX, y - pointer.fromY];
    const slop = SLOP[/** @type {keyof typeof SLOP} */ (pointer.type)] ?? SLOP.touch;
    if (Math.hypot(dx, dy) < slop) return;
    if (!this.#grip.turnable()) {
      pointer.what = 'look';
      return;
    }
    const hit = /** @type {Hit} */ (pointer.hit);
    /** @param {[number, number]} way */
    const fit = (way) => Math.abs(dx * way[0] + dy * way[1]) / Math.hypot(...way);
    const right = fit(hit.right) >= fit(hit.down);
    const way = wayAlong(hit, this.#grip.size(), right ? 'right' : 'down');
    const vector = right ? hit.right : hit.down;
    pointer.what = 'layer';
    this.#held = { pointer, way, right, sense: Math.sign(dx * vector[0] + dy * vector[1]), vector, angle: 0 };
    this.#track = [{ time: pointer.time, angle: 0 }];
    this.#grip.begin(way);
  }

  /** @param {number} x @param {number} y @param {number} time */
  #drag(x, y, time) {
    const held = this.#held;
    if (!held) return;
    const { pointer, vector, way } = held;
    held.angle = way.spin * alongWay(x - pointer.fromX, y - pointer.fromY, vector);
    this.#track.push({ time, angle: held.angle });
    while (this.#track.length > 2 && this.#track[0].time < time - FLICK_MS) this.#track.shift();
    this.#grip.drag(held.angle);
  }

  /** Returns how far a flick carries the layer on. @param {number} time */
  #carry(time) {
    const [first, last] = [this.#track[0], this.#track.at(-1)];
    if (!first || !last || last.time - first.time < 4 || time - last.time > FLICK_MS) return 0;
    const carry = ((last.angle - first.angle) / (last.time - first.time)) * CARRY_MS;
    return Math.min(Math.max(carry, -CARRY_MAX), CARRY_MAX);
  }

  /** @param {number} carry */
  #letGo(carry) {
    const held = this.#held;
    this.#held = null;
    if (!held) return;
    held.pointer.what = 'look';
    const cancelled = this.#pointers.size > 1;
    this.#grip.release(cancelled ? 0 : Math.round((held.angle + carry) / (Math.PI / 2)));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const { x, y } = this.#placeOf(event);
    if (pointer.what === 'layer') {
      this.#letGo(this.#carry(event.timeStamp));
    } else if (Math.hypot(x - pointer.fromX, y - pointer.fromY) < SLOP.touch && this.#pointers.size === 1) {
      if (pointer.what === 'press' && pointer.hit) this.#grip.click(pointer.hit, event);
      if (event.button === 0) this.#tapped(x, y, pointer.hit);
    }
    this.#pointers.delete(event.pointerId);
    if (event.pointerType === 'touch') this.#grip.point(null);
    else this.#grip.point(this.#grip.turnable() || this.#grip.picks() ? this.#grip.pick(x, y) : null);
  }

  /** Two clicks or taps, where one means nothing, reset the look. @param {number} x @param {number} y @param {Hit | null} hit */
  #tapped(x, y, hit) {
    const now = performance.now();
    const { time, x: lastX, y: lastY } = this.#tap;
    const twice = now - time < TAP_MS && Math.hypot(x - lastX, y - lastY) < TAP_PIXELS;
    this.#tap = { time: twice ? -Infinity : now, x, y };
    if (twice && this.#grip.lookable() && !(hit && this.#grip.picks())) this.#grip.resetLook();
  }

  /** @param {number} id */
  #cancel(id) {
    const pointer = this.#pointers.get(id);
    if (!pointer) return;
    this.#pointers.delete(id);
    if (pointer.what === 'layer' && this.#held) {
      this.#held = null;
      this.#grip.release(0);
    }
    this.#grip.point(null);
  }

  /** One pointer turns the look; two zoom as well. @param {Pointer} pointer @param {number} x @param {number} y */
  #lookBy(pointer, x, y) {
    if (!this.#grip.lookable()) return;
    const others = [...this.#pointers.values()].filter((one) => one !== pointer);
    const share = 1 / (others.length + 1); // each finger moves its share of the middle between them
    const turn = (2 * Math.PI * share) / LOOK_PIXELS;
    if (!this.#grip.unfolded()) this.#grip.turnLook((x - pointer.x) * turn, (y - pointer.y) * turn);
    if (others.length !== 1) return;
    const [other] = others;
    const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    if (before > 0 && after > 0) this.#grip.zoom(after / before);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const { x, y } = this.#placeOf(event);
    const scrolling = performance.now() - this.#scrolled < SCROLL_MS && !event.ctrlKey;
    if (!this.#grip.lookable() || scrolling || !this.#grip.pick(x, y)) return;
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
    if (this.#grip.zoom(Math.exp(-pixels / (event.ctrlKey ? 120 : 600)))) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#grip.lookable()) return;
    const look = LOOK_KEYS[/** @type {keyof typeof LOOK_KEYS} */ (event.key)];
    const zoom = ZOOM_KEYS[/** @type {keyof typeof ZOOM_KEYS} */ (event.key)];
    if (look) this.#grip.turnLook(look[0], look[1]);
    else if (zoom) this.#grip.zoom(zoom);
    else if (event.key === '0') this.#grip.resetLook();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
