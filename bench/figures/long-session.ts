import type { Bench } from '../lib/bench.ts';
import { callInHost, withPage } from '../lib/extension-host.ts';
import { countWhileReading, heapInUse } from '../lib/page-size.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { keyToPaint, scrollFrame } from '../lib/responsiveness.ts';
import type { SessionPlan } from '../lib/session-plan.ts';
import { type SessionScene, withSessionScene } from '../lib/session-scene.ts';
import type { SessionWindow } from '../lib/session-window.ts';

const OPENINGS = 6;
const SWITCHES = 5;
const ROUNDS = 12;
const NODE_LIMIT = 3_000;
/** Megabytes. */
const HEAP_LIMIT = 60;

/** Measures what the length of a session costs when it is opened, read and continued. */
export function longSession(bench: Bench): Promise<readonly Row[]> {
  return withSessionScene(bench, async (scene) => [
    await opening(scene, bench.rounds(OPENINGS)),
    ...(await reading(scene, bench)),
    await hostHeap(scene, bench),
  ]);
}

/** In fresh windows, alternating. */
async function opening(scene: SessionScene, rounds: number): Promise<Row> {
  const times = { long: [] as number[], short: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const names = round % 2 === 0 ? (['long', 'short'] as const) : (['short', 'long'] as const);
    for (const name of names) times[name].push(await timeToOpen(scene, scene[name]));
  }
  const figure = 'long-session: opened until its end is painted, beside ten parts';
  return rowOfPairs({ figure, unit: 'ms', limit: 1.5 }, times.long, times.short);
}

async function timeToOpen(scene: SessionScene, plan: SessionPlan): Promise<number> {
  const window = await scene.openWindow(plan.workspace);
  await window.openPanel();
  const time = await window.painted(plan);
  await window.close();
  return time;
}

/** A window of the long session, and one without a session. */
async function reading(scene: SessionScene, bench: Bench): Promise<Row[]> {
  const window = await scene.openWindow(scene.long.workspace);
  const before = await heapInUse(window.page);
  await window.openPanel();
  await window.painted(scene.long);
  const nodes = await countWhileReading(window.page, await window.frame());
  const heap = (await heapInUse(window.page)) - before;
  const empty = await scene.openWindow(scene.emptyFolder);
  await empty.openPanel();
  const rows = [
    ...Object.entries(nodes).map(([when, count]) =>
      rowOf(
        { figure: `long-session: nodes, ${when}, beside 3,000`, unit: 'nodes', limit: 1 },
        count,
        NODE_LIMIT,
      ),
    ),
    rowOf(
      { figure: 'long-session: heap of the panel, beside 60 MB', unit: 'MB', limit: 1 },
      heap,
      HEAP_LIMIT,
    ),
    ...(await responses(window, empty, bench.rounds(ROUNDS))),
    await switching(scene, window, bench.rounds(SWITCHES)),
  ];
  await empty.close();
  await window.close();
  return rows;
}

/** Alternates between the windows. */
async function responses(long: SessionWindow, empty: SessionWindow, rounds: number): Promise<Row[]> {
  const windows = { long, empty };
  const frames = { long: await long.frame(), empty: await empty.frame() };
  const keys = { long: [] as number[], empty: [] as number[] };
  const scrolls = { long: [] as number[], empty: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['long', 'empty'] as const) {
      const { page } = windows[name];
      keys[name].push(await keyToPaint(page, frames[name]));
      scrolls[name].push(await scrollFrame(page, frames[name], round % 2 === 0 ? -1 : 1));
    }
  }
  const beside = 'beside an empty session';
  const key = { figure: `long-session: key to paint, ${beside}`, unit: 'ms', limit: 1.2 } as const;
  const scroll = { figure: `long-session: a frame of scrolling, ${beside}`, unit: 'ms', limit: 1.2 } as const;
  return [rowOfPairs(key, keys.long, keys.empty), rowOfPairs(scroll, scrolls.long, scrolls.empty)];
}

/** In a window whose panel is open. */
async function switching(scene: SessionScene, window: SessionWindow, rounds: number): Promise<Row> {
  const times = { long: [] as number[], neighbor: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['neighbor', 'long'] as const) {
      await window.choose(scene[name]);
      times[name].push(await window.painted(scene[name]));
    }
  }
  const figure = 'long-session: chosen until its end is painted, beside ten parts';
  return rowOfPairs({ figure, unit: 'ms', limit: 1.5 }, times.long, times.neighbor);
}

async function hostHeap({ browser, at, long, short }: SessionScene, bench: Bench): Promise<Row> {
  const call = { file: 'heap.ts', name: 'heapGrowth', args: [] };
  const growth = ({ workspace }: SessionPlan) =>
    withPage(browser, (page) => callInHost<number>(bench, at(workspace), page, call));
  const figure = 'long-session: heap of the extension host, beside ten parts';
  return rowOf({ figure, unit: 'MB' }, await growth(long), await growth(short));
}
