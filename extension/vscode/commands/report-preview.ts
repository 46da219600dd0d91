// Describes what a report contains and what it leaves out. The user reads this before the report leaves the
// computer.
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { NamedFiles } from '../../core/export/files-in-log.ts';

/** The part of the output of `harness sessions export` about the file it wrote (`ExportSummary`). */
export const exported = z.object({
  events: z.number(),
  versions: z.number(),
  prefixes: z.number(),
  images: z.number(),
  hasRecording: z.boolean(),
  isRecordingWithheld: z.boolean(),
  isRecordingUnfit: z.boolean(),
  approvals: z.array(z.string()),
  endpoints: z.array(z.string()),
  hidden: z.number(),
  withheld: z.number(),
  unfit: z.number(),
  missing: z.number(),
  isMended: z.boolean(),
});
type Exported = z.output<typeof exported>;

export interface Report {
  /** The session's id. */
  readonly id: string;
  readonly bytes: number;
  readonly made: Exported;
  readonly files: NamedFiles;
}

/** The most names per kind in the preview; it counts the rest. */
const MOST_NAMES = 100;

/** Returns Markdown. `nameOf` shortens a path. */
export function previewOf({ id, bytes, made, files }: Report, nameOf: (path: string) => string): string {
  const checks = [
    vscode.l10n.t('names of files and folders of this computer, and of its user'),
    vscode.l10n.t('code and texts that are not yours to pass on'),
  ];
  const named = (paths: readonly string[]) => names(paths.map(nameOf));
  return [
    `# ${vscode.l10n.t('Report of session {0}', id)}`,
    vscode.l10n.t(
      'One file, {0} kB. Whoever gets it can read it, and play it with “Harness: Replay Session…” or `harness replay`.',
      Math.ceil(bytes / 1000),
    ),
    ...section(vscode.l10n.t('What is in it'), heldIn(made)),
    ...section(vscode.l10n.t('Files of which versions are in it'), named(files.kept)),
    ...section(vscode.l10n.t('Files that were only read'), named(files.read)),
    ...section(vscode.l10n.t('Files with instructions that the model was told'), named(files.instructions)),
    ...section(vscode.l10n.t('Mentions whose contents went with prompts'), names(files.mentions)),
    ...section(vscode.l10n.t('Approvals that you have remembered'), names(made.approvals)),
    ...section(vscode.l10n.t('Addresses of models'), names(made.endpoints)),
    ...section(vscode.l10n.t('What is not'), leftOutOf(made)),
    ...section(vscode.l10n.t('What you should check'), checks),
  ].join('\n\n');
}

function heldIn(made: Exported): readonly string[] {
  return [
    vscode.l10n.t(
      '{0} events of the session’s log: what you typed, what the model was told and wrote, what tools answered',
      made.events,
    ),
    ...(made.isMended ? [vscode.l10n.t('of a damaged log what is intact')] : []),
    ...(made.prefixes > 0 || made.hasRecording
      ? [vscode.l10n.t('system prompts, with what your setting “harness.systemPrompt” adds')]
      : []),
    recordingWords(made),
    vscode.l10n.t('{0} versions of files that were changed, and {1} images', made.versions, made.images),
  ];
}

function leftOutOf({ hidden, withheld, unfit, missing }: Exported): readonly string[] {
  const counted = [
    [unfit, vscode.l10n.t('{0} versions of files, images or the recording, for want of room', unfit)],
    [missing, vscode.l10n.t('{0} versions of files or images that are lost', missing)],
  ] as const;
  return [
    vscode.l10n.t('keys and headers of requests: they are never kept'),
    vscode.l10n.t('secrets in {0} events, and {1} versions of files that hold one', hidden, withheld),
    ...counted.flatMap(([count, words]) => (count > 0 ? [words] : [])),
  ];
}

function recordingWords({ hasRecording, isRecordingWithheld, isRecordingUnfit }: Exported): string {
  if (hasRecording)
    return vscode.l10n.t(
      'the recording, from which the session can be played again: bytes of replies, contents of files that were read, output of commands',
    );
  if (isRecordingUnfit) return vscode.l10n.t('no recording: there is no room for it');
  return isRecordingWithheld
    ? vscode.l10n.t('no recording: it may hold what is known as a secret by now')
    : vscode.l10n.t('no recording: the session was not recorded, and cannot be played again');
}

function names(all: readonly string[]): readonly string[] {
  const shown = all.slice(0, MOST_NAMES).map((name) => `\`${name}\``);
  const more = all.length - shown.length;
  return more > 0 ? [...shown, vscode.l10n.t('and {0} more', more)] : shown;
}

function section(title: string, points: readonly string[]): readonly string[] {
  if (points.length === 0) return [];
  return [`## ${title}`, points.map((point) => `- ${point}`).join('\n')];
}
