// What the tests of the workspace adapter have in common.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  ABSENT,
  WorkspaceError,
  type WorkspaceErrorReason,
} from '../../../extension/core/ports/workspace.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { VscodeWorkspace, workspaceRoots } from '../../../extension/vscode/workspace/vscode-workspace.ts';
import { afterTest, eventually } from './runner.ts';

const LIMIT = 10 * 1024 * 1024;

export const workspace = new VscodeWorkspace(
  new NodeWorkspace(workspaceRoots(), () => Promise.reject(new Error('not part of these tests'))),
);

/** A new folder in the workspace. */
export async function makeFolder(): Promise<string> {
  const [root] = workspace.roots;
  assert.ok(root, 'no folder is open');
  return mkdtemp(join(root.path, 'case-'));
}

/** A new folder outside of the workspace, by its real path. It goes with the test that runs. */
export async function makeOutsideFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'harness-test-')));
  // Something may still be written into it.
  afterTest(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/** A new file with this content, in a folder of its own. */
export async function makeFile(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await makeFolder(), name);
  await writeFile(path, content);
  return path;
}

export async function versionOf(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  return there ? (await workspace.read(path, LIMIT)).version : ABSENT;
}

/** Writes as a tool would that has just read the file. */
export async function write(path: string, content: string | Uint8Array): Promise<string | undefined> {
  return workspace.apply({ kind: 'write', path, bytes: Buffer.from(content), expect: await versionOf(path) });
}

export async function remove(path: string): Promise<string | undefined> {
  return workspace.apply({ kind: 'delete', path, expect: await versionOf(path) });
}

export function move(source: string, destination: string): Promise<string | undefined> {
  return workspace.apply({ kind: 'move', source, destination });
}

/** Shows the file in a tab that stays. */
export async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

/** What a user would have typed at the start of the file, unsaved. */
export async function typeInto(path: string, text: string): Promise<vscode.TextDocument> {
  // In a browser VS Code saves by itself after a second.
  const files = vscode.workspace.getConfiguration('files');
  await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  const editor = await show(path);
  assert.ok(await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), text)));
  return editor.document;
}

/** Undoes the last change in an editor and saves; the bytes that are then on disk. */
export async function undoAndSave(path: string): Promise<Buffer> {
  const { document } = await show(path);
  const before = document.version;
  await vscode.commands.executeCommand('undo');
  await eventually('the undo took place', () => document.version > before);
  assert.ok(await document.save(), 'the undone text was not saved');
  return readFile(path);
}

/** Throws away what is unsaved and closes all tabs. */
export async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter((candidate) => candidate.isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

export function openTabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}

export function rejectsWith(reason: WorkspaceErrorReason, work: Promise<unknown>): Promise<void> {
  return assert.rejects(work, (error) => {
    assert.ok(error instanceof WorkspaceError, `not a WorkspaceError: ${String(error)}`);
    assert.equal(error.reason, reason, error.message);
    return true;
  });
}

/** Runs `body` with a user setting of VS Code and takes it back. */
export async function withUserSetting(
  name: string,
  value: unknown,
  body: () => Promise<void>,
): Promise<void> {
  const set = (next: unknown) =>
    vscode.workspace.getConfiguration().update(name, next, vscode.ConfigurationTarget.Global);
  await set(value);
  try {
    await body();
  } finally {
    await set(undefined);
  }
}
