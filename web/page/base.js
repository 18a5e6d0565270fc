// base.js: where the server has its paths: at the beginning of the address, or below a path that a proxy shows (--base-path).

/** The prefix of each path of the server: '' or '/cubes'. All files of the page are below /assets/. */
export const base = /^\w+:\/\/[^/]+(.*)\/assets\//.exec(import.meta.url)?.[1] ?? '';

/** The path of the page. */
export const home = `${base}/`;

/** The address of the server as clients use it. */
export const server = () => location.origin + base;
