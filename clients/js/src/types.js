// types.js: the shapes of what is sent and answered, as openapi.yaml describes them. Types only, no code.
//
// Answers may get more members in later versions.

export {};

/** @typedef {'U' | 'R' | 'F' | 'D' | 'L' | 'B'} Face */
/** @typedef {'facelets' | 'faces' | 'cubies' | 'reid' | 'index' | 'features' | 'flatten' | 'pieces' | 'rubyks' | 'poses' | 'compact_poses' | 'net' | 'kpattern' | 'none'} Format */
/** @typedef {'sign' | 'wca' | 'inner' | 'nissy' | 'kociemba' | 'rubyks'} Notation */
/** @typedef {'edit' | 'view' | 'none'} Access */
/** @typedef {'owner' | 'editor' | 'viewer'} Role */
/** @typedef {'free' | 'alternate' | 'round-robin'} TurnPolicy */

// ---- cubes and moves ----

/** @typedef {{face: Face, from?: number, to?: number, turns?: number} | {axis: 'x' | 'y' | 'z', angle?: number, start?: number, end?: number}} TurnInput */
/** @typedef {string | string[] | TurnInput[]} Moves */

/**
 * A cube that is sent: one description, and moves on top of it. A string is its facelets.
 * @typedef {string | {
 *   size?: number,
 *   facelets?: string,
 *   faces?: Record<Face, string[][]>,
 *   cubies?: Partial<Cubies>,
 *   reid?: string,
 *   index?: string,
 *   features?: number[],
 *   flatten?: Record<string, number[][]>,
 *   pieces?: unknown[],
 *   rubyks?: number[][],
 *   poses?: {cubies: Pose[]},
 *   compact_poses?: number[][],
 *   net?: string,
 *   session?: string,
 *   at?: number,
 *   moves?: Moves,
 *   notation?: Notation,
 * } | Cube} CubeInput
 */

/**
 * @typedef {{
 *   order?: string,
 *   corner_permutation: number[],
 *   corner_orientation: number[],
 *   edge_permutation?: number[],
 *   edge_orientation?: number[],
 *   centers?: string[],
 * }} Cubies
 */

/** @typedef {{home: number[], at: number[], rotation: number[][], stickers?: {face: Face, normal: number[]}[]}} Pose */

/**
 * A cube as it is answered; the members after `identity` only if `as` asked for them.
 * @typedef {{
 *   size: number,
 *   facelets: string,
 *   solved: boolean,
 *   home: boolean,
 *   identity?: 'assumed',
 *   possible?: false,
 *   faces?: Record<Face, Face[][]>,
 *   cubies?: Cubies | null,
 *   reid?: string | null,
 *   index?: string | null,
 *   features?: number[] | null,
 *   flatten?: Record<string, number[][]>,
 *   pieces?: unknown[] | null,
 *   rubyks?: number[][] | null,
 *   poses?: {cubies: Pose[]} | null,
 *   compact_poses?: number[][] | null,
 *   net?: string,
 * }} Cube
 */

/** @typedef {{htm: number | null, qtm: number | null, stm: number | null, qstm: number | null, etm: number | null}} Metrics */
/** @typedef {{face?: Face, from?: number, to?: number, axis: number[], layers: number[], turns: number, move: string, cubies?: number[]}} Turn */
/** @typedef {{offset: number, length: number, column: number, detail: string, readings?: string[]}} Note */
/** @typedef {{cube: Cube, moves: string, metrics: Metrics, notes?: Note[], turns?: Turn[]}} Applied */

/**
 * @typedef {{
 *   size: number,
 *   canonical: string,
 *   inverse: string,
 *   simplified: string | null,
 *   expanded: string | null,
 *   expanded_length: number | null,
 *   metrics: Metrics,
 *   order: number,
 *   notes?: Note[],
 * }} Algorithm
 */

/** @typedef {{kind: string, piece?: string | null, place?: string | null, letters?: string | null, amount?: number | null, repair?: string | null}} Fault */
/** @typedef {{possible: boolean, problems: Fault[], problem_count: number, rotation: string | null, cube: Cube}} Validated */
/** @typedef {{line: number, error: ProblemDetails}} LineError */

// ---- patterns ----

/** @typedef {string | {name?: string, faces?: unknown, pieces?: Record<string, string>, all?: Pattern[], any?: Pattern[], not?: Pattern, anywhere?: Pattern, size?: number, layer?: 'first' | 'last', views?: 'all' | 'held'}} Pattern */
/** @typedef {{face: Face, rotation: 0 | 90 | 180 | 270, bindings: Record<string, Face>}} Match */
/** @typedef {{name: string, title: string | null, sizes: {min: number, max: number}, layer: 'first' | 'last' | null, source: string | null, own: boolean, updated_at?: string}} PatternEntry */
/** @typedef {PatternEntry & {setup: string | null, size: number, pattern: Pattern}} NamedPattern */

