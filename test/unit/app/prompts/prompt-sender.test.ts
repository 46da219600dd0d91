import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PromptQueue } from '../../../../extension/app/prompts/prompt-queue.ts';
import { PromptSender, type PromptsOptions } from '../../../../extension/app/prompts/prompt-sender.ts';
import type { ModelEvent } from '../../../../extension/core/ports/model.ts';
import {
  ScriptedModel,
  type ScriptedReply,
} from '../../../../extension/core/ports/testing/scripted-model.ts';
import { LONGEST_PROMPT, PROMPT_TOO_LONG } from '../../../../extension/core/session/check-prompt.ts';
import { queueFiles } from '../../../../extension/node/composer/draft-files.ts';
import type { Attachment, TypedPrompt } from '../../../../extension/protocol/composer-messages.ts';
import type { SessionEvent } from '../../../../extension/protocol/events.ts';
import { type Gate, makeGate } from '../../../support/gate.ts';
import { calls, says, scenario } from '../../../support/scenario.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { until } from '../../../support/until.ts';

/** A reply whose end waits for the gate; an abort opens it too. */
const waits = ({ opened }: Gate, reply: readonly ModelEvent[] = says('Done.')): ScriptedReply =>
  async function* (_turn, signal) {
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    yield { type: 'text_delta', text: '…' };
    await Promise.race([opened, aborted]);
    yield* reply;
  };

/** What a window has of a session, with a model that gives these replies. */
async function desk(...replies: readonly ScriptedReply[]) {
  /** What a prompt waits for before it is in the log. */
  const context = { of: async () => '' };
  const { session, settings } = await scenario({ promptContext: { contextOf: () => context.of() } });
  const model = new ScriptedModel(...replies);
  const folder = await tempDir();
  await mkdir(join(folder, session.id));
  const inserted: string[] = [];
  const warned: string[] = [];
  /** The prompts that do not share the open file. */
  const leftOut: string[] = [];
  const said: PromptsOptions['session'] = {
    id: session.id,
    get busy() {
      return session.busy;
    },
    core: session,
    async prompt(content, attachments, options) {
      if (options?.withoutOpenFile) leftOut.push(content);
      try {
        const reason = await session.prompt(content, settings(model), attachments, options);
        void prompts.runEnded(reason);
        return { session: session.id, reason };
      } catch (error) {
        void prompts.runEnded(undefined);
        throw error;
      }
    },
  };
  const queue = new PromptQueue(queueFiles(folder), (problem) => warned.push(problem));
  onTestFinished(() => queue.flush());
  const prompts = new PromptSender({
    session: said,
    queue,
    remember: async () => {},
    changed: () => {},
    warn: (problem) => warned.push(problem),
  });
  const landed: string[] = [];
  const speakerOf = (text: string) => ({
    landed: () => void landed.push(text),
    insert: (prompt: TypedPrompt) => void inserted.push(prompt.text),
    edit: (prompt: TypedPrompt) => void inserted.push(prompt.text),
  });
  const file = join(folder, session.id, 'queue.json');
  return {
    session,
    context,
    prompts: {
      submit: (text: string, attachments?: readonly Attachment[], withoutOpenFile?: true) =>
        prompts.submit({ text, attachments, withoutOpenFile }, speakerOf(text)),
      steer: (text: string) => prompts.steer({ text }, speakerOf(text)),
      handle: (message: Parameters<PromptSender['handle']>[0]) => prompts.handle(message, speakerOf('')),
      send: (text: string) => prompts.send({ text }),
      queued: () => prompts.queued(),
    },
    queue,
    inserted,
    landed,
    warned,
    leftOut,
    file,
    texts: () => queue.items.map(({ text, state }) => `${text} ${state}`),
    kept: async () => {
      await queue.flush();
      const prompts: TypedPrompt[] = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'));
      return prompts.map(({ text }) => text);
    },
    said: () => prompted(session.events),
    act: (type: 'queue/edit' | 'queue/taken' | 'queue/remove' | 'queue/send', text: string) =>
      prompts.handle(
        { type, session: session.id, id: queue.items.find((item) => item.text === text)?.id ?? '' },
        speakerOf(text),
      ),
  };
}

const prompted = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'user' ? [event.content] : []));

test('prompts that come meanwhile are sent one after the other, each when the run before it is done', async () => {
  const gate = makeGate();
  const { prompts, said, texts, kept, session } = await desk(waits(gate), says('2'), says('3'));
  const run = prompts.submit('one');
  await prompts.submit('two');
  await prompts.submit('three');
  expect(texts()).toEqual(['two waiting', 'three waiting']);
  expect(await kept()).toEqual(['two', 'three']);
  gate.open();
  await run;
  await until(() => said().length === 3 && !session.busy);
  expect(said()).toEqual(['one', 'two', 'three']);
  expect(texts()).toEqual([]);
  expect(await kept()).toEqual([]);
});

