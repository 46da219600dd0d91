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
  isRepaired: z.boolean(),
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
    vscode.l10n.t('names of files and folders on this computer, and your user name'),
    vscode.l10n.t('code and text that you are not allowed to share'),
  ];
  const named = (paths: readonly string[]) => names(paths.map(nameOf));
  return [
    `# ${vscode.l10n.t('Report for session {0}', id)}`,
    vscode.l10n.t(
      'One file, {0} kB. Anyone who has it can read it, and can replay it with “Harness: Replay Session…” or `harness replay`.',
      Math.ceil(bytes / 1000),
    ),
    ...section(vscode.l10n.t('Included'), heldIn(made)),
    ...section(vscode.l10n.t('Files with included versions'), named(files.kept)),
    ...section(vscode.l10n.t('Files that were only read'), named(files.read)),
    ...section(vscode.l10n.t('Instruction files in the model’s context'), named(files.instructions)),
    ...section(vscode.l10n.t('Mentions whose content was sent with prompts'), names(files.mentions)),
    ...section(vscode.l10n.t('Remembered approvals'), names(made.approvals)),
    ...section(vscode.l10n.t('Addresses of model servers'), names(made.endpoints)),
    ...section(vscode.l10n.t('Not included'), leftOutOf(made)),
    ...section(vscode.l10n.t('Check before you share'), checks),
  ].join('\n\n');
}

function heldIn(made: Exported): readonly string[] {
  return [
    vscode.l10n.t(
      '{0} events from the session log: your prompts, the model’s context and responses, and tool results',
      made.events,
    ),
    ...(made.isRepaired ? [vscode.l10n.t('only the intact part of a damaged log')] : []),
    ...(made.prefixes > 0 || made.hasRecording
      ? [vscode.l10n.t('system prompts, including your setting “harness.systemPrompt”')]
      : []),
    recordingWords(made),
    vscode.l10n.t('{0} versions of changed files, and {1} images', made.versions, made.images),
  ];
}

function leftOutOf({ hidden, withheld, unfit, missing }: Exported): readonly string[] {
  const counted = [
    [unfit, vscode.l10n.t('{0} file versions, images or recordings that did not fit', unfit)],
    [missing, vscode.l10n.t('{0} missing file versions or images', missing)],
  ] as const;
  return [
    vscode.l10n.t('API keys and request headers, which Harness never records'),
    vscode.l10n.t('secrets in {0} events, and {1} file versions that contain secrets', hidden, withheld),
    ...counted.flatMap(([count, words]) => (count > 0 ? [words] : [])),
  ];
}

function recordingWords({ hasRecording, isRecordingWithheld, isRecordingUnfit }: Exported): string {
  if (hasRecording)
    return vscode.l10n.t(
      'the recording for replay: model responses, contents of files that were read, and command output',
    );
  if (isRecordingUnfit) return vscode.l10n.t('no recording, because it did not fit');
  return isRecordingWithheld
    ? vscode.l10n.t('no recording, because it may contain a secret')
    : vscode.l10n.t('no recording, because this session was not recorded; it cannot be replayed');
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
