// The event union: what happens in a session, as stored in the log, sent to the panel and printed by
// `--json`. docs/events.md shows the order; a test compares its list of names with this union.
import * as z from 'zod/mini';
import { backgroundEvents } from './background-events.ts';
import { contextKind } from './context-kind.ts';

/** Version of the log's format, in `session_started`, the first event of every log. */
export const LOG_VERSION = 1;

const text = z.string();
const count = z.int().check(z.nonnegative());
/**
 * The latest time that a `Date` can have, in milliseconds since the epoch (ECMA-262, “Time Values and Time
 * Range”).
 */
const LATEST = 8.64e15;
const input = z.record(z.string(), z.unknown());

/**
 * A part of a reply that only its provider understands, such as a signed thinking block or a server tool's
 * block. Harness stores it byte for byte and sends it back to the same provider and model, never to another
 * one.
 */
const opaque = z.object({ provider: text, model: text, data: z.unknown() });

export const risk = z.enum(['safe', 'medium', 'high']);
export const decision = z.enum(['allow_once', 'allow_session', 'allow_always', 'deny']);
const endReason = z.enum(['done', 'max_turns', 'cancelled', 'error', 'budget']);
export const runState = z.enum(['idle', 'thinking', 'running_tool', 'error']);

/** What an approval card shows: the resolved effect of a call, never the model's own description. */
export const actionView = z.object({
  /** One sentence that states the effect first: "Run a command in /repo". */
  title: text,
  /** The exact command, or the resolved path(s). */
  detail: text,
  /** Facts that raise the risk: outside the workspace, protected file, unsaved changes. */
  warnings: z.array(text),
  /** What "Allow in this session" and "Always allow" would cover; absent if no answer may be remembered. */
  remember: z.optional(text),
  added: z.optional(count),
  removed: z.optional(count),
});

/**
 * The output of a command as it arrived, with its colors. Of a long output, the beginning and the end in
 * whole lines.
 */
const shownOutput = z.object({
  start: text,
  end: z.optional(text),
  /** Number of lines left out between the two, in whole or in part. */
  moreLines: z.optional(count),
});

/** The change of a file as a unified diff without file names: hunks with two lines around each change. */
const diff = z.object({
  /** Very long lines are cut. */
  text,
  /** Number of lines left out, of the last hunk or of further ones. */
  moreLines: z.optional(count),
});

/** What is at a path. The bytes of a file are a blob of the session, named by their SHA-256 (hex). */
const fileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('file'),
    hash: text,
    /** Bytes. */
    size: count,
    /** Permission bits, as in `chmod`. */
    mode: count,
    /** The bytes are not stored: the file is too large, or Harness never read this state. */
    unkept: z.optional(z.literal(true)),
  }),
  z.object({ kind: z.literal('link'), target: text }),
  z.object({ kind: z.literal('directory'), mode: count }),
]);

/**
 * A path (absolute) before and after a change. `shared`: the change is in doubt. A command of another session
 * may have made it or a part of it, or any program while the command ran in the background.
 */
const fileChange = z.object({
  path: text,
  before: fileState,
  after: fileState,
  shared: z.optional(z.literal(true)),
});

/** The target of a restore. */
const goal = {
  to: count,
  /** Id of the other `restored` that this restore undoes. */
  redoes: z.optional(text),
  /** The session that continues the conversation from the target. */
  fork: z.optional(text),
};

