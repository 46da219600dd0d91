import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { inRepository } from '../../scripts/lib/paths.mjs';
import type { Timers } from '../host/idle.ts';
import { untilAtRest } from '../lib/at-rest.ts';
import type { Bench } from '../lib/bench.ts';
import { bundle } from '../lib/bundle.ts';
import { countWork, type Work } from '../lib/count-work.ts';
import { callInHost, withPage } from '../lib/extension-host.ts';
import { type Row, rowOf } from '../lib/report.ts';
import { type SessionScene, withSessionScene } from '../lib/session-scene.ts';
import { panelFrame } from '../lib/session-window.ts';

/** A third in a quick run. */
const SECONDS = 60;

/** Measures the work while a long session is open and idle. There must be none. */
export async function idle(bench: Bench): Promise<readonly Row[]> {
  const counted = await countedExtensions(bench);
  const seconds = bench.rounds(SECONDS);
  const { work, timers } = await withSessionScene(bench, (scene) => watch(counted, scene, seconds));
  const rows = { ...work, 'timers of the extension host': timers.resting };
  return Object.entries(rows).map(([what, count]) =>
    rowOf({ figure: `idle: ${what}, a second`, unit: 'times', limit: 0 }, count, seconds),
  );
}

/** The bench's extensions, with a wrapper around Harness that counts its timers. */
async function countedExtensions(bench: Bench): Promise<Bench> {
  const extensions = path.join(bench.folder, 'counted');
  await cp(bench.extensions, extensions, { recursive: true });
  const dist = path.join(extensions, 'harness', 'dist');
  await bundle(inRepository('bench', 'host', 'counted-extension.ts'), path.join(dist, 'counted.cjs'));
  const file = path.join(extensions, 'harness', 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, main: './dist/counted.cjs' }));
  return { ...bench, extensions };
}

function watch(
  bench: Bench,
  { browser, at, long }: SessionScene,
  seconds: number,
): Promise<{ work: Work; timers: Timers }> {
  return withPage(browser, async (page) => {
    await page.addInitScript(countWork);
    const call = { file: 'idle.ts', name: 'timersAtRest', args: [seconds] };
    const host = callInHost<Timers>(bench, at(long.workspace), page, call);
    const [timers, { opening, resting }] = await Promise.all([host, workAtRest(page, seconds)]);
    if (timers.opening * opening.timers * opening.frames * opening.messages === 0)
      throw new Error(`The instruments miss something: ${JSON.stringify({ timers, opening })}`);
    return { timers, work: resting };
  });
}

async function workAtRest(page: Page, seconds: number): Promise<{ opening: Work; resting: Work }> {
  await panelFrame(page);
  await untilAtRest(async () => sumOf(await workOf(page)));
  const opening = await workOf(page);
  await sleep(seconds * 1_000);
  return { opening, resting: difference(await workOf(page), opening) };
}

function sumOf({ timers, frames, messages }: Work): number {
  return timers + frames + messages;
}

/** Of all frames, because a message to the host leaves through the frame around the panel's. */
async function workOf(page: Page): Promise<Work> {
  const sum: Work = { timers: 0, frames: 0, messages: 0, animations: 0 };
  for (const frame of page.frames().slice(1)) {
    const work = await frame.evaluate(readWork);
    for (const kind of kinds) sum[kind] += work[kind];
  }
  return sum;
}

const kinds = ['timers', 'frames', 'messages', 'animations'] as const;

/** Runs in a frame. A scroll-driven animation stands still without a scroll. */
function readWork(): Work {
  const animations = document
    .getAnimations()
    .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline);
  return { ...Reflect.get(globalThis, 'benchWork'), animations: animations.length };
}

/** Counts only the animations that run at the end. */
function difference(after: Work, before: Work): Work {
  const { timers, frames, messages } = before;
  return {
    ...after,
    timers: after.timers - timers,
    frames: after.frames - frames,
    messages: after.messages - messages,
  };
}
