// Finds the instructions for agents: in the user's own folder, and in the workspace's folders between a root
// and the touched files.
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '../base/paths.ts';
import { concatBytes, looksBinary, markedEncoding } from '../base/text/encoding.ts';
import { type Root, type Workspace, WorkspaceError } from '../ports/workspace.ts';

/** Of each folder, the first of these that exists and is not empty counts. */
const NAMES = ['AGENTS.override.md', 'AGENTS.md', 'CLAUDE.md'];
const ROOT_NAMES = [...NAMES, join('.github', 'copilot-instructions.md')];

export interface InstructionFile {
  /** A folder (absolute) with everything below it, or `every workspace`. */
  readonly holdsFor: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** The file continues after `text`. */
  readonly isCut: boolean;
}

interface Place {
  readonly folder: string;
  readonly holdsFor: string;
  readonly names: readonly string[];
  /**
   * Absolute, links resolved. A file outside this folder is not read, even if a link leads there. Absent for
   * the user's own file, which may be anywhere.
   */
  readonly within?: string;
}

/**
 * The instructions for the roots and for the folders between them and the `touched` files (absolute paths,
 * links resolved). The user's own come first, then those of each root, outer folders first. Reads at most
 * `maxBytes` of each file.
 */
export async function instructionFiles(
  workspace: Workspace,
  home: string,
  touched: readonly string[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<readonly InstructionFile[]> {
  const ofUser: Place = { folder: home, holdsFor: 'every workspace', names: ['AGENTS.md'] };
  const ofRoots = await Promise.all(workspace.roots.map((root) => placesBelow(workspace, root, touched)));
  const places = new Map([ofUser, ...ofRoots.flat()].map((place) => [place.folder, place]));
  const read = (place: Place) => firstFile(workspace, place, maxBytes, signal);
  const found = await Promise.all([...places.values()].map(read));
  return found.filter((file) => file !== undefined);
}

async function placesBelow(
  workspace: Workspace,
  { path }: Root,
  touched: readonly string[],
): Promise<readonly Place[]> {
  const within = await workspace.realpath(path).catch(unlessUnreadable);
  if (within === undefined) return [];
  const inside = touched.filter((file) => file !== within && isInside(within, file));
  const folders = new Set(inside.flatMap((file) => stepsTo(relative(within, dirname(file)))));
  return [
    { folder: path, holdsFor: path, names: ROOT_NAMES, within },
    ...[...folders].sort().map((step) => {
      const folder = join(path, step);
      return { folder, holdsFor: folder, names: NAMES, within };
    }),
  ];
}

/** For "a/b": a, then a/b. */
function stepsTo(folder: string): string[] {
  const names = folder.split(sep).filter((name) => name !== '');
  return names.map((_, index) => names.slice(0, index + 1).join(sep));
}

async function firstFile(
  workspace: Workspace,
  { folder, holdsFor, names, within }: Place,
  maxBytes: number,
  signal: AbortSignal,
): Promise<InstructionFile | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const file = await readInside(workspace, path, within, maxBytes, signal).catch(unlessUnreadable);
    if (file && file.text.trim() !== '') return { holdsFor, path, ...file };
  }
  return undefined;
}

/** Undefined if the file is not text, or lies outside `within`. */
async function readInside(
  workspace: Workspace,
  path: string,
  within: string | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Pick<InstructionFile, 'text' | 'isCut'> | undefined> {
  if ((await workspace.stat(path))?.type !== 'file') return undefined;
  const real = await workspace.realpath(path);
  if (within !== undefined && !isInside(within, real)) return undefined;
  const bytes = await beginning(workspace.stream(real, signal), maxBytes + 1);
  const encoding = markedEncoding(bytes);
  if (!encoding.startsWith('utf-16') && looksBinary(bytes)) return undefined;
  // With `stream`, the decoder drops an incomplete character at the end.
  const decoder = new TextDecoder(encoding.replace('-bom', ''));
  return {
    text: decoder.decode(bytes.subarray(0, maxBytes), { stream: true }),
    isCut: bytes.length > maxBytes,
  };
}

async function beginning(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let have = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    have += chunk.length;
    if (have >= size) break;
  }
  return concatBytes(parts).subarray(0, size);
}

/** Unreadable instructions count as missing, because the work does not depend on them. */
function unlessUnreadable(error: unknown): undefined {
  if (!WorkspaceError.is(error)) throw error;
}
