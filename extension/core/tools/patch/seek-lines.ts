/** How exactly a line has to be the one that is looked for, from strict to lenient. */
const SAME: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plain(line).trim(),
];

const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const SPACES = /[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g;

/** With the dashes, quotes and spaces that a keyboard has. */
function plain(line: string): string {
  return line
    .replace(DASHES, '-')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SPACES, ' ');
}

/** Where `wanted` stands in `lines`, at `from` or behind it; the first place of the strictest comparison that finds one. */
export function seekLines(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
): number | undefined {
  for (const form of SAME) {
    const found = seek(lines, wanted, from, form);
    if (found !== undefined) return found;
  }
  return undefined;
}

function seek(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  form: (line: string) => string,
): number | undefined {
  const forms = wanted.map(form);
  const [first] = forms;
  for (let at = from; at + wanted.length <= lines.length; at += 1) {
    if (form(lines[at] ?? '') !== first) continue;
    if (forms.every((line, index) => form(lines[at + index] ?? '') === line)) return at;
  }
  return undefined;
}
