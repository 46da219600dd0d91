import { basename } from 'node:path';
import { type SeenFile, SeenFilesFold } from '../../../extension/core/log/seen-files.ts';
import { ResultBudget } from '../../../extension/core/loop/result-budget.ts';
import type { ToolRun } from '../../../extension/core/loop/run.ts';
import { stageResult } from '../../../extension/core/loop/tool-result.ts';
import type { Action } from '../../../extension/core/permission/action.ts';
import type { Preview } from '../../../extension/core/ports/approver.ts';
import type { Shell } from '../../../extension/core/ports/shell.ts';
import type { Workspace } from '../../../extension/core/ports/workspace.ts';
import { renderResult } from '../../../extension/core/rendering/render-result.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { RefusedEdit } from '../../../extension/core/tools/common/seen-file.ts';
import type { Tool, ToolContext, ToolOutput } from '../../../extension/core/tools/common/tool.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { RUNNING_CALL } from '../../support/running-call.ts';

interface Outcome extends Pick<ToolOutput, 'result' | 'shown' | 'diff'> {
  readonly action: Action;
  /** The first of `previews`. */
  readonly preview: Preview | undefined;
  readonly previews: readonly Preview[];
  /** What the model reads. */
  readonly text: string;
}

export interface Bench {
  readonly workspace: Workspace;
  readonly seen: SeenFilesFold;
  readonly context: ToolContext;
  /** Prepares and executes, as the loop does; the model reads the result with the next request. */
  call(tool: Tool, input: unknown): Promise<Outcome>;
  /** The same within a reply: the model has not read the results of its other calls. */
  callInReply(tool: Tool, input: unknown): Promise<Outcome>;
  /** The model reads all results. */
  endReply(): void;
}

/** The real workspace on real folders. */
export function diskWorkspace(...roots: readonly string[]): NodeWorkspace {
  const named = roots.map((path) => ({ name: basename(path), path }));
  return new NodeWorkspace(named, () => Promise.reject(new Error('no search here')));
}

/** Tools within a session, or, with `isOutside`, as a program calls them without a model. */
export function bench(
  workspace: Workspace,
  shell: Shell = new NodeShell(),
  { timeoutMs = 30_000, isOutside = false } = {},
): Bench {
  const seen = new SeenFilesFold();
  const filter = new SecretFilter();
  const context: ToolContext = {
    workspace,
    shell,
    seen: isOutside ? undefined : seen,
    timeoutMs,
    withoutSecrets: (text: string, isOutput?: boolean) => filter.text(text, isOutput),
  };
  const run = {
    toolContext: context,
    cwd: '',
    remember: (files: Readonly<Record<string, SeenFile>>) => {
      for (const [path, file] of Object.entries(files)) seen.remember(path, file);
    },
    writer: { stage: () => {} } as Partial<ToolRun['writer']> as ToolRun['writer'],
  } as Partial<ToolRun> as ToolRun;
  const endReply = () => {
    seen.apply({ ...REQUEST, timestamp: 0, session: '', seq: 1, prev: '' });
  };
  const callInReply: Bench['callInReply'] = async (tool, input) => {
    const signal = new AbortController().signal;
    const prepared = await tool.prepare(input, context, signal).catch(remember);
    const output = await prepared.execute(signal, () => undefined, RUNNING_CALL).catch(remember);
    const { result, shown, diff } = output;
    const call = { id: 'call', name: tool.name, input: input as Record<string, unknown> };
    const event = {
      type: 'tool_result',
      id: 'call',
      result: JSON.stringify(result),
      isError: false,
    } as const;
    const staged = stageResult(
      run,
      call,
      { event: { ...event, ...(diff && { diff }) }, seen: output.seen },
      new ResultBudget(),
    );
    const { action, previews = [] } = prepared;
    const text = renderResult({ ...call, ...staged, diff: diff?.text, cwd: '', limit: 30_000 }).text;
    return { result, shown, diff, action, preview: previews[0], previews, text };
  };
  const remember = (error: unknown): never => {
    if (error instanceof RefusedEdit) run.remember(error.seen);
    throw error;
  };
  return {
    workspace,
    seen,
    context,
    callInReply,
    endReply,
    async call(tool, input) {
      try {
        return await callInReply(tool, input);
      } finally {
        endReply();
      }
    },
  };
}

const REQUEST = { type: 'request_started', request: 1, provider: 'p', model: 'm' } as const;

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
    tree: (path, depth, signal) => workspace.tree(path, depth, signal),
    search: (query, signal) => workspace.search(query, signal),
    find: (query, signal) => workspace.find(query, signal),
    near: (path, root, signal) => workspace.near(path, root, signal),
    apply: (change) => workspace.apply(change),
  };
}
