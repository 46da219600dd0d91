// Models of VS Code that say what a test wants them to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Message, ModelEvent, Turn } from '../../../extension/core/ports/model.ts';
import { createVscodeProvider } from '../../../extension/vscode/language-models/vscode-provider.ts';

/** A piece of a reply, in the words of test/fixtures/vscodelm. */
export type FixturePart =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'toolCall'; readonly callId: string; readonly name: string; readonly input: object }
  | { readonly kind: 'unknown'; readonly value: unknown }
  /** It waits to be cancelled, then ends as some models do, or throws as the others. */
  | { readonly kind: 'cancel'; readonly ends?: boolean }
  | { readonly kind: 'throw'; readonly code: string; readonly cause?: { readonly message: string } };

export interface ChatFixture {
  readonly id: string;
  readonly given?: { readonly toolResults?: Readonly<Record<string, { readonly content: string }>> };
  readonly parts: readonly FixturePart[];
  readonly expect: {
    readonly kinds?: readonly string[];
    readonly events: readonly Readonly<Record<string, unknown>>[];
    readonly history: { readonly append: readonly { readonly role: string; readonly content: unknown }[] };
  };
}

/** One of test/fixtures/vscodelm, by its number. */
export function chatFixture(id: string): ChatFixture {
  const extension = vscode.extensions.getExtension('harness.harness-agent');
  const folder = join(extension?.extensionPath ?? '', 'test', 'fixtures', 'vscodelm');
  const name = readdirSync(folder).find((file) => file.startsWith(`${id}-`));
  // As the files of this folder are written.
  return JSON.parse(readFileSync(join(folder, name ?? id), 'utf8')) as ChatFixture;
}

export interface SentRequest {
  readonly messages: readonly vscode.LanguageModelChatMessage[];
  readonly options: vscode.LanguageModelChatRequestOptions | undefined;
  readonly token: vscode.CancellationToken | undefined;
}

export interface FakeChat extends vscode.LanguageModelChat {
  readonly requests: SentRequest[];
  /** The texts whose tokens were counted. */
  readonly counted: string[];
}

/** Gives these parts, one reply for each request, the last one again and again; a token is a character. */
export function fakeChat(...replies: readonly (readonly FixturePart[])[]): FakeChat {
  const requests: SentRequest[] = [];
  const counted: string[] = [];
  return {
    ...{ id: 'fake-1', vendor: 'test', family: 'fake', version: '1', name: 'Fake', maxInputTokens: 1000 },
    ...{ requests, counted },
    sendRequest: async (messages, options, token) => {
      const parts = replies[Math.min(requests.length, replies.length - 1)] ?? [];
      requests.push({ messages, options, token });
      const stream = play(parts, token);
      return { stream, text: textsOf(stream) };
    },
    countTokens: async (text) => {
      const counting = typeof text === 'string' ? text : '';
      counted.push(counting);
      return counting.length;
    },
  };
}

async function* play(
  parts: readonly FixturePart[],
  token: vscode.CancellationToken | undefined,
): AsyncGenerator<unknown> {
  for (const part of parts) {
    if (part.kind === 'throw') throw errorOf(part.code, part.cause?.message);
    if (part.kind !== 'cancel') {
      yield toPart(part);
      continue;
    }
    await new Promise<void>((resolve) => token?.onCancellationRequested(() => resolve()));
    if (!part.ends) throw new vscode.CancellationError();
  }
}

function toPart(part: Exclude<FixturePart, { kind: 'throw' | 'cancel' }>): unknown {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.value);
    case 'data':
      return new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mimeType);
    case 'toolCall':
      return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input);
    case 'unknown':
      return part.value;
  }
}

function errorOf(code: string, cause: string | undefined): Error {
  const { NoPermissions, Blocked, NotFound } = vscode.LanguageModelError;
  const known = [NoPermissions, Blocked, NotFound].find(({ name }) => name === code);
  if (known) return known(`${code} of a test`);
  return Object.assign(new Error(code), { cause: new Error(cause ?? '') });
}

async function* textsOf(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const part of stream) if (part instanceof vscode.LanguageModelTextPart) yield part.value;
}

export const ASKED: readonly Message[] = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }];

export function turnOf(changes: Partial<Turn> = {}): Turn {
  return { model: 'test/fake', system: 'Work.', messages: ASKED, tools: [], maxTokens: 4096, ...changes };
}

/** The whole reply of a model to one request; `onEvent` may abort it. */
export async function askChat(
  chat: vscode.LanguageModelChat,
  changes: Partial<Turn> = {},
  { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: ModelEvent) => void } = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const provider = createVscodeProvider(async () => [chat]);
  for await (const event of provider.streamTurn(turnOf(changes), signal ?? new AbortController().signal)) {
    events.push(event);
    onEvent?.(event);
  }
  return events;
}
