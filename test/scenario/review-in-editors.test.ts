// What a rejection does and says where an editor writes the file.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { versionOf } from '../../extension/core/base/content-hash.ts';
import { WorkspaceError } from '../../extension/core/ports/workspace.ts';
import { rejectChanges } from '../../extension/core/review/decide.ts';
import { choice, edited, portsOf } from '../support/review-desk.ts';

test('what a formatter makes of a rejection is not what it was: the exact bytes come back', async () => {
  const { at, path } = await edited('a\n', 'a\nb\n');
  const apply = async () => {
    await writeFile(path, 'A\n');
    return versionOf(Buffer.from('A\n'));
  };
  await rejectChanges({ ...portsOf(at), workspace: { apply } }, [await choice(at, 'file.txt')]);
  expect(await readFile(path, 'utf8')).toBe('a\n');
});

test('why a rejection is refused is told in words for the user', async () => {
  const { at, path } = await edited('a\n', 'a\nb\n');
  const apply = () => Promise.reject(new WorkspaceError('unsaved', path, 'words for the model'));
  const rejection = rejectChanges({ ...portsOf(at), workspace: { apply } }, [await choice(at, 'file.txt')]);
  await expect(rejection).rejects.toThrow(`Could not write ${path}: it has unsaved changes in an editor.`);
});
