// The images of the next prompt. The host stores their bytes; the page has their names and thumbnails.
import { createSignal } from 'solid-js';
import {
  type Attachment,
  MAX_IMAGE_BYTES,
  MAX_IMAGES,
} from '../../../../extension/protocol/composer-messages.ts';
import type { DraftAttachment } from '../../../../extension/protocol/draft-messages.ts';
import type { HostMessage } from '../../../../extension/protocol/messages.ts';
import { strings } from '../../../l10n/strings.ts';
import type { Panel } from '../../../state/panel.ts';
import { visibleText } from '../../../text/plain-text.ts';
import { fencedText, MAX_TEXT_BYTES } from './text-file.ts';
import { base64Of, blobOf, thumbnailOf } from './thumbnail.ts';

export interface DraftAttachments {
  items(): readonly DraftAttachment[];
  /** Puts the text of text files into the input. */
  add(files: readonly File[]): void;
  remove(name: string): void;
  set(items: readonly DraftAttachment[]): void;
  /** Adds images that the host has returned to the current ones. */
  restore(items: readonly Attachment[]): void;
  /** Whether there are no images, and none is being added. */
  isEmpty(): boolean;
  /** The reason why a prompt with them cannot be sent now; empty if it can. */
  obstacle(): string;
}

const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** `say` shows the user why something is not attached. `insert` puts text into the input. */
export function createDraftAttachments(
  panel: Panel,
  say: (problem: string) => void,
  insert: (text: string) => void,
): DraftAttachments {
  const [items, setItems] = createSignal<readonly DraftAttachment[]>(panel.drafting.typed.attachments);
  /**
   * Images that the host has not accepted yet, by request, with the session of their input and their
   * thumbnails.
   */
  const pending = new Map<number, { readonly session: string; readonly thumbnail: string }>();
  /** By name, for images that return. */
  const thumbnails = new Map<string, string>();
  let request = 0;

  const set = (next: readonly DraftAttachment[]) => {
    setItems(next);
    panel.drafting.type({ attachments: next });
  };
  const pendingHere = () =>
    [...pending.values()].filter(({ session }) => session === panel.memory.saved.session);
  const keep = (attachment: Attachment, thumbnail: string) => {
    thumbnails.set(attachment.name, thumbnail);
    if (!items().some(({ name }) => name === attachment.name))
      set([...items(), { ...attachment, thumbnail }]);
  };
  const problemWith = (file: File): string => {
    if (!panel.store.panel?.images) return noImages(panel);
    if (file.size > MAX_IMAGE_BYTES) return strings.imageTooLarge(visibleText(file.name));
    return items().length + pendingHere().length < MAX_IMAGES ? '' : strings.tooManyImages(MAX_IMAGES);
  };
  const insertText = async (file: File) => {
    const { session } = panel.memory.saved;
    const text = await fencedText(file);
    if (text === undefined) say(strings.neitherImageNorText(visibleText(file.name), MAX_TEXT_BYTES / 1_000));
    else if (session === panel.memory.saved.session) insert(text);
  };
  const upload = async (file: File) => {
    request += 1;
    const own = request;
    const { session } = panel.memory.saved;
    pending.set(own, { session, thumbnail: '' });
    try {
      const [data, thumbnail] = await Promise.all([base64Of(file), thumbnailOf(file)]);
      pending.set(own, { session, thumbnail });
      panel.post({ type: 'attachment/add', session, request: own, title: file.name, data });
    } catch {
      pending.delete(own);
      say(strings.imageUnreadable(visibleText(file.name)));
    }
  };
  const take = async (message: Extract<HostMessage, { type: 'attachment/added' }>) => {
    const { session, attachment, data } = message;
    const known = message.request === undefined ? undefined : pending.get(message.request);
    if (message.request !== undefined) pending.delete(message.request);
    const thumbnail = known?.thumbnail ?? (data ? await thumbnailOf(blobOf(data)) : '');
    if (session === panel.memory.saved.session) keep(attachment, thumbnail);
    else {
      const typed = { text: '', attachments: [{ ...attachment, thumbnail }] };
      panel.post({ type: 'draft/add', session, typed });
    }
  };

  panel.listen((message) => {
    if (message.type === 'attachment/added') void take(message);
    if (message.type !== 'attachment/refused') return;
    if (message.request !== undefined) pending.delete(message.request);
    say(message.reason);
  });

  return {
    items,
    set,
    add(files) {
      for (const file of files) {
        const problem = types.has(file.type) ? problemWith(file) : '';
        if (!types.has(file.type)) void insertText(file);
        else if (problem === '') void upload(file);
        else say(problem);
      }
    },
    remove: (name) => set(items().filter((item) => item.name !== name)),
    restore(returned) {
      for (const attachment of returned) keep(attachment, thumbnails.get(attachment.name) ?? '');
    },
    isEmpty: () => items().length === 0 && pendingHere().length === 0,
    obstacle() {
      if (pendingHere().length > 0) return strings.imagesPending;
      if (items().length > MAX_IMAGES) return strings.removeImages(items().length, MAX_IMAGES);
      return items().length > 0 && !panel.store.panel?.images ? noImages(panel) : '';
    },
  };
}

function noImages({ store }: Panel): string {
  return strings.modelWithoutImages(visibleText(store.panel?.modelName ?? ''));
}
