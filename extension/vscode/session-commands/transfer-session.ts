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
  isRepaired: z._default(z.boolean(), false),
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
      detail: vscode.l10n.t('One file with everything, to continue on another computer'),
      format: 'session',
      extension: 'harness-session',
    },
    {
      label: vscode.l10n.t('Web Page'),
      detail: vscode.l10n.t('A self-contained page to read, print and share'),
      format: 'html',
      extension: 'html',
    },
    {
      label: vscode.l10n.t('Markdown'),
      detail: vscode.l10n.t('Text to read and paste'),
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
  const title = vscode.l10n.t('Exporting the session…');
  const result = exported.parse(await runSessions(programOf(parts), args, title));
  void offerFile(chosen, format, [vscode.l10n.t('Session exported.'), ...leftOut(result)].join(' '));
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
  const title = vscode.l10n.t('Importing the session…');
  const { session, as, recovered, isRecordingLost } = imported.parse(
    await runSessions(programOf(parts), args, title),
  );
  await parts.panels.reveal(session);
  const notes = [
    ...(as === 'here' ? [hereAlready(recovered)] : []),
    ...(isRecordingLost ? [vscode.l10n.t('The recording in the file is damaged and was not imported.')] : []),
  ];
  if (notes.length > 0) void vscode.window.showInformationMessage(notes.join(' '));
}

function hereAlready(recovered: number): string {
  if (recovered === 0) return vscode.l10n.t('This session already exists. The file contains nothing new.');
  return plural(
    recovered,
    'This session already exists. Harness recovered {0} missing file version, image or recording.',
    'This session already exists. Harness recovered {0} missing file versions, images or recordings.',
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

function leftOut(result: z.infer<typeof exported>): readonly string[] {
  const { hidden, withheld, unfit, missing, isRecordingWithheld, isRepaired } = result;
  return [
    ...(isRepaired ? [vscode.l10n.t('The log is damaged. The file contains only its intact part.')] : []),
    ...(isRecordingWithheld
      ? [
          vscode.l10n.t(
            'The recording is damaged or may contain a secret. It is not included, so the exported session cannot be replayed.',
          ),
        ]
      : []),
    ...(hidden > 0
      ? [plural(hidden, 'Secrets are hidden in {0} event.', 'Secrets are hidden in {0} events.')]
      : []),
    ...(withheld > 0
      ? [
          plural(
            withheld,
            '{0} file version contains secrets and is not included.',
            '{0} file versions contain secrets and are not included.',
          ),
        ]
      : []),
    ...(unfit > 0
      ? [
          plural(
            unfit,
            '{0} old file version is not included, because the file would be too large to import.',
            '{0} old file versions are not included, because the file would be too large to import.',
          ),
        ]
      : []),
    ...(missing > 0
      ? [plural(missing, '{0} file version or image is missing.', '{0} file versions or images are missing.')]
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
