import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import { isTimelineEntry, momentBeside, Timeline } from '../../../extension/core/view/timeline.ts';
import type { EventDraft, FileState } from '../../../extension/protocol/events.ts';
import { file } from '../../support/file-events.ts';
import { call, request, requestEnd, result, storedEvents, text } from '../../support/panel-events.ts';

const changed = (path: string, before: FileState, after: FileState): EventDraft => ({
  type: 'files_changed',
  id: 'c1',
  by: 'tool',
  changes: [{ path, before, after }],
});
const usage = (cost?: number): EventDraft => ({
  type: 'usage',
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...(cost !== undefined && { cost }),
});
const run = (turn: number, ...work: EventDraft[]): EventDraft[] => [
  { type: 'user', content: `Prompt ${turn}` },
  { type: 'turn_started', turn },
  request(turn),
  ...work,
  requestEnd(turn),
  { type: 'turn_ended', turn, reason: 'done' },
];

function timelineOf(drafts: readonly EventDraft[]): { log: LogWindow; timeline: Timeline } {
  const log = new LogWindow(storedEvents(drafts));
  const timeline = new Timeline();
  timeline.follow(log);
  return { log, timeline };
}

test('a run begins with its prompt and has what was said and done until the next one', () => {
  const { log, timeline } = timelineOf([
    { type: 'session_started', version: 1, cwd: '/', product: 'x' },
    ...run(1, text('One.'), usage(0.25), call('c1', 'read'), result('c1', {}), usage(0.5)),
    { type: 'notice', message: 'Undone' },
    ...run(2, text('Two.'), usage()),
    { type: 'turn_started', turn: 3 },
    { type: 'turn_ended', turn: 3, reason: 'done' },
  ]);
  const entries = timeline.runs.map((_, index) => timeline.entriesOf(index, log).map(({ type }) => type));
  expect(entries).toEqual([['user', 'text', 'tool_call', 'notice'], ['user', 'text'], []]);
  expect(timeline.runs.map(({ first, cost }) => [first.type, cost])).toEqual([
    ['user', 0.75],
    ['user', undefined],
    ['turn_started', undefined],
  ]);
});

test('files count as changed as long as they are not what they were before the session', () => {
  const { timeline } = timelineOf([
    changed('/a', file('1'), file('2')),
    changed('/b', { kind: 'absent' }, file('3')),
    changed('/a', file('2'), file('1')),
    changed('/b', file('3'), { kind: 'absent' }),
    changed('/b', { kind: 'absent' }, file('4')),
    changed('/folder', { kind: 'absent' }, { kind: 'directory', mode: 0o755 }),
  ]);
  expect([0, 1, 2, 3, 4, 5, 6, 99].map((seq) => timeline.changedAt(seq))).toEqual([0, 1, 2, 1, 0, 1, 1, 1]);
  expect(timeline.files.isChangedAt('/a', 1)).toBe(true);
  expect(timeline.files.isChangedAt('/a', 3)).toBe(false);
  expect(timeline.files.isChangedAt('/c', 3)).toBe(false);
});

test('steps go through all moments there and back, and nowhere beyond', () => {
  const step = fc.constantFrom<EventDraft[]>(run(1, text('x')), run(2, usage(1)), [usage()], [text('y')]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { log } = timelineOf(steps.flat());
      const walk = (from: number, direction: 1 | -1) => {
        const met: number[] = [];
        for (let seq: number | undefined = from; seq !== undefined; seq = momentBeside(log, seq, direction))
          met.push(seq);
        return met.slice(1);
      };
      const forth = walk(0, 1);
      expect(walk(Number.POSITIVE_INFINITY, -1)).toEqual(forth.toReversed());
      expect(forth).toEqual(expect.arrayContaining(log.events.filter(isTimelineEntry).map(({ seq }) => seq)));
    }),
  );
});

test('a log that grows is read once', () => {
  const events = storedEvents([...run(1, text('One.')), ...run(2, text('Two.'), usage(1))]);
  const log = new LogWindow();
  const timeline = new Timeline();
  for (const event of events) {
    log.apply([event]);
    timeline.follow(log);
  }
  expect(timeline.runs).toEqual(
    timelineOf([...run(1, text('One.')), ...run(2, text('Two.'), usage(1))]).timeline.runs,
  );
});
