// The flows of a provider are what that provider gives: its own next request takes every piece of them back.
import { expect, test } from 'vitest';
import type { ModelEvent, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { withThinkingFlow } from '../../../extension/core/providers/anthropic/mocks.ts';
import { toAnthropicRequest as toMessagesRequest } from '../../../extension/core/providers/anthropic/to-request.ts';
import { withApplyPatchFlow, withPlanFlow } from '../../../extension/core/providers/codex/mocks.ts';
import { toCodexRequest as toResponsesRequest } from '../../../extension/core/providers/codex/to-request.ts';
import { createMock } from '../../../extension/core/sdk/mock.ts';

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+A\n*** End Patch\n';

/** The turn after a reply whose calls are answered. */
async function nextTurn(reply: readonly ModelEvent[], model: string): Promise<Turn> {
  const harness = createMock({ replies: [reply], clock: new ManualClock() });
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }] as const;
  const result = await harness.streamAndCollect({ model, messages }, new AbortController().signal);
  const content = result.calls.map(
    ({ id }) => ({ type: 'tool_result', id, content: 'Done.', isError: false }) as const,
  );
  return {
    model,
    system: 'Work.',
    messages: [...result.messages, { role: 'user', content }],
    tools: [],
    maxTokens: 100,
  };
}

test('Claude gets its signed thinking back, before its call', async () => {
  const call = { name: 'read', input: { path: 'a' } };
  const turn = await nextTurn(
    withThinkingFlow({ thinking: 'Hm.', text: 'I look.', call }),
    'claude-opus-5-5',
  );
  const { messages } = toMessagesRequest(turn, new Set());
  expect(messages[1]?.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.', signature: expect.any(String) },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', name: 'read' },
  ]);
});

test('Codex gets its encrypted thinking, its preamble and its patch back', async () => {
  const flow = { thinking: 'Hm.', preamble: 'I add a file.' };
  const request = toResponsesRequest(await nextTurn(withApplyPatchFlow(PATCH, flow), 'gpt-5.6-sol'));
  const input = JSON.stringify(request);
  expect(input).toContain('encrypted-3');
  expect(input).toContain('"phase":"commentary"');
  expect(input).toContain('"type":"custom_tool_call_output"');
  expect(input).toContain(JSON.stringify(PATCH));
});

test('Codex shows a plan', async () => {
  const steps = [{ step: 'Look', status: 'in_progress' }] as const;
  const harness = createMock({ replies: [withPlanFlow(steps)], clock: new ManualClock() });
  const plans: unknown[] = [];
  const turn = {
    model: 'scripted/m',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
  } as const;
  for await (const event of harness.streamTurn(turn, new AbortController().signal)) {
    if (event.type === 'plan_update') plans.push(event.steps);
  }
  expect(plans).toEqual([[{ title: 'Look', status: 'in_progress' }]]);
});
