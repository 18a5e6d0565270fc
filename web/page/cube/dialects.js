// dialects.js: the notations that are read.

/** Fills a list of dialects; `text` says what the chosen one is. */
export async function listDialects(select, text) {
  if (select.options.length > 1) return;
  const { dialects } = await import('../offline/answers.js');
  const all = await dialects();
  select.replaceChildren(...all.map(({ name }) => new Option(name, name)));
  select.onchange = () => (text.textContent = all.find(({ name }) => name === select.value).text);
  select.onchange();
}
