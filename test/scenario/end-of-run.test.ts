// What the model learns of a stop, a denial and a limit.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelEvent, Turn } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { isWritten } from '../support/is-running.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

/** The texts of the newest message. */
function lastTexts(turn: Turn | undefined): readonly string[] {
  const content = turn?.messages.at(-1)?.content ?? [];
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function allText(turn: Turn | undefined): string {
  return JSON.stringify(turn?.messages);
}

const LOOK = ['read', { path: 'a.txt' }] as const;

test('after a stop the model reads that the user stopped it, and which calls had run', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const wanted = calls(
    1,
    ['read', { path: 'a.txt' }],
    ['bash', { command: 'echo > started; sleep 300' }],
    ['write', { path: 'b.txt', content: 'b' }],
  );
  const model = new ScriptedModel(wanted, says('Stopped, I see.'));
  const run = session.prompt('Work', settings(model));
  await until(() => isWritten(join(root, 'started')));
  session.cancel();
  expect(await run).toBe('cancelled');
  await session.prompt('What now?', settings(model));
  expect(allText(model.turns[1])).toContain(
    'The user stopped this run. Calls that had ended: read a.txt. Stopped while it ran, perhaps with effects: bash echo > started; sleep 300. Not run: write b.txt. Do not resume this work unless the user asks for it.',
  );
  expect(lastTexts(model.turns[1]).at(-1)).toBe('What now?');
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/stopped.jsonl');
});

test('after a stop within a reply the model reads that its calls did not run', async () => {
  const { session, settings } = await scenario();
  const stop: ModelEvent[] = [
    { type: 'text', text: 'I will write.' },
    { type: 'tool_call', id: 'call_1', name: 'write', input: { path: 'b.txt', content: 'b' } },
    { type: 'text', text: 'And then.' },
  ];
  const model = new ScriptedModel([...stop, ...says('Done.')], says('Yes.'));
  session.subscribe({
    onEvents: (events) => events.some(({ type }) => type === 'tool_call') && session.cancel(),
  });
  expect(await session.prompt('Write', settings(model))).toBe('cancelled');
  await session.prompt('Go on?', settings(model));
  expect(allText(model.turns.at(-1))).toContain('The user stopped this run. Not run: write b.txt.');
  expectWellFormed(session.events);
});

test('what is said of very many calls stays below 1 kB', async () => {
  const { session, settings } = await scenario();
  const path = `${'😀'.repeat(60)}.txt`;
  const wanted = Array.from({ length: 60 }, () => ['read', { path }] as const);
  const model = new ScriptedModel(calls(1, ...wanted));
  session.subscribe({
    onEvents: (events) => events.some(({ type }) => type === 'request_ended') && session.cancel(),
  });
  expect(await session.prompt('Read', settings(model, { maxToolCallsPerTurn: 100 }))).toBe('cancelled');
  const end = session.events.findLast((event) => event.type === 'turn_ended');
  expect(new TextEncoder().encode(end?.toModel).length).toBeLessThan(1_000);
  expect(end?.toModel).toMatch(/and \d+ more/);
});

test('a session that was closed during a run does not say that the user stopped it', async () => {
  let closed: Promise<void> | undefined;
  const { session, settings, openLog, store } = await scenario({
    answer: (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ decision: 'deny', reason: 'stopped' }));
        closed = session.close();
      }),
  });
  const wanted = calls(1, ['write', { path: 'a.txt', content: 'b' }]);
  const model = new ScriptedModel(wanted, says('I see.'));
  await session.prompt('Write', settings(model));
  await closed;
  const reopened = await openLog(await store.open(session.id));
  await reopened.prompt('And now?', settings(model));
  expect(allText(model.turns[1])).toContain('The session was closed during this run. Not run: write a.txt.');
  await reopened.close();
});

test('a denial has the user’s reason, in the log and for the model', async () => {
  const { session, settings, root } = await scenario({
    answer: () => ({ decision: 'deny', userReason: 'use tabs' }),
  });
  const model = new ScriptedModel(calls(1, ['write', { path: 'a.txt', content: 'x' }]), says('With tabs.'));
  await session.prompt('Write', settings(model));
  expect(allText(model.turns[1])).toContain('denied by the user: use tabs');
  expect(session.events.find((event) => event.type === 'permission')).toMatchObject({
    decision: 'deny',
    reason: 'use tabs',
  });
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/denied-with-reason.jsonl');
});