const kinds = {
  /**
   * The first event of a log. `cwd` is the workspace folder's absolute path. `mended`: the log had lost its
   * first event, and Harness rebuilt it from what it knew elsewhere.
   */
  session_started: {
    version: z.int().check(z.positive()),
    cwd: text,
    product: text,
    mended: z.optional(z.literal(true)),
    /** This session began with the events before `seq` of this other session. */
    forkedFrom: z.optional(z.object({ session: text, seq: z.int().check(z.positive()) })),
  },
  /**
   * A prompt or, within a run, a message to that run. `content` is the typed text. `context` was added for
   * the model in place of the mentions. `attachments` are images, by their names relative to the sessions'
   * folder.
   */
  user: { content: text, context: z.optional(text), attachments: z.optional(z.array(text)) },
  /**
   * Context for the model, in addition to the prompt before it: the whole text with its tags. The last one of
   * each kind is valid. `sources` are the files that it was made from.
   */
  context: {
    kind: contextKind,
    text,
    sources: z.optional(z.array(text)),
  },
  /** The work on one prompt begins. `turn` counts the prompts of the session from 1. */
  turn_started: { turn: z.int().check(z.positive()) },
  /**
   * One request to a model begins. The blocks that follow are its reply, until `request_ended`. `prefix`
   * names the blob with what precedes the conversation in it: the system prompt and the tools
   * (`RequestPrefix`). Older logs have none.
   */
  request_started: {
    request: z.int().check(z.positive()),
    provider: text,
    model: text,
    prefix: z.optional(text),
  },
  /** A whole text block. `partial`: the reply was cut here (cancel or error). */
  text: {
    content: text,
    partial: z.optional(z.literal(true)),
    /** Text before a call; not part of the answer. */
    preamble: z.optional(z.literal(true)),
    opaque: z.optional(opaque),
  },
  /** A whole thinking block; `content` may be empty if the provider hides it. */
  reasoning: { content: text, opaque: z.optional(opaque) },
  /** A block without a provider-neutral meaning. It goes back to its provider unchanged. */
  provider_block: { opaque },
  /**
   * `invalid`: the model's arguments were not a JSON object. In that case, `input` is empty and the result is
   * an error.
   */
  tool_call: { id: text, name: text, input, invalid: z.optional(text), opaque: z.optional(opaque) },
  /**
   * The reply ends. The next request contains all blocks of a `completed` reply, only the text of a
   * `cancelled` one, and nothing of a `discarded` or `refused` one.
   */
  request_ended: {
    request: z.int().check(z.positive()),
    outcome: z.enum(['completed', 'cancelled', 'discarded', 'refused']),
    stop: text,
  },
  /** `inputTokens` counts the whole prompt, cached parts included. `cost` in US dollars. */
  usage: {
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    /** The part of `outputTokens` used for thinking. */
    reasoningTokens: z.optional(count),
    cost: z.optional(z.number().check(z.nonnegative())),
    /** Some of these tokens were estimated, because the provider did not count them. */
    estimated: z.optional(z.literal(true)),
  },
  /**
   * The call waits for the user. A `permission` with the same id answers it, or its `tool_result` voids it.
   */
  permission_request: { id: text, tool: text, risk, action: actionView },
  permission: {
    id: text,
    tool: text,
    risk,
    decision,
    by: z.enum(['policy', 'user', 'mode']),
    rule: text,
    /** Why the user denied it, in their own words. */
    reason: z.optional(text),
    /** SHA-256 of the action that was decided on. The action that runs later must have the same hash. */
    action: text,
  },
  /** The call asks the user this and waits. Its `tool_result` has the answer, or says why there is none. */
  question: { id: text, question: text, options: z.array(text) },
  /** The gate allowed the call. From here on it may have had effects. */
  tool_started: { id: text },
  /**
   * The current states of the paths that `id` (a call, a restore or a rejection) is about to change. Logged
   * before the effect, so that it can be undone even if the process is killed.
   */
  checkpoint: {
    id: text,
    /** `becomes`: the state that a restore or a rejection is about to make. */
    files: z.array(z.object({ path: text, state: fileState, becomes: z.optional(fileState) })),
    /** Set for a restore: its target, as in `restored`. */
    restores: z.optional(z.object(goal)),
    /** Set for a rejection: the file, and the rejected lines, as in `files_changed`. */
    rejects: z.optional(z.object({ path: text, lines: z.optional(z.array(text)) })),
  },
  /**
   * What `id` has changed. `id` is a tool call (whose `tool_result` follows), a restore, or a rejection in a
   * review. `uncovered` says in one sentence what a scan did not examine. `lines` are the ids of the lines
   * that a review decided on, as the fold over the log assigns them. It is absent for the whole file, and
   * empty if the rejection failed.
   */
  files_changed: {
    id: text,
    by: z.enum(['tool', 'restore', 'review']),
    changes: z.array(fileChange),
    uncovered: z.optional(text),
    lines: z.optional(z.array(text)),
  },
  /**
   * The user accepted changes to `path`, whose state was `now`. What differs from `base` is still pending.
   * `lines` as in `files_changed`.
   */
  reviewed: { path: text, base: fileState, now: fileState, lines: z.optional(z.array(text)) },
  /**
   * Harness returned files of the session to their states after event `to`, with or without the conversation.
   * The `files_changed` with the same `id` before it has the changes.
   */
  restored: {
    id: text,
    ...goal,
    /**
     * Every path that the session had changed since. `identical`: compared, and equal to its earlier state.
     * `merged`: with the user's later edits. `kept`: the user's version stays. `failed`: the restore of the
     * path failed.
     */
    files: z.array(
      z.object({
        path: text,
        outcome: z.enum(['identical', 'merged', 'kept', 'failed']),
        reason: z.optional(text),
        /** It is, or was, a directory. */
        folder: z.optional(z.literal(true)),
        /** Nothing was at the path after event `to`, and nothing was there just before the restore. */
        absent: z.optional(z.literal(true)),
      }),
    ),
    /** The process died during the restore: `files` says how far it got. */
    interrupted: z.optional(z.literal(true)),
  },
  /**
   * Exactly one per `tool_call`. `result` is the tool's JSON. `end` says why there is no result of the tool
   * itself. `seen`: the versions of files that the model knows after it, by absolute path.
   */
  tool_result: {
    id: text,
    result: text,
    isError: z.boolean(),
    end: z.optional(z.enum(['denied', 'skipped', 'cancelled', 'interrupted'])),
    seen: z.optional(z.record(z.string(), z.string())),
    /** The lines of these files that the model has read (`LineView.toNumbers`). */
    lines: z.optional(z.record(z.string(), z.array(count))),
    /**
     * How the model reads the result (`renderResult`), in at most `limit` characters. `rest` is the path of a
     * file with all of it. Absent in older logs, where the model reads `result` itself.
     */
    rendering: z.optional(z.object({ version: z.int(), limit: count, rest: z.optional(text) })),
    /** Images that the model sees with the result, named as in `user`. */
    attachments: z.optional(z.array(text)),
    added: z.optional(count),
    removed: z.optional(count),
    /**
     * Only for people, like `diff`: the output of a command with terminal codes, which `result` does not
     * have.
     */
    shown: z.optional(shownOutput),
    diff: z.optional(diff),
    /** Does not include the time that the user took to answer. */
    milliseconds: z.optional(count),
  },
  ...backgroundEvents,
  plan: {
    steps: z.array(z.object({ title: text, status: z.enum(['pending', 'in_progress', 'completed']) })),
  },
  status: { state: runState, message: text },
  /** The request failed. Harness sends it again after `delayMs`. */
  retry: { attempt: z.int().check(z.positive()), delayMs: count, code: text, message: text },
  error: { message: text, code: text, retryable: z.boolean() },
  /** A message to the user. The model gets `toModel`, at the end of the newest user message. */
  notice: { message: text, toModel: z.optional(text) },
  /** To free space, Harness removed the bytes that earlier events name, and the recording with them. */
  trimmed: { versions: count },
  /**
   * The events before this one were imported from a file. They are those of session `from.session`, whose
   * last line had the SHA-256 `from.head`. `damaged`: that log was damaged, or changed by another
   * program. From here on, the agent works in `cwd`. Harness does not trust what a file says about this disk.
   * Earlier file changes can be read, but not undone or reviewed.
   */
  imported: {
    from: z.object({ session: text, head: text, damaged: z.optional(z.literal(true)) }),
    cwd: text,
  },
  /**
   * In later requests, `summary` replaces everything up to event `through`. The model gets nothing of what is
   * between the two.
   */
  compaction: { summary: text, through: z.int().check(z.positive()) },
  /** The user named the session; the last name counts. Without one, the first prompt is its title. */
  title: { title: text },
  /**
   * Exactly one per `turn_started`, even after an error, a cancel or a crash. `toModel` says to the model why
   * its work ended, if it cannot know that. It is read before the next prompt.
   */
  turn_ended: { turn: z.int().check(z.positive()), reason: endReason, toModel: z.optional(text) },
} as const;

