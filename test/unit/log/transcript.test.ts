import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import { Transcript } from '../../../extension/core/log/transcript.ts';
import type { Message } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { closeOpenEvents } from '../../../extension/core/session/close-open-events.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';

async function fold(drafts: readonly EventDraft[]) {
  const log = new MemorySessionLog('s', new ManualClock());
  const events = [...log.past, ...(await log.append(drafts))];
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return { transcript, events, log };
}

/** The rules that every provider's API has: who breaks one gets 400 for each later request. */
function expectValid(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    expect(message.content.length, 'no message is empty').toBeGreaterThan(0);
    if (message.role !== 'assistant') continue;
    const calls = message.content.filter((block) => block.type === 'tool_call').map((block) => block.id);
    const next = messages[index + 1];
    const answered =
      next?.role === 'user'
        ? next.content.filter((block) => block.type === 'tool_result').map((block) => block.id)
        : [];
    expect(answered, 'each call has its result in the next message').toEqual(calls);
    expect(
      message.content.every((block) => block.type !== 'text' || block.text.trim() !== ''),
      'no empty text',
    ).toBe(true);
  }
  const results = messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );
  expect(new Set(results.map((block) => block.id)).size, 'no call has two results').toBe(results.length);
}

const started: EventDraft = { type: 'request_started', request: 1, provider: 'p', model: 'm' };
const ended = (outcome: 'completed' | 'cancelled' | 'discarded' | 'refused'): EventDraft => ({
  type: 'request_ended',
  request: 1,
  outcome,
  stop: 'x',
});
const call = (id: string): EventDraft => ({ type: 'tool_call', id, name: 'read', input: {} });
const result = (id: string): EventDraft => ({ type: 'tool_result', id, result: '{}', isError: false });

test('a prompt of images alone has no empty text beside them', async () => {
  const attachments = [`attachments/${'a'.repeat(64)}.png`];
  const { transcript } = await fold([{ type: 'user', content: ' ', attachments }]);
  expect(transcript.messages().map(({ content }) => content.map(({ type }) => type))).toEqual([['image']]);
});

test('what the model is told while calls are open stands behind their results', async () => {
  const notice: EventDraft = { type: 'notice', message: 'm', toModel: 'rejected' };
  const { transcript } = await fold([
    { type: 'user', content: 'Hi' },
    started,
    call('1'),
    notice,
    call('2'),
    ended('completed'),
    result('1'),
    notice,
    result('2'),
  ]);
  expectValid(transcript.messages());
  const last = transcript.messages().at(-1);
  expect(last?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text', 'text']);
});

test('a cancelled reply leaves its text and nothing else', async () => {
  const { transcript } = await fold([
    { type: 'user', content: 'Hi' },
    started,
    { type: 'reasoning', content: 'hm' },
    { type: 'text', content: 'One ', partial: true },
    call('a'),
    result('a'),
    ended('cancelled'),
  ]);
  expect(transcript.messages().at(-1)).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'One' }],
  });
  expectValid(transcript.messages());
});

test('a reply of thinking alone is left out', async () => {
  const { transcript } = await fold([
    { type: 'user', content: 'Hi' },
    started,
    { type: 'reasoning', content: 'hm' },
    ended('completed'),
  ]);
  expect(transcript.messages()).toHaveLength(1);
  expect(transcript.endsWithUser()).toBe(true);
});

test('results come before what else is said to the model after them', async () => {
  const { transcript } = await fold([
    { type: 'user', content: 'Hi' },
    started,
    call('a'),
    call('b'),
    ended('completed'),
    result('a'),
    result('b'),
    { type: 'notice', message: 'x', toModel: 'cut' },
  ]);
  const last = transcript.messages().at(-1);
  expect(last?.content.map((block) => block.type)).toEqual(['tool_result', 'tool_result', 'text']);
});

