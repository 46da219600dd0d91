// What the user saves between a rejection and its write is theirs.
import { lstat, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { rejectChanges } from '../../extension/core/review/decide.ts';
import { choice, portsOf } from '../support/review-desk.ts';
import { calls, says, scenario } from '../support/scenario.ts';

const WORK = 'an hour of work\n';

/** The agent runs `command`; its change of `name` is rejected, and the user saves that file when the intent is in the log. */
async function rejectWhileSaved(name: string, command: string, lines?: readonly string[]) {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, name);
  await writeFile(join(at.root, 'old.txt'), 'a\n');
  await symlink('old.txt', join(at.root, 'link'));
  const model = new ScriptedModel(calls(1, ['bash', { command }]), says('Done.'));
  await at.session.prompt('Go', at.settings(model));
  const chosen = await choice(at, name);
  const cells = chosen.review.cells?.filter(({ line }) => lines?.includes(line.text)) ?? [];
  const ids = lines && { ids: new Set(cells.map(({ line }) => line.id)) };
  const ports = portsOf(at);
  const record: typeof ports.record = async (...drafts) => {
    await ports.record(...drafts);
    if (!drafts.some(({ type }) => type === 'checkpoint')) return;
    await rm(path, { recursive: true, force: true });
    await writeFile(path, WORK);
  };
  await expect(rejectChanges({ ...ports, record }, [{ ...chosen, ...ids }])).rejects.toThrow(
    `Could not write ${path}: it has just changed.`,
  );
  const told = at.session.events.filter(({ type }) => type === 'notice');
  return { path, told };
}

test.each<[what: string, name: string, command: string, lines?: string[]]>([
  ['what was edited', 'old.txt', 'echo b >> old.txt'],
  ['one line of it', 'old.txt', 'printf "b\\na\\nc\\n" > old.txt', ['b']],
  ['its changed contents', 'new.txt', 'echo b > new.txt'],
  ['what was deleted', 'old.txt', 'rm old.txt'],
  ['what was a link', 'link', 'ln -sfn elsewhere link'],
  ['what became a link', 'old.txt', 'ln -sf elsewhere old.txt'],
  ['what became a directory', 'old.txt', 'rm old.txt && mkdir old.txt'],
])('%s, and is saved in the moment of its rejection, is not overwritten', async (_, ...given) => {
  const { path, told } = await rejectWhileSaved(...given);
  expect((await lstat(path)).isFile()).toBe(true);
  expect(await readFile(path, 'utf8')).toBe(WORK);
  expect(told).toEqual([]);
});
