import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { startTestServer } from '../../scripts/lib/vscode/server.mjs';
import { isolatingArguments } from '../../test/support/vscode/webview-process.ts';
import type { Bench } from '../lib/bench.ts';
import type { Smoothness } from '../lib/frame-watch.ts';
import { startModelServer } from '../lib/model-server.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { median } from '../lib/statistics.ts';
import { openStreamWindow, type Streamed, type StreamWindow } from '../lib/stream-window.ts';

const ROUNDS = 3;
const WARM_UP = 500;
const LENGTHS = [2_000, 8_000, 32_000, 100_000] as const;
/**
 * Tokens per second at which each frame adds a hundred on any machine, and the lengths that are compared at
 * that rate.
 */
const EVEN = 6_000;
const EVEN_LENGTHS = [2_000, 8_000, 100_000] as const;
/** Tokens that an answer already has when the measurement begins. */
const BEHIND = [0, 32_000] as const;
/** Percent of frames beyond those that the bare page drops. */
const DROPPED_LIMIT = 2;
/** Milliseconds. */
const TASK_LIMIT = 50;
/** Milliseconds from the last token until the last character is visible. */
const DELAY_LIMIT = 500;
const NODE_LIMIT = 3_000;

type Length = (typeof LENGTHS)[number];
type EvenLength = (typeof EVEN_LENGTHS)[number];
type Behind = (typeof BEHIND)[number];

/** The measurements of a window, one for each round. */
interface Runs {
  readonly flatOut: Record<Length, Streamed[]>;
  readonly even: Record<EvenLength, Streamed[]>;
  readonly watched: Record<Behind, Smoothness[]>;
}

const noRuns = (): Runs => ({
  flatOut: { 2000: [], 8000: [], 32000: [], 100000: [] },
  even: { 2000: [], 8000: [], 100000: [] },
  watched: { 0: [], 32000: [] },
});

/**
 * Measures what a streamed answer costs the panel's page, compared with the bare extension's page, which only
 * appends text.
 */
export async function stream(bench: Bench): Promise<readonly Row[]> {
  const model = await startModelServer('token-server');
  const env = { ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: model.url };
  const vscode = await startTestServer({ name: 'bench-stream', env });
  const browser = await launchBrowser(isolatingArguments);
  const ours = noRuns();
  const bare = noRuns();
  try {
    const panel = await openStreamWindow(bench, vscode, browser, 'Harness', model.url);
    const page = await openStreamWindow(bench, vscode, browser, 'Bare', model.url);
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      await measure(panel, ours);
      for (const length of EVEN_LENGTHS) ours.even[length].push(await panel.answer(length, EVEN));
      await measure(page, bare);
    }
  } finally {
    await browser.close();
    await vscode.stop();
    await model.stop();
  }
  return [
    ...flatOutRows(ours.flatOut, bare.flatOut),
    slopeRow(ours.even, 8_000, 1.3),
    slopeRow(ours.even, 100_000, 1.2),
    ...smoothRows(ours.watched, bare.watched),
  ];
}

async function measure(window: StreamWindow, { flatOut, watched }: Runs): Promise<void> {
  await window.answer(WARM_UP);
  for (const length of LENGTHS) flatOut[length].push(await window.answer(length));
  for (const behind of BEHIND) watched[behind].push(await window.watch(behind));
}

function flatOutRows(ours: Runs['flatOut'], bare: Runs['flatOut']): Row[] {
  return [
    ...LENGTHS.map((length) => timeRow(length, ours[length], bare[length])),
    ...delayRows(ours[32_000], bare[32_000]),
    rowOf(
      { figure: 'stream: nodes after 100,000 tokens, beside 3,000', unit: 'nodes', limit: 1 },
      median(ours[100_000].map(({ nodes }) => nodes)),
      NODE_LIMIT,
    ),
  ];
}

function timeRow(length: Length, ours: readonly Streamed[], bare: readonly Streamed[]): Row {
  const given = { figure: `stream: ${inWords(length)} tokens, beside a bare page`, unit: 'ms' } as const;
  const limit = length === 32_000 ? { limit: 12 } : {};
  const times = (runs: readonly Streamed[]) => runs.map(({ mainThread }) => mainThread);
  return rowOfPairs({ ...given, ...limit }, times(ours), times(bare));
}

function slopeRow(ours: Runs['even'], length: EvenLength, limit: number): Row {
  const perToken = (of: EvenLength) => ours[of].map(({ mainThread }) => (mainThread * 1_000) / of);
  const figure = `stream: at ${inWords(EVEN)} tokens a second, one of ${inWords(length)}, beside one of 2,000`;
  return rowOfPairs({ figure, unit: 'µs', limit }, perToken(length), perToken(2_000));
}

/** The bare page's delay shows the share of the machine. */
function delayRows(ours: readonly Streamed[], bare: readonly Streamed[]): Row[] {
  const delay = (runs: readonly Streamed[]) => median(runs.map((run) => run.delay));
  const figure = 'stream: 32,000 tokens, last token to last character';
  return [
    rowOf({ figure: `${figure}, beside half a second`, unit: 'ms', limit: 1 }, delay(ours), DELAY_LIMIT),
    rowOf({ figure: `${figure}, beside a bare page`, unit: 'ms' }, delay(ours), delay(bare)),
  ];
}

/** A shared machine drops frames of any page, so only the frames beyond the bare page's count. */
function smoothRows(ours: Runs['watched'], bare: Runs['watched']): Row[] {
  return BEHIND.flatMap((behind) => {
    const speed = `stream: at 200 tokens a second behind ${inWords(behind)}`;
    const dropped = (runs: Runs['watched']) => runs[behind].map((run) => run.dropped);
    const longest = (runs: Runs['watched']) => median(runs[behind].map((run) => run.longestTask));
    const more = dropped(ours).map((share, round) => Math.max(0, share - (dropped(bare)[round] ?? 0)));
    return [
      rowOf(
        { figure: `${speed}, frames dropped beyond the bare page's`, unit: '%', limit: 1 },
        median(more),
        DROPPED_LIMIT,
      ),
      rowOf(
        { figure: `${speed}, frames dropped, beside the bare page's`, unit: '%' },
        median(dropped(ours)),
        median(dropped(bare)),
      ),
      rowOf(
        { figure: `${speed}, frames that the page's own work overruns`, unit: '%', limit: 1 },
        median(ours[behind].map((run) => run.overrun)),
        DROPPED_LIMIT,
      ),
      rowOf(
        { figure: `${speed}, longest task, beside 50 ms`, unit: 'ms', limit: 1 },
        longest(ours),
        TASK_LIMIT,
      ),
      rowOf(
        { figure: `${speed}, longest task, beside the bare page's`, unit: 'ms' },
        longest(ours),
        longest(bare),
      ),
    ];
  });
}

function inWords(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