// ---- scrambles and solutions ----

/** @typedef {{size: number, variant: string, seed: string | null, note: string | null, scrambles: {moves: string, cube: Cube}[]}} Scrambles */

/**
 * @typedef {{
 *   cube: CubeInput,
 *   method?: string,
 *   metric?: 'htm' | 'qtm',
 *   until?: Pattern | {cube: CubeInput},
 *   generators?: Moves,
 *   max_length?: number,
 *   improve?: boolean,
 *   solutions?: number,
 *   timeout_ms?: number,
 *   wait_ms?: number,
 * }} SolveRequest
 */

/** @typedef {{name: string, moves: string, metrics: Metrics, steps: {text: string | null, piece: string | null, moves: string}[]}} SolutionStage */

/**
 * @typedef {{
 *   solution: string | null,
 *   length: number | null,
 *   method: string,
 *   metric: string,
 *   metrics: Metrics | null,
 *   complete: boolean,
 *   optimal: boolean,
 *   bound: number | null,
 *   from_history: boolean,
 *   stages: SolutionStage[] | null,
 *   solutions?: {solution: string | null, length: number | null}[],
 *   nodes: number,
 *   time_ms: number,
 *   kept?: true,
 * }} Solution
 */

/**
 * @typedef {{
 *   id: string,
 *   status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled',
 *   method: string,
 *   size: number,
 *   progress: {nodes: number, depth: number, best: number | null, ahead: number, elapsed_ms: number},
 *   result: Solution | null,
 *   problem: ProblemDetails | null,
 * }} Job
 */

/** @typedef {{name: string, sizes: {min: number, max: number}, usual: boolean, optimal: boolean, length_max: {htm?: number | null, qtm?: number | null}, stages: string[] | null, several: boolean}} Solver */

// ---- sessions ----

/**
 * @typedef {{
 *   id: string,
 *   size: number,
 *   name: string | null,
 *   access: Access,
 *   listed?: boolean,
 *   turn_policy: TurnPolicy,
 *   revision: number,
 *   created_at: string,
 *   updated_at: string,
 *   scramble: string | null,
 *   cube: Cube,
 * }} SessionDetails
 */

/** A session in a list: without its cube, unless `as` asked for it. @typedef {Omit<SessionDetails, 'cube'> & {cube?: Cube}} ListedSession */

/** @typedef {{name?: string | null, access?: Access, listed?: boolean, turn_policy?: TurnPolicy}} SessionSettings */
/** @typedef {SessionSettings & {size?: number, cube?: CubeInput, scramble?: Moves | boolean | null, seed?: string, notation?: Notation}} NewSession */
/** @typedef {{id: string, label: string | null, role: Role} | null} Actor */

/**
 * One accepted change. `moves` is null if it is too long; `restores` is the revision that an undo, redo or reset brought
 * back.
 * @typedef {{
 *   revision: number,
 *   kind: 'moves' | 'scramble' | 'undo' | 'redo' | 'reset',
 *   moves: string | null,
 *   times_ms?: number[],
 *   restores?: number,
 *   actor: Actor,
 *   time: string,
 *   turns?: Turn[],
 *   cube?: Cube,
 * }} Entry
 */

/** The answer to a change; `cube` is left out if the request said `minimal`. @typedef {{revision: number, entry: Entry, cube?: Cube, rebased_from?: number, notes?: Note[]}} Written */

/** @typedef {{id: string, role: Role, label: string | null, created_at: string, revoked_at: string | null}} TokenEntry */
/** @typedef {{ticket: string, expires_at: string, reopens_until?: string, sessions?: string[]}} Ticket */
/** @typedef {{revision: number, move: number | null}} Place */
/** @typedef {Match & Place & {lost: Place | null}} FoundMatch */
/** @typedef {{name: string | null, revision: number, move: number | null, face: Face, rotation: number, moves: string | null, metrics: Metrics | null, time: string, duration_ms: number}} Stage */

/**
 * What happens in a session. `state` comes first; `resync` instead of entries that could not be sent one by one; after
 * `end` nothing follows.
 * @typedef {{session: string, id?: string} & (
 *   {event: 'state', data: SessionDetails} |
 *   {event: 'resync', data: SessionDetails} |
 *   {event: 'entry', data: Entry} |
 *   {event: 'solved', data: {revision: number, time: string}} |
 *   {event: 'presence', data: {watchers: number, names: string[], came?: unknown, went?: unknown}} |
 *   {event: 'session', data: SessionSettings & {id: string, updated_at: string}} |
 *   {event: 'end', data: {reason: string}}
 * )} SessionEvent
 */

