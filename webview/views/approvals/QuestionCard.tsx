import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { hasFocusWithin } from './approval-focus.ts';
import type { CardProperties } from './PermissionCard.tsx';

/** A question of the model: its suggested answers, a line for another one, and a way to decline. */
export function QuestionCard(props: CardProperties): JSX.Element {
  const panel = usePanel();
  const [isAnswered, setAnswered] = createSignal(false);
  const isOpen = () => props.isOpen && !isAnswered();
  let card!: HTMLFieldSetElement;
  onMount(() => props.onShown(card));
  onCleanup(() => hasFocusWithin(card) && props.onLeave(card));
  const options = () => props.approval.options ?? [];
  const reply = (answer: string | undefined) => {
    if (!isOpen()) return;
    setAnswered(true);
    panel.send({ type: 'question/answer', id: props.approval.id, ...(answer !== undefined && { answer }) });
    props.onLeave(card);
  };
  const onNumber = (event: KeyboardEvent) => {
    const option = options()[Number(event.key) - 1];
    const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isPlain || option === undefined || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    reply(option);
  };

  return (
    <fieldset
      class="part permission question"
      aria-label={strings.questionAsked(visibleText(props.approval.action.title))}
      data-part="question"
      data-part-id={props.approval.id}
      data-answered={isAnswered() ? '' : undefined}
      onKeyDown={onNumber}
      ref={card}
    >
      <p class="title">
        <VisibleText text={props.approval.action.title} strict />
      </p>
      <Show when={options().length > 0}>
        <Options options={options()} isOpen={isOpen()} onAnswer={reply} />
      </Show>
      <OwnAnswer isOpen={isOpen()} onAnswer={reply} />
    </fieldset>
  );
}

interface AnswerProperties {
  readonly isOpen: boolean;
  onAnswer(text: string | undefined): void;
}

/** A key that is held down gives no answer, because it may be meant for the card before. */
function Options(props: AnswerProperties & { options: readonly string[] }): JSX.Element {
  return (
    <ol class="options" aria-label={strings.suggestedAnswers}>
      <For each={props.options}>
        {(option, index) => (
          <li>
            <button
              type="button"
              data-answer
              aria-disabled={!props.isOpen}
              aria-keyshortcuts={String(index() + 1)}
              onClick={() => props.onAnswer(option)}
              onKeyDown={(event) => event.repeat && event.preventDefault()}
            >
              <span class="number" aria-hidden="true">
                {index() + 1}
              </span>
              <VisibleText text={option} strict />
            </button>
          </li>
        )}
      </For>
    </ol>
  );
}

function OwnAnswer(props: AnswerProperties): JSX.Element {
  const [text, setText] = createSignal('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text().trim() !== '') props.onAnswer(text().trim());
  };
  return (
    <form class="answers" onSubmit={submit}>
      <input
        type="text"
        data-answer
        aria-label={strings.yourAnswer}
        placeholder={strings.yourAnswer}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" aria-disabled={!props.isOpen || text().trim() === ''}>
        {strings.sendAnswer}
      </button>
      <button type="button" aria-disabled={!props.isOpen} onClick={() => props.onAnswer(undefined)}>
        {strings.skipQuestion}
      </button>
    </form>
  );
}
