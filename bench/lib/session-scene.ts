// A VS Code with three folders: one with a long session, one with a short session, and one without a session.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { type RunningVsCode, startTestServer } from '../../scripts/lib/vscode/server.mjs';
import type { Bench } from './bench.ts';
import { bundleProgram, runProgram } from './run-program.ts';
import type { SessionPlan } from './session-plan.ts';
import { openSessionWindow, type SessionWindow } from './session-window.ts';

const LONG = 10_000;
const SHORT = 10;

export interface SessionScene {
  readonly long: SessionPlan;
  readonly short: SessionPlan;
  /** As short as the short one, but in the folder of the long one. */
  readonly neighbor: SessionPlan;
  readonly emptyFolder: string;
  readonly browser: Browser;
  /** The VS Code with that folder. */
  at(workspace: string): RunningVsCode;
  /**
   * Opens a window of that folder with its panel closed. Calls `prepare` with its page before VS Code is
   * loaded.
   */
  openWindow(workspace: string, prepare?: (page: Page) => Promise<unknown>): Promise<SessionWindow>;
}

export async function withSessionScene<Result>(
  bench: Bench,
  work: (scene: SessionScene) => Promise<Result>,
): Promise<Result> {
  const vscode = await startTestServer({ name: 'bench-sessions' });
  const browser = await launchBrowser();
  try {
    const scene = await makeScene(bench, vscode, browser);
    for (const plan of [scene.long, scene.short]) await rememberSession(scene, plan);
    return await work(scene);
  } finally {
    await browser.close();
    await vscode.stop();
  }
}

async function makeScene(bench: Bench, vscode: RunningVsCode, browser: Browser): Promise<SessionScene> {
  const folder = await mkdtemp(path.join(bench.folder, 'sessions-'));
  const folderOf = (name: string) => path.join(folder, name);
  for (const name of ['long', 'short', 'empty']) await makeFolder(folderOf(name));
  const long = { workspace: folderOf('long'), title: 'The long session', parts: LONG };
  const short = { workspace: folderOf('short'), title: 'The short session', parts: SHORT };
  const neighbor = { ...short, workspace: long.workspace, title: 'Its short neighbor' };
  const program = await bundleProgram('write-sessions', bench.folder);
  await runProgram(program, [
    path.join(vscode.harnessHome, 'sessions'),
    JSON.stringify([long, short, neighbor]),
  ]);
  const at = (workspace: string): RunningVsCode => {
    const url = new URL(vscode.url);
    url.searchParams.set('folder', workspace);
    return { ...vscode, url: url.href };
  };
  return {
    long,
    short,
    neighbor,
    emptyFolder: folderOf('empty'),
    browser,
    at,
    openWindow: (workspace, prepare) => openSessionWindow(bench, at(workspace), browser, prepare),
  };
}

/** Makes the folder with a file to open. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(path.join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
}

/** Makes later windows of its folder show this session. */
async function rememberSession({ openWindow }: SessionScene, plan: SessionPlan): Promise<void> {
  const window = await openWindow(plan.workspace);
  await window.choose(plan);
  await window.painted(plan);
  await window.close();
}
