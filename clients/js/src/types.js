// types.js: the shapes of what is sent and answered. Types only, no code. Their names are those of the schemas in
// openapi.yaml, which says more about each; tests/clients/types.mjs compares them. Answers may get more members in
// later versions.

export {};

/** @typedef {'U' | 'R' | 'F' | 'D' | 'L' | 'B'} Face */
/** @typedef {'sign' | 'wca' | 'inner' | 'nissy' | 'kociemba' | 'rubyks'} Notation */
/**
 * The look of a picture: docs/reference/pictures.md.
 * @typedef {{view?: 'iso' | 'net' | 'plan' | 'trans', pixels?: number, rotate?: string, colors?: string, background?: string,
 *   plastic?: string, mask?: string, arrows?: string}} PictureOptions
 */
/** @typedef {'edit' | 'view' | 'none'} Access */
/** @typedef {'owner' | 'editor' | 'viewer'} Role */
/** @typedef {'free' | 'alternate' | 'round-robin'} TurnPolicy */
/** @typedef {'never' | 'commuting' | 'always'} Rebase */
/** @typedef {{min: number, max: number}} SizeRange */

/**
 * The formats that `as` may ask for. (The server also knows `none`, for answers without a cube.)
 * @typedef {'facelets' | 'faces' | 'cubies' | 'reid' | 'index' | 'features' | 'flatten' | 'pieces' | 'rubyks'
 *   | 'poses' | 'compact_poses' | 'net' | 'kpattern' | 'ranks' | 'names'} CubeFormatName
 */

// ---- cubes and moves ----

/**
 * Layers counted from a face. An answered turn is one as well.
 * @typedef {{
 *   face: Face,
 *   from?: number,
 *   to?: number,
 *   turns?: number,
 *   axis?: number[],
 *   layers?: number[],
 *   move?: string,
 *   cubies?: number[],
 * }} TurnByFace
 */

/**
 * Layers counted from the middle, along an axis.
 * @typedef {{axis: 'x' | 'y' | 'z', angle?: number, start?: number, end?: number}} TurnByAxis
 */

/** @typedef {string | string[] | (TurnByFace | TurnByAxis)[]} Moves */

/**
 * A cube that is sent, in one form or in several that agree, with moves on top. An answered cube is one as well.
 * @typedef {{
 *   size?: number,
 *   facelets?: string,
 *   faces?: Record<string, string[][]>,
 *   cubies?: Partial<Cubies> | null,
 *   reid?: string | null,
 *   index?: string | null,
 *   features?: number[] | null,
 *   flatten?: Record<string, number[][]>,
 *   pieces?: unknown[] | null,
 *   rubyks?: number[][] | null,
 *   poses?: {cubies: PoseInput[]} | null,
 *   compact_poses?: number[][] | null,
 *   kpattern?: Record<string, {pieces: number[], orientation: number[]}> | null,
 *   ranks?: CubeRanksInput | null,
 *   names?: string[] | null,
 *   net?: string,
 *   session?: string,
 *   at?: number,
 *   solved?: boolean,
 *   home?: boolean,
 *   possible?: boolean,
 *   identity?: 'assumed',
 *   moves?: Moves,
 *   notation?: Notation,
 * }} CubeDescription
 */

/** A description, or the facelets alone. @typedef {CubeDescription | string} CubeInput */

/**
 * @typedef {{
 *   order: string,
 *   corner_permutation: number[],
 *   corner_orientation: number[],
 *   edge_permutation?: number[],
 *   edge_orientation?: number[],
 *   centers?: string[],
 * }} Cubies
 */

/**
 * The parts as a number each; `pieces`: of those that were named.
 * @typedef {{
 *   corner_permutation: number,
 *   corner_orientation: number,
 *   edge_permutation?: number,
 *   edge_orientation?: number,
 *   pieces?: PieceRanks,
 * }} CubeRanks
 */

/**
 * The places of chosen pieces, and how they are turned.
 * @typedef {{
 *   corners?: string[],
 *   corner_places?: number,
 *   corner_permutation?: number,
 *   corner_orientation?: number,
 *   edges?: string[],
 *   edge_places?: number,
 *   edge_permutation?: number,
 *   edge_orientation?: number,
 * }} PieceRanks
 */

/** With `pieces` alone the others are filled in. @typedef {Partial<CubeRanks>} CubeRanksInput */

