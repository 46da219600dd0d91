// What the loop writes in one breath is one append: each append costs a write, a hash, a fold and a message to the panel.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, says, scenario } from '../support/scenario.ts';

/** The events of each append, by their types. */
function appendsOf(session: {
  subscribe(listener: { onEvents(events: readonly SessionEvent[]): void }): unknown;
}) {
  const appends: string[] = [];
  session.subscribe({ onEvents: (events) => appends.push(events.map(({ type }) => type).join(' ')) });
  return appends;
}

test('a read and the answer to it are seven appends, in the order of what happens', async () => {
  const { session, settings, root } = await scenario({ tellsContext: true });
  await writeFile(join(root, 'a.txt'), 'one\n');
  const appends = appendsOf(session);
  const model = new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), says('One line.'));
  expect(await session.prompt('Read it', settings(model))).toBe('done');
  expect(appends).toEqual([
    'user turn_started',
    'context context context context status request_started',
    'tool_call',
    'request_ended status permission tool_started',
    'tool_result status request_started',
    'text',
    'request_ended status turn_ended',
  ]);
});

test('what came before is shown while the user is asked, and before a command runs', async () => {
  const shown: string[] = [];
  const seen: Record<string, readonly string[]> = {};
  const { session, settings } = await scenario({
    answer: ({ tool }) => {
      seen[tool] = [...shown];
      return { decision: 'allow_once' };
    },
  });
  session.subscribe({
    onEvents: (events) => shown.push(...events.map(({ type }) => type)),
    onDelta: ({ type }) => {
      if (type === 'tool_output_delta') seen.output ??= [...shown];
    },
  });
  const model = new ScriptedModel(
    calls(1, ['write', { path: 'b.txt', content: 'two\n' }], ['bash', { command: 'echo out' }]),
    says('Done.'),
  );
  expect(await session.prompt('Do both', settings(model))).toBe('done');
  expect(seen.write?.slice(-2)).toEqual(['status', 'permission_request']);
  expect(seen.bash).toContain('tool_result');
  expect(seen.bash?.slice(-2)).toEqual(['status', 'permission_request']);
  expect(seen.output?.slice(-2)).toEqual(['permission', 'tool_started']);
});

test('where a run ends in an error, everything that was staged is in the log before it', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const model = new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), [
    { type: 'error', error: { kind: 'invalid_request', message: 'No.', retryable: false } },
  ]);
  expect(await session.prompt('Read it', settings(model))).toBe('error');
  const types = session.events.map(({ type }) => type);
  expect(types.slice(types.indexOf('tool_call'))).toEqual([
    ...['tool_call', 'request_ended', 'status', 'permission', 'tool_started', 'tool_result'],
    ...['status', 'request_started', 'request_ended', 'error', 'status', 'turn_ended'],
  ]);
});
