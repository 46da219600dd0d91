import { expect, it } from 'vitest';
import { movesIn } from '../../../extension/core/review/path-steps.ts';
import type { FileState } from '../../../extension/protocol/events.ts';
import { ABSENT, file } from '../../support/file-events.ts';

const gone = (path: string, hash: string) => ({ path, before: file(hash), after: ABSENT });
const come = (path: string, hash: string) => ({ path, before: ABSENT, after: file(hash) });

it('pairs what is gone with what has its content, each once', () => {
  const changes = [gone('/a', '1'), come('/b', '1'), come('/c', '1'), come('/d', '2')];
  expect([...movesIn(changes)]).toEqual([['/b', '/a']]);
});

it('keeps files with the same content apart by their names', () => {
  const changes = [gone('/D/x', '1'), gone('/D/y', '1'), come('/E/w', '1'), come('/E/y', '1')];
  expect([...movesIn(changes)]).toEqual([
    ['/E/y', '/D/y'],
    ['/E/w', '/D/x'],
  ]);
});

it('knows nothing of files that were not kept', () => {
  const large: FileState = { kind: 'file', hash: '', size: 1, mode: 0o644, unkept: true };
  const changes = [
    { path: '/a', before: large, after: ABSENT },
    { path: '/b', before: ABSENT, after: large },
  ];
  expect(movesIn(changes).size).toBe(0);
});

it('takes no empty file for another one', () => {
  const empty: FileState = { kind: 'file', hash: 'of nothing', size: 0, mode: 0o644 };
  const changes = [
    { path: '/old.txt', before: empty, after: ABSENT },
    { path: '/p/__init__.py', before: ABSENT, after: empty },
  ];
  expect(movesIn(changes).size).toBe(0);
});
