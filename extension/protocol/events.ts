// The event union: what happened in a session, as it lies in the log, crosses to the panel and leaves on `--json`.
// docs/events.md draws the order; a test compares its list of names with this union.
import * as z from 'zod/mini';

/** Version of the log's format, written into `session_started`, the first event of every log. */
export const LOG_VERSION = 1;

const text = z.string();
const count = z.int().check(z.nonnegative());
/** The latest time that a `Date` can be, in milliseconds since the epoch (ECMA-262, “Time Values and Time Range”). */
const LATEST = 8.64e15;
const input = z.record(z.string(), z.unknown());

/**
 * A piece of a reply that only its maker understands (a signed thinking block, a server tool's block). It is kept byte
 * for byte and given back to the same provider and model, and left out of requests to any other.
 */
const opaque = z.object({ provider: text, model: text, data: z.unknown() });

export const risk = z.enum(['safe', 'medium', 'high']);
export const decision = z.enum(['allow_once', 'allow_session', 'allow_always', 'deny']);
const endReason = z.enum(['done', 'max_turns', 'cancelled', 'error', 'budget']);
export const runState = z.enum(['idle', 'thinking', 'running_tool', 'error']);

/** What an approval card shows: the resolved effect of a call, never the model's own words about it. */
export const actionView = z.object({
  /** One sentence that states the effect first: "Run a command in /repo". */
  title: text,
  /** The exact command, or the resolved path(s). */
  detail: text,
  /** Facts that raise the risk: outside the workspace, protected file, unsaved changes. */
  warnings: z.array(text),
  /** What "Allow in this session" and "Always allow" would cover; absent where no answer may be remembered. */
  remember: z.optional(text),
  added: z.optional(count),
  removed: z.optional(count),
});

/** The output of a command as it arrived, colours and all; of a long one the beginning and the end, in whole lines. */
const shownOutput = z.object({
  start: text,
  end: z.optional(text),
  /** Lines between the two that are left out, in whole or in part. */
  moreLines: z.optional(count),
});

/** What a change of a file did, as a unified diff without the names of files: hunks with two lines around each change. */
const diff = z.object({
  /** Lines that are very long are cut. */
  text,
  /** Lines of further hunks, or of the last one, that are left out. */
  moreLines: z.optional(count),
});

/** What lies at a path. The bytes of a file are a blob of the session, named by their SHA-256 (hex). */
const fileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('file'),
    hash: text,
    /** Bytes. */
    size: count,
    /** Permission bits, as in `chmod`. */
    mode: count,
    /** The bytes are not kept: it is too large, or was never seen as it was. */
    unkept: z.optional(z.literal(true)),
  }),
  z.object({ kind: z.literal('link'), target: text }),
  z.object({ kind: z.literal('directory'), mode: count }),
]);

/**
 * A path before and after something has happened. Absolute. `shared`: a command of another session, which ran at the same
 * time, may have done it or a part of it.
 */
const fileChange = z.object({
  path: text,
  before: fileState,
  after: fileState,
  shared: z.optional(z.literal(true)),
});

/** Where a restore goes. */
const goal = {
  to: count,
  /** What it takes back, where it takes back another `restored`. */
  redoes: z.optional(text),
  /** The session that goes on with the conversation of then. */
  fork: z.optional(text),
};

