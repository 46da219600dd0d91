import type { PermissionMode } from '../../protocol/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContextSource } from '../ports/context-source.ts';
import type { Shell } from '../ports/shell.ts';
import type { Workspace } from '../ports/workspace.ts';
import { environmentContext } from './environment.ts';
import { instructionFiles } from './instruction-files.ts';
import { INSTRUCTIONS_LIMIT, instructionsContext } from './instructions.ts';
import { collaborationContext, permissionsContext } from './permissions.ts';

export interface Surroundings {
  readonly workspace: Workspace;
  readonly shell: Pick<Shell, 'description'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly mode: () => PermissionMode;
  /**
   * Harness's own folder, absolute, links resolved. The user's instructions for every workspace are in it.
   */
  readonly home: string;
  /** "linux", "darwin", "win32". */
  readonly platform: string;
}

/** Collects the context for a model, anew at each call. Reads no file of an untrusted workspace. */
export function createContextSource(surroundings: Surroundings): ContextSource {
  const { workspace, shell, clock, home, platform } = surroundings;
  return async (touched, signal) => {
    const mode = surroundings.mode();
    const trusted = workspace.trusted();
    const [files, environment] = await Promise.all([
      trusted ? instructionFiles(workspace, home, touched, INSTRUCTIONS_LIMIT, signal) : [],
      environmentContext({ workspace, platform, shell: shell.description, now: clock.now() }),
    ]);
    return [
      permissionsContext(mode, trusted),
      collaborationContext(mode),
      instructionsContext(files),
      environment,
    ];
  };
}
