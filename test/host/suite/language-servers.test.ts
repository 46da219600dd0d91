// What VS Code's own TypeScript and JSON servers tell the model: problems of a change, places, renames.
import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { closeEditors, makeFolder, makeOutsideFolder, show, withUserSetting } from './files.ts';
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

test('language servers: a JSON file in a tab is checked, one without a tab is not', async () => {
  const folder = await makeProject({ 'shown.json': '{ "a": 1 }\n', 'hidden.json': '{ "a": 1 }\n' });
  const [shown, hidden] = [join(folder, 'shown.json'), join(folder, 'hidden.json')];
  await show(shown);
  const { results } = await perform(
    call('read', { path: shown }),
    call('read', { path: hidden }),
    call('edit', { path: shown, old_string: '1', new_string: '1,,' }),
    call('edit', { path: hidden, old_string: '1', new_string: '1,,' }),
    call('diagnostics', { path: shown }),
    call('diagnostics', { path: hidden }),
    call('diagnostics', {}),
  );
  const [, , edited = {}, blind = {}, known = {}, unknown = {}, all = {}] = results;
  const found = [[1, 'error', 'Property expected', 'json']];
  assert.deepEqual(brief(edited.problems).slice(0, 1), found);
  assert.equal(edited.notChecked, undefined);
  assert.deepEqual([blind.problems, blind.notChecked], [[], [{ path: hidden, why: 'closed' }]]);
  assert.deepEqual(brief(known.problems).slice(0, 1), found);
  assert.deepEqual([unknown.problems, unknown.notChecked], [[], [{ path: hidden, why: 'closed' }]]);
  assert.ok((all.problems as { path: string }[]).some(({ path }) => path === shown));
  await closeEditors();
});

test('language servers: a file that no server reports on is never called free of problems', async () => {
  const folder = await makeProject({ 'notes.txt': 'one\n', 'clean.ts': 'export const one = 1;\n' });
  const [notes, clean] = [join(folder, 'notes.txt'), join(folder, 'clean.ts')];
  await showChecked(clean);
  await show(notes);
  const edits = ['two', 'three'].map((word, index) =>
    call('edit', { path: notes, old_string: ['one', 'two'][index], new_string: word }),
  );
  const { results } = await perform(
    call('read', { path: notes }),
    ...edits,
    call('diagnostics', { path: notes }),
    call('diagnostics', { path: clean }),
  );
  const silent = [{ path: notes, why: 'silent' }];
  assert.deepEqual(
    results.slice(1).map(({ notChecked }) => notChecked),
    [silent, silent, silent, undefined],
  );
  await closeEditors();
});

const TWO_FILES = {
  'lib.ts': 'export function area(width: number): number {\r\n  return width * width;\r\n}\r\n',
  'use.ts':
    "import { area } from './lib';\n// area is not code here\nexport const big = area(2) + area(3);\n",
};

test('language servers: definition, references, hover and symbols over two files', async () => {
  const folder = await makeProject(TWO_FILES);
  const [lib, use] = [join(folder, 'lib.ts'), join(folder, 'use.ts')];
  await showChecked(use);
  const ask = (action: string, more: object = { path: use, line: 1, symbol: 'area' }) =>
    call('code', { action, ...more });
  const { results } = await perform(
    ask('definition'),
    ask('references'),
    ask('hover'),
    ask('symbols', { path: lib }),
    ask('definition', { path: use, line: 3, symbol: 'area' }),
    ask('definition', { path: use, line: 2, symbol: 'big' }),
    ask('definition', { path: use, line: 3, symbol: 'area(3' }),
  );
  const [definition = {}, references = {}, hover = {}, symbols = {}, twice = {}, absent = {}, exact = {}] =
    results;
  assert.deepEqual(definition.places, [
    { path: lib, line: 1, column: 17, text: 'export function area(width: number): number {' },
  ]);
  const places = (references.places as { path: string; line: number }[]).map(({ path, line }) => [
    path,
    line,
  ]);
  assert.deepEqual(places.toSorted(), [
    [lib, 1],
    [use, 1],
    [use, 3],
    [use, 3],
  ]);
  assert.match(String(hover.content), /function area\(width: number\): number/);
  assert.deepEqual(symbols.symbols, [{ name: 'area', kind: 'function', line: 1, depth: 0 }]);
  assert.match(String(twice.error), /on line 3 more than once \(columns 20, 30\)/);
  assert.match(String(absent.error), /is not on line 2, .* is on line 3/);
  assert.deepEqual(exact.places, definition.places);
  await closeEditors();
});

test('language servers: a rename changes every use, and undo gives the exact bytes back', async () => {
  const folder = await makeProject(TWO_FILES);
  const [lib, use] = [join(folder, 'lib.ts'), join(folder, 'use.ts')];
  await showChecked(lib);
  const rename = call('code', {
    action: 'rename',
    path: lib,
    line: 1,
    symbol: 'area',
    new_name: 'square',
  });
  const [renamed = {}] = (await perform(rename)).results;
  assert.deepEqual((renamed.files as string[]).toSorted(), [lib, use]);
  const both = () => Promise.all([lib, use].map((path) => readFile(path, 'utf8')));
  assert.deepEqual(await both(), [
    TWO_FILES['lib.ts'].replace('area', 'square'),
    "import { square } from './lib';\n// area is not code here\nexport const big = square(2) + square(3);\n",
  ]);
  await vscode.commands.executeCommand('harness.undo');
  assert.deepEqual(await both(), [TWO_FILES['lib.ts'], TWO_FILES['use.ts']]);
  await closeEditors();
});

test('language servers: a rename that would move a file, or leave the workspace, changes nothing', async () => {
  const path = join(await realpath(await makeFolder()), 'moved.harnesstest');
  await writeFile(path, 'word\n');
  const uri = vscode.Uri.file(path);
  const edits: vscode.WorkspaceEdit[] = [new vscode.WorkspaceEdit(), new vscode.WorkspaceEdit()];
  const [moving, leaving] = edits;
  const word = new vscode.Range(0, 0, 0, 4);
  moving?.replace(uri, word, 'other');
  moving?.renameFile(uri, vscode.Uri.file(`${path}.moved`));
  const outside = join(await makeOutsideFolder(), 'far.harnesstest');
  await writeFile(outside, 'word\n');
  leaving?.replace(uri, word, 'other');
  leaving?.replace(vscode.Uri.file(outside), word, 'other');
  const provider = vscode.languages.registerRenameProvider(
    { pattern: '**/*.harnesstest' },
    { provideRenameEdits: () => edits.shift() },
  );
  const rename = call('code', { action: 'rename', path, symbol: 'word', new_name: 'other' });
  const { results } = await perform(rename, rename);
  assert.match(String(results[0]?.error), /would also create, move or delete files/);
  assert.match(
    String(results[1]?.error),
    /outside of the workspace: .*far\.harnesstest; nothing was applied/,
  );
  assert.equal(await readFile(path, 'utf8'), 'word\n');
  assert.equal(await readFile(outside, 'utf8'), 'word\n');
  provider.dispose();
});
