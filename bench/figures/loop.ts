import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { startTestServer } from '../../scripts/lib/vscode/server.mjs';
import type { Bench } from '../lib/bench.ts';
import { callInHost, withPage } from '../lib/extension-host.ts';
import { type LoopRunResult, planRuns, rowsOfLoop } from '../lib/loop-runs.ts';
import { startModelServer } from '../lib/model-server.ts';
import type { Row } from '../lib/report.ts';
import { headlessLoop, makeSmallWorkspace } from './headless-loop.ts';

const ROUNDS = 5;

/**
 * Measures what Harness's loop adds to a turn, in a real extension host with the panel open, and without a
 * window.
 */
export async function loop(bench: Bench): Promise<readonly Row[]> {
  return [...(await loopInHost(bench)), ...(await headlessLoop(bench))];
}

async function loopInHost(bench: Bench): Promise<readonly Row[]> {
  const server = await startModelServer();
  const vscode = await startTestServer({
    name: 'bench-loop',
    workspace: await makeSmallWorkspace(bench.folder),
    settings: { 'harness.maxTurns': 1000 },
    env: { ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: server.url },
  });
  const browser = await launchBrowser();
  const rounds: LoopRunResult[][] = [];
  try {
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      const call = { file: 'loop.ts', name: 'runLoops', args: [server.url, planRuns(round)] };
      rounds.push(await withPage(browser, (page) => callInHost<LoopRunResult[]>(bench, vscode, page, call)));
    }
  } finally {
    await browser.close();
    await vscode.stop();
    await server.stop();
  }
  return rowsOfLoop('VS Code', rounds);
}
