// company.js: what the header says of a session: who is here, and whether the server answers.

export function prepareCompany(app) {
  const people = document.getElementById('people');
  const line = document.getElementById('line');
  /** Everybody with a token counts once, however many tabs they have or reload. */
  const showPeople = () => {
    const { presence } = app.cube;
    const here = (presence?.people ?? []).reduce((sum, { id, watchers }) => sum + (id === null ? watchers : 1), 0);
    const more = presence && presence.people.length === 100 ? presence.watchers : here;
    people.hidden = more < 2;
    people.textContent = `${more} here`;
  };
  const showStatus = () => {
    const { session, cube } = app.room;
    const text = session && !cube.online ? 'offline, reconnecting' : app.waiting;
    line.textContent = text ?? '';
    line.hidden = !text;
  };
  for (const type of ['room', 'presence']) app.on(type, showPeople);
  for (const type of ['status', 'saved', 'refused']) app.on(type, showStatus);
  showPeople();
  showStatus();
}
