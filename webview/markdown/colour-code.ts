// Gives code its colours when the page has nothing else to do, a few lines at a time.
import { isSelected } from '../ui/near-viewport.ts';

interface Job {
  readonly language: string;
  /** Lines before those of the element. */
  readonly lead: readonly string[];
  readonly lines: readonly string[];
}

/** Milliseconds of an idle moment below which no piece is begun: one takes about two. */
const SPARE = 5;
/** Characters of lead and piece together; longer is machine-made, and takes too long. */
const LONGEST = 12_000;

const jobs = new Map<HTMLElement, Job>();
/** Of languages.ts, which is loaded when the first code is there. */
let colour: ((code: string, language: string) => string | undefined) | undefined;

/** Colours `element`, which shows `lines`; `lead` comes before them. What the page shows as text stays the same. */
export function colourSoon(
  element: HTMLElement,
  language: string,
  lead: readonly string[],
  lines: readonly string[],
): void {
  if (jobs.size === 0) void begin();
  jobs.set(element, { language, lead, lines });
}

/** For somebody who marks a place in the text: what is coloured later replaces it. */
export function colourNow(element: HTMLElement): void {
  if (!colour) return;
  const job = jobs.get(element);
  jobs.delete(element);
  if (job && element.isConnected && element.hasChildNodes() && !isSelected(element)) replace(element, job);
}

async function begin(): Promise<void> {
  try {
    ({ colour } = await import('./languages.ts'));
    requestIdleCallback(work);
  } catch {
    // Code can be read without colours; the next one asks again.
    jobs.clear();
  }
}

function work(deadline: IdleDeadline): void {
  for (const element of jobs.keys()) {
    if (deadline.timeRemaining() < SPARE) break;
    colourNow(element);
  }
  if (jobs.size > 0) requestIdleCallback(work);
}

function replace(element: HTMLElement, { language, lead, lines }: Job): void {
  const code = lines.join('');
  const before = lead.join('');
  if (code.length > LONGEST) return;
  const isShort = before.length + code.length <= LONGEST;
  const html = colour?.(isShort ? before + code : code, language);
  if (html !== undefined) element.innerHTML = isShort ? withoutLines(html, lead.length) : html;
}

/** Takes the first `count` lines off, and opens anew what is open after them. */
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