type Kinds = typeof kinds;
export type EventType = keyof Kinds;
export const eventTypes = Object.keys(kinds) as readonly EventType[];

/** Milliseconds since the epoch. */
export const timestamp = z.int().check(z.nonnegative(), z.maximum(LATEST));

const envelope = {
  /** Only for display; `seq` gives the order. */
  timestamp,
  session: text,
  /** 1, 2, 3 … within the session. */
  seq: z.int().check(z.positive()),
  /** SHA-256 (hex) of the previous line, empty in the first: the hash chain. */
  prev: z.string(),
};

function schemaOf<T extends EventType>(type: T) {
  return z.object({ type: z.literal(type), ...kinds[type], ...envelope });
}

type SchemaOf<T extends EventType> = ReturnType<typeof schemaOf<T>>;
const schemas = Object.fromEntries(eventTypes.map((type) => [type, schemaOf(type)])) as {
  [T in EventType]: SchemaOf<T>;
};

/** One stored event, by its type. */
export type EventOf<T extends EventType> = { type: T } & z.infer<z.ZodMiniObject<Kinds[T]>> & {
    timestamp: number;
    session: string;
    seq: number;
    prev: string;
    /**
     * Set only in memory: the long texts of the event are cut, and the log has them whole. `lines` is the
     * height of the whole event, in lines.
     */
    elided?: { readonly lines: number };
  };
export type SessionEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event before the log has assigned its place. The core passes it to the store. */
export type EventDraft = { [T in EventType]: { type: T } & z.infer<z.ZodMiniObject<Kinds[T]>> }[EventType];

export type Risk = z.infer<typeof risk>;
export type Decision = z.infer<typeof decision>;
export type EndReason = z.infer<typeof endReason>;
export type RunState = z.infer<typeof runState>;
export type Opaque = z.infer<typeof opaque>;
export type ActionView = z.infer<typeof actionView>;
export type ShownOutput = z.infer<typeof shownOutput>;
export type Diff = z.infer<typeof diff>;
export type FileState = z.infer<typeof fileState>;
export type FileChange = z.infer<typeof fileChange>;

/**
 * The event in `value`. Undefined for a type of another version, because a reader skips unknown types. Throws
 * ZodError for a known type with wrong fields.
 */
export function parseEvent(value: unknown): SessionEvent | undefined {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) return undefined;
  return schemas[type as EventType].parse(value) as SessionEvent;
}
