import { expect, test } from 'vitest';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { localizeEvent } from '../../../../extension/vscode/base/localize.ts';

const shout = (sentence: string) => sentence.toUpperCase();
const place = { timestamp: 0, session: 's', seq: 1, prev: '' };
const heard = (draft: EventDraft) => localizeEvent({ ...draft, ...place }, shout);

test.each<EventDraft>([
  { type: 'error', code: 'auth', message: 'no key', retryable: false },
  { type: 'notice', message: 'no key', toModel: 'go on' },
  { type: 'retry', attempt: 1, delayMs: 1, code: 'server', message: 'no key' },
  { type: 'status', state: 'thinking', message: 'no key' },
])('the message of $type is heard, and nothing else of it', (draft) => {
  expect(heard(draft)).toEqual({ ...draft, ...place, message: 'NO KEY' });
});

test('of a question its words are heard, not what it is about', () => {
  const action = {
    title: 'run?',
    detail: 'npm test',
    warnings: ['with your permissions'],
    remember: 'this',
    added: 1,
  };
  const draft: EventDraft = { type: 'permission_request', id: 'c', tool: 'bash', risk: 'high', action };
  expect(heard(draft)).toEqual({
    ...draft,
    ...place,
    action: {
      title: 'RUN?',
      detail: 'npm test',
      warnings: ['WITH YOUR PERMISSIONS'],
      remember: 'THIS',
      added: 1,
    },
  });
  const { remember, ...once } = action;
  expect(heard({ ...draft, action: once })).not.toHaveProperty('action.remember');
});

test('the rule of a decision is heard', () => {
  const draft: EventDraft = {
    type: 'permission',
    id: 'c',
    tool: 'bash',
    risk: 'high',
    decision: 'deny',
    by: 'mode',
    rule: 'plan',
    action: 'hash',
  };
  expect(heard(draft)).toEqual({ ...draft, ...place, rule: 'PLAN' });
});

test.each<EventDraft>([
  { type: 'user', content: 'Thinking' },
  { type: 'text', content: 'Thinking' },
  { type: 'reasoning', content: 'Thinking' },
  { type: 'tool_result', id: 'c', result: '{"error":"Thinking"}', isError: true },
  { type: 'status', state: 'running_tool', message: 'Thinking' },
  { type: 'title', title: 'Thinking' },
])('$type is in the words of somebody else, and stays the same object', (draft) => {
  const event = { ...draft, ...place };
  expect(localizeEvent(event, shout)).toBe(event);
});
