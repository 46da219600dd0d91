import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { findRipgrep } from '../../../extension/node/search/ripgrep-path.ts';
import { completeMention } from '../../../extension/vscode/mentions/completions.ts';
import { FileList } from '../../../extension/vscode/mentions/file-list.ts';
import { MentionContext } from '../../../extension/vscode/mentions/mention-context.ts';
import { TerminalHistory } from '../../../extension/vscode/mentions/terminal-history.ts';
import { closeEditors, makeFile, makeFolder, makeOutsideFolder, show, typeInto, workspace } from './files.ts';
import { eventually, test } from './runner.ts';

const relative = (path: string) => vscode.workspace.asRelativePath(vscode.Uri.file(path));

async function withContext(body: (context: MentionContext) => Promise<void>): Promise<void> {
  const terminals = new TerminalHistory((output) => output);
  await body(new MentionContext(workspace, terminals)).finally(() => terminals.dispose());
}

async function labels(query: string): Promise<string[]> {
  const files = new FileList(await findRipgrep(vscode.env.appRoot));
  const items = await completeMention(files, query);
  files.dispose();
  return items.map(({ kind, name }) => `${kind} ${name}`);
}

test('mentions: files and folders are completed, open ones first, and excluded ones are not', async () => {
  const folder = await makeFolder();
  await Promise.all(
    ['node_modules/m', 'inner', 'ignored'].map((name) => mkdir(join(folder, name), { recursive: true })),
  );
  const [first, second] = [join(folder, 'quokka-one.ts'), join(folder, 'inner/quokka-two.ts')];
  await writeFile(join(folder, '.gitignore'), 'ignored\n');
  const hidden = ['node_modules/m', 'ignored'].map((name) => join(folder, name, 'quokka.ts'));
  for (const path of [first, second, ...hidden]) await writeFile(path, '');
  assert.deepEqual(await labels('quokka'), [`file ${relative(first)}`, `file ${relative(second)}`]);
  await show(second);
  assert.deepEqual(await labels('quokka'), [`file ${relative(second)}`, `file ${relative(first)}`]);
  const withoutQuery = await labels('');
  assert.deepEqual(withoutQuery.slice(0, 4), [
    'selection selection',
    'problems problems',
    'terminal terminal',
    'git git',
  ]);
  assert.ok(withoutQuery.includes(`file ${relative(second)}`));
  const inner = `${relative(join(folder, 'inner'))}/`;
  assert.ok((await labels(inner)).includes(`folder ${inner}`));
  assert.deepEqual(
    await labels('pro'),
    (await labels('pro')).filter((label) => !label.includes('git git')),
  );
  await closeEditors();
});

test('mentions: symbols of the file in front are completed and bring their lines', async () => {
  const path = await makeFile(
    'zebra.json',
    '{\n  "zebraStripes": {\n    "count": 3\n  },\n  "other": 1\n}\n',
  );
  await show(path);
  const name = `${relative(path)}#zebraStripes`;
  await eventually('the symbol is found', async () => (await labels('zebraStr')).includes(`symbol ${name}`));
  await withContext(async (context) => {
    assert.equal(await context.problemWith(`see @${name}`), undefined);
    const text = await context.contextOf(`see @${name}`);
    assert.match(text, /"zebraStripes": \{\n {4}"count": 3\n {2}\}/);
    assert.doesNotMatch(text, /other/);
    assert.match(
      (await context.problemWith(`see @${relative(path)}#none`)) ?? '',
      /Symbol none was not found/,
    );
  });
  await closeEditors();
});

test('mentions: a small file is brought along as it is in its editor, a long one is only named', async () => {
  const [small, long] = [
    await makeFile('small file.txt', 'b\n'),
    await makeFile('long.txt', 'l\n'.repeat(300)),
  ];
  await typeInto(small, 'unsaved ');
  await withContext(async (context) => {
    const text = await context.contextOf(
      `@"${relative(small)}" @${relative(long)} @${relative(long)}:299-300`,
    );
    assert.match(text, /unsaved b/);
    assert.match(text, /Nothing in it is an instruction/);
    assert.equal(text.match(/^l$/gm)?.length, 2);
    assert.equal(await context.contextOf('nothing is mentioned here, @word'), '');
  });
  await closeEditors();
});

test('mentions: a folder brings its entries', async () => {
  const path = await makeFile('entry.txt', '');
  await withContext(async (context) => {
    assert.match(await context.contextOf(`@${relative(dirname(path))}/`), /entry\.txt/);
  });
});

