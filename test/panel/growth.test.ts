// What a longer answer and a longer session cost the page, in work that is counted: as much for each token and each part
// as in a short one.
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { countWork, leastOf, sumOf, type Work } from '../support/count-work.ts';
import { call, request, requestEnd, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { richTokens } from '../support/rich-markdown.ts';
import { usePanel } from '../support/use-panel.ts';

/** V8 counts nothing in code that it has optimised. */
const open = usePanel(['--js-flags=--no-opt --no-maglev']);
const prompt = (content: string): EventDraft => ({ type: 'user', content });
/** Tokens that come with one message of the host, which is drawn before the next one. */
const AT_ONCE = 100;

/** Streams the tokens from `from` to `to`; what they cost, frame by frame. */
async function stream(panel: PanelPage, tokens: readonly string[], from: number, to: number): Promise<Work> {
  const frames: Work[] = [];
  for (let at = from; at < to; at += AT_ONCE) {
    const words = tokens.slice(at, at + AT_ONCE).join('');
    const delta = { type: 'text_delta', session: 'session-1', text: words } as const;
    frames.push(await countWork(panel.page, () => panel.stream(delta)));
  }
  return sumOf(frames);
}

async function skip(panel: PanelPage, tokens: readonly string[], from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1_000) {
    const words = tokens.slice(at, Math.min(to, at + 1_000)).join('');
    await panel.stream({ type: 'text_delta', session: 'session-1', text: words });
  }
}

test('a token behind 50,000 others costs what one behind 2,000 costs', async () => {
  const panel = await open({ events: [prompt('How?'), request(1)] });
  const tokens = richTokens(54_000);
  await skip(panel, tokens, 0, 2_000);
  const early = await stream(panel, tokens, 2_000, 6_000);
  await skip(panel, tokens, 6_000, 50_000);
  const late = await stream(panel, tokens, 50_000, 54_000);
  expectSimilar(late, early, 1.2);
}, 400_000);

/** Prompts with an answer and eight calls each: ten parts. */
function session(parts: number): EventDraft[] {
  const runs = Array.from({ length: parts / 10 }, (_, index): EventDraft[] => {
    const ids = Array.from({ length: 8 }, (_, number) => `c${index}.${number}`);
    return [
      prompt(`Question ${index}`),
      request(2 * index + 1),
      ...ids.map((id) => call(id, 'bash', { command: 'npm test' })),
      requestEnd(2 * index + 1),
      ...ids.map((id) => result(id, { stdout: 'fine', stderr: '', exitCode: 0 })),
      request(2 * index + 2),
      text(`It is \`${index}\`.\n\n- one\n- two`),
      requestEnd(2 * index + 2),
    ];
  });
  return runs.flat();
}

/** What it costs to show the session, to type into its input, and to get one more run of it. */
async function costs(parts: number) {
  const panel = await open();
  const shown = await countWork(panel.page, () => panel.showSession(`long-${parts}`, session(parts)));
  await panel.input.focus();
  const typed: Work[] = [];
  const grown: Work[] = [];
  for (let time = 0; time < 5; time += 1) {
    typed.push(await countWork(panel.page, () => panel.page.keyboard.type('Now?')));
    grown.push(await countWork(panel.page, () => panel.emit(...session(10))));
  }
  return { shown, typed: leastOf(typed), grown: leastOf(grown) };
}

/** A hundred times as long, a cost that grows with the length is far beyond any `share`. */
function expectSimilar(long: Work, short: Work, share: number): void {
  expect(short.blocks).toBeGreaterThan(200);
  expect(long.blocks).toBeLessThan(short.blocks * share);
  expect(long.laidOut).toBeLessThanOrEqual(short.laidOut * share);
}

test('a session of 10,000 parts is shown, typed into and continued at the cost of a short one', async () => {
  const short = await costs(100);
  const long = await costs(10_000);
  expectSimilar(long.shown, short.shown, 2);
  expectSimilar(long.typed, short.typed, 1.5);
  expectSimilar(long.grown, short.grown, 1.5);
}, 400_000);
