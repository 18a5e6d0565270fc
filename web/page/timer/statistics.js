// statistics.js: averages along a row of results, for the plot. Those that are shown as numbers are the server's.
//
// A result is a number of milliseconds, or Infinity for DNF.

const LONG_MS = 600000;

/** Returns the number of times that an average leaves out at each end: none of 3, one of 5 and 12, 5 % of more. */
export const trimOf = (of) => (of <= 3 ? 0 : Math.ceil(of / 20));

/** The most averages that are asked for, and the fewest and most solves of one. */
const ASKED_MAX = 4;
const SOLVES = { ao: [5, 1000], mo: [2, 1000] };

/** Reads names of averages that people type: "ao25, mo10", in any case. Returns null if there is anything else. */
export function readAverages(text) {
  const names = text.toLowerCase().split(/[\s,;]+/).filter(Boolean);
  const isName = (name) => {
    const [, kind, of] = /^(ao|mo)([1-9]\d{0,3})$/.exec(name) ?? [];
    return kind !== undefined && of >= SOLVES[kind][0] && of <= SOLVES[kind][1];
  };
  return names.length <= ASKED_MAX && names.every(isName) ? [...new Set(names)] : null;
}

function rounded(sum, count) {
  const unit = sum >= LONG_MS * count ? 1000 : 10;
  return Math.floor((2 * sum + unit * count) / (2 * unit * count)) * unit;
}

/** The first place in a sorted list whose value is not smaller. */
function placeOf(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The average of `of` results up to each result: null as long as there are too few. */
export function averages(results, of) {
  const sorted = [];
  const trim = trimOf(of);
  return results.map((result, i) => {
    if (i >= of) sorted.splice(placeOf(sorted, results[i - of]), 1);
    sorted.splice(placeOf(sorted, result), 0, result);
    if (sorted.length < of) return null;
    const counted = sorted.slice(trim, of - trim);
    return counted.at(-1) === Infinity ? Infinity : rounded(counted.reduce((sum, value) => sum + value, 0), counted.length);
  });
}

/** The best result up to each result: where a new best was made, and how good it was: [{at, ms}, ...]. */
export function records(results) {
  let best = Infinity;
  return results.flatMap((ms, at) => {
    if (ms >= best) return [];
    best = ms;
    return [{ at, ms }];
  });
}
