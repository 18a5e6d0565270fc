// times.js: the recorded solves of a cube: averages, and the newest ones with their stages.

import { element } from './element.js';
import { cubed } from './server.js';

const $ = (id) => document.getElementById(id);

const LAST = 12;

let shown = null; // the cube whose solves are shown

/** The statistics of an event as text, such as "ao5 12.34": best, mean and present averages. */
function averagesOf(stats) {
  if (!stats) return '';
  const now = [['best', stats.best], ['mean', stats.mean], ...['mo3', 'ao5', 'ao12', 'ao100'].map((name) => [name, stats[name].current])];
  const words = now.filter(([, value]) => value).map(([name, value]) => `${name} ${value.result}`);
  return [...words, ...(stats.assisted > 0 ? [`${stats.assisted} assisted, not counted`] : [])].join(' · ');
}

async function fillStages(list, { token }, id) {
  const { stages } = await cubed.solves.get(id, { token });
  list.replaceChildren(...(stages ?? []).map((stage) => element('li', {},
    `${stage.name.replaceAll('-', ' ')}: ${stage.metrics.htm} turns, ${(stage.duration_ms / 1000).toFixed(2)} s`)));
}

function rowOf(solve, session) {
  const stages = element('ul', {});
  const open = (event) => event.target.open && fillStages(stages, session, solve.id).catch(() => {});
  return element('li', {}, element('details', { ontoggle: open },
    element('summary', {}, element('b', {}, solve.result), solve.metrics && ` ${solve.metrics.htm} turns`, solve.tps && ` ${solve.tps.toFixed(1)}/s`,
      solve.assisted && element('small', { title: 'A solution was shown before it was finished: it counts in no average' }, ' assisted')), stages));
}

/** Shows the present solves of a cube; hides the list if there are none. */
export async function showTimes(room) {
  shown = room;
  const { id, token } = room.session;
  const [{ items }, { items: [newest] }] = await Promise.all([
    cubed.solves.list({ session: id, token, limit: LAST }).first(), cubed.solves.stats({ session: id, token }),
  ]);
  if (shown !== room) return;
  $('averages').textContent = averagesOf(newest);
  $('solves').replaceChildren(...items.map((solve) => rowOf(solve, room.session)));
  $('times').hidden = items.length === 0;
}

export function hideTimes() {
  shown = null;
  $('times').hidden = true;
}
