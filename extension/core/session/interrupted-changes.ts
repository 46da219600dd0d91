// What calls that a dead process never ended have made of the files.
import type { EventDraft, EventOf, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { type Changes, type ChangeTracker, toldChanges } from '../checkpoints/change-tracker.ts';

type Started = Pick<EventOf<'checkpoint'>, 'id' | 'files'> & {
  /** The tool that can change anything, and says only afterwards what it has. */
  readonly isCommand: boolean;
};

/** For each call of `past` that had begun and has not told what it changed: what the disk holds now, beside what it found. */
export async function recoverInterruptedChanges(
  past: readonly SessionEvent[],
  tracker: Pick<ChangeTracker, 'since' | 'sinceScan'>,
): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const call of interruptedIn(past)) {
    const { changes, uncovered, trouble } = await changesOf(call, tracker);
    if (changes.length === 0 && uncovered === undefined) continue;
    const told = uncovered !== undefined && { uncovered };
    drafts.push({ type: 'files_changed', id: call.id, by: 'tool', changes: [...changes], ...told });
    if (trouble !== undefined) drafts.push({ type: 'notice', message: trouble });
  }
  return drafts;
}

async function changesOf(
  { id, files, isCommand }: Started,
  tracker: Pick<ChangeTracker, 'since' | 'sinceScan'>,
): Promise<Changes> {
  return toldChanges(async () =>
    isCommand
      ? ((await tracker.sinceScan(id)) ?? { changes: [], uncovered: UNKNOWN })
      : tracker.since(new Map(files.map(({ path, state }) => [path, state]))),
  );
}

const UNKNOWN = say('The command was interrupted; what it had changed by then is not known.');

function interruptedIn(past: readonly SessionEvent[]): readonly Started[] {
  const names = new Map<string, string>();
  const found = new Map<string, EventOf<'checkpoint'>['files']>();
  const started = new Set<string>();
  for (const event of past) {
    if (event.type === 'tool_call') names.set(event.id, event.name);
    else if (event.type === 'checkpoint') found.set(event.id, event.files);
    else if (event.type === 'tool_started') started.add(event.id);
    else if (event.type === 'tool_result' || (event.type === 'files_changed' && event.by === 'tool'))
      started.delete(event.id);
    // What a file says of this disk is not believed, and not even looked at.
    else if (event.type === 'imported') started.clear();
  }
  return [...started].map((id) => ({
    id,
    files: found.get(id) ?? [],
    isCommand: names.get(id) === 'bash',
  }));
}
