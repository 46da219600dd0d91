import * as vscode from 'vscode';
import type { SessionEvent } from '../../protocol/events.ts';
import type { HostMessage, WebviewMessage } from '../../protocol/messages.ts';
import type { CommandId } from '../base/command-ids.ts';
import { errorMessage } from '../base/localize.ts';
import { providerOfError, setKey } from './key-commands.ts';
import type { WindowParts } from './panel-parts.ts';

/** The parts of a panel that its page's buttons use. */
interface Panel {
  run(command: CommandId, args: readonly unknown[]): Promise<unknown>;
  post(message: HostMessage): void;
}

/** Runs what a button or a command of a page stands for. */
export async function runPanelCommand(
  parts: WindowParts,
  panel: Panel,
  { command, argument }: Extract<WebviewMessage, { type: 'command' }>,
) {
  if (command === 'harness.manageTrust') await vscode.commands.executeCommand('workbench.trust.manage');
  else if (command === 'harness.useDemo') await useDemo(parts);
  else if (command === 'harness.setApiKey')
    await setKey(parts, providerOfError(parts, parts.sessions.shown.log.events));
  else if (command === 'harness.selectModel' && argument) await useModel(parts, panel, argument);
  else await panel.run(command, []);
}

/** Selects a model. If the name is not a model's, puts the command back into the input. */
async function useModel({ models, sessions }: WindowParts, panel: Panel, name: string): Promise<void> {
  try {
    await models.use(name);
    sessions.shown.now.session?.core.retryNow();
  } catch (error) {
    const text = `/model ${name}`;
    panel.post({
      type: 'prompt/refused',
      text,
      attachments: [],
      reason: errorMessage(error),
      canInsist: false,
    });
  }
}

/** Selects the demo. If the last run failed for lack of a valid key, the demo continues it. */
async function useDemo({ models, sessions }: WindowParts): Promise<void> {
  await models.use('demo/demo');
  if (lacksKey(sessions.shown.log.events)) await sessions.use((session) => session.continue());
}

function lacksKey(events: readonly SessionEvent[]): boolean {
  const end = events.at(-1);
  const error = events.findLast((event) => event.type === 'error');
  const endedSo = end?.type === 'turn_ended' && end.reason === 'error';
  return endedSo && (error?.code === 'no_key' || error?.code === 'auth');
}
