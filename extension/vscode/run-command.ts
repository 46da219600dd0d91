import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { addToChat } from './add-to-chat.ts';
import type { CommandId } from './commands.ts';
import { mentionOfSelection } from './mention.ts';
import type { PanelView } from './panel-view.ts';
import { pickSession } from './pick-session.ts';
import type { RunResult } from './session-manager.ts';
import { clearApiKey, setApiKey } from './set-api-key.ts';
import { workspaceRoots } from './vscode-workspace.ts';
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
      if (await mayLeave(parts)) await sessions.startNew();
      return panel.reveal();
    case 'harness.showSessions':
      return showSessions(parts, panel);
    case 'harness.selectModel':
      return parts.models.select();
    case 'harness.setApiKey':
      return setKeyAndModel(parts);
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
  const picked = await pickSession(parts.store);
  if (!picked || !(await mayLeave(parts))) return;
  await parts.sessions.show(picked.id);
  await panel.reveal();
  if (workspaceRoots().some((root) => root.path === picked.cwd)) return;
  const message = `This session was held in ${picked.cwd || 'a window without a folder'}. Its tools work in this window’s folder now.`;
  void vscode.window.showWarningMessage(message);
}

/** Another session ends the run of this one, so the user is asked. */
async function mayLeave({ sessions }: WindowParts): Promise<boolean> {
  if (!sessions.busy) return true;
  const stop = 'Stop It';
  const question = 'Harness is working in this session. Stop it?';
  return (await vscode.window.showWarningMessage(question, { modal: true }, stop)) === stop;
}

/** Whoever has just set a key will hardly want the demo to go on answering. */
async function setKeyAndModel({ keys, models }: WindowParts): Promise<void> {
  if (!(await setApiKey(keys)) || !(await models.describe()).demo) return;
  const use = 'Use Claude';
  const picked = await vscode.window.showInformationMessage(
    'The key is set. The demo model still answers.',
    use,
  );
  if (picked === use) await models.use('sonnet');
}

async function openFile(path: string, whereMissing: string): Promise<void> {
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
  } catch (error) {
    const isMissing = await access(path).then(
      () => false,
      () => true,
    );
    void vscode.window.showInformationMessage(
      isMissing ? whereMissing : `${path} was not opened: ${String(error)}`,
    );
  }
}

function uriOf(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}