test('after a cancel nothing is sent until the user asks for it', async () => {
  const { prompts, said, texts, act, session, kept } = await desk(waits(makeGate()), says('2'));
  const run = prompts.submit('one');
  await prompts.submit('two');
  session.cancel();
  expect((await run)?.reason).toBe('cancelled');
  await new Promise(setImmediate);
  expect(said()).toEqual(['one']);
  expect(texts()).toEqual(['two held']);
  expect(await kept()).toEqual(['two']);
  await act('queue/send', 'two');
  expect(said()).toEqual(['one', 'two']);
  expect(await kept()).toEqual([]);
});

test('an error holds the queue; another prompt goes first, and what it queues is sent after it', async () => {
  const first = makeGate();
  const second = makeGate();
  const broken: ModelEvent[] = [
    { type: 'error', error: { kind: 'auth', message: 'No key.', retryable: false } },
  ];
  const { prompts, said, texts, session } = await desk(waits(first, broken), waits(second), says('4'));
  const run = prompts.submit('one');
  await prompts.submit('two');
  first.open();
  await run;
  expect(texts()).toEqual(['two held']);
  const next = prompts.submit('three');
  await prompts.submit('four');
  second.open();
  await next;
  await until(() => said().length === 3 && !session.busy);
  expect(said()).toEqual(['one', 'three', 'four']);
  expect(texts()).toEqual(['two held']);
});

test('“Send now” says it to the run; a second press does nothing', async () => {
  const gate = makeGate();
  const { prompts, said, texts, act, kept, session } = await desk(
    waits(gate, calls(1, ['list_dir', { path: '.' }])),
    says('Yes.'),
  );
  const run = prompts.submit('one');
  await prompts.submit('two');
  const sent = act('queue/send', 'two');
  await act('queue/send', 'two');
  expect(texts()).toEqual(['two steering']);
  gate.open();
  await Promise.all([run, sent]);
  expect(said()).toEqual(['one', 'two']);
  expect(session.events.filter(({ type }) => type === 'turn_ended')).toHaveLength(1);
  expect(texts()).toEqual([]);
  expect(await kept()).toEqual([]);
});

test('what was to be said to a run that is stopped is kept', async () => {
  const { prompts, said, texts, session } = await desk(waits(makeGate()));
  const run = prompts.submit('one');
  await until(() => session.busy);
  const steer = prompts.steer('two');
  await until(() => texts().includes('two steering'));
  session.cancel();
  await Promise.all([run, steer]);
  await new Promise(setImmediate);
  expect(said()).toEqual(['one']);
  expect(texts()).toEqual(['two held']);
});

test.each(['waiting', 'steering'])('a %s prompt can be taken back into the input, or away', async (state) => {
  const gate = makeGate();
  const { prompts, said, texts, act, inserted, kept } = await desk(waits(gate));
  const run = prompts.submit('one');
  await prompts.submit('two');
  await prompts.submit('three');
  const steers = state === 'steering' ? [act('queue/send', 'two'), act('queue/send', 'three')] : [];
  await act('queue/edit', 'two');
  await act('queue/remove', 'three');
  await Promise.all(steers);
  expect(inserted).toEqual(['two']);
  // It waits for the word that the input has it, and is not sent meanwhile.
  expect(texts()).toEqual(['two held']);
  expect(await kept()).toEqual(['two']);
  gate.open();
  await run;
  expect(said()).toEqual(['one']);
  await act('queue/taken', 'two');
  expect(texts()).toEqual([]);
  expect(await kept()).toEqual([]);
});

test('images wait with their prompt, and go with it', async () => {
  const gate = makeGate();
  const name = `attachments/${'a'.repeat(64)}.png`;
  const { prompts, session, queue } = await desk(waits(gate), says('2'), says('3'));
  const run = prompts.submit('one');
  await prompts.submit('two', [{ name, title: 'a.png', bytes: 1 }]);
  await queue.flush();
  await queue.show('');
  await queue.show(session.id);
  expect(queue.items).toMatchObject([{ text: 'two', attachments: [{ name, title: 'a.png', bytes: 1 }] }]);
  gate.open();
  await run;
  await prompts.handle({ type: 'queue/send', session: session.id, id: queue.items[0]?.id ?? '' });
  expect(session.events.findLast((event) => event.type === 'user')).toMatchObject({
    content: 'two',
    attachments: [name],
  });
});

/** The first of the queue, A, has left it; what it waits for before it is in the log is `answer`. Then B was queued. */
async function onItsWay(answer: () => string, ...replies: readonly ScriptedReply[]) {
  const run = makeGate();
  const begin = makeGate();
  const { context, ...made } = await desk(waits(run), ...replies);
  const first = made.prompts.submit('first');
  await made.prompts.submit('A');
  context.of = () => begin.opened.then(answer);
  run.open();
  await first;
  await until(() => made.session.busy && made.queue.items.length === 0);
  await made.prompts.submit('B');
  return { ...made, begin };
}