/** @typedef {{home: number[], at: number[], rotation: number[][], stickers?: Sticker[]}} PoseInput */
/** @typedef {{home: number[], at: number[], rotation: number[][], stickers: Sticker[]}} Pose */
/** @typedef {{face: string, normal: number[]}} Sticker */

/**
 * A cube as it is answered; the members after `possible` are there if `as` asks for them.
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
 *   kpattern?: Record<string, {pieces: number[], orientation: number[]}> | null,
 *   ranks?: CubeRanks | null,
 *   names?: string[] | null,
 *   net?: string,
 * }} Cube
 */

/** @typedef {{cube: Cube}} CubeAnswer */
/** @typedef {{line: number, error: ProblemDetails}} CubeLineError */

/**
 * Lengths of moves; null beyond 2^53-1.
 * @typedef {{
 *   htm: number | null,
 *   qtm: number | null,
 *   stm: number | null,
 *   qstm: number | null,
 *   etm: number | null,
 * }} Metrics
 */

/**
 * @typedef {{
 *   face: Face,
 *   from: number,
 *   to: number,
 *   turns: number,
 *   axis: number[],
 *   layers: number[],
 *   move: string,
 *   cubies?: number[],
 * }} Turn
 */

/**
 * @typedef {{
 *   size: number,
 *   neighbors: number[][],
 *   rings: Record<'U' | 'R' | 'F' | 'D' | 'L' | 'B', number[][]>,
 *   cubies: {at: number[], facelets: number[]}[],
 *   facelet_cubies: number[],
 * }} Geometry
 */
/** @typedef {{axis: 'x' | 'y' | 'z', angle: number, start: number, end: number}} AxisTurn */
/** @typedef {Notation | 'axis' | 'turns'} MoveForm */
/** @typedef {{offset: number, length: number, column: number, detail: string, readings?: string[]}} MoveNote */
/** @typedef {{cube: Cube, moves: string, metrics: Metrics, notes?: MoveNote[], turns?: Turn[]}} AppliedMoves */

/**
 * @typedef {{
 *   size: number,
 *   canonical: string,
 *   written?: string | Turn[] | AxisTurn[],
 *   inverse: string,
 *   simplified: string | null,
 *   expanded: string | null,
 *   expanded_length: number | null,
 *   metrics: Metrics,
 *   order: number,
 *   links: {twizzle: string | null, alg_cubing_net: string | null},
 *   notes?: MoveNote[],
 * }} AlgorithmAnalysis
 */

/**
 * One reason why no turns lead to a cube, and how to repair it.
 * @typedef {{
 *   kind: string,
 *   amount?: number,
 *   place?: string,
 *   piece?: string,
 *   letters?: string,
 *   repair?: string,
 * }} CubeFault
 */

/**
 * The product of cubes, or an inverse; what is optional is there with `assembled`.
 * @typedef {{
 *   possible?: boolean,
 *   problems?: CubeFault[],
 *   problem_count?: number,
 *   cube: Cube,
 * }} TransformationAnswer
 */

/**
 * @typedef {{
 *   possible: boolean,
 *   problems: CubeFault[],
 *   problem_count: number,
 *   candidates?: string[],
 *   rotation: string | null,
 *   cube: Cube,
 * }} CubeValidation
 */

// ---- patterns ----

/**
 * @typedef {string | {
 *   name?: string,
 *   faces?: string | unknown[],
 *   pieces?: Record<string, string>,
 *   all?: Pattern[],
 *   any?: Pattern[],
 *   not?: Pattern,
 *   anywhere?: Pattern,
 *   size?: number,
 *   layer?: 'first' | 'last',
 *   views?: 'all' | 'held',
 * }} Pattern
 */

/** @typedef {{pieces: string[], turn: number}} Cycle */

/**
 * @typedef {{
 *   size: number,
 *   solved: boolean,
 *   home: boolean,
 *   rotation: string,
 *   order: number,
 *   cycles: {corners: Cycle[], edges?: Cycle[]} | null,
 *   symmetry: number,
 *   canonical: string,
 *   hash: string,
 * }} CubeFacts
 */

/** @typedef {{name?: string, face: Face, rotation: number, bindings: Record<string, Face>}} PatternMatch */

