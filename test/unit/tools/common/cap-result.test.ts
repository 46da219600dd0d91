import fc from 'fast-check';
import { expect, it } from 'vitest';
import { capLines, capResult } from '../../../../extension/core/tools/common/cap-result.ts';

const size = (value: unknown) => JSON.stringify(value).length;

it('leaves a small result as it is', () => {
  const result = { stdout: 'a', exitCode: 0 };
  expect(capResult(result, 100)).toBe(result);
  expect(capResult(result, size(result))).toBe(result);
});

it('cuts the middle and says how much', () => {
  const { content } = capResult({ content: `${'a'.repeat(500)}${'z'.repeat(500)}` }, 300);
  expect(content).toMatch(/^a+\n\.\.\. \(\d+ characters left out; ask for a smaller part\)\nz+$/);
  const kept = String(content).replace(/\n.*\n/, '').length;
  expect(content).toContain(`(${1000 - kept} characters left out`);
  expect(size({ content })).toBeLessThanOrEqual(300);
});

it('takes from the longest only', () => {
  const result = { stdout: 'x'.repeat(5000), stderr: 'short', exitCode: 3, path: '/a' };
  const capped = capResult(result, 1000);
  expect(capped).toMatchObject({ stderr: 'short', exitCode: 3, path: '/a' });
  expect(size(capped)).toBeGreaterThan(950);
});

it('shares between two long ones', () => {
  const capped = capResult({ stdout: 'x'.repeat(5000), stderr: 'y'.repeat(3000) }, 2000);
  expect(Math.abs(String(capped.stdout).length - String(capped.stderr).length)).toBeLessThan(5);
});

it('never cuts through a character and never exceeds the limit', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', '\n', 'é', '😀', '\u0001', '🏳️‍🌈'),
    maxLength: 400,
  });
  const results = fc.record({ content: text, other: text, exitCode: fc.integer() });
  fc.assert(
    fc.property(results, fc.integer({ min: 200, max: 2000 }), (result, maxChars) => {
      const capped = capResult(result, maxChars);
      expect(size(capped)).toBeLessThanOrEqual(maxChars + 100);
      for (const value of Object.values(capped)) {
        if (typeof value === 'string') expect(value).not.toMatch(/\p{Surrogate}/u);
      }
      if (size(result) <= maxChars) expect(capped).toBe(result);
    }),
    { numRuns: 2000 },
  );
});

it('caps 2 MB of output', () => {
  const capped = capResult({ stdout: '😀'.repeat(500_000), stderr: '\u001b'.repeat(1_000_000) }, 40_000);
  expect(size(capped)).toBeLessThanOrEqual(40_000);
});

it('lines of a file are cut at their end, so that their numbers stay right', () => {
  const content = `${'x'.repeat(300)}\n`.repeat(10);
  const { content: kept, note } = capLines({ content, note: 'Latin-1' }, 1_000);
  expect(kept).toBe(content.slice(0, 3 * 301));
  expect(note).toBe(`Latin-1; ${7 * 301} characters after these lines are left out; read on with start_line`);
  expect(capLines({ content }, 10_000)).toEqual({ content });
});
