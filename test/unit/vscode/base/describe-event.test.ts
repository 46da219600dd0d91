import { expect, test } from 'vitest';
import { oneLine } from '../../../../extension/vscode/base/describe-event.ts';

test('a text of a list is one line, and no character of it is cut in two', () => {
  expect(oneLine('  Tell me\n\n a\tfable ')).toBe('Tell me a fable');
  expect(oneLine('🦊'.repeat(100))).toBe('🦊'.repeat(100));
  expect(oneLine('🦊'.repeat(101))).toBe(`${'🦊'.repeat(99)}…`);
  expect(oneLine(`a${'🦊'.repeat(1_000_000)}`)).toBe(`a${'🦊'.repeat(98)}…`);
});
