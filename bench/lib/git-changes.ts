// Real changes of files, from the repository's own history.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { splitLines } from '../../extension/core/base/text/lines.ts';
import { type FileVersions, type Hunk, withHunks } from '../../test/support/edits/file-change.ts';

/** The history up to here never changes, so every clone gives the same changes. */
const LAST_COMMIT = 'cd32be06a84c16515a59bcefa6aec4b530546933';
const FILES = ['*.ts', '*.tsx', '*.mjs', '*.css', '*.md', '*.json'];
/** Characters; larger files are left out, because the model would not read them whole. */
const LARGEST = 100_000;
const MAX_OUTPUT = 1024 * 1024 * 1024;

interface Patch {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly Hunk[];
}

/** At most `most` changed files, spread evenly over the history. */
export async function gitChanges(repository: string, most: number): Promise<FileVersions[]> {
  await requireHistory(repository);
  const history = await git(repository, [
    ...['log', '-p', '-U0', '--no-merges', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'],
    ...[
      '--diff-algorithm=myers',
      '--full-index',
      '--diff-filter=M',
      '--format=',
      LAST_COMMIT,
      '--',
      ...FILES,
    ],
  ]);
  const patches = history
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map(patchOf);
  const step = Math.max(1, Math.floor(patches.length / most));
  const chosen = patches.filter((_, index) => index % step === 0).slice(0, most);
  const changes: FileVersions[] = [];
  for (const patch of chosen) {
    const [before, after] = await Promise.all([patch.before, patch.after].map((id) => blob(repository, id)));
    if (!before || before.length > LARGEST || before.includes('\r')) continue;
    const versions = { before: splitLines(before), hunks: patch.hunks };
    if (withHunks(versions.before, versions.hunks) !== after)
      throw new Error(`The patch of ${patch.before} was misread.`);
    changes.push(versions);
  }
  return changes;
}

async function requireHistory(repository: string): Promise<void> {
  const isShallow = (await git(repository, ['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  const hasLast = await git(repository, ['cat-file', '-e', LAST_COMMIT]).then(
    () => true,
    () => false,
  );
  if (isShallow || !hasLast)
    throw new Error(
      `The edits are taken from the history up to ${LAST_COMMIT.slice(0, 8)}, and this clone does not have all of it. Run git fetch --unshallow.`,
    );
}

async function git(repository: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', repository, ...args], { maxBuffer: MAX_OUTPUT });
  return stdout;
}

function blob(repository: string, id: string): Promise<string> {
  return git(repository, ['cat-file', 'blob', id]);
}

function patchOf(text: string): Patch {
  const [, before = '', after = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(text) ?? [];
  const hunks = text
    .split(/^(?=@@ )/m)
    .slice(1)
    .map(hunkOf);
  return { before, after, hunks };
}

function hunkOf(text: string): Hunk {
  const [head = '', ...rows] = splitLines(text);
  const [, line = '0', count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
  const start = Number(count) === 0 ? Number(line) : Number(line) - 1;
  return { start, removed: linesWith('-', rows), added: linesWith('+', rows) };
}

function linesWith(sign: '-' | '+', rows: readonly string[]): string[] {
  return rows.flatMap((row, index) => {
    if (!row.startsWith(sign)) return [];
    const hasEnd = !rows[index + 1]?.startsWith('\\');
    return [hasEnd ? row.slice(1) : row.slice(1, -1)];
  });
}
