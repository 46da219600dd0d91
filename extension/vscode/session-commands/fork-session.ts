// Forks a session at an event: in this window, or with the files of that event in a separate worktree.
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isInside } from '../../core/base/paths.ts';
import { restoreIntoCopy } from '../../core/checkpoints/restore/copy-to-worktree.ts';
import { filesOfThen } from '../../core/checkpoints/restore/fork-notice.ts';
import { guardedFiles } from '../../node/fs/guarded-files.ts';
import { nodeFileTree } from '../../node/fs/node-file-tree.ts';
import { addWorktree, repositoryOf, type Worktree } from '../../node/git/git-worktree.ts';
import { say } from '../../protocol/say.ts';
import { argumentOf } from '../base/command-argument.ts';
import { localize } from '../base/localize.ts';
import { gitProgram } from '../mentions/git-changes.ts';
import type { PanelView } from '../panel/panel.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { pointOf, type TimePoint } from '../timeline/timeline-commands.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';

/** What `executeCommand` resolves with. */
interface Forked {
  readonly session: string;
  /** The folder of the worktree. */
  readonly worktree?: string;
}

/**
 * The argument of the command. Scripts set `worktree`; for the timeline's own items, which have a `kind`,
 * Harness asks the user.
 */
const asked = z.object({ kind: z.optional(z.unknown()), worktree: z._default(z.boolean(), false) });

/** Forks the session after an event. Resolves with undefined if the user cancels. */
export async function forkSession(
  parts: WindowParts,
  panel: PanelView,
  argument: unknown,
): Promise<Forked | undefined> {
  const point = pointOf(panel, argument);
  const { kind, worktree } = argumentOf(asked, argument);
  const isDecided = argument !== undefined && kind === undefined;
  const withFiles = isDecided ? worktree : await askForFiles();
  if (withFiles === undefined) return undefined;
  if (withFiles) return forkIntoWorktree(parts, point);
  const session = await parts.sessions.branch(point.session, point.seq + 1);
  await panel.reveal();
  return { session };
}

/**
 * Resolves with undefined if the user cancels. Without a repository, resolves with false, because a copy of
 * all files would include unwanted ones.
 */
async function askForFiles(): Promise<boolean | undefined> {
  const repository = await placeForWorktree().catch(() => undefined);
  if (!repository) return false;
  const { t } = vscode.l10n;
  const items = [
    { label: t('Conversation Only'), detail: t('Your files stay unchanged.'), withFiles: false },
    {
      label: t('With Files from That Point'),
      detail: t(
        'Creates a Git worktree next to {0}. You can open it in a new window.',
        repository.repository,
      ),
      withFiles: true,
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Fork from Here') }))?.withFiles;
}

/** Rejects with a sentence for the user if a worktree is not possible. */
async function placeForWorktree(cwd?: string): Promise<{ git: string; folder: string; repository: string }> {
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('Harness creates worktrees only in trusted workspaces.'));
  const roots = workspaceRoots().map(({ path }) => path);
  const folder = cwd && roots.some((root) => isInside(root, cwd)) ? cwd : roots[0];
  if (!folder) throw new Error(vscode.l10n.t('Open a folder first.'));
  const git = await gitProgram();
  if (!git) throw new Error(vscode.l10n.t('Git is not available in this window.'));
  const repository = await repositoryOf(git, folder);
  if (!repository) throw new Error(vscode.l10n.t('{0} is not in a Git repository.', folder));
  return { git, folder, repository };
}

async function forkIntoWorktree(parts: WindowParts, { session, seq }: TimePoint): Promise<Forked> {
  const { open, store, pastFiles, rememberFor } = parts;
  const [begin] = open.find(session)?.log.events ?? (await store.read(session));
  const { git, folder } = await placeForWorktree(begin?.type === 'session_started' ? begin.cwd : undefined);
  const worktree = await addWorktree(git, folder);
  const { own } = await pastFiles.filesOf(session);
  const problems = await restoreIntoCopy(
    own,
    seq,
    [
      ...worktree.submodules.map((name) => ({
        folder: join(worktree.repository, name),
        whyNot: say('it is in a submodule, which is empty in the new worktree'),
      })),
      { folder: worktree.repository, at: worktree.path },
      { folder, at: worktree.folder },
    ],
    { files: guardedFiles(nodeFileTree, () => [worktree.path]), blobs: store.blobs(session) },
  );
  const fork = await open.forkAside(session, seq + 1, {
    cwd: worktree.folder,
    toModel: filesOfThen(worktree, [...problems.keys()]),
  });
  await rememberFor(vscode.Uri.file(worktree.folder), fork);
  void offerWindow(worktree, seq, problems);
  return { session: fork, worktree: worktree.path };
}

async function offerWindow(
  { path, folder, submodules }: Worktree,
  seq: number,
  problems: ReadonlyMap<string, string>,
): Promise<void> {
  const open = vscode.l10n.t('Open in New Window');
  const message = vscode.l10n.t('The fork is in {0}, with the files from event {1}.', path, seq);
  const others = [...problems].map(([file, problem]) =>
    vscode.l10n.t('Could not restore {0}: {1}.', file, localize(problem)),
  );
  const empty = submodules.map((name) => vscode.l10n.t('The submodule {0} is empty in the fork.', name));
  const picked = await vscode.window.showInformationMessage([message, ...empty, ...others].join('\n'), open);
  if (picked === open)
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
      forceNewWindow: true,
    });
}
