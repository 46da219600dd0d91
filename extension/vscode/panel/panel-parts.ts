import type * as vscode from 'vscode';
import type { Drafts } from '../../app/prompts/drafts.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { SessionRegistry } from '../../app/sessions/session-registry.ts';
import type { ContextSource } from '../../core/ports/context-source.ts';
import type { LanguageServers } from '../../core/ports/language-servers.ts';
import type { SessionStore } from '../../core/ports/session-store.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import type { Tool } from '../../core/tools/common/tool.ts';
import type { PromptHistory } from '../../node/composer/prompt-history.ts';
import type { HarnessHome } from '../../node/settings/harness-home.ts';
import type { DeletedSessions } from '../../node/storage/deleted-sessions.ts';
import type { ChangeOpener } from '../approvals/open-change.ts';
import type { TextDocuments } from '../approvals/text-documents.ts';
import type { VscodeApprover } from '../approvals/vscode-approver.ts';
import type { ComposerParts } from '../composer/composer-host.ts';
import type { EditorInFront } from '../mentions/editor-in-front.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import type { Models } from '../models/models.ts';
import type { Review } from '../review/review.ts';
import type { PastFiles } from './past-documents.ts';

/** The parts that all panels of a window share. */
export interface SharedParts {
  readonly extension: vscode.Uri;
  readonly header: string | null;
  readonly history: PromptHistory;
  readonly open: SessionRegistry;
  readonly store: SessionStore;
  readonly deleted: DeletedSessions;
  readonly drafts: Drafts;
  readonly models: Models;
  readonly keys: ApiKeys;
  /** Removes secrets from what leaves the window. */
  readonly secrets: SecretFilter;
  readonly approver: VscodeApprover;
  readonly changes: ChangeOpener;
  readonly documents: TextDocuments;
  readonly contextSource: ContextSource;
  readonly editor: Pick<EditorInFront, 'watch'>;
  readonly tools: readonly Tool[];
  readonly languageServers: LanguageServers;
  readonly composer: ComposerParts;
  readonly output: vscode.LogOutputChannel;
  readonly places: HarnessHome;
  readonly pastFiles: PastFiles;
  /** Sets the session that a window shows if it opens only this folder. */
  rememberFor(folder: vscode.Uri, session: string): Promise<void>;
  readonly review: Review;
}

/** The parts of one panel. */
export interface WindowParts extends SharedParts {
  readonly sessions: SessionController;
  readonly panels: Panels;
}

/** What a panel can do with the other panels of its window. */
export interface Panels {
  /** Shows a session in an editor tab, or a new one if `session` is empty. */
  openTab(session: string): Promise<void>;
  /** Brings a panel that shows this session to the front. If there is none, the side bar shows it. */
  reveal(session: string): Promise<void>;
  /** Makes all panels leave this session. Its run continues. */
  leave(session: string): Promise<void>;
  /** Call when a panel shows something else, or another point in time. */
  turned(): void;
}
