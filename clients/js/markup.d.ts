// markup.d.ts: the types of <cubed-cube> in the DOM, in JSX of React and in templates of Vue. tools/pack-clients puts it
// beside the types that are made from src.

import type { CubedCube } from './element.js';
import type { LayerTurn } from './moves.js';

export * from './element.js';

/** The attributes, as JSX and templates write them. */
export interface CubedCubeAttributes {
  /** 2 to 100; otherwise 3. */
  size?: number | string;
  /** Moves before the cube is shown. */
  setup?: string;
  /** Moves to watch, with buttons below the cube. */
  alg?: string;
  /** Facelets, instead of a solved cube. */
  cube?: string;
  /** The id of a session of the server, which is followed live. */
  session?: string;
  /** The address of a server, for sessions and for moves such as `[R, U]`. */
  server?: string;
  control?: 'turn' | 'look' | 'none';
  /** `wca`, `okabe-ito`, or six colours in the order URFDLB; `stickerless` may follow. */
  palette?: string;
  /** Moves a second when it plays; otherwise 2. */
  speed?: number | string;
  player?: 'none';
  /** Spoken by screen readers. */
  label?: string;
  unfolded?: CubedCubeSwitch;
  letters?: CubedCubeSwitch;
  hints?: CubedCubeSwitch;
  back?: CubedCubeSwitch;
}

/** A switch is on if the attribute is there. React 18 writes `false` into it, so leave it out instead. */
export type CubedCubeSwitch = boolean | '';

/** The events, by their names. */
export interface CubedCubeEventMap {
  ready: CustomEvent<{}>;
  turn: CustomEvent<{ move: string; turn: LayerTurn; by: 'hand' | 'here' | 'others' }>;
  change: CustomEvent<{ facelets: string }>;
  position: CustomEvent<{ position: number; length: number }>;
  solved: CustomEvent<{}>;
  refused: CustomEvent<{ problem: Error }>;
  error: CustomEvent<{ problem: Error }>;
}

type Text = string | number | null | undefined;
type Switch = boolean | '' | null | undefined;

declare module './element.js' {
  interface CubedCube {
    get size(): string | null;
    set size(size: Text);
    get setup(): string | null;
    set setup(setup: Text);
    get alg(): string | null;
    set alg(alg: Text);
    get cube(): string | null;
    set cube(cube: Text);
    get session(): string | null;
    set session(session: Text);
    get server(): string | null;
    set server(server: Text);
    get control(): string | null;
    set control(control: Text);
    get palette(): string | null;
    set palette(palette: Text);
    get speed(): string | null;
    set speed(speed: Text);
    get player(): string | null;
    set player(player: Text);
    get label(): string | null;
    set label(label: Text);
    get unfolded(): boolean;
    set unfolded(unfolded: Switch);
    get letters(): boolean;
    set letters(letters: Switch);
    get hints(): boolean;
    set hints(hints: Switch);
    get back(): boolean;
    set back(back: Switch);

    addEventListener<K extends keyof CubedCubeEventMap>(type: K, listener: (this: CubedCube, event: CubedCubeEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof CubedCubeEventMap>(type: K, listener: (this: CubedCube, event: CubedCubeEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cubed-cube': CubedCube;
  }
}

// ---- React, 18 and 19 ----

// @ts-ignore: it may not be installed
type ReactProps = import('react').DetailedHTMLProps<import('react').HTMLAttributes<CubedCube>, CubedCube>;

/** In React 19, `onturn={...}` listens to the event `turn`; in React 18, a ref and addEventListener() do. */
type ReactListeners = { [Name in keyof CubedCubeEventMap as `on${Name}`]?: (event: CubedCubeEventMap[Name]) => void };

// @ts-ignore: it may not be installed
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'cubed-cube': ReactProps & CubedCubeAttributes & ReactListeners & { class?: string };
    }
  }
}

// ---- Vue ----

// @ts-ignore: it may not be installed
type VueProps = import('vue').HTMLAttributes & import('vue').PublicProps;

/** `@turn="..."` listens to the event `turn`. */
type VueListeners = { [Name in keyof CubedCubeEventMap as `on${Capitalize<Name>}`]?: (event: CubedCubeEventMap[Name]) => void };

// @ts-ignore: it may not be installed
declare module 'vue' {
  interface GlobalComponents {
    'cubed-cube': new () => { $props: Omit<VueProps, keyof VueListeners> & CubedCubeAttributes & VueListeners & { token?: string | null } };
  }
}
