// What VS Code's own TypeScript and JSON servers tell the model: problems of a change, places, renames.
import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFolder, show, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

const DONE: ScriptedReply = { blocks: [{ type: 'text', text: 'Done.' }] };
const call = (name: string, input: object): ScriptedReply => ({
  blocks: [{ type: 'tool_use', name, input }],
});

interface Answered {
  readonly session: string;
  /** The stored results, in the order of the calls. */
  readonly results: readonly Record<string, unknown>[];
}

/** A run of these calls in a session of its own, without questions. */
async function perform(...calls: readonly ScriptedReply[]): Promise<Answered> {
  let session = '';
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([...calls, DONE], async (claude) => {
      await vscode.commands.executeCommand('harness.newSession');
      const ended = await vscode.commands.executeCommand<{ session: string }>('harness.ask', 'Go on');
      assert.deepEqual(claude.violations, []);
      session = ended.session;
    }),
  );
  const log = await readFile(
    join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl'),
    'utf8',
  );
  const events = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; result?: string });
  const results = events.filter(({ type }) => type === 'tool_result');
  return { session, results: results.map(({ result = '{}' }) => JSON.parse(result)) };
}

/** A TypeScript project in a folder of its own. Returns the real path. */
async function makeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await makeFolder());
  await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }\n');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const brief = (problems: unknown) =>
  (problems as { line: number; severity: string; message: string; source?: string }[]).map(
    ({ line, severity, message, source }) => [line, severity, message, source],
  );

/** The server is up, and has read the project. */
async function showChecked(path: string): Promise<void> {
  await show(path);
  await eventually('the TypeScript server answers', async () => {
    const symbols = await vscode.commands.executeCommand<unknown[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      vscode.Uri.file(path),
    );
    return (symbols?.length ?? 0) > 0;
  });
}

test('language servers: an edit reports the error that it causes, and no other', async () => {
  const folder = await makeProject({
    'a.ts': "export const old: number = 'wrong';\nexport const good = 1;\n",
    'b.ts': "import { good } from './a';\nexport const twice: number = good * 2;\n",
  });
  const [a, b] = [join(folder, 'a.ts'), join(folder, 'b.ts')];
  await showChecked(b);
  await showChecked(a);
  const { results } = await perform(
    call('read', { path: a }),
    call('edit', { path: a, old_string: 'good = 1;', new_string: 'good = 1;\nmissing();' }),
    call('edit', { path: a, old_string: '\nmissing();', new_string: '' }),
    call('edit', { path: a, old_string: 'good = 1', new_string: "good: string = 'one'" }),
  );
  const [, broken, fixed, other = {}] = results;
  assert.deepEqual(brief(broken?.problems), [[3, 'error', "Cannot find name 'missing'.", 'ts']]);
  assert.equal(broken?.notChecked, undefined);
  assert.deepEqual([fixed?.problems, fixed?.notChecked], [[], undefined]);
  const [elsewhere] = other.problems as { path: string; line: number }[];
  assert.deepEqual([elsewhere?.path, elsewhere?.line], [b, 2]);
  await closeEditors();
});
