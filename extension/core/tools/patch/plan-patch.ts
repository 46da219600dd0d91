// Plans what a patch does to the files, before it changes any of them.
import { win32 } from 'node:path';
import { ToolError } from '../../base/tool-error.ts';
import type { Target } from '../../permission/action.ts';
import { binaryFile, requireParents } from '../common/existing-file.ts';
import { currentFile } from '../common/file-change.ts';
import { editedBytes, encodeReplacement, requireOverwritable } from '../common/overwrite.ts';
import { requireNoSecretPlaceholder } from '../common/require-no-placeholder.ts';
import { resolveEntry, resolveTarget } from '../common/resolve-path.ts';
import { isKnownWhole, requireCurrent } from '../common/seen-file.ts';
import type { ToolContext } from '../common/tool.ts';
import { applyChunks } from './apply-hunks.ts';
import type { FilePatch } from './parse-patch.ts';
import { isChanged, type PlannedContent, type PlannedFile } from './planned-file.ts';

type Place = Pick<ToolContext, 'workspace' | 'seen' | 'withoutSecrets'>;
type Update = Extract<FilePatch, { kind: 'update' }>;

const INSTEAD = 'change, move or remove it with bash';

/**
 * All files that the patch would change, in the order of the patch. Several changes to one file are applied
 * one after the other. Rejects with `ToolError` if any part cannot be done.
 */
export async function planPatch(
  patches: readonly FilePatch[],
  place: Place,
): Promise<readonly PlannedFile[]> {
  const planner = new Planner(place);
  for (const patch of patches) await planner.add(patch);
  return planner.files();
}

class Planner {
  readonly #place: Place;
  /** By path. */
  readonly #files = new Map<string, PlannedFile>();

  constructor(place: Place) {
    this.#place = place;
  }

  async add(patch: FilePatch): Promise<void> {
    switch (patch.kind) {
      case 'add':
        return this.#set(await this.#created(patch.path, patch.lines));
      case 'delete':
        return this.#set(await this.#removed(patch.path));
      case 'update':
        return this.#update(patch);
    }
  }

  files(): readonly PlannedFile[] {
    return [...this.#files.values()].map((file) => this.#settled(file)).filter(isChanged);
  }

  #set(file: PlannedFile): void {
    this.#files.set(file.target.path, file);
  }

  /** If the old path has another file afterwards, the file was not moved: both are written. */
  #settled(file: PlannedFile): PlannedFile {
    const source = file.from && this.#files.get(file.from.target.path);
    return file.after && source && !source.after ? file : { ...file, from: undefined };
  }

  async #created(given: string, lines: readonly string[]): Promise<PlannedFile> {
    const file = await this.#fileAt(await this.#target(given));
    if (file.before && file.after) requireOverwritable(this.#place, file.target.path, file.before);
    const after = encodeReplacement(file.before, lines.map((line) => `${line}\n`).join(''));
    requireNoSecretPlaceholder(file.after?.text ?? '', after.text, file.target.path);
    return { ...file, after, from: undefined, isKnown: true };
  }

  async #removed(given: string): Promise<PlannedFile> {
    const file = await this.#existing(await this.#entry(given));
    requireSaved(file);
    return { ...file, after: undefined };
  }

  async #update(patch: Update): Promise<void> {
    const isMove = patch.moveTo !== undefined;
    const target = isMove ? await this.#entry(patch.path) : await this.#target(patch.path);
    const file = await this.#existing(target);
    const updated = { ...file, after: changedContent(file, patch) };
    if (patch.moveTo === undefined) return this.#set(updated);
    requireSaved(file);
    const destination = await this.#entry(patch.moveTo);
    if (destination.path === target.path) return this.#set(updated);
    const other = await this.#fileAt(destination);
    if (other.before && other.after) requireOverwritable(this.#place, destination.path, other.before);
    this.#set({ ...file, after: undefined });
    const from = file.from ?? (file.before && file);
    this.#set({ ...other, after: updated.after, from, isKnown: file.isKnown });
  }

  /** Follows a link at the end of the path. */
  async #target(given: string): Promise<Target> {
    if (win32.isAbsolute(given)) {
      throw new ToolError(
        `paths in a patch are relative to the workspace folder, and this one is not: ${given}`,
        { code: 'invalid_input' },
      );
    }
    if (/[\\/]$/.test(given)) throw new ToolError(`path is a directory: ${given}`, { code: 'invalid_input' });
    const target = await resolveTarget(this.#place.workspace, given);
    if (target.inWorkspace) return target;
    throw new ToolError(
      `a patch changes files of the workspace only, and this path leads out of it: ${given}`,
      { code: 'permission' },
    );
  }

  /** For a file that is removed or moved. Refuses a link, because its target is another file. */
  async #entry(given: string): Promise<Target> {
    const target = await this.#target(given);
    const entry = await resolveEntry(this.#place.workspace, given);
    if (entry.path.toLowerCase() === target.path.toLowerCase()) return target;
    throw new ToolError(`${given} is a link; ${INSTEAD}`, { code: 'unsupported' });
  }

  async #existing(target: Target): Promise<PlannedFile> {
    const file = await this.#fileAt(target);
    if (file.after) return file;
    throw new ToolError(`file not found: ${target.path}`, { code: 'not_found' });
  }

  async #fileAt(target: Target): Promise<PlannedFile> {
    const { workspace, seen } = this.#place;
    const planned = this.#files.get(target.path);
    if (planned) return planned;
    const before = await currentFile(workspace, target.path, INSTEAD);
    if (!before) await requireParents(workspace, target.path);
    else requireCurrent(this.#place, target.path, before.content, before.decoded?.text);
    const after = before && { bytes: before.content.bytes, text: before.decoded?.text };
    const isKnown = before !== undefined && isKnownWhole(seen, target.path, before.content);
    return { target, before, after, isKnown };
  }
}

function changedContent({ target, after, before, from }: PlannedFile, { chunks }: Update): PlannedContent {
  const { path, given } = target;
  if (after?.text === undefined) throw binaryFile(path);
  if (chunks.length === 0) return after;
  const encoding = (from?.before ?? before)?.decoded?.encoding ?? 'utf-8';
  // Includes the lines that only give the place, because the file has other ones there.
  const lines = chunks.flatMap((chunk) => [...chunk.headers, ...chunk.lines.map(({ text }) => text)]);
  requireNoSecretPlaceholder(after.text, lines.join('\n'), path);
  const text = applyChunks(after.text, chunks, given);
  return { text, bytes: editedBytes({ text, encoding }, path) };
}

/** Protects an editor's unsaved text. */
function requireSaved({ target, before }: PlannedFile): void {
  if (!before?.content.unsaved) return;
  throw new ToolError(
    `the editor holds unsaved changes: ${target.path}; nothing was applied. Ask the user to save or discard them`,
    { code: 'conflict' },
  );
}
