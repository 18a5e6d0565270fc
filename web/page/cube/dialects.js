// dialects.js: the notations that the server reads.

/** Fills a list of dialects; `text` says what the chosen one is. */
export async function listDialects(select, text) {
  if (select.options.length > 1) return;
  const { cubed } = await import('../session/server.js');
  const { dialects } = await cubed.formats();
  select.replaceChildren(...dialects.map(({ name }) => new Option(name, name)));
  select.onchange = () => (text.textContent = dialects.find(({ name }) => name === select.value).text);
  select.onchange();
}
