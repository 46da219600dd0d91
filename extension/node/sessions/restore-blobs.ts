import { pathsNaming } from '../../core/checkpoints/blob-names.ts';
import { readContent } from '../../core/checkpoints/current-state.ts';
import { ABSENT_STATE } from '../../core/checkpoints/file-state.ts';
import type { BlobFiles } from '../blobs/blob-files.ts';
import { nodeFileTree } from '../fs/node-file-tree.ts';
import { wholeEvents } from '../log/load-events.ts';
import { surveyLog } from '../log/survey-log.ts';

/**
 * Restores blobs that the log at `path` names and `blobs` lacks. The sources are this process's memory and
 * files whose content still matches. Resolves with the number of file versions that stay lost.
 */
export async function restoreBlobs(path: string, blobs: BlobFiles): Promise<number> {
  const { blobs: named, prefixes } = await surveyLog(path);
  const lost = new Set((await blobs.regain(named)).filter((hash) => !prefixes.has(hash)));
  if (lost.size === 0) return 0;
  for (const file of await filesNaming(path, lost)) {
    const { bytes, state } = await readContent(nodeFileTree, file).catch(() => ABSENT);
    if (bytes && state.kind === 'file' && lost.delete(state.hash)) await blobs.put(bytes);
  }
  return lost.size;
}

const ABSENT = { bytes: undefined, state: ABSENT_STATE };

/**
 * Returns only paths that this machine logged. Events before an import come from a file, which may name any
 * path.
 */
async function filesNaming(path: string, hashes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for await (const events of wholeEvents(path)) {
    for (const event of events) {
      if (event.type === 'imported') files.clear();
      for (const file of pathsNaming(event, hashes)) files.add(file);
    }
  }
  return files;
}