/** Any run: prompts, replies of every outcome, calls with results, each cut off at any event. */
const reply = fc.record({
  blocks: fc.array(fc.constantFrom('text', 'blank', 'reasoning', 'call', 'opaque'), { maxLength: 5 }),
  outcome: fc.constantFrom('completed', 'completed', 'completed', 'cancelled', 'discarded', 'refused'),
  note: fc.boolean(),
});
const runs = fc.array(fc.array(reply, { maxLength: 4 }), { minLength: 1, maxLength: 4 });

function draftsOf(
  prompts: readonly (readonly { blocks: readonly string[]; outcome: string; note: boolean }[])[],
): EventDraft[] {
  let id = 0;
  let request = 0;
  return prompts.flatMap((replies, turn) => [
    { type: 'user', content: `prompt ${turn}` } as const,
    { type: 'turn_started', turn: turn + 1 } as const,
    ...replies.flatMap(({ blocks, outcome, note }): EventDraft[] => {
      const ids: string[] = [];
      request++;
      const written = blocks.map((block): EventDraft => {
        if (block === 'text') return { type: 'text', content: 'words' };
        if (block === 'blank') return { type: 'text', content: ' \n' };
        if (block === 'reasoning') return { type: 'reasoning', content: 'hm' };
        if (block === 'opaque')
          return { type: 'provider_block', opaque: { provider: 'p', model: 'm', data: {} } };
        ids.push(`call_${++id}`);
        return call(`call_${id}`);
      });
      const end: EventDraft = { type: 'request_ended', request, outcome: outcome as 'completed', stop: 'x' };
      const results = ids.map(result);
      const begin: EventDraft = { type: 'request_started', request, provider: 'p', model: 'm' };
      const tail: EventDraft[] = note ? [{ type: 'notice', message: 'n', toModel: 'note' }] : [];
      return outcome === 'completed'
        ? [begin, ...written, end, ...results, ...tail]
        : [begin, ...written, ...results, end, ...tail];
    }),
    { type: 'turn_ended', turn: turn + 1, reason: 'done' } as const,
  ]);
}

test('after any run, killed at any event and recovered, every request is valid', async () => {
  await fc.assert(
    fc.asyncProperty(runs, fc.nat(), async (prompts, cut) => {
      const drafts = draftsOf(prompts);
      const { transcript, events, log } = await fold(drafts.slice(0, cut % (drafts.length + 1)));
      for (const event of await log.append(closeOpenEvents(events))) transcript.apply(event);
      expectValid(transcript.messages());
      for (const event of await log.append([{ type: 'user', content: 'go on' }])) transcript.apply(event);
      expectValid(transcript.messages());
      expect(transcript.endsWithUser()).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('recovery closes what is open, once', async () => {
  const { events, log } = await fold([
    { type: 'user', content: 'Hi' },
    { type: 'turn_started', turn: 1 },
    started,
    call('a'),
    call('b'),
    ended('completed'),
    { type: 'tool_started', id: 'a' },
  ]);
  const drafts = closeOpenEvents(events);
  expect(drafts.map((draft) => draft.type)).toEqual([
    'tool_result',
    'tool_result',
    'notice',
    'status',
    'turn_ended',
  ]);
  expect(drafts[0]).toMatchObject({
    id: 'a',
    end: 'interrupted',
    result: expect.stringContaining('may have had effects'),
  });
  expect(drafts[1]).toMatchObject({ id: 'b', result: expect.stringContaining('before this ran') });
  expect(closeOpenEvents([...events, ...(await log.append(drafts))])).toEqual([]);
});

test('what is for people alone is not sent', async () => {
  const messagesWith = async (more: Partial<Extract<EventDraft, { type: 'tool_result' }>>) => {
    const answer = { type: 'tool_result', id: 'a', result: '{}', isError: false, ...more } as const;
    const { transcript } = await fold([
      { type: 'user', content: 'Hi' },
      started,
      call('a'),
      ended('completed'),
      answer,
    ]);
    return JSON.stringify(transcript.messages());
  };
  const more = { shown: { start: 'in red' }, diff: { text: 'a hunk', moreLines: 3 } };
  expect(await messagesWith(more)).toBe(await messagesWith({}));
});
