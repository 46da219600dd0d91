import { createSignal, type JSX, onCleanup, onMount } from 'solid-js';
import { strings } from '../strings.ts';
import { Icon } from '../ui/icons.tsx';
import { ComposerFoot } from './ComposerFoot.tsx';
import { obstacleTo } from './obstacle.ts';
import { usePanel } from './panel-context.ts';
import { createPromptInput, type PromptInput } from './prompt-input.ts';

interface Properties {
  onSubmit(): void;
  onHelp(): void;
  onHint(hint: string): void;
  onScrollPage(direction: 1 | -1): void;
}

export function Composer(props: Properties): JSX.Element {
  const panel = usePanel();
  const [isBlank, setBlank] = createSignal(panel.memory.saved.draft.trim() === '');
  const isReadOnly = () => panel.store.panel?.readOnly ?? false;
  let input!: HTMLTextAreaElement;
  let prompt: PromptInput | undefined;

  const obstacle = (text: string) => obstacleTo(text, panel.store.panel, panel.store.head.run.busy);

  onMount(() => {
    prompt = createPromptInput(input, {
      history: () => panel.store.panel?.history ?? [],
      obstacleTo: obstacle,
      onSubmit(text) {
        panel.send({ type: 'prompt/submit', text });
        props.onSubmit();
      },
      onChange(text) {
        setBlank(text.trim() === '');
        panel.memory.remember({ draft: text });
      },
      onHint: (hint) => props.onHint(hint),
      onHelp: () => props.onHelp(),
      onScrollPage: (direction) => props.onScrollPage(direction),
    });
    panel.attachInput({ insert: prompt.insert, focus: () => input.focus() });
    focusWithPage(input);
  });

  return (
    <div class="composer">
      <div class="input-box">
        <textarea
          ref={input}
          aria-label={strings.placeholder}
          placeholder={`${strings.placeholder}…`}
          rows="1"
          dir="auto"
          readOnly={isReadOnly()}
        >
          {panel.memory.saved.draft}
        </textarea>
        <button
          type="button"
          class="send"
          aria-label={strings.send}
          title={`${strings.send} (Enter)`}
          disabled={isBlank() || obstacle('') !== ''}
          onClick={() => prompt?.submit()}
        >
          <Icon name="send" />
        </button>
      </div>
      <ComposerFoot />
    </div>
  );
}

/** When VS Code gives the page the focus, the input has it; the page never takes it by itself. */
function focusWithPage(input: HTMLTextAreaElement): void {
  const take = () => {
    if (document.activeElement === document.body) input.focus();
  };
  if (document.hasFocus()) take();
  window.addEventListener('focus', take);
  onCleanup(() => window.removeEventListener('focus', take));
}
