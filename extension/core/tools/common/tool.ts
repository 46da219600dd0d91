import '../../base/zod-messages.ts';
import type * as z from 'zod/mini';
import type { Diff, EventOf, ShownOutput } from '../../../protocol/events.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile, SeenFiles } from '../../log/seen-files.ts';
import type { Action } from '../../permission/action.ts';
import type { Preview } from '../../ports/approver.ts';
import type { Touches } from '../../ports/file-tree.ts';
import type { ModelProvider, ToolSpec } from '../../ports/model.ts';
import type { OutputStream, Shell } from '../../ports/shell.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { toJsonSchema } from './json-schema.ts';

/** What the tools of one session share. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly shell: Shell;
  /** The versions of files as the model knows them (`ABSENT` after a move away), by absolute path. */
  readonly seen: SeenFiles;
  /** For `bash`. */
  readonly timeoutMs: number;
  /**
   * What lines are taken from loses its secrets first, since a part of one is not known again. As many lines come out.
   * `isOutput`: a command says it, with codes in it that part one secret from another.
   */
  readonly withoutSecrets: (text: string, isOutput?: boolean) => string;
}

/**
 * A call whose input was checked and whose paths were resolved. Nothing has been changed yet. It is prepared anew after
 * an approval, and must then have the same action hash.
 */
export interface PreparedCall {
  readonly action: Action;
  readonly previews?: readonly Preview[] | undefined;
  /** What it may change, so that it can be undone: each path itself and all below it. */
  readonly touches?: Touches | undefined;
  /** Does it. Rejects with `ToolError` for what the model should know; `onOutput` gets a command's live output. */
  execute(signal: AbortSignal, onOutput: (stream: OutputStream, text: string) => void): Promise<ToolOutput>;
}

export interface ToolOutput {
  /** The JSON object that the model reads. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Files as the model knows them after this call, by absolute path, where it reads the whole result. */
  readonly seen?: Readonly<Record<string, SeenFile>> | undefined;
  /** For people alone. */
  readonly shown?: ShownOutput | undefined;
  readonly diff?: Diff | undefined;
  /** What the model is about to do now. */
  readonly plan?: EventOf<'plan'>['steps'] | undefined;
}

/** A tool as the loop meets it. Bad input of any kind is a `ToolError` of `prepare`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly freeform?: ToolSpec['freeform'];
  /** Offered only to models of a provider that names it in `ModelProvider.tools`. */
  readonly onDemand?: true;
  /** Rejects with `ToolError`. Reads at most; changes nothing. */
  prepare(input: unknown, context: ToolContext, signal: AbortSignal): Promise<PreparedCall>;
}

interface Definition<Schema extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  /** A strict object: an unknown field is an error that the model should hear of. */
  readonly schema: Schema;
  /** What a model is shown in place of a `schema` that takes more than it should send. */
  readonly describedSchema?: z.ZodMiniType;
  readonly freeform?: ToolSpec['freeform'];
  readonly onDemand?: true;
  prepare(input: z.infer<Schema>, context: ToolContext, signal: AbortSignal): Promise<PreparedCall>;
}

/** A tool: one file, schema and behaviour together. */
export function defineTool<const Name extends string, Schema extends z.ZodMiniType>(
  definition: Definition<Schema> & { readonly name: Name },
): Tool & { readonly name: Name } {
  let inputSchema: Tool['inputSchema'] | undefined;
  return {
    name: definition.name,
    description: definition.description,
    // Made for the first request; a start does not wait for it.
    get inputSchema() {
      inputSchema ??= toJsonSchema(definition.describedSchema ?? definition.schema);
      return inputSchema;
    },
    ...(definition.freeform && { freeform: definition.freeform }),
    ...(definition.onDemand && { onDemand: true }),
    prepare: async (input, context, signal) =>
      definition.prepare(parseInput(definition.name, definition.schema, input), context, signal),
  };
}

function parseInput<Schema extends z.ZodMiniType>(
  tool: string,
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message,
  );
  throw new ToolError(`invalid input for ${tool}: ${problems.join('; ')}`);
}

/** Those that every model gets, and those that this provider asks for. */
export function offeredTools(
  tools: readonly Tool[],
  provider: Pick<ModelProvider, 'tools'>,
): readonly Tool[] {
  return tools.filter(({ name, onDemand }) => !onDemand || provider.tools?.includes(name));
}
