// Puts the page together: messages come in once a frame, what the user does goes out, the page's own state is saved.
import { batch, createSignal } from 'solid-js';
import type { Attachment } from '../../extension/protocol/composer-messages.ts';
import type { HostMessage, WebviewMessage } from '../../extension/protocol/messages.ts';
import { type Announcement, announcementOf, joinAnnouncements } from './announce.ts';
import type { Channel, Incoming } from './channel.ts';
import { type Draft, switchDraft } from './drafts.ts';
import { createEditing, type Editing } from './editing.ts';
import { createExpanded, type Expanded } from './expanded.ts';
import { createFrameQueue, requestPageFrame } from './frame-queue.ts';
import { createMemory, type Memory } from './persist.ts';
import { createSessionStore, type SessionStore } from './store.ts';
import { createSync } from './sync.ts';

type WithoutSession<Message> = Message extends { session: string } ? Omit<Message, 'session'> : never;
/** A message about the session that is shown, which is filled in. */
export type SessionMessage = WithoutSession<Exclude<WebviewMessage, { type: 'ready' }>>;

/** What the host may ask of the input. */
export interface InputRequests {
  insert(text: string, attachments?: readonly Attachment[]): void;
  replace(text: string): void;
  /** Shows another draft; the user cannot undo it, and the focus stays where it is. */
  load(draft: Draft): void;
  focus(): void;
}

export interface Panel {
  readonly store: SessionStore;
  readonly memory: Memory;
  readonly expanded: Expanded;
  readonly editing: Editing;
  /** The input; does nothing before `attachInput`. */
  readonly input: InputRequests;
  attachInput(input: InputRequests): void;
  post(message: WebviewMessage): void;
  send(message: SessionMessage): void;
  /** Calls `receive` with each message of the host, after what it says of the session has been taken in. */
  listen(receive: (message: HostMessage) => void): void;
  /** Sections that are needed now; of the others, only some are kept. */
  keepSections(needed: readonly number[]): void;
  announcement(): Announcement | undefined;
  /** Says something to a screen reader. */
  announce(said: Announcement): void;
  reportError(error: unknown): void;
  /** Begins to listen, and asks the host for the session. */
  connect(): void;
}

const noInput: InputRequests = { insert() {}, replace() {}, load() {}, focus() {} };

export function createPanel(channel: Channel): Panel {
  const { store, target, keepSections } = createSessionStore();
  const memory = createMemory(channel);
  const [announcement, announce] = createSignal<Announcement>();
  const expanded = createExpanded(memory);
  let input = noInput;
  /** A prompt of this page is about to begin a session. */
  let isBegun = false;
  const editing = createEditing(memory, (text) => input.replace(text));
  /** What the messages of one frame had to say. */
  const heard: Announcement[] = [];
  const listeners: ((message: HostMessage) => void)[] = [];
  const sync = createSync(target, {
    session: memory.saved.session,
    isReading: memory.saved.reading !== null,
    askHost: (session, lastSeq) => channel.post({ type: 'ready', session, lastSeq }),
    onEvent: (event) => heard.push(...[announcementOf(event)].filter((said) => said !== undefined)),
  });
  const queue = createFrameQueue<Incoming>((arrived) => {
    batch(() => arrived.forEach(guarded(sync.receive, channel)));
    for (const { message } of arrived) for (const receive of listeners) receive(message);
    if (heard.length > 0) announce(joinAnnouncements(heard.splice(0)));
    if (store.panel && store.panel.session !== memory.saved.session)
      startOver({ memory, expanded, editing, input }, store.panel.session, isBegun);
    if (store.panel?.session) isBegun = false;
  }, requestPageFrame);

  return {
    store,
    memory,
    expanded,
    editing,
    get input() {
      return input;
    },
    attachInput(attached) {
      input = attached;
    },
    post: channel.post,
    // The union of messages, each with its session again.
    send(message) {
      const session = store.panel?.session ?? '';
      if (message.type === 'prompt/submit' && session === '') isBegun = true;
      channel.post({ ...message, session } as WebviewMessage);
    },
    listen: (receive) => listeners.push(receive),
    keepSections,
    announcement,
    announce,
    reportError: channel.reportError,
    connect() {
      channel.listen((incoming) => {
        if (incoming.message.type === 'ping') channel.post({ type: 'pong' });
        else if (!forward(incoming, input)) queue.push(incoming);
      });
      document.addEventListener('visibilitychange', () =>
        document.hidden ? memory.flush() : sync.requestMissing(),
      );
      window.addEventListener('pagehide', memory.flush);
      sync.requestMissing();
    },
  };
}

/** One message that cannot be worked off does not take the others with it. */
function guarded(receive: (incoming: Incoming) => void, channel: Channel): (incoming: Incoming) => void {
  return (incoming) => {
    try {
      receive(incoming);
    } catch (error) {
      channel.reportError(error);
    }
  };
}

function forward({ message }: Incoming, input: InputRequests): boolean {
  if (message.type === 'input/insert') input.insert(message.text, message.attachments);
  else if (message.type === 'input/focus') input.focus();
  else return false;
  return true;
}

function startOver(
  { memory, expanded, editing, input }: Pick<Panel, 'memory' | 'expanded' | 'editing' | 'input'>,
  session: string,
  isBegun: boolean,
): void {
  expanded.clear();
  editing.end();
  const { draft: text, attachments, drafts, session: left } = memory.saved;
  const next = switchDraft(drafts, { session: left, text, attachments }, session, isBegun);
  memory.remember({ session, reading: null, drafts: next.drafts });
  input.load(next.draft);
}
