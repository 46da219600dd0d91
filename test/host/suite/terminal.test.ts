import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SpawnError } from '../../../extension/core/ports/shell.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { HarnessTerminal } from '../../../extension/vscode/terminal/harness-terminal.ts';
import { TerminalScreen } from '../../../extension/vscode/terminal/terminal-screen.ts';
import { makeFolder } from './files.ts';
import { eventually, test } from './runner.ts';

const never = new AbortController().signal;
const ignore = () => {};

function makeTerminal() {
  const before = new Set(vscode.window.terminals);
  const shell = new HarnessTerminal(new NodeShell(), systemClock);
  let screen = '';
  let listening: vscode.Disposable | undefined;
  const terminals = () => vscode.window.terminals.filter((terminal) => !before.has(terminal));
  const newest = () => terminals().at(-1);
  /** The newest terminal's own pseudoterminal: what VS Code gets from it, the test gets too. */
  const watch = () => {
    const options = newest()?.creationOptions;
    const pty = options && 'pty' in options ? options.pty : undefined;
    listening?.dispose();
    listening = pty?.onDidWrite((text) => {
      screen += text;
    });
    return pty;
  };
  return { shell, terminals, newest, watch, screen: () => screen };
}

function run(
  shell: HarnessTerminal,
  command: string,
  cwd: string,
  signal = never,
  onOutput = ignore as () => void,
) {
  return shell.run({ command, cwd, timeoutMs: 60_000, maxBytes: 1_000_000 }, onOutput, signal);
}

test('terminal: a command and its live output are shown in one terminal, without the keyboard’s focus', async () => {
  const { shell, terminals, newest, watch, screen } = makeTerminal();
  const cwd = await makeFolder();
  const input = vscode.window.createInputBox();
  let hidden = false;
  input.onDidHide(() => {
    hidden = true;
  });
  input.show();
  const running = run(shell, 'echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2; exit 3', cwd);
  watch();
  await eventually('the first line is shown while the command runs', () => screen().includes('one\r\n'));
  assert.match(screen(), /\$ echo one; until/);
  assert.equal(newest()?.name, 'Harness');
  await writeFile(join(cwd, 'go'), '');
  assert.deepEqual(await running, { end: 'exited', stdout: 'one\n', stderr: 'two\n', exitCode: 3 });
  await eventually('its end is shown', () => /two\r\n.*exit code 3 · \d+\.\d s/.test(screen()));
  await run(shell, 'true', cwd);
  assert.equal(terminals().length, 1);
  assert.equal(hidden, false);
  input.dispose();
  shell.dispose();
});

test('terminal: commands that run at the same time have a terminal each, and later ones take the first that is free', async () => {
  const { shell, terminals, watch, screen } = makeTerminal();
  const cwd = await makeFolder();
  const first = run(shell, 'echo first; until [ -e go ]; do sleep 0.05; done', cwd);
  await eventually('it has a terminal', () => terminals().length === 1);
  const second = run(shell, 'echo second', cwd);
  const pty = watch();
  await second;
  await eventually('the second is shown', () => screen().includes('second\r\n'));
  assert.ok(!screen().includes('first'));
  pty?.handleInput?.('\x03');
  await run(shell, 'true', cwd);
  assert.equal(terminals().length, 2);
  await writeFile(join(cwd, 'go'), '');
  assert.equal((await first).end, 'exited');
  shell.dispose();
  await eventually('both are closed', () => terminals().length === 0);
});

test('terminal: Ctrl+C ends the command, and only the command', async () => {
  const { shell, watch, screen } = makeTerminal();
  const cwd = await makeFolder();
  const turn = new AbortController();
  const running = run(shell, 'echo ready; sleep 600', cwd, turn.signal);
  const pty = watch();
  await eventually('it runs', () => screen().includes('ready\r\n'));
  pty?.handleInput?.('typed');
  pty?.handleInput?.('\x03');
  const result = await running;
  assert.equal(result.end, 'cancelled');
  assert.equal(result.stdout, 'ready\n');
  assert.equal(turn.signal.aborted, false);
  await eventually('that is shown', () => screen().includes('stopped'));
  assert.equal((await run(shell, 'exit 0', cwd)).end, 'exited');
  shell.dispose();
});

test('terminal: closing it ends nothing, and the next command has a new one', async () => {
  const { shell, terminals, newest, watch, screen } = makeTerminal();
  const cwd = await makeFolder();
  const running = run(shell, 'echo one; until [ -e go ]; do sleep 0.05; done; echo two', cwd);
  watch();
  await eventually('it runs', () => screen().includes('one\r\n'));
  newest()?.dispose();
  await eventually('the terminal is closed', () => terminals().length === 0);
  await writeFile(join(cwd, 'go'), '');
  assert.equal((await running).stdout, 'one\ntwo\n');
  await run(shell, 'true', cwd);
  assert.equal(terminals().length, 1);
  shell.dispose();
});

test('terminal: what a command prints cannot steer it, and its colours end with it', async () => {
  const { shell, watch, screen } = makeTerminal();
  const command = "printf '\\033]0;title\\007\\033]52;c;aGk=\\007\\033[31mred\\033[2J'";
  const running = run(shell, command, await makeFolder());
  watch();
  const result = await running;
  await eventually('the end is shown', () => screen().includes('exit code 0'));
  const output = screen().slice(screen().indexOf('\r\n') + 2);
  assert.ok(output.startsWith('\x1b[31mred\x1b[0m\r\n\x1b[2mexit code 0'), JSON.stringify(output));
  assert.match(result.stdout, /title/);
  shell.dispose();
});

test('terminal: a command cannot forge the line that announces it', async () => {
  const { shell, watch, screen } = makeTerminal();
  const running = run(shell, 'true\u202e # \x1b[2Jhidden\necho next', await makeFolder());
  watch();
  await running;
  await eventually('the end is shown', () => screen().includes('exit code'));
  assert.ok(screen().includes('$ true\\u{202e} # \\u{1b}[2Jhidden\r\n> echo next'), screen());
  shell.dispose();
});

test('terminal: a cancelled turn, and a shell that cannot start', async () => {
  const { shell, watch, screen } = makeTerminal();
  const turn = new AbortController();
  const running = run(shell, 'sleep 600', await makeFolder(), turn.signal);
  watch();
  turn.abort();
  assert.equal((await running).end, 'cancelled');
  await assert.rejects(run(shell, 'true', '/there/is/no/such/folder'), SpawnError);
  await eventually('that is shown', () => screen().includes('could not start'));
  shell.dispose();
});

test('terminal: nothing is written before it is open, and of a flood the end', async () => {
  const screen = new TerminalScreen(ignore, ignore);
  let written = '';
  screen.onDidWrite((text) => {
    written += text;
  });
  for (let line = 0; line < 100_000; line++) screen.write(`line ${line}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(written, '');
  screen.open();
  assert.ok(written.length < 100_000, `${written.length} characters`);
  assert.match(written, /\r\n… \(\d+ characters not shown\)\r\nline \d+\r\n/);
  assert.ok(written.endsWith('line 99999\r\n'));
  screen.write('more\r\n');
  await eventually('it is shown', () => written.endsWith('more\r\n'));
});
