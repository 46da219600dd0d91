import * as vscode from 'vscode';
import {
  type ModelError,
  type ModelErrorKind,
  type ModelEvent,
  ModelFailure,
  type ModelInfo,
} from '../../core/ports/model.ts';
import type { ProviderEntry } from '../../core/providers/catalog.ts';
import { systemClock } from '../../node/system-clock.ts';
import { localize } from '../base/localize.ts';
import { ApiKeys } from '../models/api-keys.ts';
import { Providers } from '../models/providers.ts';
import { fromChatMessages, fromChatTools, textOfMessage } from './from-chat-messages.ts';

type Information = vscode.LanguageModelChatInformation;

/** Tokens; for a model whose limits are unknown. */
const WINDOW = 128_000;
const MAX_OUTPUT = 8192;
/** Tokens; the most in one reply, even if the model allows more. */
const LONGEST_OUTPUT = 32_000;

/** VS Code's own models, and the demo, which is not a model. */
const NOT_OFFERED = new Set<ProviderEntry['protocol']>(['vscode', 'demo']);

const LIST_TIMEOUT_MS = 20_000;
/** A local server may not run, and the list must not wait long for it. */
const LOCAL_LIST_TIMEOUT_MS = 3_000;
const COUNT_TIMEOUT_MS = 5_000;
/** Characters. Shorter texts are estimated, because VS Code asks for the parts of a prompt one by one. */
const WORTH_COUNTING = 4_000;

/** Offers Harness's models to VS Code: those of each provider that has its key, or needs none. */
export class OfferedModels implements vscode.Disposable {
  readonly #keys: ApiKeys;
  readonly #providers: Providers;

  constructor(secrets: vscode.SecretStorage) {
    this.#keys = new ApiKeys(secrets, process.env);
    this.#providers = new Providers(this.#keys, systemClock);
  }

  /** A provider that does not answer has no models. */
  async list(token: vscode.CancellationToken): Promise<Information[]> {
    const listed = this.#providers
      .router()
      .providers.map((entry) => this.#listOf(entry, token).catch(() => []));
    return (await Promise.all(listed)).flat();
  }

  /** Rejects with an error for the caller of the model. */
  async answer(
    { id, maxOutputTokens }: Information,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    { tools }: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { entry, model } = this.#providers.router().resolve(id);
    const provider = await this.#providers.get(entry);
    const turn = {
      ...fromChatMessages(messages),
      model,
      tools: fromChatTools(tools),
      maxTokens: Math.min(maxOutputTokens, LONGEST_OUTPUT),
    };
    for await (const event of provider.streamTurn(turn, signalOf(token))) report(event, progress);
  }

  /** Uses the provider's count if it has one; otherwise an estimate. */
  async countTokens(
    { id }: Information,
    given: string | vscode.LanguageModelChatRequestMessage,
    token: vscode.CancellationToken,
  ): Promise<number> {
    const text = textOfMessage(given);
    const estimate = Math.ceil(text.length / 4);
    if (text.length < WORTH_COUNTING) return estimate;
    return (await this.#count(id, text, token).catch(() => undefined)) ?? estimate;
  }

  dispose(): void {
    this.#keys.dispose();
  }

  async #count(id: string, text: string, token: vscode.CancellationToken): Promise<number | undefined> {
    const { entry, model } = this.#providers.router().resolve(id);
    const provider = await this.#providers.get(entry);
    const messages = [{ role: 'user', content: [{ type: 'text', text }] }] as const;
    const signal = AbortSignal.any([signalOf(token), AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
    return provider.countTokens?.({ model, system: '', messages, tools: [], maxTokens: MAX_OUTPUT }, signal);
  }

  async #listOf(entry: ProviderEntry, token: vscode.CancellationToken): Promise<Information[]> {
    if (NOT_OFFERED.has(entry.protocol) || !(await this.#providers.isReady(entry))) return [];
    const provider = await this.#providers.get(entry);
    const timeoutMs = entry.key ? LIST_TIMEOUT_MS : LOCAL_LIST_TIMEOUT_MS;
    const signal = AbortSignal.any([signalOf(token), AbortSignal.timeout(timeoutMs)]);
    const models = await provider.listModels(signal);
    return models.filter(({ tools }) => tools !== false).map((model) => toInformation(entry, model));
  }
}

function toInformation(entry: ProviderEntry, model: ModelInfo): Information {
  const { id, name, contextWindow = WINDOW, maxOutput = MAX_OUTPUT } = model;
  return {
    id: `${entry.name}/${id}`,
    name,
    family: id,
    version: id,
    detail: entry.label,
    maxInputTokens: Math.max(1, contextWindow - Math.min(maxOutput, LONGEST_OUTPUT)),
    maxOutputTokens: maxOutput,
    capabilities: { toolCalling: true, imageInput: entry.images },
  };
}

/**
 * Reports the events that VS Code has parts for. Throws after an error in the reply, and for a call that is
 * not trustworthy.
 */
function report(event: ModelEvent, progress: vscode.Progress<vscode.LanguageModelResponsePart>): void {
  switch (event.type) {
    case 'text_delta':
      progress.report(new vscode.LanguageModelTextPart(event.text));
      break;
    case 'tool_call':
      if (event.invalid !== undefined) throw new Error(event.invalid);
      progress.report(new vscode.LanguageModelToolCallPart(event.id, event.name, event.input));
      break;
    case 'error':
      throw toChatError(event.error);
  }
}

type ToChatError = (message: string) => vscode.LanguageModelError;

const CHAT_ERRORS: Partial<Readonly<Record<ModelErrorKind, ToChatError>>> = {
  auth: vscode.LanguageModelError.NoPermissions,
  permission: vscode.LanguageModelError.NoPermissions,
  billing: vscode.LanguageModelError.Blocked,
  rate_limit: vscode.LanguageModelError.Blocked,
  not_found: vscode.LanguageModelError.NotFound,
};

function toChatError(error: ModelError): Error {
  const message = localize(error.message);
  return CHAT_ERRORS[error.kind]?.(message) ?? new Error(message, { cause: new ModelFailure(error) });
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
