import { expect, test } from 'vitest';
import { ManualClock } from '../../extension/core/ports/manual-clock.ts';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { FullLog } from '../support/full-log.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

const script = () => new ScriptedModel(calls(1, ['bash', { command: 'true' }]), says('Done.'));

/** What somebody sees who looks at the session after its disk was full. */
async function afterFailure(room: number) {
  const { ports, settings } = await scenario();
  const log = new FullLog('session-1', new ManualClock(1_000));
  const session = await Session.open(log, ports);
  log.room = room;
  const run = session.prompt('Go', settings(script()));
  const failed = await run.then(
    () => false,
    () => true,
  );
  return { log, session, settings, failed, shown: [...session.events, ...session.unwritten] };
}

test('wherever the disk gets full, the run is over, says why, and the next one writes that down', async () => {
  for (let room = 0; ; room += 1) {
    const { log, session, settings, failed, shown } = await afterFailure(room);
    if (!failed) {
      expect(room).toBeGreaterThan(8);
      return;
    }
    expect(session.busy).toBe(false);
    expectWellFormed(shown);
    if (shown.some(({ type }) => type === 'turn_started')) {
      expect(shown.findLast(({ type }) => type === 'error')).toMatchObject({ code: 'log', retryable: true });
      expect(shown.at(-1)).toMatchObject({ type: 'turn_ended', reason: 'error' });
    }
    log.room = Number.POSITIVE_INFINITY;
    expect(await session.prompt('On', settings(new ScriptedModel(says('Here.'))))).toBe('done');
    expectWellFormed(session.events);
    expect(session.unwritten).toEqual([]);
    const kinds = (events: readonly SessionEvent[]) => events.map(({ type, seq }) => `${seq} ${type}`);
    expect(kinds(session.events).slice(0, shown.length)).toEqual(kinds(shown));
  }
});

test('while the disk stays full, every prompt is refused and what is shown stays the same', async () => {
  const { session, settings, shown } = await afterFailure(4);
  await expect(session.prompt('Again', settings(script()))).rejects.toThrow('ENOSPC');
  expect([...session.events, ...session.unwritten]).toEqual(shown);
});
