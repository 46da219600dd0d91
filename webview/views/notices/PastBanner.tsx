import { createEffect, createSignal, type JSX, on, onCleanup, onMount } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import type { PastMark } from '../../state/sync-target.ts';
import { hasFocusWithin } from '../approvals/approval-focus.ts';

/** Shows that the panel shows the past, and moves through it. */
export function PastBanner(props: { past: PastMark }): JSX.Element {
  const panel = usePanel();
  /** The last point requested from the host, and the slider's position since then. */
  let asked = 0;
  const [wanted, want] = createSignal(0);
  let banner!: HTMLElement;
  let slider!: HTMLInputElement;

  const ask = () => {
    asked = wanted();
    if (asked > 0) panel.send({ type: 'past/go', seq: asked });
  };
  const onInput = () => {
    const isWaiting = wanted() > 0;
    want(slider.valueAsNumber);
    if (!isWaiting) ask();
  };
  createEffect(
    on(
      () => props.past.seq,
      (seq) => {
        if (seq === asked && seq === wanted()) want(0);
        if (wanted() > 0) ask();
        if (document.activeElement !== slider)
          panel.announce({ text: `${props.past.title}. ${props.past.label}`, urgent: false });
      },
    ),
  );
  onMount(() => document.hasFocus() && slider.focus());
  onCleanup(() => hasFocusWithin(banner) && queueMicrotask(panel.input.focus));
  return (
    <section class="banner" aria-label={strings.past} ref={banner}>
      <span>{props.past.title}</span>
      <input
        type="range"
        min="1"
        max={props.past.last}
        value={wanted() || props.past.seq}
        aria-label={strings.pastEvent}
        aria-valuetext={`${props.past.seq}. ${props.past.label}`}
        onInput={onInput}
        ref={slider}
      />
      <span class="meta" aria-hidden="true">
        {props.past.label}
      </span>
      {strings.pastActions.map(([command, label]) => (
        <button type="button" class="quiet" onClick={() => panel.post({ type: 'command', command })}>
          {label}
        </button>
      ))}
      <button type="button" class="quiet" onClick={() => panel.send({ type: 'cost/get' })}>
        {strings.costTitle}
      </button>
    </section>
  );
}
