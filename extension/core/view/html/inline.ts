// Code and strong emphasis within lines. However long a line is, each of its characters is looked at a few times.
import { escapeHtml } from './html.ts';

/** Where emphasis may begin. */
const BEGINNING = /`+|\*\*(?=\S)/g;

/** Emphasis ends in its line. */
export function inline(text: string): string {
  return text.split('\n').map(inLine).join('\n');
}

function inLine(line: string): string {
  const codeEnds = endsOfCode(line);
  const strongEnds = [...line.matchAll(/(?<=\S)(?=\*\*)/g)].map(({ index }) => index);
  let [html, from, next] = ['', 0, 0];
  for (const { 0: mark, index } of line.matchAll(BEGINNING)) {
    const at = index + mark.length;
    while ((strongEnds[next] ?? at + 1) <= at) next += 1;
    const end = mark === '**' ? strongEnds[next] : codeEnds.get(index);
    if (index < from || end === undefined) continue;
    const inner = line.slice(at, end);
    html += escapeHtml(line.slice(from, index));
    html += mark === '**' ? `<strong>${inLine(inner)}</strong>` : `<code>${escapeHtml(inner)}</code>`;
    from = end + mark.length;
  }
  return html + escapeHtml(line.slice(from));
}

/** By where a run of backticks begins, where the next one begins that is as long. */
function endsOfCode(line: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const lastOf = new Map<number, number>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    const end = lastOf.get(run.length);
    if (end !== undefined) ends.set(index, end);
    lastOf.set(run.length, index);
  }
  return ends;
}
