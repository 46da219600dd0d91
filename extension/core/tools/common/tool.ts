import '../../base/zod-messages.ts';
import type * as z from 'zod/mini';
import type { Diff, EventOf, ShownOutput } from '../../../protocol/events.ts';
import type { ToolName } from '../../../protocol/tool-names.ts';
import type { BackgroundCommands } from '../../background/background-commands.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile, SeenFiles } from '../../log/seen-files.ts';
import type { Action } from '../../permission/action.ts';
import type { UserQuestion } from '../../permission/gate.ts';
import type { Preview } from '../../ports/approver.ts';
import type { Touches } from '../../ports/file-tree.ts';
import type { LanguageServers } from '../../ports/language-servers.ts';
import type { ModelProvider, ToolSpec } from '../../ports/model.ts';
import type { OutputStream, Shell } from '../../ports/shell.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { toJsonSchema } from './json-schema.ts';

/** Shared by the tools of one session. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly shell: Shell;
  /** Absent where no editor is. */
  readonly languageServers?: LanguageServers | undefined;
  /**
   * The files as the model knows them (`ABSENT` after a move), by absolute path. Undefined if no model calls
   * the tools: then line numbers mean the current file.
   */
  readonly seen: SeenFiles | undefined;
  /** For `bash`. */
  readonly timeoutMs: number;
  /** Absent if there is no session that could keep a command. */
  readonly background?: BackgroundCommands | undefined;
  /**
   * Stores an image for the model. Undefined if the bytes are no image. Rejects with `ToolError` if the model
   * could not be sent the image. If absent, an image counts as any other binary file.
   */
  readonly keepImage?: (
    bytes: Uint8Array,
    path: string,
  ) => Promise<{ readonly name: string; readonly mediaType: string } | undefined>;
  /**
   * Removes secrets from a text. Call before lines are cut from it, because the filter does not recognize a
   * part of a secret. Keeps the number of lines. `isOutput`: a command's output, in which terminal codes may
   * separate secrets.
   */
  readonly withoutSecrets: (text: string, isOutput?: boolean) => string;
}

/**
 * A call with checked input and resolved paths. It has changed nothing yet. After an approval, the loop
 * prepares it again, and it must then have the same action hash.
 */
export interface PreparedCall {
  readonly action: Action;
  readonly previews?: readonly Preview[] | undefined;
  /** What the call may change, for undo: each path itself and everything below it. */
  readonly touches?: Touches | undefined;
  /** The user answers this before the call is executed. */
  readonly question?: UserQuestion | undefined;
  /**
   * Executes the call. Rejects with `ToolError` for an error that the model must read; `onOutput` gets a
   * command's live output. `answer`: to the question, if the call has one.
   */
  execute(
    signal: AbortSignal,
    onOutput: (stream: OutputStream, text: string) => void,
    call: RunningCall,
  ): Promise<ToolOutput>;
}

/** A call as it is executed, and what the user does with it alone. */
export interface RunningCall {
  readonly id: string;
  /** Aborted when the user stops this call. */
  readonly stopped: AbortSignal;
  /** Aborted when the user moves this call to the background. */
  readonly moved: AbortSignal;
  /** The user's answer to the call's question. */
  readonly answer?: string | undefined;
}

export interface ToolOutput {
  /** The JSON object for the model. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Files as the model knows them after it reads the whole result, by absolute path. */
  readonly seen?: Readonly<Record<string, SeenFile>> | undefined;
  /** Images for the model, by the names under which they are stored. */
  readonly attachments?: readonly string[] | undefined;
  /** Only for people. */
  readonly shown?: ShownOutput | undefined;
  /** Absolute path of a file that has more of the output than `result`. */
  readonly rest?: string | undefined;
  readonly diff?: Diff | undefined;
  /** The model's new plan. */
  readonly plan?: EventOf<'plan'>['steps'] | undefined;
}

/** A tool as the loop uses it. `prepare` reports every invalid input as a `ToolError`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly freeform?: ToolSpec['freeform'];
  /** The schema for models that were trained with the tool, if they know it with another one. */
  readonly trainedSchema?: Tool['inputSchema'];
  /** Offered only to models of a provider that names it in `ModelProvider.tools`. */
  readonly onDemand?: true;
  /** Offered only where an editor has language servers. */
  readonly needsLanguageServers?: true;
  /** The tools that a model with this one does not get. */
  readonly replaces?: readonly ToolName[];
  /** Rejects with `ToolError`. May read, but changes nothing. */
  prepare(input: unknown, context: ToolContext, signal: AbortSignal): Promise<PreparedCall>;
}

interface Definition<Schema extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  /** A strict object: the model must get an error for an unknown field. */
  readonly schema: Schema;
  /** The schema that the model gets instead of `schema`, if that accepts more than the model should send. */
  readonly describedSchema?: z.ZodMiniType;
  /** As `describedSchema`, for models that were trained with the tool. */
  readonly trainedSchema?: z.ZodMiniType;
  readonly freeform?: ToolSpec['freeform'];
  readonly onDemand?: true;
  readonly needsLanguageServers?: true;
  readonly replaces?: readonly ToolName[];
  prepare(input: z.infer<Schema>, context: ToolContext, signal: AbortSignal): Promise<PreparedCall>;
}

/** Defines a tool: one file has its schema and its behavior. */
export function defineTool<const Name extends string, Schema extends z.ZodMiniType>(
  definition: Definition<Schema> & { readonly name: Name },
): Tool & { readonly name: Name } {
  const { trainedSchema, replaces } = definition;
  let inputSchema: Tool['inputSchema'] | undefined;
  let trained: Tool['inputSchema'] | undefined;
  return {
    name: definition.name,
    description: definition.description,
    // Created on the first request, to keep the start fast.
    get inputSchema() {
      inputSchema ??= toJsonSchema(definition.describedSchema ?? definition.schema);
      return inputSchema;
    },
    ...(trainedSchema && {
      get trainedSchema() {
        trained ??= toJsonSchema(trainedSchema);
        return trained;
      },
    }),
    ...(definition.freeform && { freeform: definition.freeform }),
    ...(definition.onDemand && { onDemand: true }),
    ...(definition.needsLanguageServers && { needsLanguageServers: true }),
    ...(replaces && { replaces }),
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
  throw new ToolError(`invalid input for ${tool}: ${problems.join('; ')}`, { code: 'invalid_input' });
}

/** The tools that work here, for the models of this provider, in the form that they know. Of `languageServers`, only the presence counts. */
export function offeredTools(
  tools: readonly Tool[],
  provider: Pick<ModelProvider, 'tools'>,
  languageServers: object | undefined,
): readonly Tool[] {
  const isTrained = ({ name }: Tool) => provider.tools?.includes(name) ?? false;
  const offered = tools
    .filter(({ needsLanguageServers }) => !needsLanguageServers || languageServers)
    .filter((tool) => !tool.onDemand || isTrained(tool));
  const replaced = new Set<string>(offered.flatMap(({ replaces = [] }) => replaces));
  return offered
    .filter(({ name }) => !replaced.has(name))
    .map((tool) =>
      isTrained(tool) && tool.trainedSchema ? { ...tool, inputSchema: tool.trainedSchema } : tool,
    );
}
