// The state of the input's popup: its choices, and the active one.
import { batch, createSignal } from 'solid-js';
import type { IconName } from '../../../ui/icons.tsx';

export interface PopupChoice {
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  /** For Enter or a click. */
  take(): void;
  /** For Tab, if that does something else. */
  complete?(): void;
}

export interface Popup {
  /** Empty while the popup is closed. */
  label(): string;
  choices(): readonly PopupChoice[];
  /** Index in the choices; -1 without any. */
  active(): number;
  /** By default, the first choice becomes active. */
  show(label: string, choices: readonly PopupChoice[], active?: number): void;
  hide(): void;
  /** Wraps around at the ends. */
  move(step: 1 | -1): void;
  current(): PopupChoice | undefined;
}

export function createPopup(): Popup {
  const [label, setLabel] = createSignal('');
  const [choices, setChoices] = createSignal<readonly PopupChoice[]>([]);
  const [active, setActive] = createSignal(-1);
  const show = (nextLabel: string, next: readonly PopupChoice[], index = 0) =>
    batch(() => {
      setLabel(nextLabel);
      setChoices(next);
      setActive(Math.min(index, next.length - 1));
    });
  return {
    label,
    choices,
    active,
    show,
    hide: () => show('', []),
    move(step) {
      const count = choices().length;
      if (count > 0) setActive((active() + step + count) % count);
    },
    current: () => choices()[active()],
  };
}