const kinds = {
  /**
   * The first event of a log. `cwd` is the workspace folder's absolute path. `mended`: the log had lost its own, and this is
   * what was known of it elsewhere.
   */
  session_started: {
    version: z.int().check(z.positive()),
    cwd: text,
    product: text,
    mended: z.optional(z.literal(true)),
    /** The session whose events before `seq` this one began with. */
    forkedFrom: z.optional(z.object({ session: text, seq: z.int().check(z.positive()) })),
  },
  /**
   * A prompt; within a run, what the user said to it meanwhile. `content` is what was typed, `context` what was added for
   * the model in place of its mentions. `attachments` are images, by their names below the folder of the sessions.
   */
  user: { content: text, context: z.optional(text), attachments: z.optional(z.array(text)) },
  /**
   * What the model is told beside the prompt that it stands behind: whole, with the tags around it. The last one of each
   * kind holds; `sources` are the files that it was made from.
   */
  context: {
    kind: z.enum(['permissions', 'collaboration', 'environment', 'instructions']),
    text,
    sources: z.optional(z.array(text)),
  },
  /** One prompt's work begins. `turn` counts the prompts of the session from 1. */
  turn_started: { turn: z.int().check(z.positive()) },
  /**
   * One request to a model begins; the blocks that follow are its reply until `request_ended`. `prefix` names the blob of
   * what it is sent before the conversation: the system prompt and the tools (`RequestPrefix`). Older logs have none.
   */
  request_started: {
    request: z.int().check(z.positive()),
    provider: text,
    model: text,
    prefix: z.optional(text),
  },
  /** A whole text block. `partial`: the reply was cut here (cancel, error). */
  text: {
    content: text,
    partial: z.optional(z.literal(true)),
    /** Said on the way, before a call: no part of the answer. */
    preamble: z.optional(z.literal(true)),
    opaque: z.optional(opaque),
  },
  /** A whole thinking block; `content` may be empty where the provider hides it. */
  reasoning: { content: text, opaque: z.optional(opaque) },
  /** A block without a neutral meaning, to be given back as it is. */
  provider_block: { opaque },
  /** `invalid`: the model's arguments were no JSON object; then `input` is empty and the call is answered with an error. */
  tool_call: { id: text, name: text, input, invalid: z.optional(text), opaque: z.optional(opaque) },
  /**
   * The reply is over. Only the blocks of a `completed` one become part of the next request as they are; of a
   * `cancelled` one the text, of a `discarded` or `refused` one nothing.
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
    /** Part of `outputTokens`. */
    reasoningTokens: z.optional(count),
    cost: z.optional(z.number().check(z.nonnegative())),
    /** Some of these tokens were not counted by the provider, but estimated. */
    estimated: z.optional(z.literal(true)),
  },
  /** The call waits for a person. Answered by a `permission` with the same id, or voided by its `tool_result`. */
  permission_request: { id: text, tool: text, risk, action: actionView },
  permission: {
    id: text,
    tool: text,
    risk,
    decision,
    by: z.enum(['policy', 'user', 'mode']),
    rule: text,
    /** SHA-256 of the action that was decided on: what runs later must hash to the same. */
    action: text,
  },
  /** The gate let the call through: from here on it may have had effects. */
  tool_started: { id: text },
  /**
   * What `id` (a call, a restore, a rejection) is about to change, as it is now: in the log before the effect, so that even
   * a killed one can be undone.
   */
  checkpoint: {
    id: text,
    /** `becomes`: what a restore or a rejection is about to make of it. */
    files: z.array(z.object({ path: text, state: fileState, becomes: z.optional(fileState) })),
    /** Of a restore: where it goes, as in `restored`. */
    restores: z.optional(z.object(goal)),
    /** Of a rejection: the file, and which of its lines it takes back, as in `files_changed`. */
    rejects: z.optional(z.object({ path: text, lines: z.optional(z.array(text)) })),
  },
  /**
   * What `id` has changed: a tool call (then it stands before its `tool_result`), or a restore, or a rejection in a review.
   * `uncovered` says what a scan has not looked at, in one sentence. `lines`: the lines that a review has decided on, by
   * the ids that the fold over the log gives them; absent where it was the whole file, empty where it did not succeed.
   */
  files_changed: {
    id: text,
    by: z.enum(['tool', 'restore', 'review']),
    changes: z.array(fileChange),
    uncovered: z.optional(text),
    lines: z.optional(z.array(text)),
  },
  /**
   * The user has accepted what was done to `path`, which was `now`: what differs from `base` still waits for a decision.
   * `lines` as in `files_changed`.
   */
  reviewed: { path: text, base: fileState, now: fileState, lines: z.optional(z.array(text)) },
  /**
   * Files of the session were made what they were when event `to` had happened, with the conversation or without. What was
   * done to each is in the `files_changed` with the same `id` before it.
   */
  restored: {
    id: text,
    ...goal,
    /**
     * Of every path that the session had changed since. `identical`: it was compared, and is what it was; `merged`: with
     * what the user has done to it; `kept`: the user's version stays; `failed`: it could not be made so.
     */
    files: z.array(
      z.object({
        path: text,
        outcome: z.enum(['identical', 'merged', 'kept', 'failed']),
        reason: z.optional(text),
        /** It is, or was, a directory. */
        folder: z.optional(z.literal(true)),
        /** Nothing was there then, and nothing was there just before. */
        absent: z.optional(z.literal(true)),
      }),
    ),
    /** Its process died in the middle of it: `files` says how far it had come. */
    interrupted: z.optional(z.literal(true)),
  },
  /**
   * Exactly one per `tool_call`. `result` is the tool's JSON as the model reads it. `end` tells why no result of the
   * tool itself is there. `seen`: versions of the files as the model now knows them, by absolute path.
   */
  tool_result: {
    id: text,
    result: text,
    isError: z.boolean(),
    end: z.optional(z.enum(['denied', 'skipped', 'cancelled', 'interrupted'])),
    seen: z.optional(z.record(z.string(), z.string())),
    added: z.optional(count),
    removed: z.optional(count),
    /** For people only, as `diff`: of a command that printed terminal codes, which `result` has not. */
    shown: z.optional(shownOutput),
    diff: z.optional(diff),
    /** Without the time in which a person was asked. */
    milliseconds: z.optional(count),
  },
  plan: {
    steps: z.array(z.object({ title: text, status: z.enum(['pending', 'in_progress', 'completed']) })),
  },
  status: { state: runState, message: text },
  /** The request failed and is sent again after `delayMs`. */
  retry: { attempt: z.int().check(z.positive()), delayMs: count, code: text, message: text },
  error: { message: text, code: text, retryable: z.boolean() },
  /** For the reader; with `toModel`, the model is told too, at the end of the newest user message. */
  notice: { message: text, toModel: z.optional(text) },
  /** To save space, the bytes that events before this one name were removed, and the recording with them. */
  trimmed: { versions: count },
  /**
   * The events before this one were imported from a file: they are those of session `from.session`, whose last line had the
   * SHA-256 `from.head`; `damaged`: that log was damaged, or changed by something else than Harness. From here on the work is in `cwd`. What a file says of this disk is not believed: what was done to
   * files before can be read, and is neither undone nor reviewed.
   */
  imported: {
    from: z.object({ session: text, head: text, damaged: z.optional(z.literal(true)) }),
    cwd: text,
  },
  /** In requests from here on, `summary` stands for everything up to event `through`. Nothing is told to the model between the two. */
  compaction: { summary: text, through: z.int().check(z.positive()) },
  /** The user has named the session; the last one counts. Without any, its first prompt names it. */
  title: { title: text },
  /** Exactly one per `turn_started`, also after an error, a cancel or a crash. */
  turn_ended: { turn: z.int().check(z.positive()), reason: endReason },
} as const;

