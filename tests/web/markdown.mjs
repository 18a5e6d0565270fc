// The Markdown of the documents as HTML (tools/docs/markdown.c writes what cmark-gfm reads): each construct; and anything else: what
// is not closed is text, HTML is text, and elements are always closed in their order.
// Usage: node markdown.mjs [path of the server, unused] [path of make-docs]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check, finish } from '../api/report.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOOL = process.argv[3] ?? `${ROOT}build/make-docs`;
const MUTATIONS = 120;

function htmlOf(markdown) {
  const { status, stdout, stderr, error } = spawnSync(TOOL, ['--markdown'], { input: markdown, encoding: 'utf8', timeout: 600000, maxBuffer: 1 << 26 });
  assert.equal(status, 0, `${error ?? ''} ${stderr}`);
  return stdout.trim();
}

const PRE = '<pre tabindex="0"';
const heading = (level, id, text, plain = text) => `<h${level} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to ${plain}">#</a></h${level}>`;

const CASES = {
  'a paragraph of lines': ['one\ntwo\n\nthree', '<p>one\ntwo</p>\n<p>three</p>'],
  'line breaks': ['one  \ntwo\\\nthree', '<p>one<br>\ntwo<br>\nthree</p>'],
  'headings with anchors': ['# A title\n\n## Give *rights* to `others`!', `<h1 id="a-title">A title</h1>\n${heading(2, 'give-rights-to-others', 'Give <em>rights</em> to <code>others</code>!', 'Give rights to others!')}`],
  'the same heading twice': ['## Notes\n## Notes', `${heading(2, 'notes', 'Notes')}\n${heading(2, 'notes-1', 'Notes')}`],
  'no heading': ['#hash\n####### seven', '<p>#hash\n####### seven</p>'],
  'emphasis': ['*a* **b** ***c*** _d_ __e__ *f **g** h*', '<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <em>d</em> <strong>e</strong> <em>f <strong>g</strong> h</em></p>'],
  'no emphasis': ['2 * 3 * 4, snake_case_name, *open, **open, a_b_', '<p>2 * 3 * 4, snake_case_name, *open, **open, a_b_</p>'],
  'code in a line': ['`a <b> *c*` and ``a ` b`` and `open', '<p><code>a &lt;b&gt; *c*</code> and <code>a ` b</code> and `open</p>'],
  'code over two lines': ['`a\nb`', '<p><code>a b</code></p>'],
  'long code may be broken': [`\`${'x'.repeat(41)}\``, `<p><code class="long">${'x'.repeat(41)}</code></p>`],
  'links': ['[a *b*](/docs) [c `[d]`](https://e.f/g_(h) "title") <https://i.j/?k&l>', '<p><a href="/docs">a <em>b</em></a> <a href="https://e.f/g_(h)">c <code>[d]</code></a> <a href="https://i.j/?k&amp;l">https://i.j/?k&amp;l</a></p>'],
  'no links': ['[a] [b](c [d]: e (f) [g](javascript:h)', '<p>[a] [b](c [d]: e (f) g</p>'],
  'no link in a link': ['[a <https://b.c> [d](/e)](/f)', '<p>[a <a href="https://b.c">https://b.c</a> <a href="/e">d</a>](/f)</p>'],
  'a picture': ['![a *cube*](/cube.svg)', '<p><img src="/cube.svg" alt="a cube"></p>'],
  'escapes': ['\\*a\\* \\`b\\` \\[c](d) \\e', '<p>*a* `b` [c](d) \\e</p>'],
  'HTML is text': ['<script>alert("x")</script> &amp; <b>', '<p>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp;amp; &lt;b&gt;</p>'],
  'a list': ['- a\n- b\n  goes on\n- c', '<ul>\n<li>a\n</li>\n<li>b\ngoes on\n</li>\n<li>c\n</li>\n</ul>'],
  'a loose list': ['* a\n\n* b', '<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>'],
  'lists in lists': ['1. a\n   - b\n     1. c\n   - d\n2. e', '<ol>\n<li>a\n<ul>\n<li>b\n<ol>\n<li>c\n</li>\n</ol>\n</li>\n<li>d\n</li>\n</ul>\n</li>\n<li>e\n</li>\n</ol>'],
  'a list that begins later': ['3. a\n4. b', '<ol start="3">\n<li>a\n</li>\n<li>b\n</li>\n</ol>'],
  'code in a list': ['- a\n\n  ```sh\n  b\n\n  c\n  ```', `<ul>\n<li><p>a</p>\n${PRE} data-language="sh"><code>b\n\nc\n</code></pre>\n</li>\n</ul>`],
  'no list in a paragraph': ['in\n1999. a year\n-no', '<p>in\n1999. a year\n-no</p>'],
  'blocks of code': ['```js stream\n<a> `b`\n```\n\n    c\n\n    d\ne', `${PRE} data-language="js"><code>&lt;a&gt; \`b\`\n</code></pre>\n${PRE}><code>c\n\nd\n</code></pre>\n<p>e</p>`],
  'a fence in a fence': ['````\n```\na\n````\n~~~\nb', `${PRE}><code>\`\`\`\na\n</code></pre>\n${PRE}><code>b\n</code></pre>`],
  'a quote': ['> a\n> - b\n>\n> c', '<blockquote>\n<p>a</p>\n<ul>\n<li>b\n</li>\n</ul>\n<p>c</p>\n</blockquote>'],
  'a rule': ['a\n\n---\n\n* * *', '<p>a</p>\n<hr>\n<hr>'],
  'a table': ['| a | `b \\| c` |\n|---|:-:|\n| *d* | e\\|f | g |\n| h |\n\ni', '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr><th>a</th><th class="centre"><code>b | c</code></th></tr>\n</thead>\n<tbody>\n<tr><td><em>d</em></td><td class="centre">e|f</td></tr>\n<tr><td>h</td><td class="centre"></td></tr>\n</tbody>\n</table></div>\n<p>i</p>'],
  'no table': ['a | b\nc | d', '<p>a | b\nc | d</p>'],
  'Windows lines': ['# a\r\n\r\nb\r\nc', '<h1 id="a">a</h1>\n<p>b\nc</p>'],
  'nothing': ['', ''],
};

