import { expect, test } from 'vitest';
import type { Message, Turn } from '../../../../extension/core/ports/model.ts';
import {
  toChatMessages,
  toChatTools,
} from '../../../../extension/vscode/language-models/to-chat-messages.ts';

function turn(...messages: Message[]): Turn {
  return { model: 'copilot/gpt-5', system: '', messages, tools: [], maxTokens: 4096 };
}

test('ids and names that whoever stands behind the model would not take are replaced, on both sides', () => {
  const id = 'functions.read:0';
  const sent = toChatMessages(
    turn(
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
      { role: 'assistant', content: [{ type: 'tool_call', id, name: 'no such tool', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', id, content: '', isError: true }] },
    ),
  );
  const [call, result] = sent.slice(1).map(({ content }) => content[0]);
  expect(call).toMatchObject({ callId: expect.stringMatching(/^[\w-]{1,64}$/), name: 'no_such_tool' });
  expect(result).toMatchObject({ callId: (call as { callId: string }).callId });
});

test('an id of its own is given back as it came', () => {
  const id = 'call_AbC__vscode-1732188483123';
  const content = [{ type: 'tool_call', id, name: 'read', input: {} }] as const;
  expect(toChatMessages(turn({ role: 'assistant', content }))[0]?.content).toMatchObject([{ callId: id }]);
});

test('a tool is told as the APIs take it', () => {
  const inputSchema = { $schema: 'x', type: 'object', properties: {}, anyOf: [{}] };
  expect(toChatTools([{ name: 'read', description: 'Cut \ud83d', inputSchema }])).toEqual([
    { name: 'read', description: 'Cut \ufffd', inputSchema: { type: 'object', properties: {} } },
  ]);
});
