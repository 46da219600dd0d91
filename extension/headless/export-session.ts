import { resolve } from 'node:path';
import { SecretFilter } from '../core/secrets/secret-filter.ts';
import { type ExportSummary, exportSession } from '../node/export-session.ts';
import { JsonlSessionStore } from '../node/jsonl-session-store.ts';
import { longSecretsOf } from '../node/process-environment.ts';
import { EXPORT_EXTENSIONS, type ReadableFormat, readableExport } from '../node/readable-export.ts';
import { replaceFile } from '../node/replace-file.ts';
import { systemClock } from '../node/system-clock.ts';
import { EXIT } from './exit-codes.ts';
import { PRODUCT } from './product.ts';

/** `harness sessions export`: says on standard output where the file is, and on standard error what is not in it. */
export async function exportTo(
  root: string,
  id: string,
  { format, json }: { readonly format: 'session' | ReadableFormat; readonly json: boolean },
  file = `${id}.${EXPORT_EXTENSIONS[format]}`,
): Promise<number> {
  const summary = await writeExport(root, id, format, resolve(file));
  if (json) process.stdout.write(`${JSON.stringify({ file: resolve(file), ...summary })}\n`);
  else {
    process.stdout.write(`${resolve(file)}\n`);
    tellOf(summary);
  }
  return EXIT.done;
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
  const { text, hidden } = await readableExport(store.stream(id), format, secrets);
  await replaceFile(path, text);
  return { hidden };
}

function tellOf(summary: Partial<ExportSummary>): void {
  const { hidden, withheld, missing, isMended, isRecordingWithheld } = summary;
  const said = [
    hidden ? `secrets in ${hidden} events are hidden` : '',
    withheld
      ? `${withheld} versions of files hold secrets and are left out: they cannot be undone there`
      : '',
    isRecordingWithheld
      ? 'the recording holds secrets and is left out: the session cannot be played there'
      : '',
    missing ? `${missing} versions of files or images are lost` : '',
    isMended ? 'the log is damaged: what is intact of it is in the file' : '',
  ];
  for (const line of said.filter((text) => text !== '')) process.stderr.write(`harness: ${line}\n`);
}
