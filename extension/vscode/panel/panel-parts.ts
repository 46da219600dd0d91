import type * as vscode from 'vscode';
import type { Drafts } from '../../app/prompts/drafts.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { SessionRegistry } from '../../app/sessions/session-registry.ts';
import type { ContextSource } from '../../core/ports/context-source.ts';
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
import type { ApiKeys } from '../models/api-keys.ts';
import type { Models } from '../models/models.ts';
import type { Review } from '../review/review.ts';
import type { PastFiles } from './past-documents.ts';

/** What the panels of a window work with. */
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
  /** What leaves the window is cleaned of them. */
  readonly secrets: SecretFilter;
  readonly approver: VscodeApprover;
  readonly changes: ChangeOpener;
  readonly documents: TextDocuments;
  readonly contextSource: ContextSource;
  readonly tools: readonly Tool[];
  readonly composer: ComposerParts;
  readonly output: vscode.LogOutputChannel;
  readonly places: HarnessHome;
  readonly pastFiles: PastFiles;
  /** Which session a window shows that opens this folder alone. */
  rememberFor(folder: vscode.Uri, session: string): Promise<void>;
  readonly review: Review;
}

/** What one panel works with. */
export interface WindowParts extends SharedParts {
  readonly sessions: SessionController;
  readonly panels: Panels;
}

/** What a panel can do to the other ones of its window. */
export interface Panels {
  /** Shows a session in an editor tab; a new one where `session` is empty. */
  openTab(session: string): Promise<void>;
  /** Brings a panel to the front that shows this session. */
  reveal(session: string): Promise<void>;
  /** Nobody shows this session any more. Its run goes on. */
  leave(session: string): Promise<void>;
  /** One shows something else, or at another point in time. */
  turned(): void;
}
