// One file with which somebody else can see, and play again, what went wrong; the user sees first what is in it.
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { FilesNamed, type NamedFiles } from '../core/files/files-named.ts';
import { reasonOf } from './heard.ts';
import { runSessions } from './run-sessions.ts';
import { programOf } from './transfer-session.ts';
import type { WindowParts } from './window.ts';

const summary = z.object({
  events: z.number(),
  versions: z.number(),
  images: z.number(),
  hasRecording: z.boolean(),
  hidden: z.number(),
  withheld: z.number(),
  isRecordingWithheld: z._default(z.boolean(), false),
});
type Summary = z.output<typeof summary>;

/** Names that the preview lists of a kind; the others are counted. */
const MOST_NAMES = 100;

/** `target`, given by scripts, is not asked for. */
export async function reportIssue(parts: WindowParts, id: string, target: unknown): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-report-'));
  try {
    const file = join(folder, `${id}.harness-session`);
    const title = vscode.l10n.t('Putting the report together …');
    const args = ['export', id, file, '--format', 'session'];
    const made = summary.parse(await runSessions(programOf(parts), args, title));
    const content = previewOf(id, (await stat(file)).size, made, await filesOf(parts, id));
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: true });
    const path = typeof target === 'string' ? target : await askWhere(id);
    if (path === undefined) return;
    await copyFile(file, path);
    void vscode.window.showInformationMessage(vscode.l10n.t('Saved. Attach {0} to your report.', path));
  } catch (error) {
    void vscode.window.showErrorMessage(vscode.l10n.t('There is no report: {0}', reasonOf(error)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Undefined where the user does not want it any more, having seen what is in it. */
async function askWhere(id: string): Promise<string | undefined> {
  const save = vscode.l10n.t('Save…');
  const question = vscode.l10n.t('This is what the report holds. Nothing was sent or saved yet.');
  if ((await vscode.window.showInformationMessage(question, save)) !== save) return undefined;
  const defaultUri = vscode.Uri.file(join(homedir(), `${id}.harness-session`));
  return (await vscode.window.showSaveDialog({ defaultUri }))?.fsPath;
}

async function filesOf({ store }: WindowParts, id: string): Promise<NamedFiles> {
  const files = new FilesNamed();
  for await (const events of store.stream(id)) for (const event of events) files.apply(event);
  return files.names;
}

function previewOf(id: string, size: number, made: Summary, { kept, read }: NamedFiles): string {
  const facts = [
    vscode.l10n.t(
      '{0} events of the session’s log: what you typed, what the model wrote, what tools answered',
      made.events,
    ),
    recordingWords(made),
    vscode.l10n.t('{0} versions of files that were changed, and {1} images', made.versions, made.images),
  ];
  const hidden = [
    vscode.l10n.t('keys and headers of requests: they are never kept'),
    vscode.l10n.t(
      'secrets in {0} events, and {1} versions of files that hold one',
      made.hidden,
      made.withheld,
    ),
  ];
  const checks = [
    vscode.l10n.t('names of files and folders of this computer, and of its user'),
    vscode.l10n.t('code and texts that are not yours to pass on'),
  ];
  return [
    `# ${vscode.l10n.t('Report of session {0}', id)}`,
    vscode.l10n.t(
      'One file, {0} kB. Whoever gets it can read it, and play it with “Harness: Replay Session…” or `harness replay`.',
      Math.ceil(size / 1000),
    ),
    ...section(vscode.l10n.t('What is in it'), facts),
    ...section(vscode.l10n.t('Files of which versions are in it'), names(kept)),
    ...section(vscode.l10n.t('Files that were only read'), names(read)),
    ...section(vscode.l10n.t('What is not'), hidden),
    ...section(vscode.l10n.t('What you should check'), checks),
  ].join('\n\n');
}

function recordingWords({ hasRecording, isRecordingWithheld }: Summary): string {
  if (hasRecording)
    return vscode.l10n.t(
      'the recording, from which the session can be played again: bytes of replies, contents of files that were read, output of commands',
    );
  return isRecordingWithheld
    ? vscode.l10n.t('no recording: it may hold what is known as a secret by now')
    : vscode.l10n.t('no recording: the session was not recorded, and cannot be played again');
}

function names(paths: readonly string[]): readonly string[] {
  const shown = paths.slice(0, MOST_NAMES).map((path) => `\`${vscode.workspace.asRelativePath(path)}\``);
  const more = paths.length - shown.length;
  return more > 0 ? [...shown, vscode.l10n.t('and {0} more', more)] : shown;
}

function section(title: string, points: readonly string[]): readonly string[] {
  if (points.length === 0) return [];
  return [`## ${title}`, points.map((point) => `- ${point}`).join('\n')];
}
