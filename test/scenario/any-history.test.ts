// Whatever has happened in a session, its next request is one that every API takes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
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
    attachments: { read: async (name) => (name === 'a.png' ? PNG.toString('base64') : undefined) },
    context: async () => [
      { kind: 'permissions', text: '<permissions>Look.</permissions>' },
      { kind: 'environment', text: `<environment_context>${++told % 2} \ud83d</environment_context>` },
    ],
  };
}

test('after any session the next request is valid for every provider', { timeout: 60_000 }, async () => {
  const ports = await surroundings();
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(programs, async (steps) => {
      const performance = await perform(steps, ports);
      checked += performance.checked;
      expect(performance.violations).toEqual([]);
    }),
    { numRuns: 120 },
  );
  expect(checked).toBeGreaterThan(1_000);
});
