// Builds the adapters and passes them to the core. Only this file of the extension knows all parts.

import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { SessionFeed } from '../app/feed/session-feed.ts';
import { Drafts } from '../app/prompts/drafts.ts';
import { PromptQueue } from '../app/prompts/prompt-queue.ts';
import { PromptSender } from '../app/prompts/prompt-sender.ts';
import { SessionRecordings } from '../app/recordings/session-recordings.ts';
import { SessionController } from '../app/sessions/session-controller.ts';
import { SessionRegistry } from '../app/sessions/session-registry.ts';
import { createContextSource } from '../core/context/context-source.ts';
import type { Logger } from '../core/ports/logger.ts';
import { SecretFilter } from '../core/secrets/secret-filter.ts';
import { allTools } from '../core/tools/all-tools.ts';
import { AttachmentFiles } from '../node/composer/attachment-files.ts';
import { draftFiles, queueFiles } from '../node/composer/draft-files.ts';
import { PromptHistory } from '../node/composer/prompt-history.ts';
import { guardedFiles } from '../node/fs/guarded-files.ts';
import { gitStatusWith } from '../node/git/git-status.ts';
import { draftPathOf } from '../node/log/session-files.ts';
import { NodeBackground } from '../node/processes/node-background.ts';
import { NodeShell } from '../node/processes/node-shell.ts';
import { longSecretsOf } from '../node/processes/process-environment.ts';
import { recordingsIn } from '../node/recording/recording-file.ts';
import { NodeWorkspaceScan } from '../node/scan/node-workspace-scan.ts';
import { createFileSearch } from '../node/search/file-search.ts';
import { findRipgrep } from '../node/search/ripgrep-path.ts';
import { createSearch } from '../node/search/ripgrep-search.ts';
import { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import { outputFilesIn } from '../node/sessions/output-files.ts';
import { openHarnessHome } from '../node/settings/harness-home.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../node/settings/policy-files.ts';
import { DeletedSessions } from '../node/storage/deleted-sessions.ts';
import { systemClock } from '../node/system-clock.ts';
import { NodeWorkspace } from '../node/workspace.ts';
import { DiffPreview } from './approvals/diff-preview.ts';
import { ChangeOpener } from './approvals/open-change.ts';
import { TextDocuments } from './approvals/text-documents.ts';
import { VscodeApprover } from './approvals/vscode-approver.ts';
import { notices } from './base/localize.ts';
import { SettingNotices } from './base/setting-notices.ts';
import { onDidChangeSettings, readSetting } from './base/settings.ts';
import { OfferedModels } from './language-models/offered-models.ts';
import { EditorInFront } from './mentions/editor-in-front.ts';
import { FileList } from './mentions/file-list.ts';
import { activeGitProgram } from './mentions/git-changes.ts';
import { MentionContext } from './mentions/mention-context.ts';
import { TerminalHistory } from './mentions/terminal-history.ts';
import { ApiKeys } from './models/api-keys.ts';
import { Models } from './models/models.ts';
import { Providers } from './models/providers.ts';
import { Trace } from './models/trace.ts';
import { PastFiles } from './panel/past-documents.ts';
import type { ChangeNode } from './review/changes-tree.ts';
import { Review } from './review/review.ts';
import { adoptBackground } from './sessions/adopt-background.ts';
import { nextDraftFile, rememberFor, rememberSession } from './sessions/last-session.ts';
import { localization } from './sessions/localization.ts';
import { RunStatus } from './sessions/run-status.ts';
import { StorageCleanup } from './sessions/storage-cleanup.ts';
import { HarnessTerminal } from './terminal/harness-terminal.ts';
import { TimelineView } from './timeline/timeline-view.ts';
import { Window } from './window.ts';
import { excludeUserChanges } from './workspace/user-changes.ts';
import { createFileTree } from './workspace/vscode-file-tree.ts';
import { VscodeLanguageServers } from './workspace/vscode-language-servers.ts';
import { VscodeWorkspace, workspaceRoots } from './workspace/vscode-workspace.ts';

export type Host = Window;

/** Native VS Code views that exist before the host. */
interface HostViews {
  readonly changes: vscode.TreeView<ChangeNode>;
}

/** Offers Harness's models to VS Code. This needs only the keys and the settings, not the host. */
export function createOfferedModels(secrets: vscode.SecretStorage): OfferedModels {
  return new OfferedModels(secrets);
}

/** Builds the host of this window. Rejects if it cannot create Harness's own folder. */
export async function createHost(context: vscode.ExtensionContext, views: HostViews): Promise<Host> {
  const [places, ripgrepPath] = await Promise.all([
    openHarnessHome(readSetting('storagePath')),
    findRipgrep(
      vscode.env.appRoot,
      workspaceRoots().map((root) => root.path),
    ),
  ]);
  const output = vscode.window.createOutputChannel('Harness', { log: true });
  const logger: Logger = {
    warn: (message) => output.warn(message),
    error: (message) => output.error(message),
  };
  const documents = new TextDocuments();
  const preview = new DiffPreview();
  const approver = new VscodeApprover({
    preview,
    previewEnabled: () => readSetting('editing.preview'),
    sessionName: (session) => (open.running.length > 1 ? (open.find(session)?.title ?? '') : ''),
    logger,
  });
  const workspace = new VscodeWorkspace(
    new NodeWorkspace(workspaceRoots(), createSearch({ ripgrepPath }), createFileSearch(ripgrepPath)),
  );
  const languageServers = new VscodeLanguageServers();
  const folders = () => workspaceRoots().map(({ path }) => path);
  const files = guardedFiles(createFileTree(workspace), folders);
  const scan = new NodeWorkspaceScan({
    roots: folders,
    home: places.home,
    limits: () => ({
      maxEntries: readSetting('undo.scanEntries'),
      maxBytes: readSetting('undo.scanMegabytes') * 1_000_000,
    }),
  });
  const background = new NodeBackground();
  const shell = new HarnessTerminal(new NodeShell({ background }), systemClock);
  const keys = new ApiKeys(context.secrets, process.env);
  const secrets = new SecretFilter(longSecretsOf(process.env));
  const learnKeys = () =>
    keys.stored().then(
      (stored) => secrets.know(stored),
      (error: unknown) => logger.warn(`The stored keys could not be read: ${String(error)}`),
    );
  void learnKeys();
  const models = new Models(new Providers(keys, systemClock), workspace, context.globalState);
  const editor = new EditorInFront();
  const surroundings = {
    workspace,
    shell,
    clock: systemClock,
    mode: () => readSetting('permissions.mode'),
    home: places.home,
    platform: process.platform,
    git: gitStatusWith(activeGitProgram),
    editor,
  };
  const contextSource = createContextSource(surroundings);
  const audit = new JsonlAuditLog(places.audit);
  const trace = new Trace(places.traces, output, keys);
  const store = new JsonlSessionStore(places.sessions, systemClock);
  const changes = new ChangeOpener(documents, store);
  const deleted = new DeletedSessions(places.sessions, systemClock);
  const history = new PromptHistory(places.promptHistory);
  const terminals = new TerminalHistory((output) => secrets.text(output, true));
  const composer = {
    attachments: new AttachmentFiles(places.sessions),
    files: new FileList(ripgrepPath),
    mentions: new MentionContext(workspace, terminals),
  };
  const product = `harness ${String(context.extension.packageJSON.version)}`;
  const recordings = new SessionRecordings({
    openFile: recordingsIn(places.sessions, product),
    clock: systemClock,
    isWanted: () => readSetting('recording'),
  });
  const feed = new SessionFeed(localization);
  const open = new SessionRegistry({
    store,
    recordings,
    prompts: (session) =>
      new PromptSender({
        session,
        queue: new PromptQueue(queueFiles(places.sessions), logger.warn),
        remember: async (text) => {
          await history.add(secrets.text(text)).catch((error: unknown) => {
            logger.warn(`The prompt is not in the history: ${String(error)}`);
          });
          await window.refresh();
        },
        changed: () => void window.refresh(),
        warn: (problem) => {
          logger.warn(problem);
          notices.warn(problem);
        },
      }),
    product,
    feed,
    settings: async (session) => trace.watch(await models.runSettings(session)),
    ports: {
      ...surroundings,
      approver,
      policies: new JsonPolicyStore(places.policies, logger),
      audit,
      logger,
      tools: allTools,
      background,
      outputs: outputFilesIn(places.sessions),
      files,
      scan,
      editors: workspace.edits,
      languageServers,
      context: contextSource,
      attachments: composer.attachments,
      promptContext: composer.mentions,
      secrets,
      random: Math.random,
    },
  });
  const pastFiles = new PastFiles(open, store);
  const status = new RunStatus(() =>
    open.running.map(({ id, log }) => ({ head: log.head, isSeen: window.isSeen(id) })),
  );
  const sessions = new SessionController({
    open,
    store,
    current: rememberSession(context),
    logger,
    notices,
  });
  const [header, drafts] = await Promise.all([
    readHeader(context.extensionPath, logger),
    openDrafts(places.sessions, nextDraftFile(places.sessions), logger),
    sessions.restore(),
  ]);
  const blobs = (session: string) => store.blobs(session);
  const review = new Review(
    { open, blobs, files, workspace, scan, warn: logger.warn },
    sessions,
    views.changes,
  );
  const window = new Window(
    {
      extension: context.extensionUri,
      header,
      history,
      open,
      store,
      deleted,
      drafts,
      models,
      keys,
      secrets,
      approver,
      changes,
      documents,
      contextSource,
      editor,
      tools: allTools,
      languageServers,
      composer,
      review,
      output,
      places,
      pastFiles,
      rememberFor: (folder, session) => rememberFor(context, folder, session),
    },
    sessions,
  );
  adoptBackground({
    open,
    store,
    root: places.sessions,
    folders: folders(),
    reveal: (session) => window.reveal(session),
  }).catch((error: unknown) => logger.warn(`Commands in the background were not found: ${String(error)}`));
  deleted
    .purge()
    .catch((error: unknown) => logger.warn(`Old deleted sessions are still there: ${String(error)}`));
  const cleanup = new StorageCleanup(
    {
      root: places.sessions,
      clock: systemClock,
      deleted,
      isOpen: (id) => open.find(id) !== undefined || window.shows(id),
    },
    output,
  );
  void cleanup.cleanUpIfDue();
  window.own(
    open.onDidClose(() => void cleanup.cleanUpIfDue()),
    { dispose: feed.subscribe({ onEvents: () => status.update() }) },
    open.onDidChange(() => status.update()),
    window.onDidTurn(() => status.update()),
    status,
    new TimelineView(window),
    pastFiles.register(),
    approver,
    preview,
    documents,
    composer.files,
    review,
    terminals,
    editor,
    shell,
    languageServers,
    keys,
    output,
    { dispose: () => void audit.close().catch((error: unknown) => logger.error(String(error))) },
    { dispose: () => void scan.close() },
    excludeUserChanges(scan, files),
    new SettingNotices(logger),
    onDidChangeSettings(() => void window.refresh()),
    keys.onDidChange(() => void window.refresh()),
    keys.onDidChange(() => void learnKeys()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void window.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void window.refresh()),
  );
  return window;
}

/** `next` is the file of the draft for the next session. */
async function openDrafts(sessions: string, next: string, logger: Logger): Promise<Drafts> {
  await mkdir(dirname(next), { recursive: true });
  return new Drafts(
    draftFiles((session) => (session === '' ? next : draftPathOf(sessions, session))),
    logger.warn,
  );
}

async function readHeader(extensionPath: string, logger: Logger): Promise<string | null> {
  const path = join(extensionPath, 'media', 'heading.md');
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.trim() !== '') return text.replace(/\n+$/, '');
  logger.warn('The header is not shown: media/heading.md is missing or empty.');
  return null;
}
