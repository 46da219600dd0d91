// What a reader feels of a page's work: frames that it dropped, and its longest task.
import type { Page } from 'playwright-core';

export interface Smoothness {
  /** Per cent of the frames that a screen of 60 Hz would have shown. */
  readonly dropped: number;
  /** Milliseconds of processor time, of the page's main thread. */
  readonly longestTask: number;
}

export async function watchFrames(page: Page, work: () => Promise<unknown>): Promise<Smoothness> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel'] });
  await page.evaluate(begin);
  await work();
  const dropped = await page.evaluate(end);
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

/** Runs in the page. */
function begin(): void {
  const times: number[] = [];
  let isOver = false;
  const note = (time: number) => {
    times.push(time);
    if (!isOver) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  Object.assign(window, {
    endFrames: () => {
      isOver = true;
      return times;
    },
  });
}

/** Runs in the page: per cent of the frames. */
function end(): number {
  const period = 1_000 / 60;
  const times: number[] = Reflect.get(window, 'endFrames')();
  const wanted = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / period;
  const dropped = times
    .slice(1)
    .map((time, index) => Math.round((time - (times[index] ?? time)) / period) - 1);
  return (100 * dropped.reduce((sum, count) => sum + Math.max(0, count), 0)) / wanted;
}
