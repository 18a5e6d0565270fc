// service-worker.js: opens the page at / without a network, once somebody has used it (page/offline/keep.js registers it).
//
// tools/make-site fills in the key and the files of one version of the page, so another version is another script, which
// browsers look for at each visit. What can go wrong, and what then happens:
//
// - The page at / comes from the server whenever that answers, so this script never holds back a newer or an older page. The
//   kept one opens if there is no network, if the server answers with an error of its own (500 and above), or not in time.
// - A file below assets/ has the version in its path and never changes: the kept one is as good as the server's.
// - All else (/v1, streams, /c, /docs, /embed, pictures of links) is left to the browser, as if there were no worker.
// - A version is fetched into a cache of its own, file by file. If one does not come (404, 500, another version's page,
//   no room), what came is removed again, the browser drops the new worker, and the old one goes on with its cache. The
//   browser tries again at the next visit.
// - A new worker waits until no tab has the page open that the old one serves: nobody is interrupted in a solve or a
//   lesson. Then it removes the caches of others. Until that, a page of the new version gets its files from the server.
// - A cache of which the browser has removed a part opens no page, which might have no modules. It is completed at the next
//   visit with a network.
// - A server that has this script no longer (404 or 410; an older version, or another program at this address) ends the
//   worker at the next visit. Any other answer may be a fault that passes.
//
// Caches belong to all paths of an origin, on which several servers may be, each below its own: the names have the path.

const [KEY, ...FILES] = []; // the key; the files, below the path of this script, the page first

const { pathname: PATH } = new URL('./', location.href);
/** The language of this browser's page. The tables of others are not kept; another language is another worker. */
const LANGUAGE = new URL(location.href).searchParams.get('language');
const isOfOthers = (file) => ![undefined, LANGUAGE].includes(/\/page\.words\.([a-z]+)\./.exec(file)?.[1]);
const MINE = `cubed ${PATH} `;
const NAME = `${MINE}${KEY} ${LANGUAGE}`;
/** The sets of the trainer (page/offline/sets.js) are of no version. */
const SETS = `${MINE}sets`;
const KEPT = FILES.filter((file) => !isOfOthers(file)).map((file) => new URL(file, location.href).href);
const [PAGE] = KEPT;
/** The folder of this version, which the page names. */
const [ASSETS] = KEPT.filter((url) => isVersioned(url)).map((url) => /\/assets\/[^/]+\//.exec(url)[0]);

/** The kept page opens if the server does not answer within this time. */
const PATIENCE_MS = 4000;

function isVersioned(url) {
  return url.includes('/assets/');
}

// ---- keeping ----

/** A file as the server has it now; fails unless it is that of this version. */
async function fetched(url) {
  const answer = await fetch(url, { cache: isVersioned(url) ? 'default' : 'no-cache' });
  const isRight = answer.ok && !answer.redirected && (url !== PAGE || (await answer.clone().text()).includes(ASSETS));
  if (!isRight) throw new Error(`${url} is not there in this version: ${answer.status}`);
  return answer;
}

async function missing() {
  const there = (await caches.has(NAME)) ? (await (await caches.open(NAME)).keys()).map(({ url }) => url) : [];
  return KEPT.filter((url) => !there.includes(url));
}

/** Fetches the files that are missing, one after the other, since nobody waits for them: all of them, or none. */
async function complete() {
  const urls = await missing();
  if (urls.length === 0) return;
  const cache = await caches.open(NAME);
  try {
    for (const url of urls) await cache.put(url, await fetched(url));
  } catch (error) {
    for (const url of urls) await cache.delete(url);
    throw error;
  }
}

async function removeCaches(isWanted) {
  for (const name of await caches.keys()) if (name.startsWith(MINE) && !isWanted(name)) await caches.delete(name);
}

/** After a visit with a network: what the browser has removed is fetched again. If the server has no worker, this one ends. */
async function followServer(page) {
  if (page.ok && (await page.text()).includes(ASSETS)) return complete();
  const { status } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
  if (status !== 404 && status !== 410) return;
  await registration.unregister();
  await removeCaches(() => false);
}

// ---- answering ----

const kept = (url) => caches.match(url, { cacheName: NAME, ignoreVary: true });

/** The page, or what changes without its path: the server's, else the kept one. */
async function answerNow(event, url) {
  const asked = fetch(event.request);
  const answer = await Promise.race([asked.catch(() => null), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  if (!answer || answer.status >= 500) return ((await missing()).length === 0 && (await kept(url))) || asked;
  if (url === PAGE) event.waitUntil(followServer(answer.clone()).catch(() => {})); // it is tried again at the next visit
  return answer;
}

addEventListener('install', (event) => event.waitUntil(complete()));
addEventListener('activate', (event) => event.waitUntil(removeCaches((name) => name === NAME || name === SETS).then(() => clients.claim())));
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const [address] = url.split(/[?#]/);
  if (method !== 'GET' || !KEPT.includes(address) || (address === PAGE && mode !== 'navigate')) return;
  event.respondWith(isVersioned(address) ? kept(address).then((answer) => answer ?? fetch(address)) : answerNow(event, address));
});
