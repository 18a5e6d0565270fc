// qr.js: text as a QR code (ISO/IEC 18004): bytes, versions 1 to 10, error correction level M. That is up to 213 bytes,
// enough for a link with a token. Pure but for qrPicture().

import { svg } from './element.js';

/** By version: how many codewords of correction a block has, and the data codewords of each block. */
const BLOCKS = [
  null,
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]],
  [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]], [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];

/** The positions of the middles of the alignment patterns, in both directions. */
const ALIGNED = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const dataCodewords = (version) => BLOCKS[version][1].reduce((sum, length) => sum + length, 0);

// ---- error correction: Reed-Solomon in GF(256) with the polynomial 0x11d ----

const EXP = new Uint8Array(255);
const LOG = new Uint8Array(256);
for (let i = 0, value = 1; i < 255; i++, value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)) {
  EXP[i] = value;
  LOG[value] = i;
}

const times = (a, b) => (a && b ? EXP[(LOG[a] + LOG[b]) % 255] : 0);

/** The polynomial (x - 1)(x - 2)(x - 4)..., without its first coefficient, which is 1. */
function generator(degree) {
  let factors = [1];
  for (let i = 0; i < degree; i++) {
    const next = [...factors, 0];
    factors.forEach((factor, k) => (next[k + 1] ^= times(factor, EXP[i])));
    factors = next;
  }
  return factors.slice(1);
}

/** The remainder of the data, which corrects it. */
function correction(data, degree) {
  const factors = generator(degree);
  const rest = new Array(degree).fill(0);
  for (const byte of data) {
    const lead = byte ^ rest.shift();
    rest.push(0);
    factors.forEach((factor, i) => (rest[i] ^= times(factor, lead)));
  }
  return rest;
}

// ---- the codewords ----

/** The text as codewords: mode, length, bytes, and padding. */
function encode(bytes, version) {
  const bits = [];
  const add = (value, count) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  const room = dataCodewords(version) * 8;
  add(4, 4); // bytes
  add(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => add(byte, 8));
  add(0, Math.min(4, room - bits.length));
  add(0, -bits.length & 7);
  for (let i = 0; bits.length < room; i++) add(i % 2 ? 0x11 : 0xec, 8);
  return Array.from({ length: room / 8 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(''), 2));
}

/** The codewords of all blocks in turn, first those of data. */
function interleave(data, version) {
  const [degree, lengths] = BLOCKS[version];
  let at = 0;
  const blocks = lengths.map((length) => data.slice(at, (at += length)));
  const corrections = blocks.map((block) => correction(block, degree));
  const inTurn = (parts) => Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, i) => parts.filter((part) => i < part.length).map((part) => part[i])).flat();
  return [...inTurn(blocks), ...inTurn(corrections)];
}

// ---- the modules ----

