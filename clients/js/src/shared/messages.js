// messages.js: what tabs and their leader say to each other.

/**
 * A message of a tab. `lock`: the name of a Web Lock that it holds as long as it lives; null if it cannot, and says
 * `alive` instead.
 * @typedef {{type: 'hello', base: string, quietMs: number, lock: string | null}
 *   | {type: 'watch', watch: number, id: string, token: string | null}
 *   | {type: 'stop', watch: number}
 *   | {type: 'reconnect'}
 *   | {type: 'alive'}
 *   | {type: 'bye'}} FromTab
 */

/**
 * A message of the leader. `ready`: there is a leader, which knows nothing of the tab yet, and may hold a lock as long
 * as it lives; `end`: a watch has ended, with the details of the problem if there was one.
 * @typedef {{type: 'ready', lock?: string | null}
 *   | {type: 'welcome'}
 *   | {type: 'event', watch: number, line: import('../watcher.js').Line}
 *   | {type: 'end', watch: number, problem: import('../types.js').ProblemDetails | null}
 *   | {type: 'online', online: boolean}} FromLeader
 */

export {};
