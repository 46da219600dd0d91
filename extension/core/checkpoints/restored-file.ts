import type { EventOf } from '../../protocol/events.ts';

/** It is what it was, with or without edits of the user. */
export function isRestored({ outcome }: RestoredFile): boolean {
  return outcome === 'identical' || outcome === 'merged';
}

/** Where a restore goes. */
export type RestoreGoal = NonNullable<EventOf<'checkpoint'>['restores']>;

export type RestoredFile = EventOf<'restored'>['files'][number];
