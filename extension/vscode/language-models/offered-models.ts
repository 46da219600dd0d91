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
import { heard } from '../heard.ts';
import { Providers } from '../providers.ts';
import { ApiKeys } from '../secrets.ts';
import { estimateTokens, fromChatMessages, fromChatTools } from './from-chat-messages.ts';

type Information = vscode.LanguageModelChatInformation;

/** Of a model whose limits are not told. Tokens. */
const WINDOW = 128_000;
const MAX_OUTPUT = 8192;
/** Of one reply, whatever the model could. */
const LONGEST_OUTPUT = 32_000;

const LIST_TIMEOUT_MS = 20_000;

/** Harness's models as VS Code takes them: those of every provider that the user has given a key for. */
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

  /** Rejects with an error for whoever asked. */
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

  countTokens(given: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(given);
  }

  dispose(): void {
    this.#keys.dispose();
  }

  async #listOf(entry: ProviderEntry, token: vscode.CancellationToken): Promise<Information[]> {
    if (!entry.key || !(await this.#providers.isReady(entry))) return [];
    const provider = await this.#providers.get(entry);
    const signal = AbortSignal.any([signalOf(token), AbortSignal.timeout(LIST_TIMEOUT_MS)]);
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

/** What of a reply VS Code has parts for. Throws where it went wrong, and where a call cannot be trusted. */
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
  const message = heard(error.message);
  return CHAT_ERRORS[error.kind]?.(message) ?? new Error(message, { cause: new ModelFailure(error) });
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