for (const [name, [markdown, html]] of Object.entries(CASES)) await check(name, () => assert.equal(htmlOf(markdown), html));

/** Elements that are not closed in their order. */
function unbalanced(html) {
  const open = [];
  for (const [tag, closing, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/g)) {
    if (['br', 'hr', 'img'].includes(name)) continue;
    if (!closing) open.push(name);
    else if (open.pop() !== name) return `${tag} at ${html.slice(0, html.indexOf(tag)).length}`;
  }
  return open.join();
}

const documents = ['guide', 'reference', 'internals'].flatMap((folder) => readdirSync(`${ROOT}docs/${folder}`).map((name) => readFileSync(`${ROOT}docs/${folder}/${name}`, 'utf8')));

/** The same numbers at each run. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

await check('documents in which marks are lost, doubled and moved', () => {
  const random = numbers(20261123);
  const pick = (list) => list[Math.floor(random.next().value * list.length)];
  const pieces = ['`', '``', '*', '**', '_', '[', '](', ')', '|', '\n', '\n\n', '```', '    ', '- ', '> ', '1. ', '#', '<', '\\', '|---|', '\u00e9', '!['];
  for (let i = 0; i < MUTATIONS; i++) {
    let text = pick(documents).slice(0, 6000);
    for (let k = 0; k < 40; k++) {
      const at = Math.floor(random.next().value * text.length);
      text = text.slice(0, at) + pick(pieces) + text.slice(at + Math.floor(random.next().value * 6));
    }
    assert.equal(unbalanced(htmlOf(text)), '', text);
  }
});

await check('what is nested deeply or open at length ends soon', () => {
  for (const text of ['['.repeat(3000), '*a '.repeat(3000), '> '.repeat(500), '`'.repeat(5001), `${'- '.repeat(200)}a`, '![['.repeat(1500), '|'.repeat(3000), '#'.repeat(3000), `a|b\n${'-|'.repeat(3000)}`]) {
    assert.equal(unbalanced(htmlOf(text)), '', text.slice(0, 20));
  }
});

finish();
