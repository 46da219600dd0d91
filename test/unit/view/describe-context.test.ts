import { expect, test } from 'vitest';
import type { ContextText } from '../../../extension/core/ports/context-source.ts';
import { describeInjected } from '../../../extension/core/view/describe-context.ts';

const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }];

function titles(context: readonly ContextText[], held: readonly (readonly [ContextText['kind'], string])[]) {
  const text = describeInjected({ system: 'Work.', context, held: new Map(held), tools });
  return [...text.matchAll(/^-+\n(.+)\n-+\n\n(.*)/gm)].map(([, title, line]) => `${title}: ${line}`);
}

const ends = ['System prompt: Work.', 'Tool: read: Reads.'];
const between = (...told: readonly string[]) => [ends[0], ...told, ends[1]];

test('before the first prompt all of it goes with that one', () => {
  expect(titles([{ kind: 'permissions', text: 'Ask.' }], [])).toEqual(
    between('Context: permissions, with the next prompt: Ask.'),
  );
});

test('what was told is shown as such, and what has changed since beside it', () => {
  const context: ContextText[] = [
    { kind: 'permissions', text: 'Ask.' },
    { kind: 'instructions', text: 'Use tabs.', sources: ['/w/AGENTS.md'] },
  ];
  const held = [
    ['permissions', 'Ask.'],
    ['instructions', 'Use spaces.'],
  ] as const;
  expect(titles(context, held)).toEqual(
    between(
      'Context: permissions: Ask.',
      'Context: instructions, as it was sent: Use spaces.',
      'Context: instructions, with the next prompt: (from /w/AGENTS.md)',
    ),
  );
});

test('what goes without saying is shown only where something else was told', () => {
  const none: ContextText = { kind: 'instructions', text: 'None.', implied: true };
  expect(titles([none], [])).toEqual(between());
  expect(titles([none], [['instructions', 'Use tabs.']])).toEqual(
    between(
      'Context: instructions, as it was sent: Use tabs.',
      'Context: instructions, with the next prompt: None.',
    ),
  );
});
