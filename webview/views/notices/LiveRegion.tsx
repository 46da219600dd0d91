import { type JSX, Show } from 'solid-js';
import type { Announcement } from '../../state/announce.ts';
import { usePanel } from '../../state/panel-context.ts';

/**
 * Announces whole blocks and questions to a screen reader. The conversation itself is silent, because it
 * grows word by word.
 */
export function LiveRegion(): JSX.Element {
  const { announcement } = usePanel();
  const calm = () => (announcement()?.urgent ? undefined : announcement());
  const urgent = () => (announcement()?.urgent ? announcement() : undefined);
  return (
    <div class="visually-hidden">
      <div aria-live="polite">
        <Said announcement={calm()} />
      </div>
      <div aria-live="assertive">
        <Said announcement={urgent()} />
      </div>
    </div>
  );
}

/**
 * Creates a new element for each announcement, because only new content is announced, even if the words are
 * the same.
 */
function Said(props: { announcement: Announcement | undefined }): JSX.Element {
  return (
    <Show when={props.announcement} keyed>
      {({ text }) => <p>{text}</p>}
    </Show>
  );
}
