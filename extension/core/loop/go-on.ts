import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';

/** Where a conversation ends with the model's own words: APIs want the user to have the last one. */
export const GO_ON: EventDraft = {
  type: 'notice',
  message: say('Continued.'),
  toModel: 'Go on where you stopped.',
};
