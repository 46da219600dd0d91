import { createMemo, type JSX, Show } from 'solid-js';
import type { ToolPart as Part } from '../state/parts.ts';
import { strings } from '../strings.ts';
import { ScrollText } from '../ui/ScrollText.tsx';
import { usePanel } from './panel-context.ts';
import { firstLines, inputText, resultText } from './tool-result.ts';

/** Lines of an input or a result that are shown; the rest is opened in an editor. */
const SHOWN_LINES = 100;

export function ToolDetails(props: { part: Part }): JSX.Element {
  const panel = usePanel();
  const input = createMemo(() => firstLines(inputText(props.part), SHOWN_LINES));
  const result = createMemo(() => firstLines(resultText(props.part), SHOWN_LINES));
  return (
    <>
      <Show when={props.part.input}>
        <Cut label={strings.input} text={input()} />
      </Show>
      <Show when={props.part.permission}>
        {(permission) => <p class="meta">{strings.decidedBy(permission().rule)}</p>}
      </Show>
      <Show when={props.part.result !== undefined && result().shown !== ''}>
        <Cut label={strings.result} text={result()} failed={props.part.state === 'error'} />
        <Show when={result().more > 0}>
          <button
            type="button"
            class="quiet"
            onClick={() => panel.send({ type: 'result/open', id: props.part.id })}
          >
            {strings.showAll}
          </button>
        </Show>
      </Show>
    </>
  );
}

function Cut(props: { label: string; text: { shown: string; more: number }; failed?: boolean }): JSX.Element {
  return (
    <>
      <ScrollText label={props.label} text={props.text.shown} class={props.failed ? 'error-text' : ''} />
      <Show when={props.text.more > 0}>
        <p class="meta">{strings.moreLines(props.text.more)}</p>
      </Show>
    </>
  );
}
