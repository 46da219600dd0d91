// What crosses between the extension host and the panel. Each side parses what it receives; a message that does not
// parse is dropped and logged. The panel decides nothing: it asks, the host answers with events.
import * as z from 'zod/mini';
import {
  attachment,
  attachmentAdd,
  attachmentAdded,
  attachmentOpen,
  attachmentPick,
  attachmentRefused,
  completionGet,
  completionItems,
  mentionDrop,
  promptRefused,
  promptSubmit,
} from './composer-messages.ts';
import { draftAdd, draftKept, draftSave, draftShown } from './draft-messages.ts';
import { decision, delta, parseEvent, type SessionEvent } from './events.ts';
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

/** What the panel shows beside the log. Whole each time; small. */
const panelState = z.object({
  session: z.string(),
  /** The header art, or null where the file is missing or empty. */
  header: z.nullable(z.string()),
  mode: permissionMode,
  /** `provider/model`, and the name people know it by. */
  model: z.string(),
  modelName: z.string(),
  /** The scripted demo model answers, not a real one. */
  demo: z.boolean(),
  /** A prompt can be sent: a key is there, or none is needed. */
  ready: z.boolean(),
  trusted: z.boolean(),
  /** The model takes images. */
  images: z.boolean(),
  /** It cannot be written here: another window writes this session, unless one of the next two says why. */
  readOnly: z.boolean(),
  /** It is read-only because it is a recording that is played. */
  replay: z.optional(z.boolean()),
  /** It is read-only because a newer version of Harness wrote it. */
  newer: z.optional(z.boolean()),
  hasWorkspace: z.boolean(),
  /** Absolute paths of the workspace's folders. */
  roots: z.array(z.string()),
  /** Earlier prompts, oldest first, at most 100. */
  history: z.array(z.string()),
  /** Prompts that would make sense in this workspace. */
  suggestions: z.array(z.string()),
  /** What waits until the run has ended. */
  queue: z.array(queuedPrompt),
});
export type PanelState = z.infer<typeof panelState>;

export const hostMessage = z.discriminatedUnion('type', [
  /**
   * The answer to `ready`: where the session stands, the estimated lines of each of its sections, and everything after
   * event `after`. With `after` 0 the panel forgets what it had, and `events` are those from section `from` to the end.
   * What was still growing is forgotten in any case: an `update` with its deltas so far follows.
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
    /** The host is still reading the session: these are its newest sections, and a snapshot of the whole follows. */
    isEnd: z.optional(z.literal(true)),
  }),
  /** The answer to `section/get`. */
  z.object({ type: z.literal('section'), session: z.string(), index: z.int(), events: storedEvents }),
  z.object({ type: z.literal('state'), state: panelState }),
  /**
   * Whatever was written or streamed since the last frame, in order: events first, then deltas of what is still open.
   * `starts` are the sequence numbers of those events that begin a section; `head` is there where it has changed.
   */
  z.object({
    type: z.literal('update'),
    events: storedEvents,
    deltas: z.array(delta),
    starts: z.array(z.int()),
    head: z.optional(head),
    /** Belongs to a snapshot: what had grown before that was sent. */
    isPast: z.optional(z.literal(true)),
  }),
  /**
   * The session is shown as it was after an event; without `at`, as it is now. Of the section that it ended in then, `events`
   * are all that there are now; absent where the page has got them with an earlier one of these messages.
   */
  z.object({
    type: z.literal('past'),
    session: z.string(),
    at: z.optional(
      z.object({
        seq: z.int(),
        /** Of the newest event that there is. */
        last: z.int(),
        /** Which event of how many, when, and where the session stood. */
        title: z.string(),
        /** What the event was. */
        label: z.string(),
        head,
        section: z.int(),
        /** Estimated height of that section. */
        lines: z.number(),
        events: z.optional(storedEvents),
      }),
    ),
  }),
  /** Put text into the input (a mention of the selection) without sending it. */
  z.object({
    type: z.literal('input/insert'),
    text: z.string(),
    attachments: z.optional(z.array(attachment)),
  }),
  z.object({ type: z.literal('input/focus') }),
  /** Answered by `pong` at once: whether the page still lives. */
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
  attachmentAdded,
  attachmentRefused,
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type PastPoint = NonNullable<Extract<HostMessage, { type: 'past' }>['at']>;

const session = z.string();
export const webviewMessage = z.discriminatedUnion('type', [
  /** First message of a page, and after it was hidden: `lastSeq` is the last event it holds (0: none). */
  z.object({ type: z.literal('ready'), session, lastSeq: z.int().check(z.nonnegative()) }),
  /** The events of one section, by its place in the session. */
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
  /** Try the last request again after an error, or go on after the turn limit. */
  z.object({ type: z.literal('run/continue'), session }),
  /** Do not wait for the rest of a retry's countdown. */
  z.object({ type: z.literal('retry/now'), session }),
  z.object({ type: z.literal('permission/answer'), session, id: z.string(), decision }),
  z.object({ type: z.literal('diff/open'), session, id: z.string() }),
  /** Show a call's whole result in a read-only editor. */
  z.object({ type: z.literal('result/open'), session, id: z.string() }),
  /** An http(s) address that the user clicked. */
  z.object({ type: z.literal('link/open'), href: z.url({ protocol: /^https?$/ }) }),
  /** A file that a text names, with the place in it (from 1). The host decides whether it may be shown. */
  z.object({
    type: z.literal('file/open'),
    session,
    path: z.string().check(z.minLength(1), z.maxLength(4096)),
    line: z.optional(z.int().check(z.positive())),
    column: z.optional(z.int().check(z.positive())),
  }),
  z.object({ type: z.literal('cost/get'), session }),
  /** Show the session as it was after event `seq`. Answered by `past`. */
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
    /** Which model is to be selected. */
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
  /** Something in the page went wrong; for the log channel. */
  z.object({
    type: z.literal('log'),
    level: z.enum(['warn', 'error']),
    message: z.string().check(z.maxLength(10_000)),
  }),
]);
export type WebviewMessage = z.infer<typeof webviewMessage>;
