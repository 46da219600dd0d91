// Exports a session to a file, and imports one from a file.
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { plural } from '../base/localize.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import { runSessions } from './sessions-process.ts';

const count = z._default(z.number(), 0);
const exported = z.object({
  hidden: count,
  withheld: count,
  missing: count,
  unfit: count,
  isRecordingWithheld: z._default(z.boolean(), false),
  isMended: z._default(z.boolean(), false),
});
const imported = z.object({
  session: z.string(),
  as: z.enum(['itself', 'copy', 'here']),
  recovered: count,
  isRecordingLost: z._default(z.boolean(), false),
});

interface Format extends vscode.QuickPickItem {
  /** The command line's name for the format. */
  readonly format: 'session' | 'html' | 'md';
  readonly extension: string;
}

function formats(): readonly Format[] {
  return [
    {
      label: vscode.l10n.t('Session'),
      detail: vscode.l10n.t('One file with everything, from which another machine can go on'),
      format: 'session',
      extension: 'harness-session',
    },
    {
      label: vscode.l10n.t('Web Page'),
      detail: vscode.l10n.t('To read, print and pass on: one page that needs nothing else'),
      format: 'html',
      extension: 'html',
    },
    {
      label: vscode.l10n.t('Markdown'),
      detail: vscode.l10n.t('To read and to paste'),
      format: 'md',
      extension: 'md',
    },
  ];
}

/**
 * Exports session `id` to `target`, whose extension sets the format. Without a target, asks for both. Reports
 * what the file lacks.
 */
export async function exportSessionCommand(parts: WindowParts, id: string, target: unknown): Promise<void> {
  const chosen = target instanceof vscode.Uri ? target : await chooseTarget(id);
  if (!chosen) return;
  const format =
    formats().find(({ extension }) => chosen.path.endsWith(`.${extension}`))?.format ?? 'session';
  // The save dialog has already asked before overwriting a file.
  const args = ['export', id, chosen.fsPath, '--format', format, '--force'];
  const title = vscode.l10n.t('Exporting the session …');
  const told = exported.parse(await runSessions(programOf(parts), args, title));
  void offerFile(chosen, format, [vscode.l10n.t('Session exported.'), ...leftOut(told)].join(' '));
}

async function chooseTarget(id: string): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Export Session');
  const picked = await vscode.window.showQuickPick(formats(), { title });
  if (!picked) return undefined;
  return vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(join(folderHere(), `${id}.${picked.extension}`)),
    filters: { [picked.label]: [picked.extension] },
  });
}

/** Imports the session in the file `source` and shows it. Without a source, asks for one. */
export async function importSessionCommand(parts: WindowParts, source: unknown): Promise<void> {
  const chosen = source instanceof vscode.Uri ? source : await chooseSource();
  if (!chosen) return;
  const args = ['import', chosen.fsPath, '--cwd', folderHere()];
  const title = vscode.l10n.t('Importing the session …');
  const { session, as, recovered, isRecordingLost } = imported.parse(
    await runSessions(programOf(parts), args, title),
  );
  await parts.panels.reveal(session);
  const told = [
    ...(as === 'here' ? [hereAlready(recovered)] : []),
    ...(isRecordingLost ? [vscode.l10n.t('The recording in the file is damaged and is left out.')] : []),
  ];
  if (told.length > 0) void vscode.window.showInformationMessage(told.join(' '));
}

function hereAlready(recovered: number): string {
  if (recovered === 0) return vscode.l10n.t('This session is here already, with all that is in the file.');
  return plural(
    recovered,
    'This session is here already; {0} version of a file, image or recording that it had lost is back.',
    'This session is here already; {0} versions of files, images or recordings that it had lost are back.',
  );
}

async function chooseSource(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Session'),
    openLabel: vscode.l10n.t('Import'),
    defaultUri: vscode.Uri.file(folderHere()),
    filters: { [vscode.l10n.t('Session')]: ['harness-session'], [vscode.l10n.t('All Files')]: ['*'] },
  });
  return chosen?.[0];
}

export function programOf({ extension, places, keys }: WindowParts) {
  return { extension, home: places.home, keys };
}

function folderHere(): string {
  return workspaceRoots()[0]?.path ?? homedir();
}

function leftOut(told: z.infer<typeof exported>): readonly string[] {
  const { hidden, withheld, unfit, missing, isRecordingWithheld, isMended } = told;
  return [
    ...(isMended ? [vscode.l10n.t('The log is damaged: what is intact of it is in the file.')] : []),
    ...(isRecordingWithheld
      ? [
          vscode.l10n.t(
            'The recording is damaged or may hold a secret and is left out, so the session cannot be replayed there.',
          ),
        ]
      : []),
    ...(hidden > 0
      ? [plural(hidden, 'In {0} record secrets are hidden.', 'In {0} records secrets are hidden.')]
      : []),
    ...(withheld > 0
      ? [
          plural(
            withheld,
            '{0} version of a file holds secrets and is left out.',
            '{0} versions of files hold secrets and are left out.',
          ),
        ]
      : []),
    ...(unfit > 0
      ? [
          plural(
            unfit,
            '{0} old version of a file is left out: with it the file would be larger than an import takes.',
            '{0} old versions of files are left out: with them the file would be larger than an import takes.',
          ),
        ]
      : []),
    ...(missing > 0
      ? [
          plural(
            missing,
            '{0} version of a file, or image, is lost.',
            '{0} versions of files, or images, are lost.',
          ),
        ]
      : []),
  ];
}

async function offerFile(target: vscode.Uri, format: Format['format'], message: string): Promise<void> {
  const show = format === 'session' ? vscode.l10n.t('Show in Folder') : vscode.l10n.t('Open');
  if ((await vscode.window.showInformationMessage(message, show)) !== show) return;
  if (format === 'session') await vscode.commands.executeCommand('revealFileInOS', target);
  else if (format === 'html') await vscode.env.openExternal(target);
  else await vscode.window.showTextDocument(target, { preview: true });
}
