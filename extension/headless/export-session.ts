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
import { report } from './printable.ts';
import { PRODUCT } from './product.ts';

/** `harness sessions export`: says on standard output where the file is, and on standard error what is not in it. Fails where something could not be read. */
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
    tellOf(summary);
  }
  if (!summary.unread) return EXIT.done;
  report(
    `${summary.unread} versions of files, images or the recording are there and could not be read, so they are not in the file: export it again`,
  );
  return EXIT.failed;
}

/** Where links lead from there. Rejects with `UsageError` where the export has no place. */
async function targetOf(file: string, root: string, force: boolean): Promise<string> {
  if (file === '') throw new UsageError('export: the name of the file is empty');
  const path = await realPath(resolve(file));
  const folder = dirname(path);
  const [there, above] = await Promise.all([path, folder].map((each) => ifPresent(stat(each))));
  if (there?.isDirectory()) throw new UsageError(`export: ${file} is a folder; name a file in it`);
  if (there && !there.isFile()) throw new UsageError(`export: ${file} is no file; name one`);
  if (!above?.isDirectory()) throw new UsageError(`export: there is no folder ${folder}`);
  if (isInside(await realPath(root), dirname(folder)))
    throw new UsageError(`export: ${file} lies in a session; name a file elsewhere`);
  if (there && !force)
    throw new UsageError(`export: ${file} is there already; name a file that is not, or give --force`);
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

function tellOf(summary: Partial<ExportSummary>): void {
  const { hidden, withheld, unfit, missing, isMended, isRecordingWithheld } = summary;
  const said = [
    hidden ? `secrets in ${hidden} events are hidden` : '',
    withheld
      ? `${withheld} versions of files hold secrets and are left out: they cannot be undone there`
      : '',
    isRecordingWithheld
      ? 'the recording is damaged or may hold a secret, and is left out: the session cannot be played there'
      : '',
    unfit
      ? `${unfit} versions of files, the oldest, or images or the recording are left out: with them the file would unpack to more than 8 GB, which no import takes`
      : '',
    missing ? `${missing} versions of files or images are lost` : '',
    isMended ? 'the log is damaged: what is intact of it is in the file' : '',
  ];
  for (const line of said.filter((text) => text !== '')) report(line);
}
