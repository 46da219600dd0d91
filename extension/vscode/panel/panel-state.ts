import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { PanelState } from '../../protocol/messages.ts';
import { readSetting } from '../base/settings.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import type { WindowParts } from './panel-parts.ts';

/** Characters. A longer prompt stays in the history, but the page does not get it. */
const MAX_RECALLED = 10_000;

/** Reads the current state that a panel shows beside the log. */
export async function panelStateOf({ header, history, sessions, models }: WindowParts): Promise<PanelState> {
  const folder = workspaceRoots()[0]?.path;
  const [queue, model, recalled, suggestions] = await Promise.all([
    sessions.shown.now.session?.prompts.queued(),
    models.describe(),
    history.load(),
    vscode.workspace.isTrusted ? suggestPrompts(folder) : [],
  ]);
  return {
    session: sessions.shown.id,
    header,
    mode: readSetting('permissions.mode'),
    ...model,
    trusted: vscode.workspace.isTrusted,
    readOnly: sessions.shown.readOnly,
    ...(sessions.shown.isReplay && { replay: true }),
    ...(sessions.shown.isNewer && { newer: true }),
    hasWorkspace: folder !== undefined,
    roots: workspaceRoots().map((root) => root.path),
    history: recalled.filter((prompt) => prompt.length <= MAX_RECALLED),
    suggestions,
    queue: [...(queue ?? [])],
  };
}

const GENERAL = [
  vscode.l10n.t('Explain how this project is organized'),
  vscode.l10n.t('Find and fix a small bug'),
  vscode.l10n.t('Write a test for code that has none'),
];

/** Three prompts that fit the folder. None without a folder. */
export async function suggestPrompts(folder: string | undefined): Promise<string[]> {
  if (!folder) return [];
  const found: string[] = [];
  if (await hasTestScript(folder)) found.push(vscode.l10n.t('Run the tests and fix the failures'));
  if (await exists(join(folder, 'README.md')))
    found.push(vscode.l10n.t('Summarize what {0} does, based on its README and code', basename(folder)));
  return [...found, ...GENERAL].slice(0, 3);
}

async function hasTestScript(folder: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      scripts?: { test?: unknown };
    };
    return typeof manifest.scripts?.test === 'string';
  } catch {
    // The folder has no manifest, or none that Harness can read.
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
