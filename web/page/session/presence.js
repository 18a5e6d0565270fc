// presence.js: what the header says of a session: who is here, and whether the server answers.

import { t } from '../words.js';



/** Presence names at most this many people. */
export const PEOPLE_MAX = 100;

/** With so many changes without an answer the page says so, even if it is online. */
const MANY = 3;

/** Describes what waits for the server; null: nothing worth saying. */
function waitingFor({ session, cube }) {
  if (!session) return null;
  const { waiting: n } = cube;
  if (!cube.online) return n === 0 ? t('offline, reconnecting') : t('offline: {n} change waits|offline: {n} changes wait', { n });
  return n < MANY ? null : t('{n} change waits for the server.|{n} changes wait for the server.', { n });
}

/** Returns the number of people. Everybody with a token counts once, however many tabs or devices they have; others by
 * their connections. */
export function countPeople(app) {
  const { people = [], watchers } = app.cube.presence ?? {};
  if (people.length === PEOPLE_MAX) return watchers;
  const others = people.filter((one) => !app.isSelf(one)).reduce((sum, one) => sum + (one.id === null ? one.watchers : 1), 0);
  return others + (people.some((one) => app.isSelf(one)) ? 1 : 0);
}

export function preparePresence(app) {
  const people = document.getElementById('people');
  const line = document.getElementById('line');
  const showPeople = () => {
    const count = countPeople(app);
    people.hidden = count < 2;
    people.textContent = t('{n} here', { n: count });
  };
  let offline = null; // the cube whose server did not answer when this was last shown
  const showStatus = () => {
    const { session, cube } = app.room;
    const text = waitingFor(app.room);
    line.textContent = text ?? '';
    line.hidden = !text;
    const isOffline = session !== null && !cube.online;
    if (isOffline !== (offline === cube)) app.say(isOffline ? t('Offline, reconnecting.') : t('Online again.'));
    offline = isOffline ? cube : null;
  };
  for (const type of ['room', 'presence', 'standing']) app.on(type, showPeople);
  for (const type of ['room', 'status', 'turned', 'saved', 'refused']) app.on(type, showStatus);
  showPeople();
  showStatus();
}
