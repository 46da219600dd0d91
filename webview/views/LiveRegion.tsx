import type { JSX } from 'solid-js';
import { usePanel } from './panel-context.ts';

/** Says whole blocks and questions to a screen reader. The conversation itself is silent: it grows word by word. */
export function LiveRegion(): JSX.Element {
  const { announcement } = usePanel();
  return (
    <div class="visually-hidden">
      <div aria-live="polite">{announcement()?.urgent ? '' : announcement()?.text}</div>
      <div aria-live="assertive">{announcement()?.urgent ? announcement()?.text : ''}</div>
    </div>
  );
}
