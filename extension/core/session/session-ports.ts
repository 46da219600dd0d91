import type { GatePorts } from '../permission/gate.ts';
import type { Attachments } from '../ports/attachments.ts';
import type { ContextSource } from '../ports/context-source.ts';
import type { EditorEdits } from '../ports/editor-edits.ts';
import type { FileTree } from '../ports/file-tree.ts';
import type { Logger } from '../ports/logger.ts';
import type { PromptContext } from '../ports/prompt-context.ts';
import type { Shell } from '../ports/shell.ts';
import type { WorkspaceScan } from '../ports/workspace-scan.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import type { Tool } from '../tools/common/tool.ts';
import type { SessionTap } from './session-tap.ts';

export interface SessionPorts extends GatePorts {
  readonly shell: Shell;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  /** Without it prompts are sent as they are typed. */
  readonly promptContext?: PromptContext;
  /** Without it the model is told its prompts alone. */
  readonly context?: ContextSource;
  /** Without it every image counts as missing. */
  readonly attachments?: Attachments;
  /** Without it no change can be undone. */
  readonly files?: FileTree;
  /** Without it what a command changes cannot be undone. */
  readonly scan?: WorkspaceScan;
  /** Without it calls change what they name alone. */
  readonly editors?: EditorEdits;
  /** What must not enter the log. Without it that is only what looks like a secret. */
  readonly secrets?: SecretFilter;
  /** Sees what is done with the session. */
  readonly tap?: SessionTap;
  /** In [0, 1). */
  readonly random: () => number;
}
