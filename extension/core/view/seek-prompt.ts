import type { LogWindow } from './log-window.ts';

/** The nearest prompt in a section before or after `section`; undefined where there is none. A prompt begins a section. */
export function seekPrompt(
  log: Pick<LogWindow, 'section'>,
  section: number,
  direction: -1 | 1,
): { section: number; part: string } | undefined {
  for (let index = section + direction; log.section(index).length > 0; index += direction) {
    const prompt = log.section(index).find((event) => event.type === 'user');
    if (prompt) return { section: index, part: String(prompt.seq) };
  }
  return undefined;
}
