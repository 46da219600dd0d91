import { expect, test } from 'vitest';
import { compareTexts } from '../../../../extension/core/base/diff/diff-texts.ts';
import { unifiedDiff } from '../../../../extension/core/base/diff/unified-diff.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { redactedDiff } from '../../../../extension/core/tools/common/redacted-diff.ts';
import { random } from '../../../support/secret-samples.ts';

const filter = new SecretFilter();
const KEY = ['-----BEGIN PRIVATE KEY-----', random(64), random(60), '-----END PRIVATE KEY-----'];

function diffOf(before: readonly string[], after: readonly string[]) {
  const [old, now] = [before.join('\n'), after.join('\n')];
  return redactedDiff(old, now, compareTexts(old, now), (text) => filter.text(text))?.text;
}

/** So many that the change lies further from both ends than the longest secret. */
const numbers = (name: string) => Array.from({ length: 5_000 }, (_, index) => `${name} ${index + 1}`);

test('beside a key its lines are hidden, and the numbers stay', () => {
  const before = [...numbers('a'), ...KEY, 'b', 'c', ...numbers('d')];
  const after = before.with(5_004, 'B');
  expect(diffOf(before, after)?.replace(/#\w+/g, '')).toBe(
    '@@ -5003,5 +5003,5 @@\n [redacted:private-key]\n [redacted:private-key]\n-b\n+B\n c\n d 1',
  );
});

test('a line of a key that is changed is hidden, old and new', () => {
  const before = [...numbers('a'), ...KEY, ...numbers('d')];
  const diff = diffOf(before, before.with(5_001, random(63)));
  expect(diff).toMatch(/^-\[redacted:private-key#/m);
  expect(diff).toMatch(/^\+\[redacted:private-key#/m);
  expect(diff).not.toContain(random(60));
});

test('without a secret near it, a change is shown as it is', () => {
  const before = [...numbers('a'), ...KEY, ...numbers('b'), 'c', ...numbers('d')];
  const after = before.with(10_004, 'C');
  const [old, now] = [before.join('\n'), after.join('\n')];
  expect(diffOf(before, after)).toBe(unifiedDiff(old, compareTexts(old, now))?.text);
});
