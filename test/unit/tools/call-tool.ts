import { basename } from 'node:path';
import type { SeenFile } from '../../../extension/core/log/seen-files.ts';
import type { Action } from '../../../extension/core/permission/action.ts';
import type { Preview } from '../../../extension/core/ports/approver.ts';
import type { Shell } from '../../../extension/core/ports/shell.ts';
import type { Workspace } from '../../../extension/core/ports/workspace.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import type { Tool, ToolContext, ToolOutput } from '../../../extension/core/tools/common/tool.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';

type Seen = Map<string, SeenFile>;

interface Outcome extends Pick<ToolOutput, 'result' | 'shown' | 'diff'> {
  readonly action: Action;
  /** The first of `previews`. */
  readonly preview: Preview | undefined;
  readonly previews: readonly Preview[];
}

export interface Bench {
  readonly workspace: Workspace;
  readonly seen: Seen;
  readonly context: ToolContext;
  /** Prepares and executes, as the loop does; what the tool saw is remembered. */
  call(tool: Tool, input: unknown): Promise<Outcome>;
}

/** The real workspace on real folders. */
export function diskWorkspace(...roots: readonly string[]): NodeWorkspace {
  const named = roots.map((path) => ({ name: basename(path), path }));
  return new NodeWorkspace(named, () => Promise.reject(new Error('no search here')));
}

export function bench(workspace: Workspace, shell: Shell = new NodeShell(), timeoutMs = 30_000): Bench {
  const seen: Seen = new Map();
  const filter = new SecretFilter();
  const context = {
    workspace,
    shell,
    seen,
    timeoutMs,
    withoutSecrets: (text: string, isOutput?: boolean) => filter.text(text, isOutput),
  };
  const remember = (files: ToolOutput['seen']) => {
    for (const [path, file] of Object.entries(files ?? {})) seen.set(path, file);
  };
  return {
    workspace,
    seen,
    context,
    async call(tool, input) {
      const signal = new AbortController().signal;
      const prepared = await tool.prepare(input, context, signal);
      const output = await prepared.execute(signal, () => undefined);
      remember(output.seen);
      const { result, shown, diff } = output;
      return {
        result,
        shown,
        diff,
        action: prepared.action,
        preview: prepared.previews?.[0],
        previews: prepared.previews ?? [],
      };
    },
  };
}

/** An editor has every file open with changes that are not on disk. */
export function unsavedIn(workspace: Workspace): Workspace {
  return {
    roots: workspace.roots,
    trusted: () => true,
    stat: (path) => workspace.stat(path),
    realpath: (path) => workspace.realpath(path),
    read: async (path, maxBytes) => ({ ...(await workspace.read(path, maxBytes)), unsaved: true }),
    stream: (path, signal) => workspace.stream(path, signal),
    list: (path, signal) => workspace.list(path, signal),
    search: (query, signal) => workspace.search(query, signal),
    apply: (change) => workspace.apply(change),
  };
}