/** A square of modules, each dark or light, or null as long as nothing is there. */
class Grid {
  constructor(version) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(null));
    this.#finder(3, 3);
    this.#finder(this.size - 4, 3);
    this.#finder(3, this.size - 4);
    const places = ALIGNED[version];
    for (const x of places) for (const y of places) if (this.dark[y][x] === null) this.#square(x, y, 2);
    for (let i = 8; i < this.size - 8; i++) {
      this.dark[6][i] ??= i % 2 === 0;
      this.dark[i][6] ??= i % 2 === 0;
    }
    this.format(0);
    if (version >= 7) this.#versionBits();
  }

  /** The squares in three corners, with the light border around them. */
  #finder(x, y) {
    for (let i = -4; i <= 4; i++) {
      for (let k = -4; k <= 4; k++) {
        if (this.dark[y + i]?.[x + k] === undefined) continue;
        const ring = Math.max(Math.abs(i), Math.abs(k));
        this.dark[y + i][x + k] = ring !== 2 && ring !== 4;
      }
    }
  }

  #square(x, y, radius) {
    for (let i = -radius; i <= radius; i++) {
      for (let k = -radius; k <= radius; k++) this.dark[y + i][x + k] = Math.max(Math.abs(i), Math.abs(k)) !== 1;
    }
  }

  /** Level M and the mask, with their own correction, twice. */
  format(mask) {
    let rest = mask; // the bits of level M are 00
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (i) => ((bits >> i) & 1) === 1;
    const n = this.size;
    for (let i = 0; i < 15; i++) {
      const [x, y] = i < 6 ? [8, i] : i < 8 ? [8, i + 1] : i === 8 ? [7, 8] : [14 - i, 8];
      this.dark[y][x] = bit(i);
      const [u, v] = i < 8 ? [n - 1 - i, 8] : [8, n - 15 + i];
      this.dark[v][u] = bit(i);
    }
    this.dark[n - 8][8] = true;
  }

  #versionBits() {
    let rest = this.version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [far, near] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
      this.dark[near][far] = this.dark[far][near] = ((bits >> i) & 1) === 1;
    }
  }

  /** Fills in the codewords, two columns at a time from the right, up and down in turn. */
  fill(codewords) {
    this.free = [];
    let upwards = true;
    for (let right = this.size - 1; right > 0; right -= 2, upwards = !upwards) {
      if (right === 6) right = 5;
      for (let i = 0; i < this.size; i++) {
        const y = upwards ? this.size - 1 - i : i;
        for (const x of [right, right - 1]) if (this.dark[y][x] === null) this.free.push([x, y]);
      }
    }
    this.free.forEach(([x, y], i) => (this.dark[y][x] = i < codewords.length * 8 && ((codewords[i >> 3] >> (7 - (i & 7))) & 1) === 1));
  }

  /** Applies a mask, or takes it off again. */
  mask(number) {
    for (const [x, y] of this.free) if (MASKS[number](x, y)) this.dark[y][x] = !this.dark[y][x];
  }

  /** The penalty of a mask, higher if it is harder to read: runs of one colour, squares, shapes like a corner, too much
   * of one colour. */
  get penalty() {
    const n = this.size;
    const columns = this.dark.map((_, x) => this.dark.map((row) => row[x]));
    let points = 0;
    for (const line of [...this.dark, ...columns]) {
      const text = line.map((dark) => (dark ? '1' : '0')).join('');
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
      points += 40 * ((text.match(/(?=00001011101|10111010000)/g) ?? []).length);
    }
    for (let y = 1; y < n; y++) {
      for (let x = 1; x < n; x++) {
        const dark = this.dark[y][x];
        if (dark === this.dark[y - 1][x] && dark === this.dark[y][x - 1] && dark === this.dark[y - 1][x - 1]) points += 3;
      }
    }
    const share = this.dark.flat().filter(Boolean).length / (n * n);
    return points + 10 * Math.floor(Math.abs(share - 0.5) * 20);
  }
}

/** The modules of the code of a text: rows of booleans, true for dark. Null if it is longer than 213 bytes. */
export function qrOf(text) {
  const bytes = [...new TextEncoder().encode(text)];
  let version = 1;
  while (version <= 10 && bytes.length + (version < 10 ? 2 : 3) > dataCodewords(version)) version++;
  if (version > 10) return null;
  const grid = new Grid(version);
  grid.fill(interleave(encode(bytes, version), version));
  let best = { penalty: Infinity };
  MASKS.forEach((_, number) => {
    grid.mask(number);
    grid.format(number);
    if (grid.penalty < best.penalty) best = { number, penalty: grid.penalty };
    grid.mask(number);
  });
  grid.mask(best.number);
  grid.format(best.number);
  return grid.dark;
}

/** Light modules around the code, which readers need. */
const BORDER = 4;

/** The code as a picture: always dark on white, as not every camera reads the inverse. Null for a text that is too long. */
export function qrPicture(text, label) {
  const rows = qrOf(text);
  if (!rows) return null;
  const size = rows.length + 2 * BORDER;
  const path = rows.flatMap((row, y) => row.flatMap((one, x) => (one ? [`M${x + BORDER} ${y + BORDER}h1v1h-1z`] : [])));
  return svg('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges', class: 'qr' },
    svg('rect', { width: size, height: size, fill: '#ffffff' }), svg('path', { d: path.join(''), fill: '#000000' }));
}
