import { ToolError } from '../../base/tool-error.ts';
import type { Change, Workspace } from '../../ports/workspace.ts';
import { ABSENT, WorkspaceError } from '../../ports/workspace.ts';
import { toolErrorCode } from '../common/workspace-failure.ts';
import { type PlannedFile, versionAfter, versionBefore } from './planned-file.ts';

interface Step {
  readonly change: Change;
  /** Changes that undo this one, if the file still has this version. */
  readonly undo: (version: string) => readonly Change[];
}

/**
 * Moves come first, because they free paths. Deletions come last, because they are the hardest to undo.
 */
const ORDER: readonly Change['kind'][] = ['move', 'write', 'delete'];

/**
 * Applies everything or nothing. Resolves with the versions that were written, by path; rejects with
 * `ToolError`.
 */
export async function applyFiles(
  files: readonly PlannedFile[],
  workspace: Workspace,
): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  const undo: Change[] = [];
  try {
    for (const { change, undo: back } of stepsOf(files)) {
      const version = (await workspace.apply(change)) ?? ABSENT;
      if (change.kind === 'write') versions.set(change.path, version);
      undo.unshift(...back(version));
    }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error;
    throw new ToolError(await takeBack(error, undo, workspace), { code: toolErrorCode(error), cause: error });
  }
  return versions;
}

/** Resolves with the message for the model. */
async function takeBack({ message }: WorkspaceError, undo: readonly Change[], workspace: Workspace) {
  const left: string[] = [];
  for (const change of undo) {
    await workspace.apply(change).catch((error: unknown) => left.push(`${pathOf(change)}: ${String(error)}`));
  }
  if (left.length === 0) return `${message}. Nothing was applied.`;
  return `${message}. The rest was taken back, but not here: ${left.join('; ')}`;
}

function pathOf(change: Change): string {
  return change.kind === 'move' ? change.destination : change.path;
}

function stepsOf(files: readonly PlannedFile[]): readonly Step[] {
  const moved = new Set(files.map(({ from }) => from?.target.path));
  const steps = files.filter((file) => file.after || !moved.has(file.target.path)).flatMap(stepsOfFile);
  return steps.toSorted((a, b) => ORDER.indexOf(a.change.kind) - ORDER.indexOf(b.change.kind));
}

function stepsOfFile(file: PlannedFile): readonly Step[] {
  const { from, after } = file;
  if (!after) return [deletion(file)];
  if (!from) return [writing(file, file)];
  const isSame = versionBefore(from) === versionAfter(file);
  return isSame ? [moving(from, file)] : [moving(from, file), writing(file, from)];
}

/** `old` is the file at the path before. */
function writing({ target: { path }, after }: PlannedFile, old: PlannedFile): Step {
  const bytes = after?.bytes ?? new Uint8Array();
  const change: Change = { kind: 'write', path, bytes, expect: versionBefore(old) };
  const before = old.before?.content.bytes;
  const undo = (expect: string): readonly Change[] => [
    before ? { kind: 'write', path, bytes: before, expect } : { kind: 'delete', path, expect },
  ];
  return { change, undo };
}

function deletion(file: PlannedFile): Step {
  const { path } = file.target;
  const bytes = file.before?.content.bytes ?? new Uint8Array();
  return {
    change: { kind: 'delete', path, expect: versionBefore(file) },
    undo: () => [{ kind: 'write', path, bytes, expect: ABSENT }],
  };
}

function moving({ target: { path: source } }: PlannedFile, { target, before }: PlannedFile): Step {
  const { path } = target;
  const back: Change = { kind: 'move', source: path, destination: source };
  const bytes = before?.content.bytes;
  return {
    change: { kind: 'move', source, destination: path },
    undo: () => (bytes ? [back, { kind: 'write', path, bytes, expect: ABSENT }] : [back]),
  };
}
