// history_check.mjs: whether what clients saw of one session can have happened one after another.
//
// An operation is {kind: 'write' | 'read', begin, end, status, revision, expected, state}: times on one clock; `revision` that of the
// answer (of a 409 the current one it names); `expected` the revision that a write insisted on; `state` the cube.
// A write with status 0 was never answered: it may have been done, once, any time after it began, or not. A write with
// another status, and without a revision, was not done.
// Revisions give the order, so that no search is needed: linearizable means that
//   - revisions of successful writes are 1..n, each once, and a write with `expected` r made r + 1;
//   - where one operation ended before another began, the later one does not have an older state: writes have larger
//     revisions, reads and refusals none smaller;
//   - nobody saw a revision before its write began;
//   - all who saw a revision saw the same cube.

/** The faults found, as sentences; none for a linearizable history. */
export function faultsOf(operations) {
  const faults = [];
  const writes = operations.filter(({ kind, status }) => kind === 'write' && status === 200);
  const byRevision = new Map();
  for (const write of writes) {
    if (byRevision.has(write.revision)) faults.push(`revision ${write.revision} was answered twice`);
    byRevision.set(write.revision, write);
    if (write.expected !== undefined && write.revision !== write.expected + 1)
      faults.push(`a write that insisted on ${write.expected} made ${write.revision}`);
  }
  const unknown = operations.filter(({ kind, status }) => kind === 'write' && status === 0);
  const missing = [];
  for (let revision = 1; revision <= Math.max(0, ...byRevision.keys()); revision++) if (!byRevision.has(revision)) missing.push(revision);
  if (missing.length > unknown.length) for (const revision of missing) faults.push(`revision ${revision} is missing`);
  const seen = operations.filter(({ revision }) => revision !== undefined);
  checkOrder(seen, faults);
  checkCubes(seen, byRevision, unknown, faults);
  return faults;
}

/**
 * Compares what is stored, {revision, moves, time} each, with what was answered: operations have `entry`, the {moves,
 * time} of the answer of a write. Returns the faults.
 */
export function storedFaultsOf(operations, items) {
  const faults = [];
  items.forEach(({ revision }, i) => revision === i + 1 || faults.push(`revision ${revision} is stored as the ${i + 1}th`));
  const done = operations.filter(({ kind, status }) => kind === 'write' && status === 200);
  for (const { revision, entry } of done) {
    const item = items[revision - 1];
    if (!item) faults.push(`the answered entry ${revision} is lost`);
    else if (item.moves !== entry.moves || item.time !== entry.time) faults.push(`another entry is stored as ${revision}`);
  }
  const unknown = operations.filter(({ kind, status }) => kind === 'write' && status === 0).length;
  const extra = items.length - new Set(done.map(({ revision }) => revision)).size;
  if (extra > unknown) faults.push(`${extra} entries are stored that nobody was answered, and ${unknown} writes had no answer`);
  for (const { kind, revision } of operations) if (revision > items.length) faults.push(`a ${kind} saw ${revision}, and ${items.length} are stored`);
  return faults;
}

function checkOrder(operations, faults) {
  const ends = [...operations].sort((a, b) => a.end - b.end);
  let done = 0;
  let newest = 0; // the largest revision that anybody got before the moment looked at
  for (const operation of [...operations].sort((a, b) => a.begin - b.begin)) {
    while (done < ends.length && ends[done].end < operation.begin) newest = Math.max(newest, ends[done++].revision);
    const wrote = operation.kind === 'write' && operation.status === 200;
    if (operation.revision < newest + (wrote ? 1 : 0))
      faults.push(`a ${operation.kind} answered ${operation.status} at ${operation.revision} after ${newest} had been answered`);
    if (operation.status === 409 && operation.expected === operation.revision)
      faults.push(`a write that insisted on ${operation.expected} was refused at that revision`);
  }
}

function checkCubes(operations, byRevision, unknown, faults) {
  const cubes = new Map();
  for (const { kind, revision, state, end } of operations) {
    const writes = byRevision.has(revision) ? [byRevision.get(revision)] : unknown;
    if (revision > 0 && !writes.some(({ begin }) => begin <= end)) faults.push(`a ${kind} saw ${revision} before it was written`);
    if (state === undefined) continue;
    if (cubes.has(revision) && cubes.get(revision) !== state) faults.push(`two cubes for revision ${revision}`);
    cubes.set(revision, state);
  }
}
