// patterns.js: the named patterns of the server, each with the patterns that it refers to, and which of them fit.

import { cubed } from '../session/server.js';

const SIZE_PICTURED = 5; // larger cubes have the pictures of this size

/** By name and size. @type {Map<string, Promise<any>>} */
const known = new Map();

/** A part with the patterns that it names in their place. */
async function resolved(part, size) {
  if (Array.isArray(part.all)) return { all: await Promise.all(part.all.map((one) => resolved(one, size))) };
  if (Array.isArray(part.any)) return { any: await Promise.all(part.any.map((one) => resolved(one, size))) };
  return part.name ? (await patternNamed(part.name, size)).pattern : part;
}

/** A pattern for a size, without references to others. */
export function patternNamed(name, size) {
  const key = `${name} ${size}`;
  if (!known.has(key)) {
    const asked = cubed.patterns.get(name, { size }).then(async (named) => ({ ...named, pattern: await resolved(named.pattern, size) }));
    asked.catch(() => known.delete(key));
    known.set(key, asked);
  }
  return known.get(key);
}

/** The pattern for a picture: of a size at which one can see it. */
export const patternPictured = ({ name, sizes }, size) => patternNamed(name, Math.min(Math.max(Math.min(size, SIZE_PICTURED), sizes.min), sizes.max));

const lists = new Map();

/** The patterns for a size. */
export function patternsFor(size) {
  if (!lists.has(size)) {
    const asked = cubed.patterns.list({ size }).then(({ items }) => items);
    asked.catch(() => lists.delete(size));
    lists.set(size, asked);
  }
  return lists.get(size);
}

/** The names of those that fit a cube. */
export async function fittingNames(facelets) {
  const { matches } = await cubed.match({ cube: facelets, named: true, any: true });
  return matches.map(({ name }) => name);
}

/** Every way in which one fits. */
export async function fitsOf(name, facelets) {
  return (await cubed.match({ cube: facelets, pattern: { name } })).matches;
}
