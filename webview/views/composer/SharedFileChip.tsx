import { type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { visibleText } from '../../text/plain-text.ts';
import { Icon } from '../../ui/icons.tsx';
import type { SharedFileChoice } from './shared-file.ts';

/** Shows which open file and which of its lines go with the prompt. The user can leave them out. */
export function SharedFileChip(props: { choice: SharedFileChoice; onGone: () => void }): JSX.Element {
  const panel = usePanel();
  const isWritable = () => panel.store.panel?.readOnly !== true;
  const never = () => {
    panel.post({ type: 'file/never' });
    props.choice.leaveOut(false);
    props.onGone();
  };
  return (
    <Show when={isWritable() && props.choice.file()}>
      {(file) => (
        <div class="chips shared-file">
          <button
            type="button"
            class="chip"
            aria-pressed={!props.choice.isLeftOut()}
            aria-label={strings.shareFile(visibleText(placeOf(file().name, file().lines)))}
            title={
              props.choice.isLeftOut()
                ? strings.fileLeftOut
                : strings.fileShared(visibleText(placeOf(file().path, file().lines)))
            }
            onClick={() => props.choice.leaveOut(!props.choice.isLeftOut())}
          >
            <Icon name="file" />
            <span class="chip-name">{visibleText(placeOf(file().name, file().lines))}</span>
          </button>
          <Show when={props.choice.isLeftOut()}>
            <button type="button" class="quiet" title={strings.neverShareHint} onClick={never}>
              {strings.neverShare}
            </button>
          </Show>
        </div>
      )}
    </Show>
  );
}

/** As in answers: `file.ts:3-9`. */
function placeOf(name: string, lines: { readonly first: number; readonly last: number } | undefined): string {
  if (!lines) return name;
  return lines.first === lines.last ? `${name}:${lines.first}` : `${name}:${lines.first}-${lines.last}`;
}
