// Models of other extensions as Harness's own: test/fixtures/vscodelm, and what goes to and fro beside them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AssistantBlock, Message, ModelEvent } from '../../../extension/core/ports/model.ts';
import { createVscodeProvider } from '../../../extension/vscode/language-models/vscode-provider.ts';
import { ASKED, askChat, type ChatFixture, chatFixture, fakeChat, turnOf } from './chat-models.ts';
import { withUserSetting } from './files.ts';
import { test } from './runner.ts';

/** Events in the words of the fixtures: without deltas, with one `done` at the end. */
function neutral(events: readonly ModelEvent[]): object[] {
  return events.flatMap((event): object[] => {
    switch (event.type) {
      case 'text':
        return [{ type: 'text', text: event.text }];
      case 'tool_call':
        return [{ type: 'tool_call', id: event.id, name: event.name, input: event.input }];
      case 'error':
        return [{ type: 'error', kind: event.error.kind, retryable: event.error.retryable }, FAILED];
      case 'done':
        return [{ type: 'done', reason: event.stop }];
      default:
        return [];
    }
  });
}

const FAILED = { type: 'done', reason: 'error' };

/** A message as the fixtures write it. */
function plain({ role, content }: vscode.LanguageModelChatMessage): { role: string; content: object[] } {
  const parts = content.map((part) => {
    if (part instanceof vscode.LanguageModelTextPart) return { text: part.value };
    if (part instanceof vscode.LanguageModelToolCallPart) return { toolCall: part.callId };
    assert.ok(part instanceof vscode.LanguageModelToolResultPart);
    const [text] = part.content;
    assert.ok(text instanceof vscode.LanguageModelTextPart);
    return { toolResult: part.callId, text: text.value };
  });
  return { role: role === vscode.LanguageModelChatMessageRole.User ? 'User' : 'Assistant', content: parts };
}

/** What the next request has behind the first message. */
async function appended({ given }: ChatFixture, events: readonly ModelEvent[]): Promise<object[]> {
  const reply = events.filter((event) => event.type === 'text' || event.type === 'tool_call');
  const results = Object.entries(given?.toolResults ?? {}).map(
    ([id, { content }]) => ({ type: 'tool_result', id, content, isError: false }) as const,
  );
  const chat = fakeChat([]);
  const messages: Message[] = [
    ...ASKED,
    { role: 'assistant', content: reply satisfies readonly AssistantBlock[] },
    { role: 'user', content: results },
  ];
  await askChat(chat, { messages });
  return (chat.requests[0]?.messages ?? []).slice(1).map(plain);
}

test('chat models: V01: text and a call come through, other parts do not, and the tokens are estimated', async () => {
  const fixture = chatFixture('V01');
  const events = await askChat(fakeChat(fixture.parts));
  assert.deepEqual(neutral(events), fixture.expect.events);
  assert.deepEqual(await appended(fixture, events), fixture.expect.history.append);
  const usage = events.find((event) => event.type === 'usage');
  const written = 'Reading'.length + 'read_file{"path":"a"}'.length;
  assert.deepEqual(usage?.usage, {
    inputTokens: 'Work.\nq'.length,
    outputTokens: written,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    estimated: true,
  });
});

test('chat models: V02: an abort cancels the request and ends in silence', async () => {
  const { parts } = chatFixture('V02');
  for (const ends of [false, true]) {
    const chat = fakeChat(parts.map((part) => (part.kind === 'cancel' ? { ...part, ends } : part)));
    const abort = new AbortController();
    const onEvent = () => setImmediate(() => abort.abort());
    const events = await askChat(chat, {}, { signal: abort.signal, onEvent });
    assert.deepEqual(events, [{ type: 'text_delta', text: 'Half' }]);
    assert.equal(chat.requests[0]?.token?.isCancellationRequested, true);
  }
});

test('chat models: an abort is not kept waiting by a model that takes no notice of it', async () => {
  const stream = (async function* () {
    yield new vscode.LanguageModelTextPart('Half');
    await new Promise(() => {});
  })();
  const deaf = { ...fakeChat([]), sendRequest: async () => ({ stream, text: noTexts() }) };
  const abort = new AbortController();
  const events = await askChat(
    deaf,
    {},
    { signal: abort.signal, onEvent: () => setImmediate(() => abort.abort()) },
  );
  assert.deepEqual(events, [{ type: 'text_delta', text: 'Half' }]);
  const silent = { ...fakeChat([]), sendRequest: () => new Promise<never>(() => {}) };
  const pending = new AbortController();
  const asked = askChat(silent, {}, { signal: pending.signal });
  pending.abort();
  assert.deepEqual(await asked, []);
  assert.deepEqual(await askChat(fakeChat([]), {}, { signal: AbortSignal.abort() }), []);
});

async function* noTexts(): AsyncGenerator<string> {}

test('chat models: V03: errors are told by their code, or else by what they say', async () => {
  const fixture = chatFixture('V03');
  const kinds: string[] = [];
  for (const part of fixture.parts) {
    const events = await askChat(fakeChat([part]));
    assert.equal(events.length, 1);
    const [event] = events;
    assert.ok(event?.type === 'error');
    kinds.push(event.error.kind);
    if (event.error.kind !== 'server') assert.equal(event.error.retryable, false);
    if (event.error.kind === 'server') assert.match(event.error.message, /quota exceeded/);
  }
  // What the fixture calls “provider” is “server” here.
  assert.deepEqual(
    kinds,
    fixture.expect.kinds?.map((kind) => (kind === 'provider' ? 'server' : kind)),
  );
});

