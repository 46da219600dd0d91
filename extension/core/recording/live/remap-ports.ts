// The ports of a scratch folder, asked with the paths of a recorded session and answering with them.
import { dirname, resolve } from 'node:path';
import { say } from '../../../protocol/say.ts';
import type { FileTree } from '../../ports/file-tree.ts';
import { type Shell, SpawnError } from '../../ports/shell.ts';
import { type Change, type Workspace, WorkspaceError } from '../../ports/workspace.ts';
import type { ScannedChanges, ScannedEntry, WorkspaceScan } from '../../ports/workspace-scan.ts';
import type { MovedPaths } from './remap-paths.ts';

export function movedWorkspace(workspace: Workspace, paths: MovedPaths): Workspace {
  const at = (path: string) => guarded(path, path, workspace, paths);
  const into = (path: string) => writable(path, path, workspace, paths);
  const back = <Value>(ask: () => Promise<Value>) => withPaths(ask, paths);
  return {
    roots: workspace.roots,
    trusted: () => workspace.trusted(),
    stat: (path) => back(async () => workspace.stat(await at(path))),
    realpath: (path) => back(async () => paths.toRecorded(await workspace.realpath(paths.toLive(path)))),
    read: (path, maxBytes) => back(async () => workspace.read(await at(path), maxBytes)),
    stream: async function* (path, signal) {
      yield* workspace.stream(await at(path), signal);
    },
    list: (path, signal) => back(async () => paths.toRecorded(await workspace.list(await at(path), signal))),
    search: (query, signal) =>
      back(async () => {
        const found = await workspace.search({ ...query, path: await at(query.path) }, signal);
        return { ...found, matches: paths.toRecorded(found.matches) };
      }),
    apply: (change) => back(async () => workspace.apply(await movedChange(change, into))),
  };
}

async function movedChange(change: Change, at: (path: string) => Promise<string>): Promise<Change> {
  if (change.kind !== 'move') return { ...change, path: await at(change.path) };
  return { kind: 'move', source: await at(change.source), destination: await at(change.destination) };
}

/** Who may read, write and run a file; without what lends its owner's rights to others. */
export const RIGHTS = 0o777;

/** `workspace` is the one of the scratch folder, which nobody else changes: what gives way is not looked at there. */
export function movedFiles(files: FileTree, workspace: Workspace, paths: MovedPaths): FileTree {
  // No link is followed at the end of a path.
  const at = (path: string) => guarded(path, dirname(path), workspace, paths);
  const into = (path: string) => writable(path, dirname(path), workspace, paths);
  const back = <Value>(ask: () => Promise<Value>) => withPaths(ask, paths);
  return {
    look: (path) =>
      back(async () => {
        const found = await files.look(await at(path));
        return found.kind === 'link' ? { ...found, target: paths.toRecorded(found.target) } : found;
      }),
    names: (path) => back(async () => files.names(await at(path))),
    read: (path, maxBytes) => back(async () => files.read(await at(path), maxBytes)),
    write: (path, bytes, mode) => back(async () => files.write(await into(path), bytes, mode & RIGHTS)),
    link: (path, target) =>
      back(async () => files.link(await into(path), await guardedTarget(path, target, workspace, paths))),
    makeDirectory: (path, mode) => back(async () => files.makeDirectory(await into(path), mode & RIGHTS)),
    setMode: (path, mode) => back(async () => files.setMode(await into(path), mode & RIGHTS)),
    tidy: async (path) => {
      if (paths.holds(await workspace.realpath(paths.toLive(path)))) await files.tidy(paths.toLive(path));
    },
    remove: (path) => back(async () => files.remove(await into(path))),
  };
}

/** Where `path` lies in the scratch folder. Rejects where a link leads out of it on the way to `followed`. */
async function guarded(
  path: string,
  followed: string,
  workspace: Workspace,
  paths: MovedPaths,
): Promise<string> {
  const real = await workspace.realpath(paths.toLive(followed));
  if (paths.holds(real)) return paths.toLive(path);
  throw leadsOut(path, real);
}

/** The same for a path that is to be changed. Rejects also where that is a repository's own. */
async function writable(
  path: string,
  followed: string,
  workspace: Workspace,
  paths: MovedPaths,
): Promise<string> {
  const live = await guarded(path, followed, workspace, paths);
  const real = await workspace.realpath(paths.toLive(followed));
  if (!paths.isOfGit(live) && !paths.isOfGit(real)) return live;
  throw new WorkspaceError('permission-denied', path, `${path} is Git's own, and no recording changes that`);
}

/** Where a link at `path` is to lead. Rejects where that is outside of the scratch folder from where the link really lies. */
async function guardedTarget(
  path: string,
  target: string,
  workspace: Workspace,
  paths: MovedPaths,
): Promise<string> {
  const moved = paths.targetToLive(path, target);
  const end = resolve(await workspace.realpath(paths.toLive(dirname(path))), moved);
  if (paths.holds(end)) return moved;
  throw leadsOut(path, end);
}

function leadsOut(path: string, to: string): WorkspaceError {
  return new WorkspaceError('permission-denied', path, `${path} leads out of the scratch folder to ${to}`);
}

export function movedScan(scan: WorkspaceScan, paths: MovedPaths): WorkspaceScan {
  return {
    prepare: () => scan.prepare(),
    absorb: (changed) => scan.absorb(changed.map((path) => paths.toLive(path))),
    begin: async (key) => {
      const end = await scan.begin(key);
      return async () => movedChanges(await end(), paths);
    },
    // What a process has left that died while it was recorded is nowhere else.
    resume: async () => undefined,
  };
}

function movedChanges({ changes, ...found }: ScannedChanges, paths: MovedPaths): ScannedChanges {
  return {
    ...found,
    changes: changes.map(({ path, before, after }) => ({
      path: paths.toRecorded(path),
      before: movedEntry(before, paths),
      after: movedEntry(after, paths),
    })),
  };
}

function movedEntry(entry: ScannedEntry, paths: MovedPaths): ScannedEntry {
  return entry.kind === 'link' ? { ...entry, target: paths.toRecorded(entry.target) } : entry;
}

/** Runs the texts of `commands` alone, which stand there by how they were recorded: somebody has looked at them as they are. */
export function movedShell(
  shell: Shell,
  workspace: Workspace,
  paths: MovedPaths,
  commands: ReadonlyMap<string, string>,
): Shell {
  return {
    description: shell.description,
    run: async (asked, onOutput, signal) => {
      const command = commands.get(asked.command);
      if (command === undefined)
        throw new SpawnError(
          say('This command was not run when the session was recorded, and is not run now.'),
        );
      const streams = {
        stdout: paths.stream((text) => onOutput('stdout', text)),
        stderr: paths.stream((text) => onOutput('stderr', text)),
      };
      const cwd = await guarded(asked.cwd, asked.cwd, workspace, paths);
      const result = await shell.run(
        { ...asked, command, cwd },
        (stream, text) => streams[stream].add(text),
        signal,
      );
      for (const stream of Object.values(streams)) stream.end();
      const { stdout, stderr } = result;
      return { ...result, stdout: paths.toRecorded(stdout), stderr: paths.toRecorded(stderr) };
    },
  };
}

/** What goes wrong is told with the recorded paths too. */
async function withPaths<Value>(ask: () => Promise<Value>, paths: MovedPaths): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const [path, message] = [error.path, error.message].map((text) => paths.toRecorded(text));
    throw new WorkspaceError(error.reason, path ?? '', message ?? '', { cause: error });
  }
}
