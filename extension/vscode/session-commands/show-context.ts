import * as vscode from 'vscode';
import { limitsContext } from '../../core/context/limits.ts';
import { currentContext } from '../../core/context/missing-context.ts';
import { type RequestPrefix, readPrefix } from '../../core/log/request-prefix.ts';
import { SeenFilesFold } from '../../core/log/seen-files.ts';
import { Transcript } from '../../core/log/transcript.ts';
import { offeredTools } from '../../core/tools/common/tool.ts';
import { describeInjected } from '../../core/view/describe-context.ts';
import { injectedContextIn, lastRequestIn } from '../../core/view/injected-context.ts';
import type { LogAt } from '../../core/view/log-at.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { WindowParts } from '../panel/panel-parts.ts';

/**
 * Opens what the shown session's model gets beside the conversation: what it already has, and what goes with
 * the next prompt.
 */
export async function showContext({
  sessions,
  models,
  contextSource,
  tools,
  languageServers,
  documents,
}: WindowParts): Promise<void> {
  const { id, log } = sessions.shown;
  const state = await contextSource(touchedBy(log.events), new AbortController().signal);
  const context = [...state, limitsContext(models.limits)];
  const { system, provider } = await models.inUse(id);
  const held = currentContext(transcriptOf(log.events).messages());
  const offered = offeredTools(tools, provider, languageServers);
  const text = describeInjected({ system, context, held, tools: offered });
  await documents.show(`${vscode.l10n.t('Injected Context')}.txt`, text);
}

/** Like `showContext`, but for the past: the context that the model had, and its last request's prefix. */
export async function showContextThen(parts: WindowParts, past: LogAt): Promise<void> {
  const { sessions, store, documents } = parts;
  const { id } = sessions.shown;
  const request = lastRequestIn(past.events);
  const model = request && `${request.provider}/${request.model}`;
  const kept = request?.prefix === undefined ? undefined : await readPrefix(store.blobs(id), request.prefix);
  const prefix = kept ?? (await prefixOfNow(parts, id, model));
  const context = await injectedContextIn(past);
  const held = new Map(context.map(({ kind, text }) => [kind, text]));
  const asked = { model, isKept: kept !== undefined };
  const text = describeInjected({ asked, ...prefix, context, held });
  await documents.show(`${vscode.l10n.t('Injected Context at Event {0}', past.seq)}.txt`, text);
}

async function prefixOfNow(
  { models, tools, languageServers }: WindowParts,
  session: string,
  model: string | undefined,
): Promise<RequestPrefix> {
  // The model may no longer be configured.
  const { system, provider } = await models.inUse(session, model).catch(() => models.inUse(session));
  return { system, tools: offeredTools(tools, provider, languageServers) };
}

function transcriptOf(events: readonly SessionEvent[]): Transcript {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript;
}

function touchedBy(events: readonly SessionEvent[]): readonly string[] {
  const seen = new SeenFilesFold();
  for (const event of events) seen.apply(event);
  return seen.paths;
}
