import { type JSX, Show } from 'solid-js';
import type { Announcement } from '../../state/announce.ts';
import { usePanel } from '../../state/panel-context.ts';

/** Says whole blocks and questions to a screen reader. The conversation itself is silent: it grows word by word. */
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

/** A new element for each: only what is new in the page is heard, also where it says what the one before said. */
function Said(props: { announcement: Announcement | undefined }): JSX.Element {
  return (
    <Show when={props.announcement} keyed>
      {({ text }) => <p>{text}</p>}
    </Show>
  );
}
