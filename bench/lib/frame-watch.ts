// What a reader feels of a page's work: frames that it dropped, and its longest task.
import type { Page } from 'playwright-core';
import { noteFrames, readFrames } from './frame-times.ts';

/** Milliseconds from one frame to the next, at 60 Hz. */
const PERIOD = 1_000 / 60;

export interface Smoothness {
  /** Per cent of the frames that a screen of 60 Hz would have shown. */
  readonly dropped: number;
  /** Milliseconds of processor time, of the page's main thread. */
  readonly longestTask: number;
}

export async function watchFrames(page: Page, work: () => Promise<unknown>): Promise<Smoothness> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel'] });
  await page.evaluate(noteFrames);
  await work();
  const dropped = droppedOf(await page.evaluate(readFrames));
  const trace = await browser?.stopTracing();
  return { dropped, longestTask: longestTask(trace?.toString() ?? '') };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: of the clock, of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Of the renderer that worked most: there is one for each page. */
function longestTask(trace: string): number {
  // Chromium writes the trace in this form.
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const threads = mains.map(({ pid, tid }) =>
    traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.name.endsWith('RunTask')),
  );
  const [busiest] = threads.toSorted((a, b) => b.length - a.length);
  return Math.max(0, ...(busiest ?? []).map(({ tdur }) => (tdur ?? 0) / 1_000));
}

/** Per cent of the frames that there was time for. */
function droppedOf(times: readonly number[]): number {
  const wanted = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / PERIOD;
  const dropped = times
    .slice(1)
    .map((time, index) => Math.round((time - (times[index] ?? time)) / PERIOD) - 1);
  return (100 * dropped.reduce((sum, count) => sum + Math.max(0, count), 0)) / wanted;
}
