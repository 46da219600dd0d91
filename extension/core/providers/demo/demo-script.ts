interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface DemoStep {
  readonly reasoning?: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface CallResult {
  readonly isError: boolean;
  /** As a model reads it. */
  readonly text: string;
}

type Script = Generator<DemoStep, DemoStep, readonly CallResult[]>;

/** A file with the bug, as grep found it. */
interface Finding {
  /** The project's folder, absolute or relative to the workspace. */
  readonly project: string;
  readonly line: number;
}

/**
 * Finds a wrong month in a small date module, fixes it and runs the test. Writes the module itself if the
 * workspace has none.
 */
export function* demoScript(): Script {
  const listing = yield {
    reasoning:
      'This is a scripted demo, not an AI. Whatever was asked, it shows the tools at work on a small real task.',
    text: 'I am the **demo model**: scripted, not an AI, but the tools are real. I will look for a date bug, fix it and run the tests. First I look around.',
    calls: [{ name: 'list_dir', input: { path: '.' } }],
  };
  if (failed(listing)) return stopped(listing);

  const searched = yield {
    text: 'Where are months used?',
    calls: [{ name: 'grep', input: { pattern: 'getUTCMonth()', path: '.', recursive: true } }],
  };
  if (failed(searched)) return stopped(searched);
  const found = findBug(searched[0]?.text ?? '');
  const finding = found ?? (yield* writeProject());
  if (!finding) return stopped([]);
  return yield* fix(finding);
}

function* writeProject(): Generator<DemoStep, Finding | undefined, readonly CallResult[]> {
  const { folder, files, bugLine } = demoFiles;
  const written = yield {
    text: `There is no such code here, so I write a tiny project with that bug into \`${folder}/\`.`,
    calls: files.map(({ path, content }) => ({
      name: 'write',
      input: { path: `${folder}/${path}`, content },
    })),
  };
  return failed(written) ? undefined : { project: folder, line: bugLine };
}

function* fix({ project, line }: Finding): Script {
  const source = `${project}/src/date.js`;
  const runTests = { name: 'bash', input: { command: `cd ${quoted(project)} && node --test` } };
  const before = yield {
    text: 'I read the code and run the tests as they are.',
    calls: [
      { name: 'read', input: { path: source } },
      { name: 'read', input: { path: `${project}/test/date.test.js` } },
      runTests,
    ],
  };
  if (failed(before)) return stopped(before);
  if (isDone(before[2])) return { text: 'The tests pass already, so there is nothing to fix.', calls: [] };

  const after = yield {
    reasoning: 'getUTCMonth() counts from 0, so January is 0: the date string is one month behind.',
    text: '`getUTCMonth()` counts months from 0, so every date is one month early. One line fixes it.',
    calls: [
      {
        name: 'edit',
        input: {
          path: source,
          operations: [{ op: 'replace', startLine: line, endLine: line, content: [FIXED_LINE] }],
        },
      },
      runTests,
    ],
  };
  if (failed(after)) return stopped(after);

  const noted = yield {
    text: 'Now a note about it, in its own folder.',
    calls: [
      { name: 'write', input: { path: `${project}/NOTES.md`, content: NOTE } },
      { name: 'move', input: { source: `${project}/NOTES.md`, destination: `${project}/docs/date-fix.md` } },
    ],
  };
  if (failed(noted)) return stopped(noted);
  return { text: summary(project, isDone(after[1])), calls: [] };
}

const NOTE = '# Date fix\n\n`getUTCMonth()` counts from 0; `formatDate` now adds 1.\n';

/** The matches stand below the path of their file. */
function findBug(matches: string): Finding | undefined {
  let project: string | undefined;
  for (const row of matches.split('\n')) {
    const [, line, content = ''] = /^(\d+):(.*)$/.exec(row) ?? [];
    if (line === undefined) project = projectOf(row);
    else if (project !== undefined && isBug(content)) return { project, line: Number(line) };
  }
  return undefined;
}

/** Undefined for another file. */
function projectOf(path: string): string | undefined {
  const [found, folder = '.'] = /^(?:(.*)[\\/])?src[\\/]date\.js$/.exec(path) ?? [];
  return found === undefined ? undefined : folder;
}

/** The command ended with exit code 0. */
function isDone(result: CallResult | undefined): boolean {
  return result !== undefined && !result.text.startsWith('exit code ');
}

function failed(results: readonly CallResult[]): boolean {
  return results.some((result) => result.isError);
}

function stopped(results: readonly CallResult[]): DemoStep {
  const error = results.find((result) => result.isError)?.text.replace(/^Error: /, '');
  return { text: `I stop here${error ? `: ${error}` : ''}.`, calls: [] };
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function summary(project: string, passes: boolean): string {
  return `${passes ? 'The tests pass.' : 'The change is made, but the tests did not pass here (is Node.js on the PATH?).'}

| step | what happened |
| --- | --- |
| cause | \`getUTCMonth()\` counts from 0 |
| change | one line in \`src/date.js\` |
| check | \`node --test\` |
| note | \`docs/date-fix.md\` |

All of it is in \`${project}\`:

1. undo it: the edit with the editor's own **Undo**, all of it with **Harness: Undo Last Run**, any part of it with **Harness: Restore Checkpoint…**
2. look at each call above: input, result and who allowed it
3. set an API key to let a real model work

\`\`\`js
${FIXED_LINE.trim()}
\`\`\``;
}

/** The line after the fix. */
export const FIXED_LINE =
  "  return [date.getUTCFullYear(), pad(date.getUTCMonth() + 1, 2), pad(date.getUTCDate(), 2)].join('-');";

/** The line uses the month as if it counted from 1. */
export function isBug(line: string): boolean {
  return line.replaceAll(' ', '').includes('pad(date.getUTCMonth(),2)');
}

const SOURCE = `function pad(number, length) {
  return String(number).padStart(length, '0');
}

/** The date as 2024-02-29, in UTC. */
export function formatDate(date) {
${FIXED_LINE.replace(' + 1', '')}
}
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate } from '../src/date.js';

test('formats a date as year, month and day', () => {
  assert.equal(formatDate(new Date(Date.UTC(2024, 1, 29))), '2024-02-29');
});
`;

/** A project with the bug, for a workspace that has none. */
export const demoFiles = {
  folder: 'harness-demo',
  files: [
    { path: 'src/date.js', content: SOURCE },
    { path: 'test/date.test.js', content: TEST },
  ],
  bugLine: 1 + SOURCE.split('\n').findIndex(isBug),
} as const;