test('a prompt on its way stays in the file until it is in the log, whatever is queued or removed', async () => {
  const { begin, kept, act, said, session } = await onItsWay(() => '', says('a'));
  expect(said()).toEqual(['first']);
  expect(await kept()).toEqual(['A', 'B']);
  await act('queue/remove', 'B');
  expect(await kept()).toEqual(['A']);
  begin.open();
  await until(() => said().includes('A') && !session.busy);
  expect(await kept()).toEqual([]);
});

test('what could not be sent is held and kept, before what was queued meanwhile', async () => {
  const { begin, kept, texts, warned, act } = await onItsWay(() => {
    throw new Error('The log cannot be written.');
  });
  begin.open();
  await until(() => texts().length === 2);
  expect(texts()).toEqual(['A held', 'B held']);
  expect(await kept()).toEqual(['A', 'B']);
  expect(warned).toEqual(['The log cannot be written.']);
  await act('queue/remove', 'B');
  expect(await kept()).toEqual(['A']);
});

test('without a run, a steer is a prompt', async () => {
  const { prompts, said, landed } = await desk(says('1'));
  await prompts.steer('one');
  expect(said()).toEqual(['one']);
  expect(landed).toEqual(['one']);
});

test('a prompt is said to have landed when it is in the log, or in the queue’s file; not before', async () => {
  const gate = makeGate();
  const { prompts, landed, file, session, said } = await desk(waits(gate), says('2'));
  const run = prompts.submit('one');
  expect(landed).toEqual([]);
  await until(() => said().length === 1);
  expect(landed).toEqual(['one']);
  const queueing = prompts.submit('two');
  expect(landed).toEqual(['one']);
  await until(() => landed.includes('two'));
  expect(await readFile(file, 'utf8')).toContain('two');
  await queueing;
  gate.open();
  await run;
  await until(() => said().length === 2 && !session.busy);
  expect(landed).toEqual(['one', 'two']);
});

test('a program that sends a prompt while a run is on is refused', async () => {
  const gate = makeGate();
  const { prompts, texts } = await desk(waits(gate));
  const run = prompts.submit('one');
  await expect(prompts.send('two')).rejects.toThrow('A run is active');
  expect(texts()).toEqual([]);
  gate.open();
  await run;
});

test('what lay in the file is held, and each session has its own', async () => {
  const { prompts, queue, file, session, said } = await desk();
  await writeFile(file, JSON.stringify([{ text: 'kept' }]));
  expect(await prompts.queued()).toMatchObject([{ text: 'kept', state: 'held' }]);
  await queue.show('');
  expect(queue.items).toEqual([]);
  queue.arrived();
  await queue.show(session.id);
  expect(queue.items).toMatchObject([{ text: 'kept', state: 'held' }]);
  expect(said()).toEqual([]);
});

test('a queue whose file cannot be read is said, and works', async () => {
  const gate = makeGate();
  const { prompts, file, warned, said, queue, session } = await desk(waits(gate), says('2'));
  await mkdir(`${file}/in-the-way`, { recursive: true });
  await prompts.queued();
  expect(warned.join()).toContain('not shown');
  warned.length = 0;
  const run = prompts.submit('one');
  await prompts.submit('two');
  await queue.flush();
  gate.open();
  await run;
  await until(() => said().length === 2 && !session.busy);
  expect(said()).toEqual(['one', 'two']);
});

test('a prompt that no line of the log can hold goes back into the input, or stays in the queue, and the user is told', async () => {
  const long = 'q'.repeat(LONGEST_PROMPT + 1);
  const gate = makeGate();
  const { prompts, said, inserted, warned, queue, session } = await desk(waits(gate));
  await prompts.submit(long);
  expect(inserted).toEqual([long]);
  expect(warned).toEqual([PROMPT_TOO_LONG]);
  const run = prompts.submit('one');
  await until(() => session.busy);
  await prompts.steer(long);
  expect(queue.items.map(({ text, state }) => [text === long, state])).toEqual([[true, 'waiting']]);
  gate.open();
  await run;
  await until(() => queue.items[0]?.state === 'held');
  expect(said()).toEqual(['one']);
  expect(warned).toEqual(Array(3).fill(PROMPT_TOO_LONG));
});

test('a prompt leaves the open file out also when it comes from the queue, or from its file', async () => {
  const gate = makeGate();
  const { prompts, leftOut, queue, file } = await desk(waits(gate), says('2'), says('3'));
  const first = prompts.submit('one', [], true);
  await prompts.submit('two');
  await prompts.submit('three', [], true);
  await queue.flush();
  const kept: TypedPrompt[] = JSON.parse(await readFile(file, 'utf8'));
  expect(kept.map(({ withoutOpenFile }) => withoutOpenFile)).toEqual([undefined, true]);
  gate.open();
  await first;
  await until(() => leftOut.length === 2);
  expect(leftOut).toEqual(['one', 'three']);
});
