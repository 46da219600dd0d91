import { expect, test } from 'vitest';
import { FilesNamed } from '../../../extension/core/export/files-in-log.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { ABSENT, file } from '../../support/file-events.ts';

function namesIn(...drafts: readonly EventDraft[]) {
  const files = new FilesNamed();
  for (const [index, draft] of drafts.entries())
    files.apply({ ...draft, seq: index + 1, session: 's', timestamp: 0, prev: '' });
  return files.names;
}

test('files of which versions are kept, and those that were only read, each once', () => {
  const changes = [
    { path: '/b', before: file('1'), after: ABSENT },
    { path: '/unkept', before: { ...file(''), unkept: true as const }, after: ABSENT },
  ];
  const names = namesIn(
    { type: 'tool_result', id: '1', result: '{}', isError: false, seen: { '/r': '1', '/b': '1' } },
    { type: 'checkpoint', id: '2', files: [{ path: '/a', state: file('2') }] },
    { type: 'checkpoint', id: '2', files: [{ path: '/new', state: ABSENT }] },
    { type: 'files_changed', id: '2', by: 'tool', changes },
    { type: 'files_changed', id: '3', by: 'tool', changes },
  );
  expect(names).toMatchObject({ kept: ['/a', '/b'], read: ['/r'] });
});

test('files that calls would have changed, which were denied: they were read for that', () => {
  const call = (id: string, name: string, input: Record<string, unknown>) =>
    ({ type: 'tool_call', id, name, input }) as const;
  const answer = (id: string, isError: boolean) =>
    ({ type: 'tool_result', id, result: '', isError }) as const;
  const names = namesIn(
    call('1', 'write', { path: '../outside.txt', content: 'x' }),
    call('2', 'move', { source: 'a', destination: 'b' }),
    call('3', 'apply_patch', { input: '*** Begin Patch\n*** Update File: c d\n@@\n-1\n+2\n*** End Patch' }),
    call('4', 'edit', { path: 'done' }),
    call('5', 'bash', { command: 'false', path: 'no' }),
    ...['1', '2', '3', '5'].map((id) => answer(id, true)),
    answer('4', false),
  );
  expect(names.read).toEqual(['../outside.txt', 'a', 'c d']);
});

test('a file that was made by a call', () => {
  const changes = [{ path: '/new', before: ABSENT, after: file('1') }];
  expect(namesIn({ type: 'files_changed', id: '1', by: 'tool', changes })).toMatchObject({ kept: ['/new'] });
});

test('files with instructions, and mentions that something went with', () => {
  const context = '<context-1>…</context-1>';
  const names = namesIn(
    { type: 'context', kind: 'instructions', text: '…', sources: ['/w/AGENTS.md', '/h/AGENTS.md'] },
    { type: 'context', kind: 'environment', text: '…' },
    { type: 'user', content: 'Look at @"a b.ts" and @git, @git.', context },
    { type: 'user', content: 'Write to @somebody' },
  );
  const instructions = ['/h/AGENTS.md', '/w/AGENTS.md'];
  expect(names).toEqual({ kept: [], read: [], instructions, mentions: ['@"a b.ts"', '@git'] });
});
