// Measures how smooth a page is: its dropped frames, and its longest task.
import type { Frame, Page } from 'playwright-core';
import { noteFrames, readFrames } from './frame-times.ts';

/** Milliseconds from one frame to the next, at 60 Hz. */
const PERIOD = 1_000 / 60;
/** The mark that the page leaves in the trace to identify its thread. */
const MARK = 'bench: here';

export interface Smoothness {
  /** Percent of the frames that a screen of 60 Hz would have shown. */
  readonly dropped: number;
  /**
   * The share that was dropped because the page's main thread had too much work. The machine dropped the
   * others.
   */
  readonly overrun: number;
  /** Milliseconds of processor time on the page's main thread. */
  readonly longestTask: number;
}

export async function watchFrames(
  page: Page,
  frame: Frame,
  work: () => Promise<unknown>,
): Promise<Smoothness> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await frame.evaluate((mark) => void performance.mark(mark), MARK);
  await frame.evaluate(noteFrames);
  await work();
  const frames = await frame.evaluate(readFrames);
  const trace = await browser?.stopTracing();
  const tasks = tasksOf(trace?.toString() ?? '');
  return {
    dropped: share(frames, dropsOf(frames)),
    overrun: share(frames, overrunsOf(tasks)),
    longestTask: tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0),
  };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The start in microseconds. */
  readonly ts: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
}

/** The tasks of the thread that left the mark. */
function tasksOf(trace: string): TraceEvent[] {
  // Chromium writes the trace in this form.
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const mark = traceEvents.find(({ name }) => name === MARK);
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => pid === mark?.pid && tid === mark.tid && name.endsWith('RunTask'),
  );
  if (tasks.length === 0) throw new Error('The trace holds no tasks of the page.');
  return tasks;
}

/** The number of frames that were late. */
function dropsOf(times: readonly number[]): number {
  const missing = times.slice(1).map((time, index) => {
    const since = time - (times[index] ?? time);
    return Math.max(0, Math.round(since / PERIOD) - 1);
  });
  return missing.reduce((sum, count) => sum + count, 0);
}

/** The number of frames in which the thread's tasks took more processor time than the frame has. */
function overrunsOf(tasks: readonly TraceEvent[]): number {
  const work = new Map<number, number>();
  for (const { ts, tdur = 0 } of tasks) {
    const frame = Math.floor(ts / 1_000 / PERIOD);
    work.set(frame, (work.get(frame) ?? 0) + tdur / 1_000);
  }
  return [...work.values()].filter((milliseconds) => milliseconds > PERIOD).length;
}

/** Percent of the frames that had time. */
function share(times: readonly number[], count: number): number {
  return (100 * count * PERIOD) / ((times.at(-1) ?? 0) - (times[0] ?? 0));
}
