import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { redoRestore, undoRun } from '../../app/checkpoints/restore-session.ts';
import type { RunResult } from '../../app/prompts/prompt-sender.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { say } from '../../protocol/say.ts';
import { type CommandId, isReviewCommand } from '../base/command-ids.ts';
import { restoreCheckpoint } from '../checkpoints/restore-commands.ts';
import { mentionOfSelection } from '../mentions/mention.ts';
import { copyConversation, copyPartOfMenu } from '../panel/copy-markdown.ts';
import { clearKey, setKey } from '../panel/key-commands.ts';
import type { PanelView } from '../panel/panel.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { ReplayControls } from '../replay/replay-controls.ts';
import { replaySessionCommand } from '../replay/replay-session.ts';
import { exportMarkdown } from '../session-commands/export-markdown.ts';
import { forkSession } from '../session-commands/fork-session.ts';
import { cancelRun, deleteSession, renameSession, showRun } from '../session-commands/session-commands.ts';
import { DELETE, OPEN_IN_TAB, RENAME } from '../session-commands/session-item.ts';
import { SessionList } from '../session-commands/session-picker.ts';
import { showContext, showContextThen } from '../session-commands/show-context.ts';
import { showStorage } from '../session-commands/show-storage.ts';
import { exportSessionCommand, importSessionCommand } from '../session-commands/transfer-session.ts';
import { compareWithNow, fileToCompare, showFilesThen } from '../timeline/past-file-commands.ts';
import { pointOf, showTimeline, timeTravel } from '../timeline/timeline-commands.ts';
import { TimelineView } from '../timeline/timeline-view.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import { addToChat } from './add-to-chat.ts';
import { reportIssue } from './report-issue.ts';

/** Runs a command of Harness. Resolves with the result of `executeCommand`. */
export async function runCommand(
  parts: WindowParts,
  panel: PanelView,
  command: CommandId,
  args: readonly unknown[],
): Promise<unknown> {
  const { sessions, approver, places } = parts;
  if (isReviewCommand(command)) return parts.review.run(sessions, command, args);
  switch (command) {
    case 'harness.ask':
      return ask(panel, args[0]);
    case 'harness.cancel':
      return cancelRun(parts);
    case 'harness.showRun':
      return showRun(parts);
    case 'harness.newSession':
      await sessions.startNew();
      return panel.reveal();
    case 'harness.showSessions':
      return new SessionList(parts, (session) => showSession(panel, session)).open();
    case 'harness.openInEditor':
      return parts.panels.openTab(sessions.shown.id);
    case 'harness.renameSession':
      return withShown(parts, ({ id, title }) => renameSession(parts, id, title));
    case 'harness.deleteSession':
      return withShown(parts, ({ id }) => deleteSession(parts, id, () => void parts.panels.reveal(id)));
    case 'harness.selectModel':
      return selectModel(parts);
    case 'harness.setApiKey':
      return setKey(parts);
    case 'harness.clearApiKey':
      return clearKey(parts);
    case 'harness.addToChat':
      return addToChat(panel, args);
    case 'harness.managePermissions':
      return openFile(
        places.policies,
        vscode.l10n.t(
          'There are no saved permissions yet. To save one, choose “Always allow” when Harness asks.',
        ),
      );
    case 'harness.showAuditLog':
      return openFile(
        places.audit,
        vscode.l10n.t('The audit log is empty, because there are no decisions yet.'),
      );
    case 'harness.openSessionLog':
      return openFile(
        join(places.sessions, sessions.shown.id, 'events.jsonl'),
        vscode.l10n.t('No session has started yet.'),
      );
    case 'harness.showOutput':
      return parts.output.show(true);
    case 'harness.showContext':
      return panel.travel.past ? showContextThen(parts, panel.travel.past) : showContext(parts);
    case 'harness.compact':
      await panel.reveal();
      return compact(sessions);
    case 'harness.undo':
      return undoRun(parts);
    case 'harness.redo':
    case 'harness.redoCheckpoint':
      return redoRestore(parts);
    case 'harness.restoreCheckpoint':
      return restoreCheckpoint(parts, args[0]);
    case 'harness.find':
      await panel.reveal();
      return panel.post({ type: 'find/open' });
    case 'harness.previousPrompt':
      return panel.post({ type: 'prompt/step', direction: -1 });
    case 'harness.nextPrompt':
      return panel.post({ type: 'prompt/step', direction: 1 });
    case 'harness.copyConversation':
      return copyConversation(panel.travel.log);
    case 'harness.exportMarkdown':
      return exportMarkdown(sessions.shown.log, parts.secrets);
    case 'harness.exportSession':
      return withShown(parts, ({ id }) => exportSessionCommand(parts, id, args[0]));
    case 'harness.importSession':
      return importSessionCommand(parts, args[0]);
    case 'harness.showStorage':
      return showStorage(parts);
    case 'harness.copyPart':
      return copyPartOfMenu(panel.travel.log, args[0]);
    case 'harness.sessionList.openInEditor':
      return SessionList.shown?.act(OPEN_IN_TAB);
    case 'harness.sessionList.rename':
      return SessionList.shown?.act(RENAME);
    case 'harness.sessionList.delete':
      return SessionList.shown?.act(DELETE);
    case 'harness.timeTravel':
      return timeTravel(panel, args[0]);
    case 'harness.stepBack':
      return panel.travel.step(-1);
    case 'harness.stepForward':
      return panel.travel.step(1);
    case 'harness.backToNow':
      return panel.travel.leave();
    case 'harness.forkSession':
      return forkSession(parts, panel, args[0]);
    case 'harness.reportIssue':
      return withShown(parts, ({ id }) => reportIssue(parts, id, args[0]));
    case 'harness.replaySession':
      return replaySessionCommand(parts, panel, args[0]);
    case 'harness.replayControls':
      return ReplayControls.current?.choose();
    case 'harness.showTimeline':
      return showTimeline();
    case 'harness.hideTimeline':
      return TimelineView.show(false);
    case 'harness.showFilesThen':
      return showFilesThen(parts.pastFiles, pointOf(panel, args[0]));
    case 'harness.compareWithNow':
      return compareWithNow(fileToCompare(panel, args[0]));
    case 'harness.preview.approve':
      return approver.answerPreview(uriOf(args[0]), 'allow_once');
    case 'harness.preview.reject':
      return approver.answerPreview(uriOf(args[0]), 'deny');
  }
}

