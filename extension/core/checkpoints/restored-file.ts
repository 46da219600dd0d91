import type { EventOf } from '../../protocol/events.ts';

/** Whether the file was restored, with or without edits of the user in it. */
export function isRestored({ outcome }: RestoredFile): boolean {
  return outcome === 'identical' || outcome === 'merged';
}

/** The target of a restore. */
export type RestoreGoal = NonNullable<EventOf<'checkpoint'>['restores']>;

export type RestoredFile = EventOf<'restored'>['files'][number];
