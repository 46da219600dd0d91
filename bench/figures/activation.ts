import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { startTestServer } from '../../scripts/lib/vscode/server.mjs';
import type { Milliseconds } from '../host/activate.ts';
import type { Bench } from '../lib/bench.ts';
import { callInHost, withPage } from '../lib/extension-host.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';

const ROUNDS = 8;
const OURS = 'harness.harness-agent';
const BARE = 'bench.bare';

/** Activates both extensions in the same extension host, a fresh one each time. The order alternates. */
export async function activation(bench: Bench): Promise<readonly Row[]> {
  const vscode = await startTestServer({ name: 'bench-activation' });
  const browser = await launchBrowser();
  const times: Milliseconds[] = [];
  try {
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      const ids = round % 2 === 0 ? [OURS, BARE] : [BARE, OURS];
      const call = { file: 'activate.ts', name: 'activate', args: [['bench.first', ...ids]] };
      times.push(await withPage(browser, (page) => callInHost<Milliseconds>(bench, vscode, page, call)));
    }
  } finally {
    await browser.close();
    await vscode.stop();
  }
  const given = { figure: 'activation', unit: 'ms', limit: 2 } as const;
  return [rowOfPairs(given, timesOf(times, OURS), timesOf(times, BARE))];
}

function timesOf(times: readonly Milliseconds[], id: string): number[] {
  return times.map((time) => time[id] ?? Number.NaN);
}