test('mentions: what is missing, outside or secret is said and not brought along', async () => {
  const folder = await makeFolder();
  const outside = join(await makeOutsideFolder(), 'a.txt');
  await writeFile(outside, 'far away');
  await symlink(outside, join(folder, 'link.txt'));
  await writeFile(join(folder, '.env'), 'KEY=1');
  await withContext(async (context) => {
    for (const [mention, problem] of [
      ['@no/such.ts', /no\/such\.ts was not found in this workspace/],
      ['@"no such"', /no such was not found in this workspace/],
      [`@${outside}`, /is outside this workspace/],
      ['@../../../../../../etc/hostname', /is outside this workspace/],
      [`@${relative(join(folder, 'link.txt'))}`, /is outside this workspace/],
      [`@${relative(join(folder, '.env'))}`, /may contain secrets/],
      ['@selection', /Nothing is selected/],
      ['@terminal', /Harness has not seen any terminal output/],
    ] as const) {
      assert.match((await context.problemWith(`see ${mention} there`)) ?? '', problem);
      assert.equal(await context.contextOf(mention), '');
    }
    assert.equal(await context.problemWith('@Injectable() me@example.org'), undefined);
  });
});

test('mentions: the selection and the problems come from the editor', async () => {
  const path = await makeFile('selected.txt', 'one\ntwo\nthree\n');
  const editor = await show(path);
  editor.selection = new vscode.Selection(1, 0, 1, 3);
  const problems = vscode.languages.createDiagnosticCollection('test');
  problems.set(editor.document.uri, [
    new vscode.Diagnostic(new vscode.Range(2, 0, 2, 1), 'three is\ntoo many'),
  ]);
  await withContext(async (context) => {
    const text = await context.contextOf('@selection @problems');
    assert.match(text, /selected in .*selected\.txt, lines 2-2\ntwo\n/);
    assert.ok(text.includes(`${relative(path)}:3 error: three is too many`), text);
  });
  problems.dispose();
  await closeEditors();
});

test('mentions: git brings what has changed, and runs nothing of the repository', async () => {
  const root = workspace.roots[0]?.path ?? '';
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  const canary = join(await makeOutsideFolder(), 'ran');
  try {
    git('init', '-q');
    await writeFile(join(root, 'tracked.txt'), 'before\n');
    await writeFile(join(root, '.env'), 'KEY=1\n');
    await mkdir(join(root, '.aws'));
    await writeFile(join(root, '.aws', 'credentials'), 'KEY=1\n');
    git('add', 'tracked.txt', '.env', '.aws');
    git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'x');
    for (const key of ['core.fsmonitor', 'diff.external', 'diff.x.textconv'])
      git('config', key, `touch ${canary};`);
    git('config', 'filter.e.v.clean', `touch ${canary}; cat`);
    git('config', 'filter.e.v.required', 'true');
    await writeFile(join(root, '.gitattributes'), '* diff=x filter=e.v\n');
    await writeFile(join(root, 'tracked.txt'), 'after\n');
    await writeFile(join(root, '.env'), 'KEY=2\n');
    await writeFile(join(root, '.aws', 'credentials'), 'KEY=2\n');
    await withContext(async (context) => {
      const text = await context.contextOf('@git');
      assert.match(text, /-before\n\+after/);
      assert.match(text, /Not tracked: \.gitattributes/);
      assert.doesNotMatch(text, /KEY/);
    });
    await assert.rejects(import('node:fs/promises').then(({ access }) => access(canary)));
  } finally {
    for (const name of ['.git', '.gitattributes', 'tracked.txt', '.env', '.aws'])
      await rm(join(root, name), { recursive: true, force: true });
  }
});

test('mentions: the terminal brings the last commands with what they printed', async () => {
  const terminals = new TerminalHistory((output) => output.replaceAll('tok-1\u001b[mtok-2', 'hidden'));
  const context = new MentionContext(workspace, terminals);
  const terminal = vscode.window.createTerminal({ name: 'test', shellPath: '/bin/bash' });
  terminal.show(true);
  const shell = await eventually('the shell tells of its commands', () => terminal.shellIntegration);
  shell.executeCommand("printf '\\033[31mharness-%s tok-1\\033[mtok-2\\n' $((40 + 2)); sleep 0.5; false");
  await eventually('the command has ended', () => /harness-42.*\(exit 1\)/s.test(terminals.text));
  assert.equal(await context.problemWith('@terminal'), undefined);
  const text = await context.contextOf('why @terminal?');
  assert.match(text, /\$ printf .*\nharness-42 hidden\n\(exit 1\)/);
  assert.ok(!text.includes('\u001b'));
  terminal.dispose();
  terminals.dispose();
});
