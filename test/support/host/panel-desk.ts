// A panel with all of its host: its view, its session, its log on the disk. Only VS Code, the model and what a panel does
// not need to show a session are played.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { SessionFeed } from '../../../extension/app/feed/session-feed.ts';
import { Drafts } from '../../../extension/app/prompts/drafts.ts';
import { PromptQueue } from '../../../extension/app/prompts/prompt-queue.ts';
import { PromptSender } from '../../../extension/app/prompts/prompt-sender.ts';
import { SessionRecordings } from '../../../extension/app/recordings/session-recordings.ts';
import { SessionController } from '../../../extension/app/sessions/session-controller.ts';
import { SessionRegistry } from '../../../extension/app/sessions/session-registry.ts';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import { inEnglish } from '../../../extension/core/ports/localization.ts';
import type { ModelProvider } from '../../../extension/core/ports/model.ts';
import { allTools } from '../../../extension/core/tools/all-tools.ts';
import { draftFiles, queueFiles } from '../../../extension/node/composer/draft-files.ts';
import { PromptHistory } from '../../../extension/node/composer/prompt-history.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { recordingsIn } from '../../../extension/node/recording/recording-file.ts';
import { findRipgrep } from '../../../extension/node/search/ripgrep-path.ts';
import { createSearch } from '../../../extension/node/search/ripgrep-search.ts';
import { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../../extension/node/settings/policy-files.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { runCommand } from '../../../extension/vscode/commands/run-command.ts';
import { PanelView } from '../../../extension/vscode/panel/panel.ts';
import { inSideBar } from '../../../extension/vscode/panel/panel-container.ts';
import type { WindowParts } from '../../../extension/vscode/panel/panel-parts.ts';
import { tempDir } from '../temp-dir.ts';
import { BridgedView } from './bridged-view.ts';

export interface PanelDesk {
  readonly sessions: SessionController;
  readonly view: BridgedView;
  readonly panel: PanelView;
  /** The workspace folder. */
  readonly root: string;
  /** Another window that shows the same session, as it reads it from the disk. */
  another(): Promise<PanelDesk>;
  /** What a page begins with is not known until then. Resolves when a page asks for it. */
  holdBeginning(until: Promise<unknown>): Promise<void>;
  dispose(): Promise<void>;
}

export interface Place {
  readonly browser: Browser;
  /** Of the built page. */
  readonly origin: string;
}

const SETTINGS: Omit<RunSettings, 'provider'> = {
  model: 'scripted',
  system: 'Work.',
  maxTokens: 4096,
  maxTurns: 1_000,
  maxToolCallsPerTurn: 15,
  timeoutMs: 30_000,
};

/** With an empty session, in which `provider` answers. */
export async function openDesk(place: Place, provider: ModelProvider): Promise<PanelDesk> {
  const folder = await tempDir();
  for (const name of ['workspace', 'home', 'sessions']) await mkdir(join(folder, name));
  return openWindow(place, provider, folder, '');
}

/** What may be warned of: that a page has died, and that Chromium lays out once more in the next frame. */
const harmless = /^The panel's page does not answer|^panel: ResizeObserver loop/;

/** Whatever else is warned of is a failure. */
function warn(message: string): void {
  if (!harmless.test(message)) throw new Error(message);
}

let views = 0;

async function openWindow(
  place: Place,
  provider: ModelProvider,
  folder: string,
  session: string,
): Promise<PanelDesk> {
  const root = join(folder, 'workspace');
  const home = join(folder, 'home');
  const logger = { warn, error: warn };
  const store = new JsonlSessionStore(join(folder, 'sessions'), systemClock);
  const audit = new JsonlAuditLog(join(home, 'audit.jsonl'));
  const open = new SessionRegistry({
    store,
    recordings: new SessionRecordings({
      openFile: recordingsIn(join(folder, 'sessions'), 'test'),
      clock: systemClock,
      isWanted: () => true,
    }),
    product: 'test',
    feed: new SessionFeed(inEnglish),
    settings: async () => ({ ...SETTINGS, provider }),
    prompts: (of) =>
      new PromptSender({
        session: of,
        queue: new PromptQueue(queueFiles(join(folder, 'sessions')), warn),
        remember: async () => {},
        changed: () => {},
        warn,
      }),
    ports: {
      workspace: new NodeWorkspace(
        [{ name: 'workspace', path: root }],
        createSearch({ ripgrepPath: await findRipgrep() }),
      ),
      shell: new NodeShell(),
      approver: { ask: async () => ({ decision: 'deny' }) },
      policies: new JsonPolicyStore(join(home, 'policies.json'), logger),
      audit,
      clock: systemClock,
      mode: () => 'bypass',
      home,
      logger,
      tools: allTools,
      random: () => 0.5,
    },
  });
  const current = { load: async () => session, save: async () => {} };
  const sessions = new SessionController({
    open,
    store,
    current,
    logger,
    notices: { warn },
  });
  await sessions.restore();
  const parts = partsOf(sessions, open, folder);
  const { describe } = parts.models;
  const holdBeginning = (until: Promise<unknown>) =>
    new Promise<void>((asked) => {
      parts.models.describe = async () => {
        asked();
        await until;
        return describe();
      };
    });
  const panel = new PanelView(parts, async () => {}, runCommand);
  views += 1;
  const view = new BridgedView({
    ...place,
    viewType: `test.view${views}`,
    resolve: (made) => panel.attach(inSideBar(made), []),
  });
  const dispose = async () => {
    await view.dispose();
    panel.dispose();
    await open.dispose();
    await parts.drafts.flush();
    await audit.close();
  };
  onTestFinished(dispose);
  const another = () => openWindow(place, provider, folder, sessions.shown.id);
  return { sessions, view, panel, root, another, holdBeginning, dispose };
}

/** As much of a window as a panel uses to show a session. */
function partsOf(sessions: SessionController, open: SessionRegistry, folder: string): WindowParts {
  const parts = {
    sessions,
    open,
    panels: { turned() {} },
    header: null,
    history: new PromptHistory(join(folder, 'home', 'history')),
    drafts: new Drafts(
      draftFiles((session) => join(folder, 'sessions', session, 'draft.json')),
      warn,
    ),
    models: {
      describe: async () => ({
        model: 'demo/demo',
        modelName: 'Demo',
        demo: false,
        ready: true,
        images: false,
      }),
    },
    approver: { pending: [], onDidChangePending: () => ({ dispose() {} }) },
    editor: { watch: () => ({ dispose() {} }) },
    output: { warn },
  };
  return parts as unknown as WindowParts;
}
