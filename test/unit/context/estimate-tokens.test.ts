import { expect, test } from 'vitest';
import { estimateTokens } from '../../../extension/core/context/estimate-tokens.ts';

test('each class of characters has its weight', () => {
  const tokens = (text: string) => estimateTokens(text.repeat(1_000), 'openai');
  expect(tokens('word ')).toBe(811 + 76);
  expect(tokens('Word ')).toBe(811 + 554 + 76);
  expect(tokens('longest ')).toBe(811 + 303 + 76);
  expect(tokens('7\n')).toBe(1_098 + 1_045);
  expect(tokens('{')).toBe(424);
  expect(tokens('語')).toBe(651);
});

test('a text has no fewer than no tokens', () => {
  expect(estimateTokens('', 'claude')).toBe(0);
  expect(estimateTokens(' '.repeat(100), 'claude')).toBe(0);
});