type Kinds = typeof kinds;
export type EventType = keyof Kinds;
export const eventTypes = Object.keys(kinds) as readonly EventType[];

/** Milliseconds since the epoch. */
export const timestamp = z.int().check(z.nonnegative(), z.maximum(LATEST));

const envelope = {
  /** For display only, order is by `seq`. */
  timestamp,
  session: text,
  /** 1, 2, 3 … within the session. */
  seq: z.int().check(z.positive()),
  /** SHA-256 (hex) of the line before, empty in the first: the hash chain. */
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
    /** In memory alone: long texts of it are cut, and the log has them. `lines` is the height that it would have whole, in lines. */
    elided?: { readonly lines: number };
  };
export type SessionEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event before the log has given it its place: what the core hands to the store. */
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

/** The event in `value`, or undefined for a type of another version: a reader skips what it does not know. Throws ZodError on a known type with wrong fields. */
export function parseEvent(value: unknown): SessionEvent | undefined {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) return undefined;
  return schemas[type as EventType].parse(value) as SessionEvent;
}

/** Live only: the picture of a reply while it grows. Never stored, no `seq`. */
export const delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), session: text, text }),
  z.object({ type: z.literal('reasoning_delta'), session: text, text }),
  /** The model is writing a call; `bytes` of its arguments have arrived so far. */
  z.object({ type: z.literal('tool_input_delta'), session: text, id: text, name: text, bytes: count }),
  z.object({
    type: z.literal('tool_output_delta'),
    session: text,
    id: text,
    stream: z.enum(['stdout', 'stderr']),
    text,
  }),
]);
export type Delta = z.infer<typeof delta>;
/** A delta before the session has put its id on it. */
export type DeltaDraft = Delta extends infer D ? (D extends Delta ? Omit<D, 'session'> : never) : never;
