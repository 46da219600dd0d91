// What a model writes, in the little of Markdown that reads well in print: fences, headings, lists, code and emphasis.
import { escapeHtml, preformatted } from './escape.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^(#{1,6})\s+(.*)$/s;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;

/** Headings of the text stand below those of the page: `#` becomes `<h4>`. */
export function wordsHtml(markdown: string): string {
  const blocks = new Blocks();
  for (const line of markdown.trim().split(/\r?\n/)) blocks.take(line);
  return blocks.html();
}

interface Fence {
  readonly marks: string;
  readonly language: string;
  readonly lines: string[];
}

class Blocks {
  readonly #done: string[] = [];
  #paragraph: string[] = [];
  #fence: Fence | undefined;

  take(line: string): void {
    if (this.#fence) this.#inFence(this.#fence, line);
    else this.#outside(line);
  }

  #outside(line: string): void {
    const [, marks, language = ''] = FENCE.exec(line) ?? [];
    const [, level, title = ''] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      this.#closeParagraph();
      this.#fence = { marks, language, lines: [] };
    } else if (level !== undefined) {
      this.#closeParagraph();
      this.#done.push(`<h4>${inline(withoutClosing(title))}</h4>`);
    } else if (line.trim() === '') this.#closeParagraph();
    else this.#paragraph.push(line);
  }

  html(): string {
    this.#closeParagraph();
    if (this.#fence) this.#closeFence(this.#fence.lines, this.#fence.language);
    return this.#done.join('\n');
  }

  #inFence(fence: Fence, line: string): void {
    const isEnd = line.trim().startsWith(fence.marks) && /^\s*[`~]+\s*$/.test(line);
    if (isEnd) this.#closeFence(fence.lines, fence.language);
    else fence.lines.push(line);
  }

  #closeFence(lines: readonly string[], language: string): void {
    this.#done.push(preformatted(lines.join('\n'), language || 'Code'));
    this.#fence = undefined;
  }

  #closeParagraph(): void {
    if (this.#paragraph.length > 0) this.#done.push(paragraph(this.#paragraph));
    this.#paragraph = [];
  }
}

/** A heading may end with more of its marks. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return title.slice(0, end).trimEnd();
}

/** Lines stay lines; an item of a list hangs behind its mark. */
function paragraph(lines: readonly string[]): string {
  if (!lines.some((line) => ITEM.test(line))) return `<p>${inline(lines.join('\n'))}</p>`;
  const items = lines.map((line) => {
    const [, indent = '', mark, text = line] = ITEM.exec(line) ?? [];
    const depth = Math.min(6, Math.floor(indent.replaceAll('\t', '    ').length / 2));
    if (mark === undefined) return `<p class="more">${inline(line.trim())}</p>`;
    return `<p class="item d${depth}"><span class="mark">${/\d/.test(mark) ? escapeHtml(mark) : '•'}</span>${inline(text)}</p>`;
  });
  return items.join('\n');
}

// Code and strong emphasis within lines. However long a line is, each of its characters is looked at a few times.

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
