// The unsent draft. The page has each change immediately; the host stores the draft for the session, for all
// panels that show it.
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

/** The operations on the input that drafting needs. */
export interface DraftInput {
  /** Shows another text. The user cannot undo it, and the focus stays in place. */
  load(typed: Typed): void;
  /** Replaces everything; the user can undo the text. */
  replace(typed: Typed): void;
  post(message: Extract<WebviewMessage, { type: 'draft/save' | 'draft/add' }>): void;
  /** Whether another window writes the session. */
  isReadOnly(): boolean;
}

export interface Drafting {
  /** The content of the input: the draft, or an earlier prompt that the user edits. */
  readonly typed: Typed;
  /** Sequence number of that prompt; undefined if the input contains the draft. */
  readonly before: Accessor<number | undefined>;
  /** Call when the user has changed the input. */
  type(changes: Partial<Typed>): void;
  /**
   * Puts an earlier prompt into the input, to rerun the session from there. The draft returns after the edit.
   */
  edit(before: number, prompt: Typed): void;
  /** Returns false if no prompt was being edited. */
  endEdit(): boolean;
  /** Call when the input is empty because the host has its content. */
  sent(): void;
  /**
   * Call when the panel shows another session. `isBegun`: a prompt of this page began it, and the text typed
   * since then continues there.
   */
  turnTo(session: string, isBegun: boolean): void;
  handle(message: HostMessage): void;
  /** Sends unsaved changes to the host immediately. */
  flush(): void;
}

/** Milliseconds for which changes are collected before the draft is sent. */
const SAVE_DELAY = 400;

export function createDrafting(memory: Memory, input: DraftInput): Drafting {
  const [before, setBefore] = createSignal(memory.saved.draft.editing?.before);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = 0;
  /** The host has sent the stored draft of the shown session. */
  let isDraftLoaded = false;
  /**
   * No session was shown yet, and the page remembers no draft: text typed meanwhile belongs to the first
   * session.
   */
  let isStarting = memory.saved.isKept && isEmptyDraft(memory.saved.draft);
  /** Text typed before the host sent the stored draft belongs after that draft. */
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
    if (isDraftLoaded && !input.isReadOnly()) post(memory.saved.session, memory.saved.draft);
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
    isDraftLoaded = true;
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
      if (isDraftLoaded && !isEmptyDraft(draft)) post(session, emptyDraft);
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
      isDraftLoaded = false;
      isFresh = true;
      isStarting = false;
      memory.remember({ session, reading: null });
      if (goesOn) set(draft, isEmptyDraft(draft));
      else take(emptyDraft, true);
    },
    handle(message) {
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