test('a denial without a reason asks the model to ask, and no key is in a reason', async () => {
  const secret = 'sk-ant-REDACTED-0123456789abcdef';
  const reasons = [undefined, `my key is ${secret}`];
  const { session, settings } = await scenario({
    secrets: [secret],
    answer: () => ({ decision: 'deny', userReason: reasons.shift() }),
  });
  const write = (first: number) => calls(first, ['write', { path: 'a.txt', content: 'x' }]);
  const model = new ScriptedModel(write(1), write(2), says('Fine.'));
  await session.prompt('Write', settings(model));
  expect(allText(model.turns[1])).toContain(
    'do not try to reach the same by another way: ask what they want',
  );
  expect(allText(model.turns[2])).toContain('denied by the user: my key is');
  expect(JSON.stringify(session.events)).not.toContain(secret);
});

test('with ten requests left the model reads it once, and at the limit why it ended', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const looks = Array.from({ length: 12 }, (_, index) => calls(index + 1, LOOK));
  const model = new ScriptedModel(...looks, says('Done.'));
  expect(await session.prompt('Go', settings(model, { maxTurns: 12 }))).toBe('max_turns');
  const LEFT = 'Requests left for this prompt: 10 of 12.';
  expect(allText(model.turns[1])).not.toContain(LEFT);
  expect(lastTexts(model.turns[2])).toEqual([expect.stringContaining(LEFT)]);
  expect(allText(model.turns[11]).split('Requests left for this prompt')).toHaveLength(2);
  expect(await session.continue(settings(model))).toBe('done');
  expect(lastTexts(model.turns[12])).toEqual([
    'The run ended because it reached the limit of 12 requests for one prompt. If no other message follows, the user wants you to continue where you stopped.',
  ]);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/limit.jsonl');
});

test('a run of at most ten requests is not warned', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const model = new ScriptedModel(calls(1, LOOK), says('Done.'));
  await session.prompt('Go', settings(model, { maxTurns: 10 }));
  expect(session.events.some(({ type }) => type === 'notice')).toBe(false);
});

test('a reply that was cut off at the limit of tokens says so when it goes on', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(says('One, two', 'length'), says('three.'));
  expect(await session.prompt('Count', settings(model))).toBe('error');
  expect(await session.continue(settings(model))).toBe('done');
  expect(lastTexts(model.turns[1])).toEqual([
    'Your reply was cut off because it reached the limit of tokens for one reply. If no other message follows, the user wants you to continue where you stopped.',
  ]);
});

test('limits that change in a session are told anew, after what was sent', async () => {
  const { session, settings } = await scenario({ tellsContext: true });
  const model = new ScriptedModel(says('1'), says('2'), says('3'));
  await session.prompt('one', settings(model));
  await session.prompt('two', settings(model, { maxTurns: 50 }));
  await session.prompt('three', settings(model, { maxTurns: 50 }));
  const told = session.events.flatMap((event) =>
    event.type === 'context' && event.kind === 'limits' ? [event.text] : [],
  );
  expect(told).toEqual([expect.stringContaining('At most 10 '), expect.stringContaining('At most 50 ')]);
  const sent = model.turns.map(allText);
  expect(sent[1]?.startsWith(sent[0]?.slice(0, -1) ?? '?')).toBe(true);
});

test('the open file goes with a prompt where it has changed, and not with one that leaves it out', async () => {
  let file = { path: '/elsewhere/a.ts', visible: { first: 1, last: 9 } };
  const editor = { openFile: async () => file, problems: () => ({ errors: 0, warnings: 0 }) };
  const { session, settings } = await scenario({ tellsContext: true, sees: { editor } });
  const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'));
  const kinds = async (prompt: string, withoutOpenFile = false) => {
    const { length } = session.events;
    await session.prompt(prompt, settings(model), [], { withoutOpenFile });
    return session.events.slice(length).flatMap((event) => (event.type === 'context' ? [event.kind] : []));
  };
  expect(await kinds('one', true)).not.toContain('editor');
  expect(allText(model.turns[0])).not.toContain('/elsewhere/a.ts');
  expect(await kinds('two')).toEqual(['editor']);
  expect(allText(model.turns[1])).toContain('In view: /elsewhere/a.ts:1-9');
  file = { ...file, path: '/elsewhere/b.ts' };
  expect(await kinds('three', true)).toEqual(['editor']);
  expect(allText(model.turns[2])).toContain('no file is shared');
  expect(allText(model.turns[2])).not.toContain('/elsewhere/b.ts');
  expect(await kinds('four')).toEqual(['editor']);
  expect(allText(model.turns[3])).toContain('/elsewhere/b.ts');
});
