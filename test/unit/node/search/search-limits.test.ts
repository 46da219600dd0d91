import { chmod, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSearch, type SearchOptions } from '../../../../extension/node/search/ripgrep-search.ts';
import { folderWith } from '../../../support/folder-with.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';
import { until } from '../../../support/until.ts';

function find(options: SearchOptions, pattern: string, path: string, signal = new AbortController().signal) {
  return createSearch(options)({ pattern, path, recursive: true, maxMatches: 2000 }, signal);
}

/** A program in the place of ripgrep. */
async function program(script: string): Promise<string> {
  const folder = await folderWith({ rg: `#!/bin/sh\n${script}\n` });
  await chmod(folder, 0o755);
  await chmod(join(folder, 'rg'), 0o755);
  return join(folder, 'rg');
}

it.each([{ ripgrepPath }, {}])(
  'keeps the first lines of a flood and counts the others (%j)',
  async (options) => {
    const names = Array.from({ length: 40 }, (_, index) => `d${index % 7}/f${index}`);
    const text = `${'line of text '.repeat(8)}\n`.repeat(3000);
    const folder = await folderWith(Object.fromEntries(names.map((name) => [name, text])));
    const found = await find(options, 'text', folder);
    const first = names.map((name) => join(folder, name)).sort()[0];
    const lines = found.matches.split('\n');
    expect(lines).toHaveLength(2000);
    expect(lines.every((line, index) => line.startsWith(`${first}:${index + 1}:line`))).toBe(true);
    expect(found.omitted).toBe(40 * 3000 - 2000);
    expect(await find(options, 'text', join(folder, 'd0', 'f0'))).toMatchObject({ omitted: 1000 });
  },
);

it('counts the matches of one file beyond all limits', async () => {
  const folder = await folderWith({ a: 'some words on a line\n'.repeat(600_000) });
  const { matches, omitted } = await find({ ripgrepPath }, 'words', join(folder, 'a'));
  expect(matches.split('\n')[1999]).toBe('2000:some words on a line');
  expect(omitted).toBe(598_000);
});

it('does not read more of a monstrous line than it shows', async () => {
  const folder = await folderWith({ a: '' });
  const file = await open(join(folder, 'a'), 'w');
  const piece = Buffer.alloc(1024 * 1024, 'y');
  for (let written = 0; written < 64; written += 1) await file.write(piece);
  await file.close();
  const { matches } = await find({ ripgrepPath }, 'y', join(folder, 'a'));
  expect(matches).toBe(`1:${'y'.repeat(2000)}... (line cut after 2000 characters)`);
});

const isRoot = process.getuid?.() === 0;
const forever = 'echo $$ > "$0.pid"\nexec sleep 1000';

it('kills ripgrep when it is cancelled', async () => {
  const slow = await program(forever);
  const folder = await folderWith({ a: 'x' });
  const cancel = new AbortController();
  const searching = find({ ripgrepPath: slow }, 'x', folder, cancel.signal);
  const pid = await pidOf(slow);
  cancel.abort();
  await expect(searching).rejects.toMatchObject({ reason: 'failed', message: 'search cancelled' });
  await until(() => !isRunning(pid));
});

it('kills ripgrep when it takes too long, and says what to do', async () => {
  const slow = await program(forever);
  const folder = await folderWith({ a: 'x' });
  const message = `search stopped after 0.5 s: ${folder}; give a narrower path or a simpler pattern`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const searching = find({ ripgrepPath: slow, timeoutMs: 500 }, 'x', folder);
  const failed = expect(searching).rejects.toMatchObject({ reason: 'failed', message });
  const pid = await pidOf(slow);
  vi.advanceTimersByTime(500);
  await failed;
  await until(() => !isRunning(pid));
});

it('does not start when it is cancelled already', async () => {
  const folder = await folderWith({ a: 'x' });
  await expect(find({ ripgrepPath }, 'x', folder, AbortSignal.abort())).rejects.toMatchObject({
    message: 'search cancelled',
  });
});

it('goes on with PCRE2 where an older ripgrep does not know the syntax, and with grep where it has no PCRE2', async () => {
  const folder = await folderWith({ a: 'foo bar\nfoobar\n' });
  const matches = `${folder}/a:1:foo bar`;
  const older = await program(
    `case "$*" in *--pcre2*) exec '${ripgrepPath}' "$@";; esac\necho 'rg: regex parse error:' >&2\nexit 2`,
  );
  expect(await find({ ripgrepPath: older, findGrep: noGrep }, 'foo\\>', folder)).toMatchObject({ matches });
  const broken = await program(`echo 'rg: PCRE2 is not available in this build of ripgrep' >&2\nexit 2`);
  expect(await find({ ripgrepPath: broken }, 'foo\\>', folder)).toMatchObject({ matches });
  expect(await find({ ripgrepPath: join(folder, 'gone') }, 'foo\\>', folder)).toMatchObject({ matches });
});

it('says what to install where nothing is there to search with', async () => {
  const folder = await folderWith({ a: 'x' });
  const install =
    'searching needs ripgrep, and neither it nor grep was found: install ripgrep and put `rg` on the PATH';
  await expect(find({ findGrep: noGrep }, 'x', folder)).rejects.toMatchObject({ message: install });
  const missing = 'this pattern needs GNU grep, which is not installed: write it without back-references';
  const hard = find({ ripgrepPath, findGrep: noGrep }, '\\(x\\)*\\1', folder);
  await expect(hard).rejects.toMatchObject({ message: missing });
  const huge = find({ ripgrepPath, findGrep: noGrep }, '\\(x\\{1000\\}\\)\\{1000\\}\\{1000\\}', folder);
  await expect(huge).rejects.toMatchObject({ message: 'Regular expression too big' });
});

it('never gives grep an expression whose repetitions would keep it busy', async () => {
  const folder = await folderWith({ a: 'xxx\n' });
  const options = { ripgrepPath, findGrep: () => Promise.reject(new Error('grep was asked')) };
  const message = 'Regular expression too big';
  expect((await find(options, '\\(x\\{150\\}\\)\\{150\\}', folder)).matches).toBe('');
  await expect(find(options, '\\(x\\{150\\}\\)\\{150\\}\\1', folder)).rejects.toMatchObject({ message });
  await expect(find(options, '\\(x\\{200\\}\\)\\{200\\}', folder)).rejects.toMatchObject({
    reason: 'invalid-pattern',
    message,
  });
});

it('reports a ripgrep that dies', async () => {
  const dying = await program('kill -9 $$');
  const folder = await folderWith({ a: 'x' });
  expect(await find({ ripgrepPath: dying }, 'x', folder)).toMatchObject({ matches: `${folder}/a:1:x` });
});

it('finds everything although part of it cannot be read', async () => {
  const folder = await folderWith({ 'locked/a': 'x', 'b/locked': 'x', c: 'x' });
  await Promise.all(['locked', 'b/locked'].map((path) => chmod(join(folder, path), 0)));
  await chmod(folder, 0o755);
  const asNobody = await program(
    `exec setpriv --reuid=65534 --regid=65534 --clear-groups '${ripgrepPath}' "$@"`,
  );
  const found = await find({ ripgrepPath: isRoot ? asNobody : ripgrepPath }, 'x', folder);
  expect(found).toEqual({ matches: `${folder}/c:1:x`, omitted: 0 });
  await chmod(join(folder, 'locked'), 0o755);
});

async function noGrep(): Promise<undefined> {
  return undefined;
}

async function pidOf(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(`${path}.pid`, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process
  }
}
