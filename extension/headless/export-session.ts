import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isInside } from '../core/base/paths.ts';
import { SecretFilter } from '../core/secrets/secret-filter.ts';
import { ifPresent } from '../node/fs/file-errors.ts';
import { realPath } from '../node/fs/real-path.ts';
import { replaceFile } from '../node/fs/replace-file.ts';
import { removeLeftovers } from '../node/fs/temporary-files.ts';
import { longSecretsOf } from '../node/processes/process-environment.ts';
import { JsonlSessionStore } from '../node/sessions/jsonl-session-store.ts';
import { systemClock } from '../node/system-clock.ts';
import { type ExportSummary, exportSession } from '../node/transfer/export-session.ts';
import { EXPORT_EXTENSIONS, type ReadableFormat, readableExport } from '../node/transfer/readable-export.ts';
import { UsageError, type VerbOptions } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { allOrNothing } from './interrupts.ts';
import { counted, report } from './printable.ts';
import { PRODUCT } from './product.ts';

/**
 * Runs `harness sessions export`. Prints the path of the file on standard output, and what the file lacks on
 * standard error. Fails if something could not be read.
 */
export async function exportTo(
  root: string,
  id: string,
  { format, json, force }: VerbOptions<'export'>,
  file = `${id}.${EXPORT_EXTENSIONS[format]}`,
): Promise<number> {
  const path = await targetOf(file, root, force);
  await removeLeftovers(dirname(path));
  const summary = await allOrNothing(dirname(path), () => writeExport(root, id, format, path));
  if (json) process.stdout.write(`${JSON.stringify({ file: resolve(file), ...summary })}\n`);
  else {
    process.stdout.write(`${resolve(file)}\n`);
    reportGaps(summary);
  }
  if (!summary.unread) return EXIT.done;
  report(
    `could not read ${counted(summary.unread, 'stored file')} (file versions, images or the recording), so the export lacks them; export again`,
  );
  return EXIT.failed;
}

/**
 * Resolves with the path to write, links resolved. Rejects with `UsageError` if an export cannot go there.
 */
async function targetOf(file: string, root: string, force: boolean): Promise<string> {
  if (file === '') throw new UsageError('export: the file name is empty');
  const path = await realPath(resolve(file));
  const folder = dirname(path);
  const [there, above] = await Promise.all([path, folder].map((each) => ifPresent(stat(each))));
  if (there?.isDirectory()) throw new UsageError(`export: ${file} is a folder; name a file in it`);
  if (there && !there.isFile())
    throw new UsageError(`export: ${file} is not a regular file; name another file`);
  if (!above?.isDirectory()) throw new UsageError(`export: there is no folder ${folder}`);
  if (isInside(await realPath(root), dirname(folder)))
    throw new UsageError(`export: ${file} is inside a session folder; name a file elsewhere`);
  if (there && !force)
    throw new UsageError(`export: ${file} already exists; name another file, or use --force to replace it`);
  return path;
}

async function writeExport(
  root: string,
  id: string,
  format: 'session' | ReadableFormat,
  path: string,
): Promise<Partial<ExportSummary>> {
  const secrets = new SecretFilter(longSecretsOf(process.env));
  if (format === 'session') return exportSession({ root, id, secrets, product: PRODUCT }, path);
  const store = new JsonlSessionStore(root, systemClock);
  const read = (onDamaged?: (lines: number) => void) => store.stream(id, onDamaged);
  const { text, ...summary } = await readableExport(read, format, secrets);
  await replaceFile(path, text);
  return summary;
}

/** Reports what the export masks and lacks, one line each. */
function reportGaps(summary: Partial<ExportSummary>): void {
  const { hidden, withheld, unfit, missing, isRepaired, isRecordingWithheld } = summary;
  const lines = [
    hidden ? `masked the secrets in ${counted(hidden, 'event')}` : '',
    withheld
      ? `left out ${counted(withheld, 'file version')} with secrets; the exported session cannot undo these changes`
      : '',
    isRecordingWithheld
      ? 'left out the recording, because it is damaged or may hold a secret; the exported session cannot be replayed'
      : '',
    unfit
      ? `left out ${counted(unfit, 'stored file')} (the oldest file versions, images or the recording), because an import accepts at most 8 GB unpacked`
      : '',
    missing ? `the session has lost ${counted(missing, 'stored file')} (file versions or images)` : '',
    isRepaired ? 'the log is damaged; the file contains its intact part' : '',
  ];
  for (const line of lines.filter((text) => text !== '')) report(line);
}
