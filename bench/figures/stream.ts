import type { Page } from 'playwright-core';
import { launchPanelBrowser, type PanelBrowser } from '../../test/support/panel-page.ts';
import type { Bench } from '../lib/bench.ts';
import { type Smoothness, watchFrames } from '../lib/frame-watch.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { median } from '../lib/statistics.ts';
import {
  continueBare,
  continuePanel,
  type Streamed,
  streamIntoBare,
  streamIntoPanel,
} from '../lib/stream-page.ts';

const ROUNDS = 3;
const WARM_UP = 500;
const LENGTHS = [2_000, 8_000, 32_000, 100_000] as const;
/** Of a model that is not waited for. */
const FLAT_OUT = 100;
/** Of a fast model: 200 tokens a second, for ten seconds, behind an answer of this length. */
const FAST = 3.2;
const FAST_TOKENS = 2_000;
const BEHIND = 32_000;
/** Per cent of frames beyond those that the bare page drops. */
const DROPPED_LIMIT = 2;
/** Milliseconds. */
const TASK_LIMIT = 50;
/** Milliseconds from the last token until the last character is seen. */
const DELAY_LIMIT = 500;
const NODE_LIMIT = 3_000;

type Runs = Record<(typeof LENGTHS)[number], Streamed[]>;
const noRuns = (): Runs => ({ 2000: [], 8000: [], 32000: [], 100000: [] });

/** What an answer costs the panel's page while it is streamed flat out, beside a page that only appends its text. */
export async function stream(bench: Bench): Promise<readonly Row[]> {
  const browser = await launchPanelBrowser();
  const ours = noRuns();
  const bare = noRuns();
  const smooth = { ours: [] as Smoothness[], bare: [] as Smoothness[] };
  for (let round = 0; round < bench.rounds(ROUNDS); round++) {
    for (const length of LENGTHS) {
      ours[length].push(await inFreshPage(browser, length));
      bare[length].push(await inBarePage(browser, length));
    }
    smooth.ours.push(await watchPanel(browser));
    smooth.bare.push(await watchBare(browser));
  }
  await browser.close();
  const times = LENGTHS.map((length) => timeRow(length, ours[length], bare[length]));
  return [...times, ...limitRows(ours), ...smoothRows(smooth.ours, smooth.bare)];
}

async function watchPanel(browser: PanelBrowser): Promise<Smoothness> {
  const panel = await browser.open();
  await panel.shown;
  await streamIntoPanel(panel, BEHIND, FLAT_OUT);
  const frames = await watchFrames(panel.page, () => continuePanel(panel, FAST_TOKENS, FAST));
  await panel.close();
  return frames;
}

async function watchBare(browser: PanelBrowser): Promise<Smoothness> {
  const page = await browser.blank();
  await streamIntoBare(page, BEHIND, FLAT_OUT);
  const frames = await watchFrames(page, () => continueBare(page, FAST_TOKENS, FAST));
  await page.context().close();
  return frames;
}

async function inFreshPage(browser: PanelBrowser, length: number): Promise<Streamed> {
  const panel = await browser.open();
  await panel.shown;
  await streamIntoPanel(panel, WARM_UP, FLAT_OUT);
  const streamed = await streamIntoPanel(panel, length, FLAT_OUT);
  await panel.close();
  return streamed;
}

async function inBarePage(browser: PanelBrowser, length: number): Promise<Streamed> {
  const page: Page = await browser.blank();
  await streamIntoBare(page, WARM_UP, FLAT_OUT);
  const streamed = await streamIntoBare(page, length, FLAT_OUT);
  await page.context().close();
  return streamed;
}

function timeRow(length: number, ours: readonly Streamed[], bare: readonly Streamed[]): Row {
  const given = { figure: `stream: ${length} tokens, beside a bare page`, unit: 'ms' } as const;
  const limit = length === 32_000 ? { limit: 12 } : {};
  return rowOfPairs({ ...given, ...limit }, ours.map(milliseconds), bare.map(milliseconds));
}

function milliseconds({ mainThread }: Streamed): number {
  return mainThread / 1_000;
}

function limitRows(ours: Runs): Row[] {
  const perToken = (length: (typeof LENGTHS)[number]) =>
    ours[length].map(({ mainThread }) => mainThread / length);
  const slope = {
    figure: 'stream: a token of 100,000, beside one of 2,000',
    unit: 'µs',
    limit: 1.2,
  } as const;
  const late = {
    figure: 'stream: last token to last character, beside half a second',
    unit: 'ms',
    limit: 1,
  } as const;
  const nodes = {
    figure: 'stream: nodes after 100,000 tokens, beside 3,000',
    unit: 'nodes',
    limit: 1,
  } as const;
  return [
    rowOfPairs(slope, perToken(100_000), perToken(2_000)),
    rowOf(late, median(ours[32_000].map(({ delay }) => delay)), DELAY_LIMIT),
    rowOf(nodes, median(ours[100_000].map((run) => run.nodes)), NODE_LIMIT),
  ];
}

function smoothRows(ours: readonly Smoothness[], bare: readonly Smoothness[]): Row[] {
  const speed = 'stream: at 200 tokens a second behind 32,000';
  const dropped = { figure: `${speed}, frames dropped beyond the bare page's`, unit: '%', limit: 1 } as const;
  const longest = { figure: `${speed}, longest task`, unit: 'ms', limit: 1 } as const;
  const more = ours.map((run, index) => Math.max(0, run.dropped - (bare[index]?.dropped ?? 0)));
  return [
    rowOf(dropped, median(more), DROPPED_LIMIT),
    rowOf(longest, median(ours.map(({ longestTask }) => longestTask)), TASK_LIMIT),
  ];
}
