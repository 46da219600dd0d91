// Determines what unfinished calls of a dead process did to the files.

import type { EventDraft, EventOf, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { changeEvents } from '../checkpoints/change-events.ts';
import { type Changes, type ChangeTracker, settledChanges } from '../checkpoints/change-tracker.ts';

type Started = Pick<EventOf<'checkpoint'>, 'id' | 'files'> & {
  /** The tool that can change anything, and reports its changes only afterwards. */
  readonly isCommand: boolean;
};

/**
 * For each call of `past` that began and logged no changes, compares what the disk holds now with what the
 * call found.
 */
export async function recoverInterruptedChanges(
  past: readonly SessionEvent[],
  tracker: Pick<ChangeTracker, 'since' | 'sinceScan'>,
): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const call of interruptedIn(past))
    drafts.push(...changeEvents(call.id, await changesOf(call, tracker)));
  return drafts;
}

async function changesOf(
  { id, files, isCommand }: Started,
  tracker: Pick<ChangeTracker, 'since' | 'sinceScan'>,
): Promise<Changes> {
  return settledChanges(async () =>
    isCommand
      ? ((await tracker.sinceScan(id)) ?? { changes: [], uncovered: UNKNOWN })
      : tracker.since(new Map(files.map(({ path, state }) => [path, state]))),
  );
}

const UNKNOWN = say('The command was interrupted. Its changes up to then are unknown.');

function interruptedIn(past: readonly SessionEvent[]): readonly Started[] {
  const names = new Map<string, string>();
  const found = new Map<string, EventOf<'checkpoint'>['files']>();
  const started = new Set<string>();
  for (const event of past) {
    if (event.type === 'tool_call') names.set(event.id, event.name);
    else if (event.type === 'checkpoint') found.set(event.id, event.files);
    else if (event.type === 'tool_started') started.add(event.id);
    // The session follows the command further.
    else if (event.type === 'background_started') started.delete(event.call);
    else if (event.type === 'tool_result' || (event.type === 'files_changed' && event.by === 'tool'))
      started.delete(event.id);
    // Harness does not trust, and does not check, what an imported file claims about this disk.
    else if (event.type === 'imported') started.clear();
  }
  return [...started].map((id) => ({
    id,
    files: found.get(id) ?? [],
    isCommand: effectOf(names.get(id) ?? '') === 'runs',
  }));
}
