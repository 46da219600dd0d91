// What is typed and not sent. The page has it as it is typed; the host keeps it for the session, whichever panel shows that.
import { type Accessor, createSignal } from 'solid-js';
import {
  type Draft,
  emptyDraft,
  isEmptyDraft,
  joinTyped,
  type Typed,
} from '../../extension/protocol/draft-messages.ts';
import type { HostMessage, WebviewMessage } from '../../extension/protocol/messages.ts';
import type { Memory } from './persist.ts';

/** The input, as far as it is written from here. */
export interface DraftInput {
  /** Shows something else; the user cannot undo it, and the focus stays where it is. */
  load(typed: Typed): void;
  /** In the place of everything; the user can undo the text. */
  replace(typed: Typed): void;
  post(message: Extract<WebviewMessage, { type: 'draft/save' | 'draft/add' }>): void;
  /** Another window writes the session. */
  isReadOnly(): boolean;
}

export interface Drafting {
  /** What the input holds: the draft, or an earlier prompt that is being edited. */
  readonly typed: Typed;
  /** Sequence number of that prompt; undefined where the input holds the draft. */
  readonly before: Accessor<number | undefined>;
  /** The user has changed it. */
  type(changes: Partial<Typed>): void;
  /** Puts an earlier prompt into the input, to be run again from there; the draft comes back at the end. */
  edit(before: number, prompt: Typed): void;
  /** False where nothing was edited. */
  endEdit(): boolean;
  /** The input is empty because the host has what was in it. */
  sent(): void;
  /** Another session is shown. `isBegun`: it has begun by a prompt of this page, and what was typed since goes on in it. */
  turnTo(session: string, isBegun: boolean): void;
  hear(message: HostMessage): void;
  /** Tells the host at once what it does not know. */
  flush(): void;
}

/** Milliseconds after a change in which others are gathered. */
const SAVE_DELAY = 400;

export function createDrafting(memory: Memory, input: DraftInput): Drafting {
  const [before, setBefore] = createSignal(memory.saved.draft.editing?.before);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = 0;
  /** The host has said what it keeps for the session that is shown. */
  let isTold = false;
  /** No session was shown yet: what was typed meanwhile is for the first one, unless the page remembers a draft. */
  let isStarting = memory.saved.isKept && isEmptyDraft(memory.saved.draft);
  /** What was typed before the host has said it belongs behind it. */
  let isFresh = isStarting;

  const post = (session: string, draft: Draft) => {
    request += 1;
    input.post({ type: 'draft/save', session, request, draft });
  };
  const forgetTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    if (timer === undefined) return;
    forgetTimer();
    if (isTold && !input.isReadOnly()) post(memory.saved.session, memory.saved.draft);
  };
  const set = (draft: Draft, isKept: boolean) => {
    memory.remember({ draft, isKept });
    setBefore(draft.editing?.before);
    if (isKept) forgetTimer();
    else timer ??= setTimeout(flush, SAVE_DELAY);
  };
  const take = (draft: Draft, isKept: boolean) => {
    set(draft, isKept);
    input.load(typedOf(draft));
  };
  const learn = (kept: Draft) => {
    const { draft: own, isKept } = memory.saved;
    const isLate = isFresh && !isEmptyDraft(kept);
    isTold = true;
    isFresh = false;
    isStarting = false;
    if (isKept) {
      if (!isSame(own, kept)) take(kept, true);
    } else if (isLate) take({ ...kept, ...joinTyped(kept, own) }, false);
    else set(own, false);
  };
  const leave = (goesOn: boolean) => {
    const { session, draft, isKept } = memory.saved;
    if (goesOn) {
      if (isTold && !isEmptyDraft(draft)) post(session, emptyDraft);
    } else if (isKept) return;
    else if (isFresh)
      input.post({ type: 'draft/add', session, typed: joinTyped(draft, draft.editing ?? emptyDraft) });
    else post(session, draft);
  };

  return {
    get typed() {
      return typedOf(memory.saved.draft);
    },
    before,
    type(changes) {
      const { draft } = memory.saved;
      const typed = { ...typedOf(draft), ...changes };
      if (isSameTyped(typedOf(draft), typed)) return;
      const { text, attachments } = typed;
      const { editing } = draft;
      set(editing ? { ...draft, editing: { ...editing, text, attachments } } : { text, attachments }, false);
    },
    edit(seq, { text, attachments }) {
      set({ ...memory.saved.draft, editing: { before: seq, text, attachments } }, false);
      input.replace({ text, attachments });
    },
    endEdit() {
      const { text, attachments, editing } = memory.saved.draft;
      if (editing === undefined || input.isReadOnly()) return false;
      set({ text, attachments }, false);
      input.replace({ text, attachments });
      return true;
    },
    sent: () => set(emptyDraft, true),
    turnTo(session, isBegun) {
      const { draft, session: left } = memory.saved;
      const goesOn = isStarting || (isBegun && left === '');
      leave(goesOn);
      isTold = false;
      isFresh = true;
      isStarting = false;
      memory.remember({ session, reading: null });
      if (goesOn) set(draft, isEmptyDraft(draft));
      else take(emptyDraft, true);
    },
    hear(message) {
      if (message.type === 'draft' && message.session === memory.saved.session) learn(message.draft);
      if (message.type !== 'draft/kept' || message.session !== memory.saved.session) return;
      if (message.request === request && timer === undefined) memory.remember({ isKept: true });
    },
    flush,
  };
}

function typedOf({ text, attachments, editing }: Draft): Typed {
  return editing ?? { text, attachments };
}

function isSame(first: Draft, second: Draft): boolean {
  return (
    first.editing?.before === second.editing?.before &&
    isSameTyped(first, second) &&
    isSameTyped(typedOf(first), typedOf(second))
  );
}

function isSameTyped(first: Typed, second: Typed): boolean {
  const names = ({ attachments }: Typed) => attachments.map(({ name }) => name).join();
  return first.text === second.text && names(first) === names(second);
}
