import type { GatePorts } from '../permission/gate.ts';
import type { Attachments } from '../ports/attachments.ts';
import type { BackgroundShell } from '../ports/background-shell.ts';
import type { ContextSource } from '../ports/context-source.ts';
import type { EditorEdits } from '../ports/editor-edits.ts';
import type { FileTree } from '../ports/file-tree.ts';
import type { LanguageServers } from '../ports/language-servers.ts';
import type { Logger } from '../ports/logger.ts';
import type { PromptContext } from '../ports/prompt-context.ts';
import type { Shell } from '../ports/shell.ts';
import type { WorkspaceScan } from '../ports/workspace-scan.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import type { Tool } from '../tools/common/tool.ts';
import type { SessionTap } from './session-tap.ts';

export interface SessionPorts extends GatePorts {
  readonly shell: Shell;
  /** Without this port, every command ends with its call. It needs `outputs`. */
  readonly background?: BackgroundShell;
  readonly logger: Logger;
  readonly tools: readonly Tool[];
  /** Without this port, prompts are sent as the user typed them. */
  readonly promptContext?: PromptContext;
  /** Without this port, the model gets only the prompts. */
  readonly context?: ContextSource;
  /** Without this port, every image counts as missing. */
  readonly attachments?: Attachments;
  /** Without this port, no change can be undone. */
  readonly files?: FileTree;
  /** Without this port, what a command changes cannot be undone. */
  readonly scan?: WorkspaceScan;
  /** Without this port, Harness assumes that a call changes only the paths that it names. */
  readonly editors?: EditorEdits;
  /** Without this port, no tool asks language servers, and changes report no problems. */
  readonly languageServers?: LanguageServers;
  /** Keeps secrets out of the log. Without this port, only what looks like a secret is kept out. */
  readonly secrets?: SecretFilter;
  /** Observes what callers do with the session. */
  readonly tap?: SessionTap;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}
