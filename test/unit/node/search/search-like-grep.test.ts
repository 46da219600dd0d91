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

/** What both read alike: ripgrep's classes are ASCII, and its back-references are those of PCRE2. */
const atom = fc.oneof(
  fc.constantFrom(
    ...'abcA1_-. é/:,',
    '.',
    '\\.',
    '\\(',
    '\\{',
    '\\|',
    '[a-c]',
    '[^b-]',
    '[A-Za-z_]',
    '[0-9]',
  ),
);
const repeated = fc
  .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}'))
  .map((parts) => parts.join(''));
const branch = fc.array(repeated, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const group = fc
  .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '*', '+', '?'))
  .map(([branches, operator]) => `(${branches.join('|')})${operator}`);
const extendedPattern = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(fc.oneof(branch, group), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '$'),
    fc.constantFrom('', '', '|b+c', '\nA'),
  )
  .map(([start, parts, end, other]) => start + parts.join('') + end + other);

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
    ['extended patterns', extendedPattern, 200, true],
  ])('%s', { timeout: 400_000 * times }, async (_, patterns, runs, extended = false) => {
    const agrees = fc.asyncProperty(patterns, fc.boolean(), async (pattern, ignoreCase) => {
      const query = { pattern, extended, ignoreCase: extended && ignoreCase };
      const theirs = await askGrep(query);
      fc.pre(theirs !== undefined);
      expect(await ask(query), pattern).toBe(theirs);
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

interface Asked {
  readonly pattern: string;
  readonly extended: boolean;
  readonly ignoreCase: boolean;
}

/** Undefined where grep itself takes too long: its back-references and nested intervals can take for ever. */
function askGrep({ pattern, extended, ignoreCase }: Asked): Promise<string | undefined> {
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' }, timeout: 5000 } as const;
  return new Promise((resolve) => {
    const flags = ['-n', ...(extended ? ['-E'] : []), ...(ignoreCase ? ['-i'] : [])];
    execFile('grep', [...flags, '-e', pattern, '--', file], options, (error, stdout) => {
      if (error?.killed) resolve(undefined);
      else resolve(error?.code === 2 ? REFUSED : stdout.replace(/\n$/, ''));
    });
  });
}

async function ask(asked: Asked): Promise<string> {
  try {
    const query = { ...asked, path: file, recursive: false, maxMatches: 1_000_000 };
    return (await search(query, new AbortController().signal)).matches;
  } catch (error) {
    if (WorkspaceError.is(error, 'invalid-pattern')) return REFUSED;
    throw error;
  }
}
