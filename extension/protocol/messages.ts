// Messages between the extension host and the panel. Each side parses what it receives, and drops and logs a
// message that does not parse. The panel decides nothing: it sends requests, and the host answers with
// events.
import * as z from 'zod/mini';
import { backgroundKeep, backgroundShow, backgroundStop, callAct } from './background-messages.ts';
import {
  attachment,
  attachmentAdd,
  attachmentAdded,
  attachmentOpen,
  attachmentPick,
  attachmentRefused,
  completionGet,
  completionItems,
  fileNever,
  fileShared,
  mentionDrop,
  promptRefused,
  promptSubmit,
} from './composer-messages.ts';
import { delta } from './delta.ts';
import { draftAdd, draftKept, draftSave, draftShown } from './draft-messages.ts';
import { decision, parseEvent, type SessionEvent } from './events.ts';
import {
  findOpen,
  findResults,
  findStart,
  findStop,
  partCopy,
  promptFound,
  promptSeek,
  promptStep,
} from './find-messages.ts';
import { head } from './head.ts';
import { ledger } from './ledger.ts';
import {
  promptFork,
  promptSteer,
  queuedPrompt,
  queueEdit,
  queueEdited,
  queueRemove,
  queueSend,
  queueTaken,
} from './queue-messages.ts';

const storedEvent = z.pipe(
  z.unknown(),
  z.transform((value, context): SessionEvent | null => {
    try {
      return parseEvent(value) ?? null;
    } catch (error) {
      context.issues.push({ code: 'custom', message: String(error), input: value });
      return z.NEVER;
    }
  }),
);
const storedEvents = z.pipe(
  z.array(storedEvent),
  z.transform((events) => events.filter((event) => event !== null)),
);

export const permissionMode = z.enum(['ask', 'acceptEdits', 'plan', 'bypass']);
export type PermissionMode = z.infer<typeof permissionMode>;

/** The state that the panel shows in addition to the log. Small, so it is always sent whole. */
const panelState = z.object({
  session: z.string(),
  /** The header art, or null if the file is missing or empty. */
  header: z.nullable(z.string()),
  mode: permissionMode,
  /** `provider/model`; the next field is its display name. */
  model: z.string(),
  modelName: z.string(),
  /** The scripted demo model answers, not a real one. */
  demo: z.boolean(),
  /** A prompt can be sent: there is a key, or the model needs none. */
  ready: z.boolean(),
  trusted: z.boolean(),
  /** The model accepts images. */
  images: z.boolean(),
  /** The panel cannot write the session. Another window writes it, unless `replay` or `newer` is set. */
  readOnly: z.boolean(),
  /** It is read-only because it is the replay of a recording. */
  replay: z.optional(z.boolean()),
  /** It is read-only because a newer version of Harness wrote it. */
  newer: z.optional(z.boolean()),
  hasWorkspace: z.boolean(),
  /** Absolute paths of the workspace's folders. */
  roots: z.array(z.string()),
  /** Earlier prompts, oldest first, at most 100. */
  history: z.array(z.string()),
  /** Suggested prompts for this workspace. */
  suggestions: z.array(z.string()),
  /** The prompts that wait for the end of the run. */
  queue: z.array(queuedPrompt),
});
export type PanelState = z.infer<typeof panelState>;

