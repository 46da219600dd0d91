import { say } from '../../protocol/say.ts';
import { WorkspaceError } from '../ports/workspace.ts';

/**
 * Why a file could not be read or changed, as the end of a sentence for the user. Rewords a `WorkspaceError`,
 * because its message addresses the model.
 */
export function describeFailure(error: Error): string {
  if (!WorkspaceError.is(error)) return error.message;
  switch (error.reason) {
    case 'unsaved':
      return say('an editor holds text of it that is not saved');
    case 'changed':
      return say('it was changed at this moment');
    case 'permission-denied':
      return say('its permissions do not allow it');
    case 'no-space':
      return say('the disk is full');
    default:
      return error.message;
  }
}
