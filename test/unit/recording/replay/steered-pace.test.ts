import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import type { Entry } from '../../../../extension/core/recording/entry.ts';
import { atSpeed, stepwise } from '../../../../extension/core/recording/replay/pace.ts';
import {
  type PlaybackStart,
  PlaybackStopped,
  SteeredPace,
} from '../../../../extension/core/recording/replay/steered-pace.ts';

/** A reply in three pieces between two events, as it was recorded. */
const ENTRIES: readonly Entry[] = [
  { kind: 'start', at: 0, id: 1, name: 'log.append', given: '' },
  { kind: 'start', at: 0, id: 2, name: 'fetch', given: '' },
  { kind: 'piece', at: 1_000, id: 2, value: 'one' },
  { kind: 'piece', at: 2_000, id: 2, value: 'two' },
  { kind: 'piece', at: 3_000, id: 2, value: 'three' },
  { kind: 'start', at: 3_000, id: 3, name: 'log.append', given: '' },
  { kind: 'start', at: 60_000, id: 4, name: 'log.append', given: '' },
];

/** Lets entry after entry through; `settled` resolves when none comes but for what the test does. */
function playing(start: PlaybackStart) {
  const clock = new ManualClock();
  const pace = new SteeredPace(clock, start);
  let passed = 0;
  const end = (async () => {
    for (const entry of ENTRIES) {
      await pace.before(entry);
      passed += 1;
    }
  })();
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return passed;
  };
  return { clock, pace, end, settled };
}

test.each([
  ['in its own time', { speed: 1 }, 57_000],
  ['in its own time, with long pauses shortened', { speed: 1, isShortened: true }, 3_000],
])('%s', async (_what, start, pause) => {
  const { clock, settled, end } = playing(start);
  expect(await settled()).toBe(2);
  clock.advance(999);
  expect(await settled()).toBe(2);
  clock.advance(1);
  expect(await settled()).toBe(3);
  clock.advance(1_000);
  await settled();
  clock.advance(1_000);
  expect(await settled()).toBe(6);
  clock.advance(pause - 1);
  expect(await settled()).toBe(6);
  clock.advance(1);
  await end;
});

test('paused in the middle of a reply, it stands at once, and goes on from there', async () => {
  const { clock, pace, settled } = playing({ speed: 1 });
  await settled();
  clock.advance(1_000);
  expect(await settled()).toBe(3);
  pace.pause();
  clock.advance(10_000);
  expect(await settled(), 'the second piece is due and waits').toBe(3);
  pace.play();
  expect(await settled(), 'and comes alone: the third is not due').toBe(4);
  clock.advance(1_000);
  expect(await settled()).toBe(6);
});

test('a step in the middle of a reply is the next event with all that stands before it', async () => {
  const { clock, pace, settled } = playing({ speed: 1 });
  await settled();
  clock.advance(1_000);
  expect(await settled()).toBe(3);
  pace.step();
  expect(pace.isPaused).toBe(true);
  expect(await settled()).toBe(6);
  pace.step();
  expect(await settled()).toBe(7);
});

test('event by event from the first one on', async () => {
  const { pace, settled, end } = playing({ speed: 1, isPaused: true });
  expect(await settled()).toBe(0);
  pace.step();
  expect(await settled()).toBe(5);
  pace.step();
  pace.step();
  await end;
});

test('another speed holds at once, also for what it waits for', async () => {
  const { pace, settled, end } = playing({ speed: 1 });
  expect(await settled()).toBe(2);
  pace.play({ speed: Number.POSITIVE_INFINITY });
  expect(pace.speed).toEqual({ speed: Number.POSITIVE_INFINITY });
  await end;
});

test.each([{ speed: 1 }, { speed: 1, isPaused: true }])('stopped while it waits: %o', async (start) => {
  const { pace, settled, end } = playing(start);
  const stopped = expect(end).rejects.toThrow(PlaybackStopped);
  await settled();
  pace.stop();
  await stopped;
});

test('at a speed, each entry comes as long after the one before as it was recorded, so many times as fast', async () => {
  const clock = new ManualClock();
  const before = atSpeed(clock, 2);
  const waits: number[] = [];
  for (const entry of ENTRIES) {
    const from = clock.now();
    const waited = before(entry);
    while (clock.sleeping > 0) clock.advance(1);
    await waited;
    waits.push(clock.now() - from);
  }
  expect(waits).toEqual([0, 0, 500, 500, 500, 0, 28_500]);
});

test('stepwise, what enters the log waits for the one who looks on, and nothing else does', async () => {
  let asked = 0;
  const before = stepwise(async () => {
    asked += 1;
  });
  for (const entry of ENTRIES) await before(entry);
  expect(asked).toBe(3);
});
