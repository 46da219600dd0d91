// Whichever operation on a file fails, once or from then on: nothing is lost, nothing happens twice, and it is told.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Session } from '../../extension/core/session/session.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { checkInvariants } from '../support/crash/invariants.ts';
import { createSession, openWorkplace, prepare, settingsWith } from '../support/crash/session.ts';
import { shortWork } from '../support/crash/work.ts';
import { type Faults, failFiles } from '../support/files.ts';
import { tempDir } from '../support/temp-dir.ts';

type Kind = 'once' | 'until mended' | 'for good';

interface Outcome {
  readonly faults: Faults;
  readonly session: string;
  /** What was in the log when it was told; all of it where the session could be closed. */
  readonly acknowledged: readonly SessionEvent[];
  /** Nothing was wrong, for all that the user could see. */
  readonly isSilent: boolean;
}

async function workWith(folder: string, nth: number, kind: Kind): Promise<Outcome> {
  await prepare(folder);
  const workplace = await openWorkplace(folder);
  const faults = failFiles(folder, nth, kind !== 'once');
  const acknowledged: SessionEvent[] = [];
  let session: Session | undefined;
  let isClosed = false;
  try {
    session = await createSession(workplace, folder);
    const { events } = session;
    session.subscribe({
      onEvents: () => {
        if (!session?.isHeld) acknowledged.push(...events.slice(acknowledged.length));
      },
    });
    await session.prompt('Go', settingsWith(shortWork()));
    if (kind === 'until mended') faults.mend();
    await session.close();
    isClosed = true;
    acknowledged.push(...events.slice(acknowledged.length));
  } catch {
    // It was told: what is left is in order all the same.
  } finally {
    faults.stop();
    await workplace.close().catch(() => undefined);
  }
  const isSilent = isClosed && !session?.events.some(isTelling);
  return { faults, session: session?.id ?? '', acknowledged, isSilent };
}

function isTelling(event: SessionEvent): boolean {
  return event.type === 'error' || (event.type === 'tool_result' && event.isError);
}

/** Every one with `HARNESS_EVERY_FAULT` (a few minutes); else each kind has its own ones. */
const STEP = process.env.HARNESS_EVERY_FAULT ? 1 : 5;

test.each([
  ['once', 1],
  ['until mended', 2],
  ['for good', 3],
] as const)(
  'whichever file operation fails %s, nothing is lost and nothing happens twice',
  async (kind, first) => {
    for (let nth = STEP === 1 ? 1 : first; ; nth += STEP) {
      const folder = await tempDir();
      const { faults, session, acknowledged, isSilent } = await workWith(folder, nth, kind);
      const why = `operation ${nth}, ${faults.first}, fails ${kind}`;
      const leavesTemporary = kind !== 'once' || faults.first.startsWith('rm ');
      if (session !== '') await checkInvariants({ folder, session, acknowledged, why, leavesTemporary });
      await rm(folder, { recursive: true });
      if (faults.first === '') {
        expect(isSilent, 'without a fault nothing is wrong').toBe(true);
        expect(nth, 'there were operations to fail').toBeGreaterThan(200);
        return;
      }
    }
  },
);