/**
 * @typedef {{
 *   name: string,
 *   title: string | null,
 *   sizes: SizeRange,
 *   layer: 'first' | 'last' | null,
 *   source: string | null,
 *   own: boolean,
 *   updated_at?: string,
 * }} PatternSummary
 */

/** @typedef {PatternSummary & {setup: string | null, size: number, pattern: Pattern}} NamedPattern */

// ---- scrambles and solutions ----

/** @typedef {{moves: string, extra?: true, cube: Cube}} Scramble */

/**
 * @typedef {{
 *   name: string,
 *   title: string,
 *   size: number,
 *   count: number,
 *   before: string,
 *   after: string,
 *   source: string,
 * }} CaseSetSummary
 */

/** @typedef {CaseSetSummary & {cases: SetCase[]}} CaseSet */

/**
 * @typedef {{
 *   name: string,
 *   aliases?: string[],
 *   address: string,
 *   states: number,
 *   mirror: string | null,
 *   inverse: string | null,
 *   cube: Cube,
 *   picture: string,
 *   algorithms: CaseAlgorithm[],
 * }} SetCase
 */

/**
 * @typedef {{
 *   moves: string,
 *   before: string,
 *   after: string,
 *   length: number,
 *   effort: number,
 *   generators: string,
 * }} CaseAlgorithm
 */

/**
 * @typedef {{
 *   size: number,
 *   event: string | null,
 *   variant: string,
 *   until: string | null,
 *   goal: string | null,
 *   place: string | null,
 *   distance: number | null,
 *   generators: string | null,
 *   method: 'random_state' | 'random_walk',
 *   seed: string | null,
 *   note: string | null,
 *   scrambles: Scramble[],
 *   extras?: Scramble[],
 * }} ScrambleList
 */

/** @typedef {{cube: Cube}} RandomState */
/** @typedef {{size: number, seed: string | null, states: RandomState[]}} RandomStateList */

/**
 * A row: what `as` and `label` ask for.
 * @typedef {{
 *   colors?: number[],
 *   onehot?: number[],
 *   features?: number[],
 *   cubies?: RowCubies,
 *   permutation?: number[],
 *   index?: string,
 *   walk?: number,
 *   solution?: string,
 *   distance?: number,
 *   bound?: number,
 *   children?: TrainingRow[],
 * }} TrainingRow
 */

/**
 * @typedef {{
 *   corner_permutation: number[],
 *   corner_orientation: number[],
 *   edge_permutation?: number[],
 *   edge_orientation?: number[],
 * }} RowCubies
 */

/**
 * @typedef {CubeDescription & {
 *   cube?: CubeInput,
 *   method?: string,
 *   metric?: 'htm' | 'qtm' | 'stm' | 'qstm' | 'etm',
 *   until?: Pattern | {cube: CubeInput},
 *   goal?: 'eo' | 'dr' | 'htr' | '1x2x2' | '1x2x3' | '2x2x2' | '2x2x3' | 'cross' | 'xcross',
 *   place?: string,
 *   generators?: Moves,
 *   niss?: boolean,
 *   max_length?: number,
 *   improve?: boolean,
 *   solutions?: number,
 *   timeout_ms?: number,
 *   wait_ms?: number,
 *   first?: string,
 *   colors?: string,
 *   language?: string,
 *   steps?: number,
 * }} SolutionRequest
 */

/**
 * @typedef {{
 *   solution: string | null,
 *   length: number | null,
 *   normal?: string | null,
 *   inverse?: string | null,
 *   notation?: 'nissy',
 *   method: string,
 *   metric: string,
 *   metrics: Metrics | null,
 *   complete: boolean,
 *   optimal: boolean,
 *   bound: number | null,
 *   from_history: boolean,
 *   stages: SolutionStage[] | null,
 *   lesson?: {language: string, first: string, steps: number, introduction: string[]},
 *   count?: number | null,
 *   exhausted?: boolean,
 *   lengths?: {length: number, count: number, exhausted: boolean}[],
 *   solutions?: {solution: string | null, length: number | null, normal?: string | null, inverse?: string | null}[],
 *   tables?: {used: string | null, making: string | null, larger: {name: string, bytes: number, command: string, option: string}[]},
 *   nodes: number,
 *   time_ms: number,
 *   kept?: boolean,
 * }} Solution
 */

