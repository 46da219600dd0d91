import * as vscode from 'vscode';
import type { PanelState } from '../protocol/messages.ts';
import { readSetting } from './settings.ts';
import { suggestPrompts } from './suggestions.ts';
import { workspaceRoots } from './vscode-workspace.ts';
import type { WindowParts } from './window.ts';

/** Characters; a longer prompt is in the history, but not at hand in the input. */
const MAX_RECALLED = 10_000;

/** What a panel shows beside the log, as it is now. */
export async function panelStateOf({ header, history, sessions, models }: WindowParts): Promise<PanelState> {
  const folder = workspaceRoots()[0]?.path;
  const [queue, model, recalled, suggestions] = await Promise.all([
    sessions.queued(),
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
    queue: [...queue],
  };
}
