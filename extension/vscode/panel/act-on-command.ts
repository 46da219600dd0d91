import * as vscode from 'vscode';
import type { OpenSession } from '../../app/sessions/open-session.ts';
import type { BackgroundMessage } from '../../protocol/background-messages.ts';

/** Does what the user wants with a running command. Does nothing if it has just ended. */
export async function actOnCommand({ core }: OpenSession, message: BackgroundMessage): Promise<void> {
  const { id } = message;
  if (message.type === 'call/act') return core.actOnCall(id, message.action);
  const command = core.background?.running.find((running) => running.id === id);
  if (!command) return;
  if (message.type === 'background/stop') await core.stopBackground(id);
  else if (message.type === 'background/keep') await core.keepBackground(id, message.kept);
  // The editor follows the file as it grows.
  else await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(command.process.file), PREVIEW);
}

const PREVIEW = { preview: true };
