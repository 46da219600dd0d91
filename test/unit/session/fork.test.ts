import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileHistory } from '../../../extension/core/checkpoints/file-history.ts';
import { CHAIN_START, hashLine } from '../../../extension/core/log/hash-chain.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { linesOfFork } from '../../../extension/core/session/fork.ts';
import { recoverInterruptedChanges } from '../../../extension/core/session/interrupted-changes.ts';
import { Session } from '../../../extension/core/session/session.ts';
import { type EventDraft, parseEvent, type SessionEvent } from '../../../extension/protocol/events.ts';
import { calls, expectWellFormed, says, scenario } from '../../support/scenario.ts';

const START = { cwd: '/elsewhere', product: 'test 2' };

/** Two prompts, the first with calls, and something said in the middle of it. */
async function talked() {
  const made = await scenario({
    answer: () => {
      void made.session.steer('Hurry', new AbortController().signal);
      return { decision: 'allow_session' };
    },
  });
  const { session, settings } = made;
  const model = new ScriptedModel(
    calls(1, ['write', { path: 'a.txt', content: 'a' }], ['list_dir', { path: '.' }]),
    says('Done.'),
    says('Well.'),
  );
  await session.prompt('First', settings(model));
  await session.prompt('Second', settings(model));
  return made;
}

const promptAt = (events: readonly SessionEvent[], content: string) =>
  events.find((event) => event.type === 'user' && event.content === content)?.seq ?? 0;

test('a fork has the events before the prompt, a chain of its own, and says where it comes from', async () => {
  const { session, store, ports, settings } = await talked();
  const path = (id: string) => join(ports.home, 'sessions', id, 'events.jsonl');
  const old = await readFile(path(session.id), 'utf8');
  const seq = promptAt(session.events, 'Second');
  const log = await store.fork(session.id, seq, START);
  expect(log.repairs).toEqual([]);
  expect(log.past[0]).toMatchObject({ ...START, forkedFrom: { session: session.id, seq } });
  expect(log.past.filter(({ type }) => type !== 'notice').map(({ type }) => type)).toEqual(
    session.events.slice(0, seq - 1).map(({ type }) => type),
  );
  expect(log.past.slice(1, -1).map(({ timestamp }) => timestamp)).toEqual(
    session.events.slice(1, seq - 1).map(({ timestamp }) => timestamp),
  );
  expect(log.past.every((event) => event.session === log.id)).toBe(true);
  expect(await readFile(path(session.id), 'utf8'), 'the first session is untouched').toBe(old);
  const fork = await Session.open(log, ports);
  const next = new ScriptedModel(says('Otherwise, then.'));
  expect(await fork.prompt('Second, otherwise', settings(next))).toBe('done');
  expect(JSON.stringify(next.turns[0]?.messages)).toContain('Done.');
  expect(JSON.stringify(next.turns[0]?.messages)).not.toContain('Well.');
  expect(JSON.stringify(next.turns[0]?.messages)).toContain('The files are as they are now');
  expectWellFormed(fork.events);
  await fork.close();
});

test('what the model knew of files and what was allowed for the session stay behind', async () => {
  const { session, store, ports, settings, asked, root } = await talked();
  expect(session.events.some((event) => event.type === 'tool_result' && event.seen)).toBe(true);
  const log = await store.fork(session.id, promptAt(session.events, 'Second'), START);
  expect(log.past.some((event) => event.type === 'tool_result' && event.seen)).toBe(false);
  const fork = await Session.open(log, ports);
  const before = asked.length;
  await fork.prompt(
    'Again',
    settings(new ScriptedModel(calls(9, ['write', { path: 'a.txt', content: 'b' }]), says('.'))),
  );
  expect(asked).toHaveLength(before + 1);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('b');
  await fork.close();
});

test('what was said in the middle of a run can be said otherwise: the run is closed there', async () => {
  const { session, store, ports, settings } = await talked();
  const log = await store.fork(session.id, promptAt(session.events, 'Hurry'), START);
  const fork = await Session.open(log, ports);
  expectWellFormed(fork.events);
  expect(fork.events.at(-1)).toMatchObject({ type: 'turn_ended' });
  expect(await fork.prompt('Slowly', settings(new ScriptedModel(says('All right.'))))).toBe('done');
  await fork.close();
});

test('before the first prompt there is nothing but the beginning', async () => {
  const { session, store } = await talked();
  const log = await store.fork(session.id, promptAt(session.events, 'First'), START);
  expect(log.past.map(({ type }) => type)).toEqual(['session_started']);
  await log.close();
});

test('where nothing is left out, nothing is said of the files', async () => {
  const { session, store } = await talked();
  const log = await store.fork(session.id, session.events.length + 1, START);
  expect(log.past.filter(({ type }) => type === 'notice')).toEqual([
    expect.not.objectContaining({ toModel: expect.anything() }),
  ]);
  await log.close();
});

test('only a session that is there can be forked, and only at an event that it has', async () => {
  const { session, store } = await talked();
  const last = session.events.length;
  for (const before of [0, 1, last + 2, 10_000])
    await expect(store.fork(session.id, before, START)).rejects.toThrow('has no event');
  await expect(store.fork('none', 2, START)).rejects.toThrow('does not exist');
  expect(await store.list()).toHaveLength(1);
});

