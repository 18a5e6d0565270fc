// The table: rows of what was measured, with a ratio and its target where there is one.

/** A figure with three digits that count: 0.123, 12.3, 1230. */
export function digits(value) {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

export class Report {
  #parts = [];
  #rows = null;

  /** A new table under a heading, and what its columns are. */
  section(title, columns) {
    this.#rows = [];
    this.#parts.push({ title, columns, rows: this.#rows });
    process.stderr.write(`${title}\n`);
  }

  text(text) {
    this.#parts.push({ text });
  }

  /** One row; numbers are shown with three digits. */
  row(...cells) {
    this.#rows.push(cells.map((cell) => (typeof cell === 'number' ? digits(cell) : (cell ?? ''))));
  }

  /** A row "what, measured, target, reached or missed". */
  atLeast(what, value, target, unit = '') {
    this.#target(what, value, `at least ${digits(target)}${unit}`, value >= target, unit);
  }

  atMost(what, value, target, unit = '') {
    this.#target(what, value, `at most ${digits(target)}${unit}`, value <= target, unit);
  }

  #target(what, value, target, reached, unit) {
    this.row(what, `${digits(value)}${unit}`, target, reached ? 'reached' : '**missed**');
  }

  markdown() {
    return `${this.#parts.map((part) => (part.text ? part.text : this.#table(part))).join('\n\n')}\n`;
  }

  #table({ title, columns, rows }) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [`### ${title}`, '', line(columns), line(columns.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
  }
}
