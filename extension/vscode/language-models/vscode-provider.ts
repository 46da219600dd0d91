import * as vscode from 'vscode';
import { unlessAborted, untilAborted } from '../../core/base/abort.ts';
import {
  type ModelEvent,
  ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type ToolSpec,
  type Turn,
} from '../../core/ports/model.ts';
import { checkRequest, type RequestPiece } from '../../core/providers/wire/check-request.ts';
import { COMMON_ID } from '../../core/providers/wire/tool-calls.ts';
import { say } from '../../protocol/say.ts';
import { chatModelErrorOf, notOffered } from './chat-error.ts';
import { PartReader } from './from-chat-parts.ts';
import { toChatMessages, toChatTools } from './to-chat-messages.ts';
import { TokenCounter } from './token-counter.ts';

/** Returns the currently available models. */
export type SelectModels = () => Thenable<readonly vscode.LanguageModelChat[]>;

/**
 * Models that other extensions offer to VS Code. A model's id is `vendor/family`, or `vendor/id` if a family
 * has several models. The first request to a model must follow a user action, because VS Code then asks the
 * user for consent.
 */
export function createVscodeProvider(select: SelectModels): ModelProvider {
  const counters = new Map<string, TokenCounter>();
  const counterOf = (model: string) => {
    const counter = counters.get(model) ?? new TokenCounter();
    counters.set(model, counter);
    return counter;
  };
  return {
    name: 'vscode',
    streamTurn: (turn, signal) => stream(select, counterOf(turn.model), turn, signal),
    listModels: (signal) => list(select, signal),
  };
}

async function* stream(
  select: SelectModels,
  counter: TokenCounter,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const event of reply(select, counter, turn, source.token, signal)) {
      if (signal.aborted) return;
      yield event;
    }
  } catch (error) {
    if (!signal.aborted) yield { type: 'error', error: chatModelErrorOf(error, turn.model) };
  } finally {
    signal.removeEventListener('abort', cancel);
    source.cancel();
    source.dispose();
  }
}

async function* reply(
  select: SelectModels,
  counter: TokenCounter,
  turn: Turn,
  token: vscode.CancellationToken,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const chat = await unlessAborted(find(select, turn.model), signal);
  if (!chat) return;
  const messages = toChatMessages(turn);
  checkChatMessages(chat.name, messages, turn.tools);
  const sent = chat.sendRequest(messages, optionsOf(turn), token);
  const response = await unlessAborted(Promise.resolve(sent), signal);
  if (!response) return;
  const reader = new PartReader(turn.messages.length);
  for await (const part of untilAborted(response.stream, signal)) yield* reader.read(part);
  if (signal.aborted) return;
  if (reader.isEmpty) throw emptyReply(turn.model);
  yield* reader.end();
  yield* await estimated(counter.usage(chat, turn, reader.written, token), signal);
  yield reader.done();
}

function optionsOf({ tools }: Turn): vscode.LanguageModelChatRequestOptions {
  return {
    justification: vscode.l10n.t('Harness uses this model to answer your prompts.'),
    ...(tools.length > 0 && { tools: toChatTools(tools), toolMode: vscode.LanguageModelChatToolMode.Auto }),
  };
}

/** Rejects if there is no such model. */
async function find(select: SelectModels, model: string): Promise<vscode.LanguageModelChat> {
  const models = await select();
  const found =
    models.find(({ vendor, id }) => model === `${vendor}/${id}`) ??
    models.find(({ vendor, family }) => model === `${vendor}/${family}`) ??
    models.find(({ id, family }) => model === id || model === family);
  if (found) return found;
  throw new ModelFailure({ kind: 'not_found', message: notOffered(model), retryable: false });
}

/** A reply is complete without its usage, so a failed count only leaves it out. */
async function estimated(
  counted: Promise<Extract<ModelEvent, { type: 'usage' }>['usage']>,
  signal: AbortSignal,
): Promise<readonly ModelEvent[]> {
  const usage = await unlessAborted(
    counted.catch(() => undefined),
    signal,
  );
  return usage ? [{ type: 'usage', usage }] : [];
}

async function list(select: SelectModels, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const models = await unlessAborted(Promise.resolve(select()), signal);
  if (!models) {
    const message = say('Loading the list of models was canceled.');
    throw new ModelFailure({ kind: 'network', message, retryable: false });
  }
  const families = models.map(({ vendor, family }) => `${vendor}/${family}`);
  return models.map(({ vendor, family, id, name, maxInputTokens }) => {
    const isOnly = families.filter((other) => other === `${vendor}/${family}`).length === 1;
    return { id: `${vendor}/${isOnly && family ? family : id}`, name, contextWindow: maxInputTokens };
  });
}

function emptyReply(model: string): ModelFailure {
  const message = say('“{0}” returned an empty response.', model);
  return new ModelFailure({ kind: 'empty_response', message, retryable: true });
}

/** Throws `ModelFailure` if the provider of the model would refuse the request. */
export function checkChatMessages(
  model: string,
  messages: readonly vscode.LanguageModelChatMessage[],
  tools: readonly ToolSpec[],
): void {
  const pieces = messages.flatMap(({ content }) => content.map(toPiece));
  const names = tools.map(({ name }) => name);
  checkRequest(`“${model}”`, { pieces, tools: names, ids: COMMON_ID, body: messages });
}

function toPiece(part: unknown): RequestPiece {
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { type: 'call', id: part.callId, name: part.name };
  if (part instanceof vscode.LanguageModelToolResultPart) return { type: 'result', id: part.callId };
  return { type: 'said', isEmpty: part instanceof vscode.LanguageModelTextPart && part.value.trim() === '' };
}