/**
 * The last members of a stage and of a step: of a lesson. `axis`, `normal`, `inverse`, `total`: of a solution by `fewest`.
 * @typedef {{
 *   name: string,
 *   axis?: string | null,
 *   moves: string,
 *   normal?: string,
 *   inverse?: string,
 *   metrics: Metrics,
 *   total?: number,
 *   steps: SolutionStep[],
 *   title?: string,
 *   aim?: string,
 *   picture?: string,
 *   algorithms?: {name: string, moves: string, text: string}[],
 * }} SolutionStage
 */
/**
 * @typedef {{
 *   text: string | null,
 *   piece: string | null,
 *   moves: string,
 *   hold?: {up: string, front: string, moves: string, text: string},
 *   hint?: string,
 *   picture?: string,
 * }} SolutionStep
 */

/**
 * @typedef {{
 *   id: string,
 *   status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled',
 *   method: string,
 *   size: number,
 *   progress: JobProgress,
 *   result: Solution | null,
 *   problem: ProblemDetails | null,
 * }} Job
 */

/** @typedef {{nodes: number, depth: number, best: number | null, ahead: number, elapsed_ms: number}} JobProgress */

/**
 * @typedef {{
 *   name: string,
 *   sizes: SizeRange,
 *   usual: boolean,
 *   optimal: boolean,
 *   length_max: {htm?: number | null, qtm?: number | null},
 *   stages: string[] | null,
 *   several: boolean,
 *   base: string | null,
 *   tables: {name: string, bytes: number, loaded: boolean}[],
 *   work_bytes: number,
 * }} Solver
 */

// ---- sessions ----

/**
 * A session in a list: without its cube, unless `as` asked for that. `standing` and `you`: if it was read by its id, or
 * came as an event.
 * @typedef {{
 *   id: string,
 *   size: number,
 *   name: string | null,
 *   access: Access,
 *   listed: boolean,
 *   turn_policy: TurnPolicy,
 *   revision: number,
 *   created_at: string,
 *   updated_at: string,
 *   scramble: string | null,
 *   cube?: Cube,
 *   standing?: Standing,
 *   you?: You,
 * }} ListedSession
 */

/**
 * The entries that can be undone and redone, who turned last, and whose turn it is.
 * @typedef {{
 *   revision: number,
 *   undoable: number,
 *   redoable: number,
 *   last: Actor | null,
 *   next: Actor | null,
 * }} Standing
 */

/** The caller. @typedef {{id: string | null, label: string | null, role: Role}} You */

/** @typedef {ListedSession & {cube: Cube}} SessionDetails */

/**
 * @typedef {{
 *   name?: string | null,
 *   access?: Access,
 *   listed?: boolean,
 *   turn_policy?: TurnPolicy,
 * }} SessionChangeRequest
 */

/**
 * @typedef {CubeDescription & {
 *   size?: number,
 *   cube?: CubeInput,
 *   name?: string | null,
 *   access?: Access,
 *   listed?: boolean,
 *   turn_policy?: TurnPolicy,
 *   scramble?: Moves | boolean | null,
 *   seed?: string,
 *   notation?: Notation,
 * }} NewSessionRequest
 */

/** @typedef {{id: string, label: string | null, role: Role}} Actor */

/**
 * One accepted change. `moves` is null if it is too long; `restores`: the revision whose cube an undo, redo or reset
 * brought back; `turns` if they were asked for.
 * @typedef {{
 *   revision: number,
 *   kind: 'moves' | 'scramble' | 'undo' | 'redo' | 'reset',
 *   moves: string | null,
 *   turns?: Turn[] | null,
 *   times_ms?: number[],
 *   restores?: number,
 *   actor: Actor | null,
 *   time: string,
 * }} Entry
 */

/**
 * The answer to a change.
 * @typedef {{
 *   revision: number,
 *   entry: Entry,
 *   cube: Cube,
 *   rebased_from?: number,
 *   notes?: MoveNote[],
 * }} WrittenEntry
 */

/**
 * @typedef {{
 *   id: string,
 *   role: Role,
 *   label: string | null,
 *   parent: string | null,
 *   created_at: string,
 *   revoked_at: string | null,
 * }} TokenInfo
 */

/** @typedef {{ticket: string, expires_at: string, reopens_until: string, sessions: string[]}} Ticket */
/** @typedef {{revision: number, move: number | null}} HistoryPlace */
/** @typedef {Omit<PatternMatch, 'name'> & HistoryPlace & {lost: HistoryPlace | null}} HistoryMatch */
/** @typedef {{matches: HistoryMatch[], next_after: number | null}} HistoryMatches */