test('in the middle of a call: what was running is told, and the conversation can go on', async () => {
  const { session, store, ports, settings } = await talked();
  const started = session.events.find(({ type }) => type === 'tool_started')?.seq ?? 0;
  const log = await store.fork(session.id, started + 1, { ...START, toModel: 'The files are elsewhere.' });
  expect(log.past.find(({ type }) => type === 'tool_result')).toMatchObject({ end: 'interrupted' });
  expect(log.past.find(({ type }) => type === 'notice')).toMatchObject({
    message: expect.stringContaining('including what was running'),
  });
  const fork = await Session.open(log, ports);
  const next = new ScriptedModel(says('I go on.'));
  expect(await fork.prompt('Go on', settings(next))).toBe('done');
  const heard = JSON.stringify(next.turns[0]?.messages);
  expect(heard).toContain('it may have had effects');
  expect(heard).toContain('The files are elsewhere.');
  expectWellFormed(fork.events);
  await fork.close();
});

test('at any event, the fork is a session that every request can be made from', async () => {
  const { session, store, ports, settings } = await talked();
  for (const { seq } of session.events) {
    const fork = await Session.open(await store.fork(session.id, seq + 1, START), ports);
    const taken = fork.events.slice(1, seq).map(({ type }) => type);
    expect(taken).toEqual(session.events.slice(1, seq).map(({ type }) => type));
    expect(await fork.prompt('Go on', settings(new ScriptedModel(says('All right.'))))).toBe('done');
    expectWellFormed(fork.events);
    await fork.close();
  }
});

test('cut at any event, whatever is missing before it, the chain holds and every call has its result', async () => {
  const { session } = await talked();
  const seqs = session.events.slice(1).map(({ seq }) => seq);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...seqs), fc.subarray(session.events.slice(1)), async (seq, kept) => {
      const past = [...kept.filter((event) => event.seq < seq), ...session.events.slice(seq - 1)];
      const start = { ...START, forkedFrom: { session: session.id, seq } };
      const lines: string[] = [];
      for await (const line of linesOfFork('fork', [past], start, 1)) lines.push(line);
      const events = lines.flatMap((line) => parseEvent(JSON.parse(line)) ?? []);
      expect(events.map(({ prev }) => prev)).toEqual([
        CHAIN_START.hash,
        ...lines.slice(0, -1).map((line) => hashLine(line)),
      ]);
      const ids = (type: SessionEvent['type']) =>
        new Set(events.flatMap((event) => (event.type === type && 'id' in event ? [event.id] : [])));
      expect([...ids('tool_call')].filter((id) => !ids('tool_result').has(id))).toEqual([]);
    }),
  );
});

test('a fork from before an import is imported too: what a file says of this disk is believed nowhere', async () => {
  const { session, ports } = await talked();
  const from = { session: session.id, head: '' };
  const imported = {
    ...(session.events.at(-1) as SessionEvent),
    seq: session.events.length + 1,
    type: 'imported',
    from,
    cwd: ports.home,
  } as SessionEvent;
  const past = [...session.events, imported];
  const lines: string[] = [];
  const forkedFrom = { session: session.id, seq: promptAt(past, 'Second') };
  for await (const line of linesOfFork('fork', [past], { ...START, forkedFrom }, 0)) lines.push(line);
  const events = lines.flatMap((line) => parseEvent(JSON.parse(line)) ?? []);
  expect(events.filter(({ type }) => type === 'imported')).toHaveLength(1);
  expect(FileHistory.of(events).paths).toEqual([]);
});

test('a call that was open when its session was exported is closed without a look at this disk', async () => {
  const place = { timestamp: 0, session: 's', prev: '' };
  const state = { kind: 'absent' } as const;
  const past = [
    { type: 'tool_call', id: 'a', name: 'write', input: {}, ...place, seq: 1 },
    { type: 'checkpoint', id: 'a', files: [{ path: '/etc/passwd', state }], ...place, seq: 2 },
    { type: 'tool_started', id: 'a', ...place, seq: 3 },
  ] as const satisfies readonly SessionEvent[];
  const looked: string[] = [];
  const tracker = {
    sinceScan: async () => undefined,
    since: async (before: ReadonlyMap<string, unknown>) => {
      looked.push(...before.keys());
      return { changes: [] };
    },
  };
  await recoverInterruptedChanges(past, tracker);
  expect(looked).toEqual(['/etc/passwd']);
  const from = { session: 's', head: '' };
  const imported = { type: 'imported', from, cwd: '/here', ...place, seq: 4 } as unknown as SessionEvent;
  await recoverInterruptedChanges([...past, imported], tracker);
  expect(looked).toEqual(['/etc/passwd']);
});

test('of a log from which events are missing, a summary stands for the same ones in the fork', async () => {
  const drafts: readonly EventDraft[] = [
    { type: 'session_started', version: 1, cwd: '/repo', product: 'test' },
    { type: 'user', content: 'Lost' },
    { type: 'user', content: 'Summed up' },
    { type: 'compaction', summary: 'S', through: 3 },
    { type: 'user', content: 'Not summed up' },
  ];
  const past = drafts.map((draft, index) => ({
    ...draft,
    seq: index + 1,
    timestamp: 0,
    session: 's',
    prev: '',
  }));
  past.splice(1, 1);
  const lines: string[] = [];
  for await (const line of linesOfFork('f', [past], { ...START, forkedFrom: { session: 's', seq: 6 } }, 0))
    lines.push(line);
  const events = lines.map((line) => parseEvent(JSON.parse(line)));
  const compaction = events.find((event) => event?.type === 'compaction');
  const through = compaction?.type === 'compaction' ? compaction.through : 0;
  expect(events[through - 1]).toMatchObject({ type: 'user', content: 'Summed up' });
});
