// Whatever has happened in a session, its next request is one that every API takes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { hurriedClock, perform } from '../support/any-session/perform.ts';
import { programs } from '../support/any-session/program.ts';
import { PNG } from '../support/images.ts';
import { scenario } from '../support/scenario.ts';

async function surroundings(): Promise<SessionPorts> {
  const { ports } = await scenario({ mode: 'plan' });
  let told = 0;
  return {
    ...ports,
    clock: hurriedClock,
    attachments: {
      read: async (name) => (name === 'a.png' ? PNG.toString('base64') : undefined),
      keep: async () => 'a.png',
    },
    context: async () => [
      { kind: 'permissions', text: '<permissions>Look.</permissions>' },
      { kind: 'environment', text: `<environment_context>${++told % 2} \ud83d</environment_context>` },
    ],
  };
}

test('after any session the next request is valid for every provider', { timeout: 60_000 }, async () => {
  const ports = await surroundings();
  let checked = 0;
  const seen = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(programs, async (steps) => {
      const performance = await perform(steps, ports);
      checked += performance.checked;
      for (const event of performance.events) seen.add(kindOf(event));
      expect(performance.violations).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(checked).toBeGreaterThan(1_000);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...['completed', 'cancelled', 'discarded', 'refused'],
      ...['denied', 'skipped', 'interrupted', 'compaction', 'retry'],
    ]),
  );
});

/** What tells that the sessions were not all the same. */
function kindOf(event: SessionEvent): string | undefined {
  if (event.type === 'request_ended') return event.outcome;
  return event.type === 'tool_result' ? event.end : event.type;
}