/**
 * @typedef {{
 *   start: {revision: number, time: string},
 *   stages: (HistoryStage | null)[],
 *   next_after: number | null,
 * }} HistoryStages
 */

/**
 * @typedef {{
 *   name: string | null,
 *   revision: number,
 *   move: number | null,
 *   face: Face,
 *   rotation: number,
 *   moves: string | null,
 *   metrics: Metrics | null,
 *   time: string,
 *   duration_ms: number,
 * }} HistoryStage
 */

/** @typedef {{id: string | null, label: string | null, role: Role | null, watchers: number}} Person */
/** @typedef {{watchers: number, people: Person[], names: string[], came: string[], went: string[], session?: string}} Presence */

/**
 * @typedef {{
 *   id: string,
 *   name: string | null,
 *   access: Access,
 *   listed: boolean,
 *   turn_policy: TurnPolicy,
 *   updated_at: string,
 *   standing: Standing,
 *   session?: string,
 * }} SessionSettings
 */

/**
 * Something to show to all who watch a session: a step of a lesson, moves to look at, facelets that are lit; or a
 * reaction.
 * @typedef {{
 *   title?: string,
 *   text?: string,
 *   revision?: number,
 *   moves?: string,
 *   position?: number,
 *   look?: CueLook,
 *   marks?: CueMark[],
 *   reaction?: Reaction,
 * }} Cue
 */
/** A reaction is alone in its cue. @typedef {'clap' | 'heart' | 'wow'} Reaction */

/** @typedef {{yaw: number, pitch: number}} CueLook */
/** @typedef {{places: number[], kind: 'piece' | 'goal' | 'wrong'}} CueMark */
/** @typedef {{watchers: number}} CueAnswer */
/** @typedef {{actor: Actor | null, time: string, cue: Cue, session?: string}} ShownCue */

/**
 * An event of a session. `state` comes first; `resync` instead of entries that cannot be sent one by one; nothing
 * follows `end`. `id`: where watch({ after }) can continue.
 * @typedef {{session: string, id?: string} & (
 *   {event: 'state', data: SessionDetails} |
 *   {event: 'resync', data: SessionDetails} |
 *   {event: 'entry', data: Entry & {standing?: Standing, cube?: Cube}} |
 *   {event: 'solved', data: {revision: number, time: string}} |
 *   {event: 'presence', data: Presence} |
 *   {event: 'session', data: SessionSettings} |
 *   {event: 'cue', data: ShownCue} |
 *   {event: 'end', data: {reason: string}}
 * )} SessionEvent
 */

// ---- recorded solves ----

/**
 * @typedef {{
 *   session?: string,
 *   size?: number,
 *   scramble?: Moves | null,
 *   solution?: Moves | null,
 *   notation?: Notation,
 *   time_ms?: number,
 *   inspection_ms?: number,
 *   penalty?: string,
 *   comment?: string | null,
 *   assisted?: boolean,
 *   list?: string | null,
 *   event?: string,
 *   splits?: SolveSplitInput[],
 *   created_at?: string,
 * }} NewSolveRequest
 */

/** The end of a phase. @typedef {{name?: string | null, time_ms: number}} SolveSplitInput */
/** @typedef {{name: string | null, time_ms: number}} SolveSplit */

/**
 * @typedef {{
 *   penalty?: string,
 *   comment?: string | null,
 *   list?: string | null,
 *   event?: string,
 *   solution?: string,
 *   assisted?: boolean,
 * }} SolveChangeRequest
 */

/** @typedef {Solve & {stages: SolveStage[] | null, token?: string}} RecordedSolve */

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
 *   splits: SolveSplit[] | null,
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
 *   actor: Actor | null,
 * }} Solve
 */

/**
 * @typedef {{
 *   name: string,
 *   move: number,
 *   face: Face,
 *   rotation: number,
 *   moves: string,
 *   metrics: Metrics,
 *   duration_ms: number | null,
 *   tps: number | null,
 * }} SolveStage
 */

/** @typedef {{result: string, result_ms: number | null}} SolveResult */
/** @typedef {{id: string, result: string, result_ms: number | null}} SolveSingle */
/** @typedef {{first: string, last: string}} SolveSpan */
/** @typedef {{current: SolveResult | null, best: SolveResult | null, best_solves: SolveSpan | null}} SolveAverage */
/** @typedef {SolveAverage & {name: string}} NamedAverage */

