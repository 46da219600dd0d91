import * as vscode from 'vscode';
import { describeInjected } from '../core/prompt/describe-injected.ts';
import { SeenFilesFold } from '../core/session/seen-files.ts';
import { offeredTools } from '../core/tools/offered-tools.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { WindowParts } from './window.ts';

/** Opens what the model would be told with the next prompt of the session that is shown, beside the conversation. */
export async function showContext({
  sessions,
  models,
  contextSource,
  tools,
  documents,
}: WindowParts): Promise<void> {
  const { id, log } = sessions.shown;
  const context = await contextSource(touchedBy(log.events), new AbortController().signal);
  const { system, provider } = await models.inUse(id);
  const text = describeInjected({ system, context, tools: offeredTools(tools, provider) });
  await documents.show(`${vscode.l10n.t('Injected Context')}.txt`, text);
}

function touchedBy(events: readonly SessionEvent[]): readonly string[] {
  const seen = new SeenFilesFold();
  for (const event of events) seen.apply(event);
  return seen.paths;
}
