import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { Icon } from '../../ui/icons.tsx';
import { AttachmentChips } from './attachments/AttachmentChips.tsx';
import { createDraftAttachments } from './attachments/draft-attachments.ts';
import { receiveDrops, receivePastes } from './attachments/drop-and-paste.ts';
import { ComposerFoot } from './ComposerFoot.tsx';
import { activeId, CompletionList, LIST_ID } from './completion/CompletionList.tsx';
import { createInputCompletion } from './completion/input-completion.ts';
import { createMentionSource } from './completion/mentions.ts';
import { createPopup } from './completion/popup.ts';
import { createDecision } from './decide-prompt.ts';
import { createPromptInput, type PromptInput } from './prompt-input.ts';
import { SharedFileChip } from './SharedFileChip.tsx';
import { createSharedFile } from './shared-file.ts';
import { obstacleTo } from './why-not-sendable.ts';

interface Properties {
  onSubmit(): void;
  onHelp(): void;
  onHint(hint: string): void;
  onScrollPage(direction: 1 | -1): void;
}

export function Composer(props: Properties): JSX.Element {
  const panel = usePanel();
  const [isBlank, setBlank] = createSignal(panel.drafting.typed.text.trim() === '');
  /** The reason why something was not sent or attached, until the next change. */
  const [note, setNote] = createSignal('');
  const popup = createPopup();
  const attachments = createDraftAttachments(panel, setNote, (text) => prompt?.insert(text));
  const sharedFile = createSharedFile(panel);
  const isReadOnly = () => panel.store.panel?.readOnly ?? false;
  let input!: HTMLTextAreaElement;
  let prompt: PromptInput | undefined;

  const isBusy = () => panel.store.head.run.busy;
  const obstacle = (text: string) =>
    obstacleTo(text, panel.store.panel, {
      isBusy: isBusy(),
      isFork: panel.drafting.before() !== undefined,
    });
  const receiver = {
    files: attachments.add,
    uris: (uris: readonly string[]) => panel.post({ type: 'mention/drop', uris: [...uris] }),
  };

  onMount(() => {
    const decision = createDecision(panel, {
      attachments,
      sharedFile,
      obstacle,
      say: setNote,
      onHint: (hint) => props.onHint(hint),
      onHelp: () => props.onHelp(),
      onSubmit: () => props.onSubmit(),
    });
    const completion = createInputCompletion(input, {
      popup,
      source: createMentionSource(panel),
      history: () => panel.store.panel?.history ?? [],
      run(name) {
        prompt?.replace('');
        decision.run(name);
      },
    });
    prompt = createPromptInput(input, {
      completion,
      history: () => panel.store.panel?.history ?? [],
      decide: decision.decide,
      onChange(text, draft) {
        setBlank(text.trim() === '');
        setNote('');
        panel.drafting.type({ text: draft });
      },
      onHelp: () => props.onHelp(),
      onScrollPage: (direction) => props.onScrollPage(direction),
    });
    const { insert, replace, load } = prompt;
    panel.attachInput({
      insert(text, returned = []) {
        insert(text);
        attachments.restore(returned);
      },
      replace(typed) {
        replace(typed.text);
        attachments.set(typed.attachments);
      },
      load(typed) {
        load(typed.text);
        attachments.set(typed.attachments);
      },
      focus: () => input.focus(),
    });
    decision.catchUp((text, isSteer) => input.value === text && prompt?.submit(isSteer));
    decision.takeBack(prompt.takeBack);
    receivePastes(input, receiver);
    receiveDrops(receiver);
    focusWithPage(input);
  });

  return (
    <div class="composer">
      <Show when={note()}>
        <p class="composer-note" role="alert">
          {note()}
        </p>
      </Show>
      <AttachmentChips attachments={attachments} onRemove={() => input.focus()} />
      <SharedFileChip choice={sharedFile} onGone={() => input.focus()} />
      <div class="input-box">
        <CompletionList popup={popup} onTake={(choice) => choice.take()} />
        <textarea
          ref={input}
          aria-label={strings.placeholder}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={popup.label() === '' ? undefined : LIST_ID}
          aria-activedescendant={activeId(popup)}
          placeholder={`${strings.placeholder}…`}
          rows="1"
          dir="auto"
          readOnly={isReadOnly()}
        >
          {panel.drafting.typed.text}
        </textarea>
        <button
          type="button"
          class="send"
          aria-label={strings.send}
          title={isBusy() ? strings.queueKeys : strings.withKeys(strings.send, strings.sendKeys)}
          disabled={(isBlank() && attachments.items().length === 0) || obstacle('') !== ''}
          onClick={() => prompt?.submit()}
        >
          <Icon name="send" />
        </button>
      </div>
      <ComposerFoot onMention={() => prompt?.insert('@')} />
    </div>
  );
}

/** Focuses the input when VS Code focuses the page. The page never takes the focus on its own. */
function focusWithPage(input: HTMLTextAreaElement): void {
  const take = () => {
    if (document.activeElement === document.body) input.focus();
  };
  if (document.hasFocus()) take();
  window.addEventListener('focus', take);
  onCleanup(() => window.removeEventListener('focus', take));
}
