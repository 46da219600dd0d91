// Connects the page's parts: applies messages once per frame, sends the user's actions, and saves the page's
// own state.
import { batch, createSignal } from 'solid-js';
import { unwrap } from 'solid-js/store';
import type { Attachment } from '../../extension/protocol/composer-messages.ts';
import type { Typed } from '../../extension/protocol/draft-messages.ts';
import type { HostMessage, WebviewMessage } from '../../extension/protocol/messages.ts';
import { loadMarkdown } from '../markdown/render.ts';
import { type Announcement, joinAnnouncements, shortened } from './announce.ts';
import type { Channel, Incoming } from './channel.ts';
import { createDrafting, type Drafting } from './drafting.ts';
import { createExpanded, type Expanded } from './expanded.ts';
import { createFrameQueue, requestPageFrame } from './frame-queue.ts';
import { createNarrator } from './narrator.ts';
import { newestSection } from './parts.ts';
import { createMemory, type Memory } from './persist.ts';
import { createPanelStore, type PanelStore } from './store.ts';
import { createSync } from './sync.ts';

type WithoutSession<Message> = Message extends { session: string } ? Omit<Message, 'session'> : never;
/** A message about the shown session, which `send` adds. */
type SessionMessage = WithoutSession<Exclude<WebviewMessage, { type: 'ready' }>>;

/** The operations of the input that the host may request. */
interface InputRequests {
  insert(text: string, attachments?: readonly Attachment[]): void;
  /** Replaces everything; the user can undo the text. */
  replace(typed: Typed): void;
  /** Shows another text. The user cannot undo it, and the focus stays in place. */
  load(typed: Typed): void;
  focus(): void;
}

export interface Panel {
  readonly store: PanelStore;
  readonly memory: Memory;
  readonly expanded: Expanded;
  readonly drafting: Drafting;
  /** The input. Does nothing before `attachInput`. */
  readonly input: InputRequests;
  attachInput(input: InputRequests): void;
  post(message: WebviewMessage): void;
  send(message: SessionMessage): void;
  /** Calls `receive` with each message of the host, after the state has been updated. */
  listen(receive: (message: HostMessage) => void): void;
  /** `needed` are the sections that must stay. Of the others, only some are kept. */
  keepSections(needed: readonly number[]): void;
  announcement(): Announcement | undefined;
  /** Makes a screen reader announce something. */
  announce(said: Announcement): void;
  reportError(error: unknown): void;
  /** Starts to listen, and requests the session from the host. */
  connect(): void;
}

const noInput: InputRequests = { insert() {}, replace() {}, load() {}, focus() {} };

export function createPanel(channel: Channel): Panel {
  const { store, target, keepSections } = createPanelStore();
  const memory = createMemory(channel);
  const [announcement, setAnnouncement] = createSignal<Announcement>();
  const announce = (said: Announcement) => setAnnouncement(shortened(said));
  const expanded = createExpanded(memory);
  let input = noInput;
  /** A prompt of this page is about to begin a session. */
  let isBegun = false;
  const drafting = createDrafting(memory, {
    load: (typed) => input.load(typed),
    replace: (typed) => input.replace(typed),
    post: channel.post,
    isReadOnly: () => store.panel?.readOnly ?? false,
  });
  const narrator = createNarrator();
  const listeners: ((message: HostMessage) => void)[] = [];
  const sync = createSync(target, {
    session: memory.saved.session,
    isReading: memory.saved.reading !== null,
    askHost: (session, lastSeq) => channel.post({ type: 'ready', session, lastSeq }),
    onEvent: narrator.add,
  });
  /** Prompts of the queue that the input has received. */
  const taken = new Set<string>();
  const takeQueued = ({ session, id, text, attachments }: Extract<HostMessage, { type: 'queue/edited' }>) => {
    if (session !== memory.saved.session) return;
    if (!taken.has(id)) input.insert(text, attachments);
    taken.add(id);
    drafting.flush();
    channel.post({ type: 'queue/taken', session, id });
  };
  const queue = createFrameQueue<Incoming>((arrived) => {
    batch(() => arrived.forEach(guarded(sync.receive, channel)));
    if (store.panel && store.panel.session !== memory.saved.session) {
      expanded.clear();
      drafting.turnTo(store.panel.session, isBegun);
    }
    if (store.panel?.session) isBegun = false;
    for (const { message } of arrived) {
      if (message.type === 'prompt/refused') isBegun = false;
      drafting.handle(message);
      forward(message, input);
      if (message.type === 'queue/edited') takeQueued(message);
      for (const receive of listeners) receive(message);
    }
    const isPast = arrived.some(({ message }) => message.type === 'update' && message.isPast);
    const announcements = narrator.listen(newestSection(unwrap(store.view))?.open, isPast);
    if (announcements.length > 0) announce(joinAnnouncements(announcements));
  }, requestPageFrame);

  return {
    store,
    memory,
    expanded,
    drafting,
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
      // A page that cannot draw must not answer pings, so that the host rebuilds it.
      let isAlive = true;
      const loaded = loadMarkdown().catch((error: unknown) => {
        isAlive = false;
        channel.reportError(error);
      });
      channel.listen((incoming) => {
        if (incoming.message.type !== 'ping') void loaded.then(() => isAlive && queue.push(incoming));
        else if (isAlive) channel.post({ type: 'pong' });
      });
      const flush = () => {
        drafting.flush();
        memory.flush();
      };
      document.addEventListener('visibilitychange', () =>
        document.hidden ? flush() : sync.requestMissing(),
      );
      window.addEventListener('pagehide', flush);
      window.addEventListener('blur', drafting.flush);
      // A key such as Ctrl+W may close the page.
      document.addEventListener(
        'keydown',
        ({ ctrlKey, metaKey }) => (ctrlKey || metaKey) && drafting.flush(),
      );
      sync.requestMissing();
    },
  };
}

/** An error in one message must not stop the others. */
function guarded(receive: (incoming: Incoming) => void, channel: Channel): (incoming: Incoming) => void {
  return (incoming) => {
    try {
      receive(incoming);
    } catch (error) {
      channel.reportError(error);
    }
  };
}

function forward(message: HostMessage, input: InputRequests): void {
  if (message.type === 'input/insert') input.insert(message.text, message.attachments);
  else if (message.type === 'input/focus') input.focus();
}
