import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';

interface Properties {
  /** The call that changed, or would change, a file. */
  readonly call: string;
  readonly added: number;
  readonly removed: number;
}

export function ChangeCounts(props: Properties): JSX.Element {
  const panel = usePanel();
  return (
    <span class="change">
      <span class="changes" role="img" aria-label={strings.changes(props.added, props.removed)}>
        <Show when={props.added > 0 || props.removed === 0}>
          <span class="added">+{props.added}</span>{' '}
        </Show>
        <Show when={props.removed > 0}>
          <span class="removed">−{props.removed}</span>
        </Show>
      </span>
      <button type="button" class="quiet" onClick={() => panel.send({ type: 'diff/open', id: props.call })}>
        {strings.diff}
      </button>
    </span>
  );
}
