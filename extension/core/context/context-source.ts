import type { PermissionMode } from '../../protocol/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContextSource, ContextText, ContextWishes } from '../ports/context-source.ts';
import type { EditorView } from '../ports/editor-view.ts';
import type { GitStatus } from '../ports/git-status.ts';
import type { Shell } from '../ports/shell.ts';
import type { Workspace } from '../ports/workspace.ts';
import { editorContext, problemsContext } from './editor-context.ts';
import { environmentContext } from './environment.ts';
import { gitContext } from './git-changes.ts';
import { instructionFiles } from './instruction-files.ts';
import { INSTRUCTIONS_LIMIT, instructionsContext } from './instructions.ts';
import { collaborationContext, permissionsContext } from './permissions.ts';
import { filesContext } from './workspace-files.ts';

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
  /** If absent, the model does not learn what has changed since the last commit. */
  readonly git?: GitStatus;
  /** If absent, there is no editor. */
  readonly editor?: EditorView;
}

/** Collects the context for a model, anew at each call. Reads no file of an untrusted workspace. */
export function createContextSource(surroundings: Surroundings): ContextSource {
  const { workspace, shell, clock, home, platform } = surroundings;
  return async (touched, signal, wishes = {}) => {
    const mode = surroundings.mode();
    const trusted = workspace.trusted();
    const [files, environment, state] = await Promise.all([
      trusted ? instructionFiles(workspace, home, touched, INSTRUCTIONS_LIMIT, signal) : [],
      environmentContext({ workspace, platform, shell: shell.description, now: clock.now() }),
      trusted ? stateOf(surroundings, wishes, signal) : [],
    ]);
    return [
      permissionsContext(mode, trusted),
      collaborationContext(mode),
      instructionsContext(files),
      environment,
      ...state,
    ];
  };
}

/** What changes from one prompt to the next. */
async function stateOf(
  { workspace, git, editor }: Surroundings,
  { withoutOpenFile }: ContextWishes,
  signal: AbortSignal,
): Promise<readonly ContextText[]> {
  const cwd = workspace.roots[0]?.path ?? '';
  const [files, changes, open] = await Promise.all([
    filesContext(workspace, signal),
    git && gitContext(workspace, git),
    withoutOpenFile ? undefined : editor?.openFile(),
  ]);
  return [
    files,
    ...(changes ? [changes] : []),
    ...(editor ? [editorContext(open, cwd), problemsContext(editor.problems())] : []),
  ];
}
