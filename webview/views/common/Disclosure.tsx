import { createUniqueId, type JSX, Show } from 'solid-js';
import { usePanel } from '../../state/panel-context.ts';
import { Icon } from '../../ui/icons.tsx';

interface Properties {
  /** The id under which the user's choice is stored. */
  readonly id: string;
  readonly openByDefault?: boolean;
  readonly label: JSX.Element;
  /** Beside the line, but outside its button. */
  readonly aside?: JSX.Element;
  /** Created when it is opened. */
  readonly children: JSX.Element;
}

/** One line that opens. */
export function Disclosure(props: Properties): JSX.Element {
  const { expanded } = usePanel();
  const content = createUniqueId();
  const isOpen = () => expanded.has(props.id, props.openByDefault ?? false);
  return (
    <>
      <div class="line">
        <button
          type="button"
          class="disclosure"
          aria-expanded={isOpen()}
          aria-controls={content}
          onClick={() => expanded.set(props.id, !isOpen())}
        >
          {props.label}
          <Icon name="chevron" tone="faint" class="chevron" />
        </button>
        {props.aside}
      </div>
      <Show when={isOpen()}>
        <div class="details" id={content}>
          {props.children}
        </div>
      </Show>
    </>
  );
}