/** Rejects if there is nothing to summarize. */
async function compact(sessions: SessionController): Promise<unknown> {
  if (sessions.shown.id === '') throw new Error(say('There is nothing to compact yet.'));
  return sessions.use((session) => session.compact());
}

/** A run that waits for a retry continues with the new model immediately. */
async function selectModel({ models, sessions }: WindowParts): Promise<void> {
  if (await models.select()) sessions.shown.now.session?.core.retryNow();
}

/** With a text, sends it and resolves when the run has ended. Otherwise asks the user for a prompt. */
async function ask(panel: PanelView, text: unknown): Promise<RunResult | undefined> {
  const isTyped = typeof text !== 'string';
  const prompt = isTyped ? await askForPrompt() : text;
  if (prompt === undefined || prompt.trim() === '') return undefined;
  await panel.reveal();
  return isTyped ? panel.submitTyped({ text: prompt }) : panel.submit(prompt);
}

function askForPrompt(): Thenable<string | undefined> {
  const mention = mentionOfSelection();
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Ask Harness'),
    placeHolder: vscode.l10n.t('Describe a task or ask a question'),
    value: mention,
    valueSelection: [mention.length, mention.length],
  });
}

async function showSession(panel: PanelView, { id, cwd }: SessionSummary): Promise<void> {
  await panel.sessions.show(id);
  await panel.reveal();
  if (workspaceRoots().some((root) => root.path === cwd)) return;
  const message = cwd
    ? vscode.l10n.t('This session was created in {0}. Its tools now run in this window’s folder.', cwd)
    : vscode.l10n.t('This session was created without a folder. Its tools now run in this window’s folder.');
  void vscode.window.showWarningMessage(message);
}

/** Calls `act` with the shown session as soon as it is loaded, if there is one. */
async function withShown(
  { sessions }: WindowParts,
  act: (shown: { id: string; title: string }) => Promise<void>,
): Promise<void> {
  await sessions.whole();
  if (sessions.shown.id !== '') await act(sessions.shown);
  else void vscode.window.showInformationMessage(vscode.l10n.t('No session has started yet.'));
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
      isMissing ? whereMissing : vscode.l10n.t('Could not open {0}: {1}', path, String(error)),
    );
  }
}

function uriOf(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}
