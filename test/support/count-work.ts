// Work as numbers that are the same on a busy machine as on a quiet one: code that ran, and elements that were laid out.
import type { CDPSession, Page } from 'playwright-core';

export interface Work {
  /** Blocks of JavaScript that were entered: functions, branches and the turns of loops. */
  readonly blocks: number;
  /** Boxes that were out of date when the page was laid out, each time it was. */
  readonly laidOut: number;
}

/** What the page's main thread does while `act` is on, in a browser that optimises no code: what V8 has optimised it does not count. */
export async function countWork(page: Page, act: () => Promise<void>): Promise<Work> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const events = await traced(session, async () => {
    await act();
    await page.evaluate(drawn);
  });
  const blocks = await enteredBlocks(session);
  await session.detach();
  return { blocks, laidOut: laidOutIn(events) };
}

/** Of what was done several times: frames that fell together once may not the next time. */
export function leastOf(works: readonly Work[]): Work {
  const least = (kind: keyof Work) => Math.min(...works.map((work) => work[kind]));
  return { blocks: least('blocks'), laidOut: least('laidOut') };
}

export function sumOf(works: readonly Work[]): Work {
  const sum = (kind: keyof Work) => works.reduce((total, work) => total + work[kind], 0);
  return { blocks: sum('blocks'), laidOut: sum('laidOut') };
}

/** Runs in the page: what is out of date is laid out when this resolves. */
async function drawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

/** As the trace event format has them. https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
interface TraceEvent {
  readonly name: string;
  readonly args: { readonly beginData?: { readonly dirtyObjects?: number } };
}

function laidOutIn(events: readonly TraceEvent[]): number {
  return events
    .filter(({ name }) => name === 'Layout')
    .reduce((total, { args }) => total + (args.beginData?.dirtyObjects ?? 0), 0);
}

async function traced(session: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return events;
}

async function enteredBlocks(session: CDPSession): Promise<number> {
  const { result } = await session.send('Profiler.takePreciseCoverage');
  const ours = result.filter(({ url }) => url.endsWith('.js'));
  return ours
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((total, { count }) => total + count, 0);
}