export const hostMessage = z.discriminatedUnion('type', [
  /**
   * The answer to `ready`: the state of the session, the estimated lines of each section, and everything
   * after event `after`. If `after` is 0, the panel drops what it had, and `events` begin with section
   * `from`. The panel always drops unfinished blocks, because an `update` with their deltas follows.
   */
  z.object({
    type: z.literal('snapshot'),
    state: panelState,
    head,
    lines: z.array(z.number()),
    after: z.int(),
    from: z.int(),
    starts: z.array(z.int()),
    events: storedEvents,
    /**
     * The host is still reading the session. These are its newest sections; a snapshot of the whole follows.
     */
    isEnd: z.optional(z.literal(true)),
  }),
  /** The answer to `section/get`. */
  z.object({ type: z.literal('section'), session: z.string(), index: z.int(), events: storedEvents }),
  z.object({ type: z.literal('state'), state: panelState }),
  /**
   * Everything that was written or streamed since the last frame, in order: events first, then deltas of open
   * blocks. `starts` are the sequence numbers of events that begin a section. `head` is present if it
   * changed.
   */
  z.object({
    type: z.literal('update'),
    events: storedEvents,
    deltas: z.array(delta),
    starts: z.array(z.int()),
    head: z.optional(head),
    /** Belongs to a snapshot: the deltas that had arrived before it. */
    isPast: z.optional(z.literal(true)),
  }),
  /**
   * Shows the session as it was after an event or, without `at`, as it is. `events` are all current events of
   * the section in which that state ends. They are absent if an earlier message of this type sent them.
   */
  z.object({
    type: z.literal('past'),
    session: z.string(),
    at: z.optional(
      z.object({
        seq: z.int(),
        /** Sequence number of the newest event. */
        last: z.int(),
        /** A title that names the event's place, its time and the state of the session. */
        title: z.string(),
        /** A description of the event. */
        label: z.string(),
        head,
        section: z.int(),
        /** Estimated height of that section. */
        lines: z.number(),
        events: z.optional(storedEvents),
      }),
    ),
  }),
  /** Inserts text into the input (a mention of the selection) without sending it. */
  z.object({
    type: z.literal('input/insert'),
    text: z.string(),
    attachments: z.optional(z.array(attachment)),
    withoutOpenFile: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal('input/focus') }),
  /** The page must answer with `pong` at once. Detects a page that no longer responds. */
  z.object({ type: z.literal('ping') }),
  /** The answer to `cost/get`. */
  z.object({ type: z.literal('cost'), session: z.string(), ledger }),
  draftShown,
  draftKept,
  queueEdited,
  findResults,
  findOpen,
  promptFound,
  promptStep,
  promptRefused,
  completionItems,
  fileShared,
  attachmentAdded,
  attachmentRefused,
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type PastPoint = NonNullable<Extract<HostMessage, { type: 'past' }>['at']>;

const session = z.string();
export const webviewMessage = z.discriminatedUnion('type', [
  /** First message of a page, also after it was hidden. `lastSeq` is the last event that it has (0: none). */
  z.object({ type: z.literal('ready'), session, lastSeq: z.int().check(z.nonnegative()) }),
  /** Requests the events of one section, by its index in the session. */
  z.object({ type: z.literal('section/get'), session, index: z.int().check(z.nonnegative()) }),
  promptSubmit,
  promptSteer,
  promptFork,
  queueEdit,
  queueTaken,
  queueRemove,
  queueSend,
  draftSave,
  draftAdd,
  z.object({ type: z.literal('run/cancel'), session }),
  callAct,
  backgroundStop,
  backgroundShow,
  backgroundKeep,
  /** Sends the last request again after an error, or continues after the turn limit. */
  z.object({ type: z.literal('run/continue'), session }),
  /** Sends the request at once, without waiting for the retry. */
  z.object({ type: z.literal('retry/now'), session }),
  /** `reason`: why the user denies it, in their own words. */
  z.object({
    type: z.literal('permission/answer'),
    session,
    id: z.string(),
    decision,
    reason: z.optional(z.string().check(z.maxLength(1_000))),
  }),
  /** `answer` is absent if the user does not want to answer. */
  z.object({
    type: z.literal('question/answer'),
    session,
    id: z.string(),
    answer: z.optional(z.string().check(z.minLength(1), z.maxLength(100_000))),
  }),
  z.object({ type: z.literal('diff/open'), session, id: z.string() }),
  /** Shows a call's whole result in a read-only editor. */
  z.object({ type: z.literal('result/open'), session, id: z.string() }),
  /** Opens an http(s) address that the user clicked. */
  z.object({ type: z.literal('link/open'), href: z.url({ protocol: /^https?$/ }) }),
  /** Opens a file that a text names, at a position (from 1). The host decides whether it may be shown. */
  z.object({
    type: z.literal('file/open'),
    session,
    path: z.string().check(z.minLength(1), z.maxLength(4096)),
    line: z.optional(z.int().check(z.positive())),
    column: z.optional(z.int().check(z.positive())),
  }),
  z.object({ type: z.literal('cost/get'), session }),
  /** Shows the session as it was after event `seq`. The host answers with `past`. */
  z.object({ type: z.literal('past/go'), session, seq: z.int().check(z.positive()) }),
  z.object({ type: z.literal('mode/select'), mode: permissionMode }),
  z.object({
    type: z.literal('command'),
    command: z.enum([
      'harness.setApiKey',
      'harness.selectModel',
      'harness.newSession',
      'harness.manageTrust',
      'harness.useDemo',
      'harness.managePermissions',
      'harness.showContext',
      'harness.exportMarkdown',
      'harness.compact',
      'harness.undo',
      'harness.redo',
      'harness.backToNow',
      'harness.forkSession',
      'harness.showFilesThen',
    ]),
    /** The model to select. */
    argument: z.optional(z.string().check(z.maxLength(1_000))),
  }),
  z.object({ type: z.literal('pong') }),
  findStart,
  findStop,
  promptSeek,
  partCopy,
  completionGet,
  attachmentAdd,
  attachmentPick,
  attachmentOpen,
  mentionDrop,
  fileNever,
  /** Reports an error in the page, for the log channel. */
  z.object({
    type: z.literal('log'),
    level: z.enum(['warn', 'error']),
    message: z.string().check(z.maxLength(10_000)),
  }),
]);
export type WebviewMessage = z.infer<typeof webviewMessage>;