// ---- recorded solves ----

/** @typedef {{session?: string, size?: number, scramble?: Moves | null, solution?: Moves | null, notation?: Notation, time_ms?: number, inspection_ms?: number, penalty?: string, comment?: string | null, assisted?: boolean, list?: string | null, event?: string, splits?: {name?: string | null, time_ms: number}[], created_at?: string}} NewSolve */
/** @typedef {{session?: string, size?: number, from?: string, to?: string, penalty?: string, list?: string, event?: string, assisted?: boolean, limit?: number}} SolveFilter */
/** @typedef {Omit<SolveFilter, 'assisted' | 'limit'> & {group_by?: 'event' | 'list'}} StatsFilter */

/**
 * @typedef {{
 *   id: string,
 *   session: string,
 *   origin: 'session' | 'posted' | 'imported',
 *   list: string | null,
 *   event: string,
 *   size: number | null,
 *   created_at: string,
 *   time_ms: number | null,
 *   splits: {name: string | null, time_ms: number}[] | null,
 *   penalty: string,
 *   result: string | null,
 *   result_ms: number | null,
 *   scramble: string | null,
 *   start: string | null,
 *   solution: string | null,
 *   clock: 'server' | 'client' | null,
 *   verified: boolean,
 *   assisted: boolean,
 *   metrics: Metrics | null,
 *   tps: number | null,
 *   comment: string | null,
 *   revision: number | null,
 *   actor?: Actor,
 *   stages?: SolveStage[] | null,
 * }} RecordedSolve
 */

/** @typedef {{name: string, move: number, face: Face, rotation: number, moves: string, metrics: Metrics, duration_ms: number | null, tps: number | null}} SolveStage */
/** @typedef {{result: string, result_ms: number | null} | null} SolveResult */
/** @typedef {{current: SolveResult, best: SolveResult, best_solves: {first: string, last: string} | null}} SolveAverage */

/**
 * @typedef {{
 *   event: string,
 *   size: number | null,
 *   list: string | null,
 *   solves: number,
 *   dnf: number,
 *   untimed: number,
 *   assisted: number,
 *   latest: {id: string, result: string, result_ms: number | null} | null,
 *   best: {id: string, result: string, result_ms: number | null} | null,
 *   mean: SolveResult,
 *   mo3: SolveAverage,
 *   ao5: SolveAverage,
 *   ao12: SolveAverage,
 *   ao50: SolveAverage,
 *   ao100: SolveAverage,
 * }} SolveGroup
 */

/** Of each event, that of the newest solve first. @typedef {{items: SolveGroup[], others: number}} SolveStats */

// ---- the server ----

/** @typedef {{formats: {name: string, reads: boolean, writes: boolean, pieces: boolean, sizes: {min: number, max: number}, media_type: string, text: string}[], dialects: {name: Notation, text: string}[], orders: {name: string, corners: string[], edges: string[]}[], rotations: {moves: string, matrix: number[][]}[]}} Formats */
/** @typedef {Record<string, {value: number | null, unit: string, meaning: string}>} Limits */

/**
 * A problem as it is sent.
 * @typedef {{
 *   type: string,
 *   title: string,
 *   status: number,
 *   detail: string,
 *   pointer?: string,
 *   parameter?: string,
 *   offset?: number,
 *   length?: number,
 *   column?: number,
 *   expected?: string,
 *   suggestion?: string,
 *   readings?: string[],
 *   errors?: {detail: string, pointer?: string, parameter?: string, expected?: string, suggestion?: string}[],
 *   help?: string,
 *   request_id?: string,
 *   revision?: number,
 *   missed?: Entry[],
 *   cube?: Cube,
 *   problems?: Fault[],
 *   available?: number,
 * }} ProblemDetails
 */

// ---- options of calls ----

/** @typedef {{signal?: AbortSignal, token?: string | null}} CallOptions */
/** @typedef {CallOptions & {as?: Format | Format[], order?: string}} CubeOptions */
/** @typedef {CubeOptions & {turns?: boolean | 'cubies'}} ApplyOptions */

/**
 * Of a change. It has an Idempotency-Key of its own unless `key` names one; `revision`: only if the session is still
 * there; `minimal`: an answer without the cube.
 * @typedef {CubeOptions & {key?: string, revision?: number, ifMatch?: string, minimal?: boolean}} ChangeOptions
 */
