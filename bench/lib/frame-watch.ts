// What a reader feels of a page's work: frames that it dropped, and its longest task.
import type { Frame, Page } from 'playwright-core';
import { noteFrames, readFrames } from './frame-times.ts';

/** Milliseconds from one frame to the next, at 60 Hz. */
const PERIOD = 1_000 / 60;
/** What the page leaves in the trace, so that its thread is known. */
const MARK = 'bench: here';

export interface Smoothness {
  /** Per cent of the frames that a screen of 60 Hz would have shown. */
  readonly dropped: number;
  /** Milliseconds of processor time, of the page's main thread. */
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
  const dropped = droppedOf(await frame.evaluate(readFrames));
  const trace = await browser?.stopTracing();
  return { dropped, longestTask: longestTask(trace?.toString() ?? '') };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
}

/** Of the thread that left the mark. */
function longestTask(trace: string): number {
  // Chromium writes the trace in this form.
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const mark = traceEvents.find(({ name }) => name === MARK);
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => pid === mark?.pid && tid === mark.tid && name.endsWith('RunTask'),
  );
  if (tasks.length === 0) throw new Error('The trace holds no tasks of the page.');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}

/** Per cent of the frames that there was time for. */
function droppedOf(times: readonly number[]): number {
  const wanted = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / PERIOD;
  const dropped = times
    .slice(1)
    .map((time, index) => Math.round((time - (times[index] ?? time)) / PERIOD) - 1);
  return (100 * dropped.reduce((sum, count) => sum + Math.max(0, count), 0)) / wanted;
}
