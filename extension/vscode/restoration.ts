// Puts the texts of files back, where nobody has changed them since.
import type { Preview } from '../core/ports/approver.ts';
import { ABSENT, type FileContent, type Workspace, WorkspaceError } from '../core/ports/workspace.ts';
import { decodeText, encodeText, READ_LIMIT } from '../core/tools/text-file.ts';
import { versionOf } from '../core/tools/version.ts';
import { say } from '../protocol/say.ts';

export interface RestoringPorts {
  readonly workspace: Pick<Workspace, 'read' | 'stat' | 'apply' | 'roots'>;
  /** Deletes a file. */
  remove(path: string): Promise<void>;
  /** The version as which VS Code has saved what was written as version `written`; undefined where that is the same, or not known. */
  savedAs(path: string, written: string): string | undefined;
}

/** The text of a file (null: there is none) that is put in the place of another one. */
export interface Restoration {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface Outcome {
  readonly restored: readonly string[];
  /** One sentence for each file that is as it was. */
  readonly left: readonly string[];
}

/** Of each file its text before the first change and after the last one; the newest file first. */
export function restorationsOf(changes: readonly Preview[]): Restoration[] {
  const files = new Map<string, Restoration>();
  for (const { path, before, after } of changes) {
    files.set(path, { path, from: after, to: files.has(path) ? (files.get(path)?.to ?? null) : before });
  }
  return [...files.values()].reverse();
}

export async function restore(restorations: readonly Restoration[], ports: RestoringPorts): Promise<Outcome> {
  const restored: string[] = [];
  const left: string[] = [];
  for (const restoration of restorations) {
    const problem = await replace(restoration, ports).catch(problemOf);
    const name = nameOf(restoration.path, ports);
    if (problem === undefined) restored.push(name);
    else left.push(say('{0} was left alone: {1.}.', name, problem));
  }
  return { restored, left };
}

/** Undefined when it is done, else why it was not. */
async function replace({ path, from, to }: Restoration, ports: RestoringPorts): Promise<string | undefined> {
  const { workspace, remove } = ports;
  const content = (await workspace.stat(path)) && (await workspace.read(path, READ_LIMIT));
  if (!holds(content, path, from, ports)) return say('it was changed since');
  if (to === null) {
    await remove(path);
    return undefined;
  }
  const encoding = (content && decodeText(content.bytes)?.encoding) ?? 'utf-8';
  const bytes = encodeText({ text: to, encoding });
  if (!bytes) return say('its encoding has no such characters');
  await workspace.apply({ kind: 'write', path, bytes, expect: content?.version ?? ABSENT });
  return undefined;
}

/** The file holds this text, or what VS Code has made of it when it was saved. */
function holds(
  content: FileContent | undefined,
  path: string,
  text: string | null,
  { savedAs }: RestoringPorts,
): boolean {
  if (!content || text === null) return !content && text === null;
  const current = decodeText(content.bytes);
  if (!current || current.text === text) return current !== undefined;
  const written = encodeText({ text, encoding: current.encoding });
  return written !== undefined && savedAs(path, versionOf(written)) === content.version;
}

function nameOf(path: string, { workspace }: RestoringPorts): string {
  const root = workspace.roots.find((folder) => path.startsWith(`${folder.path}/`));
  return root ? path.slice(root.path.length + 1) : path;
}

function problemOf(error: unknown): string {
  if (!WorkspaceError.is(error)) throw error;
  return error.message;
}
