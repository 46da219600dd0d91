import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';

interface Properties {
  readonly lines: number;
  readonly characters?: number;
  /** The call whose whole result the user can open. */
  readonly call?: string | undefined;
}

/** How much of a text is left out. */
export function MoreLines(props: Properties): JSX.Element {
  const panel = usePanel();
  const words = () =>
    props.characters
      ? strings.moreCharacters(props.characters)
      : props.lines > 0 && strings.moreLines(props.lines);
  return (
    <Show when={words()}>
      <p class="meta">{words()}</p>
      <Show when={props.call}>
        {(id) => (
          <button type="button" class="quiet" onClick={() => panel.send({ type: 'result/open', id: id() })}>
            {strings.showAll}
          </button>
        )}
      </Show>
    </Show>
  );
}