/**
 * Averages of one event.
 * @typedef {{
 *   event: string,
 *   size: number | null,
 *   list: string | null,
 *   solves: number,
 *   dnf: number,
 *   untimed: number,
 *   assisted: number,
 *   latest: SolveSingle | null,
 *   best: SolveSingle | null,
 *   mean: SolveResult | null,
 *   mo3: SolveAverage,
 *   ao5: SolveAverage,
 *   ao12: SolveAverage,
 *   ao50: SolveAverage,
 *   ao100: SolveAverage,
 *   ao1000: SolveAverage,
 *   averages?: NamedAverage[],
 * }} SolveGroup
 */

/**
 * One item for each event, that of the newest solve first.
 * @typedef {{items: SolveGroup[], others: number}} SolveStats
 */

/** @typedef {{session: string, imported: number, known?: number, token?: string}} ImportedSolves */

// ---- the server ----

/**
 * @typedef {{
 *   items: CubeFormat[],
 *   next_cursor: null,
 *   dialects: {name: Notation, text: string}[],
 *   orders: {name: string, corners: string[], edges: string[]}[],
 *   rotations: {moves: string, matrix: number[][]}[],
 * }} FormatList
 */

/**
 * @typedef {{
 *   name: string,
 *   reads: boolean,
 *   writes: boolean,
 *   pieces: boolean,
 *   sizes: SizeRange,
 *   media_type: string,
 *   text: string,
 * }} CubeFormat
 */

/** @typedef {{value: number | null, unit: string, meaning: string}} Limit */

/**
 * A mistake in a member of the body.
 * @typedef {{
 *   pointer?: string,
 *   parameter?: string,
 *   detail: string,
 *   offset?: number,
 *   length?: number,
 *   column?: number,
 *   expected?: string,
 *   suggestion?: string,
 * }} MemberError
 */

/**
 * A problem as it is sent. The members after `request_id` belong to some types only.
 * @typedef {{
 *   type: string,
 *   title: string,
 *   status: number,
 *   detail: string,
 *   pointer?: string,
 *   parameter?: string,
 *   offset?: number,
 *   length?: number,
 *   line?: number,
 *   column?: number,
 *   expected?: string,
 *   suggestion?: string,
 *   readings?: string[],
 *   errors?: MemberError[],
 *   help?: string,
 *   request_id?: string,
 *   revision?: number,
 *   missed?: Entry[],
 *   next_after?: number,
 *   cube?: Cube,
 *   problems?: CubeFault[],
 *   available?: number,
 * }} ProblemDetails
 */

// ---- options of calls ----

/**
 * `token`: instead of the client's; null for none.
 * @typedef {{signal?: AbortSignal, token?: string | null}} CallOptions
 */

/** @typedef {CallOptions & {as?: CubeFormatName | CubeFormatName[], order?: string}} CubeOptions */
/** @typedef {ConvertOptions & {size?: number, count?: number, seed?: string}} StateOptions */
/**
 * `as`: one or several of `colors`, `onehot`, `features`, `cubies`, `permutation` and `index`.
 * @typedef {CallOptions & {size?: 2 | 3, count?: number, seed?: string, first?: number | string, walk?: number | string, as?: string | string[], label?: string | string[], symmetry?: 'none' | 'random', children?: boolean}} RowOptions
 */
/** `pieces`: of which `ranks` has ranks too. @typedef {CubeOptions & {pieces?: string | string[]}} ConvertOptions */
/** @typedef {CubeOptions & {turns?: boolean | 'cubies'}} ApplyOptions */

/**
 * Options of a change. It gets an Idempotency-Key unless `key` is one; `revision`: only if the session is still there;
 * `ifMatch`: the same with an ETag; `turns`: the entry has its turns as objects.
 * @typedef {CubeOptions & {key?: string, revision?: number, ifMatch?: string, turns?: boolean}} ChangeOptions
 */

/**
 * The choice of recorded solves. `from` and `to`: dates, or times in UTC.
 * @typedef {CallOptions & {
 *   session?: string,
 *   size?: number,
 *   from?: string,
 *   to?: string,
 *   list?: string,
 *   event?: string,
 *   penalty?: string,
 * }} SolveOptions
 */