test('chat models: V04: a stream without any part is an empty reply', async () => {
  const fixture = chatFixture('V04');
  assert.deepEqual(neutral(await askChat(fakeChat(fixture.parts))), fixture.expect.events);
});

test('chat models: a reply that breaks off has no calls', async () => {
  const call = { kind: 'toolCall', callId: 'c', name: 'run', input: {} } as const;
  const events = await askChat(
    fakeChat([call, { kind: 'throw', code: 'Unknown', cause: { message: 'gone' } }]),
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['error'],
  );
});

test('chat models: a call without an id gets one, and arguments that are no object are not mended', async () => {
  const events = await askChat(
    fakeChat([
      { kind: 'toolCall', callId: '', name: 'a', input: {} },
      { kind: 'toolCall', callId: '', name: 'b', input: [1] },
    ]),
  );
  const [first, second] = events.filter((event) => event.type === 'tool_call');
  assert.ok(first?.id && second?.id && first.id !== second.id);
  assert.equal(first.invalid, undefined);
  assert.match(String(second.invalid), /not a JSON object/);
});

test('chat models: the system prompt opens the first message, thinking stays at home, results come first', async () => {
  const chat = fakeChat([{ kind: 'text', value: 'ok' }]);
  const messages: Message[] = [
    ...ASKED,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', opaque: { provider: 'anthropic', model: 'x', data: {} } },
        { type: 'tool_call', id: 'c', name: 'read', input: { path: 'a' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hurry \ud83d!' },
        { type: 'tool_result', id: 'c', content: '', isError: false },
      ],
    },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'Only this.' }] },
  ];
  const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];
  await askChat(chat, { messages, tools });
  const [request] = chat.requests;
  assert.deepEqual(request?.messages.map(plain), [
    { role: 'User', content: [{ text: 'Work.' }, { text: 'q' }] },
    { role: 'Assistant', content: [{ toolCall: 'c' }] },
    { role: 'User', content: [{ toolResult: 'c', text: '(empty)' }, { text: 'Hurry \ufffd!' }] },
  ]);
  assert.deepEqual(request?.options?.tools, tools);
  assert.equal(typeof request?.options?.justification, 'string');
});

test('chat models: a conversation that would be refused is not sent', async () => {
  const chat = fakeChat([{ kind: 'text', value: 'ok' }]);
  const call = { type: 'tool_call', id: 'c', name: 'read', input: {} } as const;
  const messages: Message[] = [...ASKED, { role: 'assistant', content: [call] }, ...ASKED];
  const [failed] = await askChat(chat, { messages });
  assert.equal(failed?.type, 'error');
  assert.equal(failed.error.kind, 'invalid_request');
  assert.match(failed.error.message, /was not sent.*“c” has no result/);
  assert.equal(chat.requests.length, 0);
});

test('chat models: what was counted once is not counted again', async () => {
  const chat = fakeChat([{ kind: 'text', value: 'ok' }]);
  const provider = createVscodeProvider(async () => [chat]);
  const later: Message[] = [
    ...ASKED,
    { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    { role: 'user', content: [{ type: 'text', text: 'more' }] },
  ];
  const inputs: number[] = [];
  for (const messages of [ASKED, later]) {
    for await (const event of provider.streamTurn(turnOf({ messages }), new AbortController().signal)) {
      if (event.type === 'usage') inputs.push(event.usage.inputTokens);
    }
  }
  assert.deepEqual(chat.counted, ['Work.\nq', 'ok', 'ok\nmore', 'ok']);
  assert.deepEqual(inputs, ['Work.\nq'.length, 'Work.\nqok\nmore'.length]);
});

test('chat models: a model that cannot count has no usage, and answers', async () => {
  const chat = {
    ...fakeChat([{ kind: 'text', value: 'ok' }]),
    countTokens: () => Promise.reject(new Error('no')),
  };
  assert.deepEqual(
    (await askChat(chat)).map(({ type }) => type),
    ['text_delta', 'text', 'done'],
  );
});

test('chat models: they are listed by vendor and family, and found by family or id', async () => {
  const one = fakeChat([{ kind: 'text', value: 'one' }]);
  const two = { ...one, id: 'fake-2', family: 'other' };
  const three = { ...one, id: 'fake-3', family: 'other', name: 'Third' };
  const provider = createVscodeProvider(async () => [one, two, three]);
  assert.deepEqual(await provider.listModels(new AbortController().signal), [
    { id: 'test/fake', name: 'Fake', contextWindow: 1000 },
    { id: 'test/fake-2', name: 'Fake', contextWindow: 1000 },
    { id: 'test/fake-3', name: 'Third', contextWindow: 1000 },
  ]);
  for (const model of ['test/fake', 'test/fake-1', 'fake', 'fake-1']) {
    assert.equal((await askChat(one, { model })).at(-1)?.type, 'done', model);
  }
  const [unknown] = await askChat(one, { model: 'test/gone' });
  assert.ok(unknown?.type === 'error' && unknown.error.kind === 'not_found');
  assert.match(unknown.error.message, /test\/gone/);
});

test('chat models: one that VS Code does not have is told in the conversation', () =>
  withUserSetting('harness.model', 'vscode/nobody/nothing', async () => {
    await vscode.commands.executeCommand('harness.newSession');
    const { session, reason } = await vscode.commands.executeCommand<{ session: string; reason: string }>(
      'harness.ask',
      'Are you there?',
    );
    assert.equal(reason, 'error');
    const log = join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl');
    assert.match(
      await readFile(log, 'utf8'),
      /"code":"not_found".*VS Code does not offer the model “nobody\/nothing”/,
    );
  }));
