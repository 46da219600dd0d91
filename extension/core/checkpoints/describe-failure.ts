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
      return say('it has unsaved changes in an editor');
    case 'changed':
      return say('it has just changed');
    case 'permission-denied':
      return say('its permissions do not allow this');
    case 'no-space':
      return say('the disk is full');
    default:
      return error.message;
  }
}
