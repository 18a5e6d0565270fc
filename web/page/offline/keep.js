// keep.js: keeps the page in this browser, by a service worker, so that it opens without a network; and removes it again.

import { base, home } from '../base.js';
import { language } from '../words.js';
import { forgetTables } from './tables.js';

const SCRIPT = `${base}/service-worker.js?language=${language}`;

/** Pages may require that addresses of scripts are marked as trusted; this one is constant. */
const trusted = () => globalThis.trustedTypes?.createPolicy('cubed-keep', { createScriptURL: () => SCRIPT }).createScriptURL('') ?? SCRIPT;

/** The registration of this page's worker; undefined: none. Another server may have one for all paths of its origin. */
async function registrationHere() {
  const all = await navigator.serviceWorker.getRegistrations();
  return all.find(({ scope }) => new URL(scope).pathname === home);
}

/**
 * Says whether the page is kept: 'kept', 'on' (it will be, once it was used), 'off' (this person does not want it); or why it
 * cannot be: 'insecure' (browsers keep no page that came over plain HTTP), 'saving' (this browser saves data), 'unable'.
 */
export async function stateOfKeeping(settings) {
  if (!globalThis.isSecureContext) return 'insecure';
  if (!navigator.serviceWorker || !globalThis.caches) return 'unable';
  if (!settings.get('keep')) return 'off';
  const registration = await registrationHere().catch(() => null);
  if (registration?.active) return 'kept';
  if (registration === null || !globalThis.WebAssembly) return 'unable';
  return navigator.connection?.saveData ? 'saving' : 'on';
}

/**
 * Keeps the page, unless it cannot be kept or is not to be. Resolves when the browser knows the worker, which then fetches. For a
 * page that is kept this changes nothing, unless it is in another language now.
 */
export async function keepPage(settings) {
  if (['on', 'kept'].includes(await stateOfKeeping(settings))) await navigator.serviceWorker.register(trusted(), { scope: home });
}

/** Removes the kept page from this browser, and the tables of searches. */
export async function forgetPage() {
  await (await registrationHere())?.unregister();
  for (const name of await caches.keys()) if (name.startsWith(`cubed ${home} `)) await caches.delete(name);
  await forgetTables();
}
