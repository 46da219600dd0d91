// The proof that a search finds what the machine's own grep finds: thousands of patterns, each on hundreds of lines, and each
// that grep refuses is refused. HARNESS_GREP_RUNS=20 makes it twenty times as many.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceError } from '../../../../extension/core/ports/workspace.ts';
import { createSearch } from '../../../../extension/node/search/ripgrep-search.ts';
import { brePatterns, textLine } from '../../../support/bre-patterns.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';

const REFUSED = 'refused';
const times = Number(process.env.HARNESS_GREP_RUNS ?? 1);
const hasGnuGrep = /GNU/.test(grepVersion());
if (!hasGnuGrep) console.warn('Skipped: this machine has no GNU grep to compare with');

const search = createSearch({ ripgrepPath });
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-grep-'));
  file = join(folder, 'text');
  const lines = fc.sample(textLine, { numRuns: 300, seed: 42 });
  await writeFile(file, `${lines.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(!hasGnuGrep)('a search finds what grep finds', () => {
  it.each([
    ['well-formed patterns', brePatterns.wellFormed, 300],
    ['broken patterns', brePatterns.broken, 400],
    ['patterns with back-references', brePatterns.referring, 250],
  ])('%s', { timeout: 400_000 * times }, async (_, patterns, runs) => {
    const agrees = fc.asyncProperty(patterns, async (pattern) => {
      const theirs = await askGrep(pattern);
      fc.pre(theirs !== undefined);
      expect(await ask(pattern), pattern).toBe(theirs);
    });
    await fc.assert(agrees, { numRuns: runs * times, seed: 1 });
  });
});

function grepVersion(): string {
  try {
    return execFileSync('grep', ['--version'], { encoding: 'utf8' });
  } catch {
    return ''; // there is no grep at all
  }
}

/** Undefined where grep itself takes too long: its back-references and nested intervals can take for ever. */
function askGrep(pattern: string): Promise<string | undefined> {
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' }, timeout: 5000 } as const;
  return new Promise((resolve) => {
    execFile('grep', ['-n', '-e', pattern, '--', file], options, (error, stdout) => {
      if (error?.killed) resolve(undefined);
      else resolve(error?.code === 2 ? REFUSED : stdout.replace(/\n$/, ''));
    });
  });
}

async function ask(pattern: string): Promise<string> {
  try {
    const query = { pattern, path: file, recursive: false, maxMatches: 1_000_000 };
    return (await search(query, new AbortController().signal)).matches;
  } catch (error) {
    if (WorkspaceError.is(error, 'invalid-pattern')) return REFUSED;
    throw error;
  }
}
