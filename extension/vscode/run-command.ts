import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandId } from './commands.ts';
import { mentionOf, mentionOfSelection } from './mention.ts';
import type { PanelView } from './panel-view.ts';
import { pickSession } from './pick-session.ts';
import type { RunResult } from './session-manager.ts';
import { clearApiKey, setApiKey } from './set-api-key.ts';
import type { WindowParts } from './window.ts';

/** Runs one of our commands. Resolves with what `executeCommand` gives back. */
export async function runCommand(
  parts: WindowParts,
  panel: PanelView,
  command: CommandId,
  args: readonly unknown[],
): Promise<unknown> {
  const { sessions, approver, places } = parts;
  switch (command) {
    case 'harness.ask':
      return ask(panel, args[0]);
    case 'harness.cancel':
      return sessions.cancel();
    case 'harness.newSession':
      await sessions.startNew();
      return panel.reveal();
    case 'harness.showSessions':
      return showSessions(parts, panel);
    case 'harness.selectModel':
      return parts.models.select();
    case 'harness.setApiKey':
      return setApiKey(parts.keys);
    case 'harness.clearApiKey':
      return clearApiKey(parts.keys);
    case 'harness.addToChat':
      return addToChat(panel, args);
    case 'harness.managePermissions':
      return openFile(places.policies, 'Nothing is always allowed yet: there are no policies.');
    case 'harness.showAuditLog':
      return openFile(places.audit, 'Nothing has been decided yet: the audit log is empty.');
    case 'harness.openSessionLog':
      return openFile(join(places.sessions, sessions.id, 'events.jsonl'), 'No session has begun yet.');
    case 'harness.showOutput':
      return parts.output.show(true);
    case 'harness.preview.approve':
      return approver.answerPreview(uriOf(args[0]), 'allow_once');
    case 'harness.preview.reject':
      return approver.answerPreview(uriOf(args[0]), 'deny');
  }
}

/** With a text: sends it and resolves when the run has ended. Else asks for one. */
async function ask(panel: PanelView, text: unknown): Promise<RunResult | undefined> {
  const isTyped = typeof text !== 'string';
  const prompt = isTyped ? await askForPrompt() : text;
  if (prompt === undefined || prompt.trim() === '') return undefined;
  await panel.reveal();
  return isTyped ? panel.submitTyped(prompt) : panel.submit(prompt);
}

function askForPrompt(): Thenable<string | undefined> {
  const mention = mentionOfSelection();
  return vscode.window.showInputBox({
    title: 'Ask Harness',
    placeHolder: 'What should be done?',
    value: mention,
    valueSelection: [mention.length, mention.length],
  });
}

async function showSessions(parts: WindowParts, panel: PanelView): Promise<void> {
  const id = await pickSession(parts.store);
  if (!id) return;
  await parts.sessions.show(id);
  await panel.reveal();
}

async function addToChat(panel: PanelView, args: readonly unknown[]): Promise<void> {
  const uri = uriOf(args[0]);
  const editor = vscode.window.activeTextEditor;
  const selected = editor && (!uri || uri.toString() === editor.document.uri.toString()) ? editor : undefined;
  const mention = selected ? mentionOf(selected.document.uri, selected.selection) : uri && mentionOf(uri);
  if (mention) return panel.insert(mention);
  void vscode.window.showInformationMessage('Open or select a file of the workspace to add it to the chat.');
}

async function openFile(path: string, whereMissing: string): Promise<void> {
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
  } catch {
    // Not written yet, which is the ordinary case before the first use.
    void vscode.window.showInformationMessage(whereMissing);
  }
}

function uriOf(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}
