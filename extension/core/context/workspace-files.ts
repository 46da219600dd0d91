import { fitItems } from '../base/text/fit-items.ts';
import { escaped } from '../base/text/harmless-text.ts';
import type { ContextText } from '../ports/context-source.ts';
import { type Root, type Workspace, WorkspaceError } from '../ports/workspace.ts';
import { namesInList } from '../rendering/listings.ts';
import { fillTemplate } from './system-prompt.ts';
import files from './templates/files.md' with { type: 'text' };

/** Limit in bytes for what is said of all folders. So a whole text has less than 1 kB. */
const MAX_BYTES = 850;
const MAX_FOLDERS = 5;
/** Characters. */
const MAX_NAME = 20;

/** The first level of each folder. */
export async function filesContext(workspace: Workspace, signal: AbortSignal): Promise<ContextText> {
  const listed = await ofEachFolder(workspace.roots, async ({ path }, limit) => {
    const entries = await workspace.list(path, signal).catch(unlessUnreadable);
    const names = namesInList(entries).filter((name) => name !== '.git/');
    return fitItems(names.map(escaped), limit, '\n');
  });
  return { kind: 'files', text: fillTemplate(files, { files: listed || 'none' }) };
}

/**
 * Joins what `describe` says of each folder, within its share of the room. Several folders get their names as
 * headings.
 */
export async function ofEachFolder(
  roots: readonly Root[],
  describe: (root: Root, limit: number) => Promise<string>,
): Promise<string> {
  const described = roots.slice(0, MAX_FOLDERS);
  const share = Math.floor(MAX_BYTES / Math.max(1, described.length));
  const isSeveral = roots.length > 1;
  const parts = await Promise.all(
    described.map(async (root) => {
      const heading = isSeveral ? `[${escaped(root.name.slice(0, MAX_NAME))}]\n` : '';
      const text = await describe(root, share - heading.length - 1);
      return text && heading + text;
    }),
  );
  return parts.filter((part) => part !== '').join('\n');
}

/** Then the model learns of the problem when it lists the folder. */
function unlessUnreadable(error: unknown): string {
  if (!WorkspaceError.is(error)) throw error;
  return '';
}
