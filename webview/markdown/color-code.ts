// Colors code while the page is idle, a few lines at a time.
import { isSelected } from '../ui/near-viewport.ts';

interface Job {
  readonly language: string;
  /** The lines before the element's lines. */
  readonly lead: readonly string[];
  readonly lines: readonly string[];
}

/** Milliseconds. A piece takes about two, so none starts in an idle period with less time left. */
const SPARE = 5;
/** Characters of lead and piece together. Longer code is machine-made and takes too long. */
const LONGEST = 12_000;

const jobs = new Map<HTMLElement, Job>();
/** From languages.ts, which loads with the first code. */
let color: ((code: string, language: string) => string | undefined) | undefined;

/** Colors `element`, which shows `lines`; `lead` is the code before them. The visible text stays the same. */
export function colorSoon(
  element: HTMLElement,
  language: string,
  lead: readonly string[],
  lines: readonly string[],
): void {
  if (jobs.size === 0) void begin();
  jobs.set(element, { language, lead, lines });
}

/**
 * Colors now. Call it before marking a place in the text, because a later coloring replaces the text nodes.
 */
export function colorNow(element: HTMLElement): void {
  if (!color) return;
  const job = jobs.get(element);
  jobs.delete(element);
  if (job && element.isConnected && element.hasChildNodes() && !isSelected(element)) replace(element, job);
}

async function begin(): Promise<void> {
  try {
    ({ color } = await import('./languages.ts'));
    requestIdleCallback(work);
  } catch {
    // Code is readable without colors. The next code tries to load again.
    jobs.clear();
  }
}

function work(deadline: IdleDeadline): void {
  for (const element of jobs.keys()) {
    if (deadline.timeRemaining() < SPARE) break;
    colorNow(element);
  }
  if (jobs.size > 0) requestIdleCallback(work);
}

function replace(element: HTMLElement, { language, lead, lines }: Job): void {
  const code = lines.join('');
  const before = lead.join('');
  if (code.length > LONGEST) return;
  const isShort = before.length + code.length <= LONGEST;
  const html = color?.(isShort ? before + code : code, language);
  if (html !== undefined) element.innerHTML = isShort ? withoutLines(html, lead.length) : html;
}

/** Removes the first `count` lines, and reopens the elements that are open after them. */
function withoutLines(html: string, count: number): string {
  const open: string[] = [];
  let left = count;
  if (left === 0) return html;
  for (const { 0: found, index } of html.matchAll(/<span[^>]*>|<\/span>|\n/g)) {
    if (found === '\n') left -= 1;
    else if (found === '</span>') open.pop();
    else open.push(found);
    if (left === 0) return open.join('') + html.slice(index + found.length);
  }
  return html;
}
