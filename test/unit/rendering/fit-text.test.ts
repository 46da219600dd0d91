import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitText, shortLine } from '../../../extension/core/rendering/fit-text.ts';

/** Whole lines from the beginning, and whole lines from the end, each with its share of the room. */
function reference(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const lines = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) =>
    shortLine(line, Math.min(2000, Math.floor(limit / 4))),
  );
  const fits = (some: readonly string[], room: number) => some.join('').length <= room;
  let head = 0;
  while (head < lines.length && fits(lines.slice(0, head + 1), limit * 0.4)) head += 1;
  let tail = lines.length;
  while (tail > head && fits(lines.slice(tail - 1), limit * 0.6)) tail -= 1;
  if (tail === head) return lines.join('');
  const note = `... ${tail - head} lines left out (${head + 1}-${tail}); the whole output is in /rest: read it with start_line, or grep it ...\n`;
  return lines.slice(0, head).join('') + note + lines.slice(tail).join('');
}

it('shows the lines at both ends that fit, and says how many it leaves out', () => {
  const part = fc.constantFrom('\n', 'x', 'ab\n', 'a\r\n', 'é😀', 'y'.repeat(30));
  const text = fc.array(part, { maxLength: 80 }).map((parts) => parts.join(''));
  let cut = 0;
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 200 }), (given, limit) => {
      const fitted = fitText(given, limit, '/rest');
      if (fitted.includes('left out')) cut += 1;
      expect(fitted).toBe(reference(given, limit));
    }),
    { numRuns: 2000 },
  );
  expect(cut).toBeGreaterThan(200);
});
