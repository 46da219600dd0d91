// Measures the tools on big inputs against minimal code. Arguments: a folder with `large.txt` and `tree/`,
// rounds, and ripgrep. Prints milliseconds as JSON.
import { execFile } from 'node:child_process';
import { chmod, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SecretFilter } from '../../extension/core/secrets/secret-filter.ts';
import { capResult } from '../../extension/core/tools/common/cap-result.ts';
import type { Tool, ToolContext } from '../../extension/core/tools/common/tool.ts';
import { edit } from '../../extension/core/tools/edit/edit.ts';
import { grep } from '../../extension/core/tools/grep/grep.ts';
import { read } from '../../extension/core/tools/read/read.ts';
import { NodeShell } from '../../extension/node/processes/node-shell.ts';
import { createSearch } from '../../extension/node/search/ripgrep-search.ts';
import { NodeWorkspace } from '../../extension/node/workspace.ts';
import { measurePairs } from './timing.ts';

const [folder = '', rounds = '1', ripgrep = ''] = process.argv.slice(2);
const large = join(folder, 'large.txt');
const count = Number(rounds);
const query = { pattern: 'needle_[0-9]', path: 'tree', recursive: true };
const changedLine = 40_000;
/** As in a session. */
const maxResultChars = 200_000;

function contextWith(ripgrepPath: string): ToolContext {
  const workspace = new NodeWorkspace([{ name: 'bench', path: folder }], createSearch({ ripgrepPath }));
  const filter = new SecretFilter();
  return {
    workspace,
    shell: new NodeShell(),
    seen: undefined,
    timeoutMs: 30_000,
    withoutSecrets: (text) => filter.text(text),
  };
}

async function run(tool: Tool, input: unknown, context = contextWith(ripgrep)): Promise<unknown> {
  const { signal } = new AbortController();
  const call = await tool.prepare(input, context, signal);
  const { result } = await call.execute(signal, () => {}, { id: 'call', stopped: signal, moved: signal });
  return capResult(result, maxResultChars);
}

async function output(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program, [...args], { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
}

let edits = 0;

function editLine(): Promise<unknown> {
  edits += 1;
  const operation = {
    op: 'replace',
    startLine: changedLine,
    endLine: changedLine,
    content: [`edit ${edits}`],
  };
  return run(edit, { path: 'large.txt', operations: [operation] });
}

async function rewriteLine(): Promise<void> {
  edits += 1;
  const lines = (await readFile(large, 'utf8')).split('\n');
  lines[changedLine - 1] = `edit ${edits}`;
  await rewrite(lines.join('\n'));
}

async function rewrite(text: string): Promise<void> {
  const handle = await open(`${large}.new`, 'w');
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await rename(`${large}.new`, large);
}

const lineEdited = () => `edit ${edits}\n`;

/** Replaces the text of the last edit. */
function editText(): Promise<unknown> {
  const old = lineEdited();
  edits += 1;
  return run(edit, { path: 'large.txt', old_string: old, new_string: lineEdited() });
}

async function replaceText(): Promise<void> {
  const old = lineEdited();
  edits += 1;
  const text = await readFile(large, 'utf8');
  const at = text.indexOf(old);
  await rewrite(text.slice(0, at) + lineEdited() + text.slice(at + old.length));
}

/** The arguments that the tool passes to ripgrep, recorded by a program in ripgrep's place. */
async function ripgrepArguments(): Promise<string[]> {
  const spy = join(folder, 'spy.sh');
  const noted = join(folder, 'arguments');
  await writeFile(spy, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noted}'\n`);
  await chmod(spy, 0o755);
  await run(grep, query, contextWith(spy));
  return (await readFile(noted, 'utf8')).trimEnd().split('\n');
}

const flags = await ripgrepArguments();
const results = {
  read: await measurePairs(
    count,
    () => run(read, { path: 'large.txt' }),
    () => output('cat', [large]),
  ),
  edit: await measurePairs(count, editLine, rewriteLine),
  editText: await measurePairs(count, editText, replaceText),
  grep: await measurePairs(
    count,
    () => run(grep, query),
    () => output(ripgrep, flags),
  ),
};
console.log(JSON.stringify(results));
