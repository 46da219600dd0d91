import { createEffect, For, type JSX, on, onMount, Show } from 'solid-js';
import type { Section } from '../state/parts.ts';
import type { Saved } from '../state/persist.ts';
import type { SessionStore } from '../state/store.ts';
import { strings } from '../strings.ts';
import { Icon } from '../ui/icons.tsx';
import { skipWhenKnown } from '../ui/skip-when-known.ts';
import { type Backfill, createBackfill } from './backfill.ts';
import { listenToContent } from './content-actions.ts';
import { EmptyState } from './EmptyState.tsx';
import type { Follow } from './follow.ts';
import { Header } from './Header.tsx';
import { PermissionCard } from './PermissionCard.tsx';
import { usePanel } from './panel-context.ts';
import { RetryNotice } from './RetryNotice.tsx';
import { RowView } from './RowView.tsx';

export function Conversation(props: { follow: Follow }): JSX.Element {
  const panel = usePanel();
  const { store, memory } = panel;
  const backfill = createBackfill(() => store.view.sections);
  let scroller!: HTMLDivElement;
  let content!: HTMLDivElement;

  onMount(() => {
    props.follow.attach(scroller, content, {
      onLeave: backfill.drawAll,
      onRest: (reading) => memory.remember({ reading }),
    });
    listenToContent(content, {
      openLink: (href) => panel.post({ type: 'link/open', href }),
      onToggle: () => props.follow.hold(),
    });
    createEffect(on(newestOf(store), () => props.follow.noteNew(), { defer: true }));
    createEffect(
      on(() => store.panel?.session, createReturn(props.follow, memory.saved, backfill), { defer: true }),
    );
  });

  return (
    <div class="conversation-frame">
      {/* Silent, because it grows word by word: LiveRegion says what is worth saying. */}
      <div
        class="conversation"
        role="log"
        aria-label={strings.conversation}
        aria-live="off"
        tabindex="0"
        ref={scroller}
      >
        <div class="content" ref={content}>
          <Show when={store.panel?.header?.trim() && store.panel.header}>
            {(art) => <Header art={art()} />}
          </Show>
          <Show when={store.panel !== undefined && store.view.sections.length === 0}>
            <EmptyState />
          </Show>
          <For each={store.view.sections}>
            {(section, index) => (
              <SectionView
                section={section}
                isDrawn={backfill.isDrawn(index())}
                isLast={index() === store.view.sections.length - 1}
              />
            )}
          </For>
          <For each={store.panel?.readOnly ? [] : store.view.approvals}>
            {(approval) => <PermissionCard approval={approval} />}
          </For>
          <Show when={store.view.retry} keyed>
            {(retry) => <RetryNotice retry={retry} />}
          </Show>
        </div>
      </div>
      <Show when={props.follow.hasUnseen()}>
        <button type="button" class="new-content" onClick={() => props.follow.resume()}>
          <Icon name="down" />
          {strings.newContent}
        </button>
      </Show>
    </div>
  );
}

function SectionView(props: { section: Section; isDrawn: boolean; isLast: boolean }): JSX.Element {
  let element!: HTMLDivElement;
  createEffect(() => {
    if (props.isDrawn && !props.isLast) skipWhenKnown(element);
  });
  return (
    <div class="section" ref={element}>
      <Show when={props.isDrawn}>
        <For each={props.section.rows}>{(row) => <RowView row={row} />}</For>
      </Show>
    </div>
  );
}

/** Changes whenever there is something new to read. */
function newestOf({ view }: SessionStore): () => unknown {
  return () => {
    const section = view.sections.at(-1);
    return [
      section?.rows.length,
      section?.rows.at(-1)?.parts.length,
      view.open?.text.content,
      view.approvals.length,
    ];
  };
}

/** Back to where the reader was before the page was reloaded; in another session, to the end. */
function createReturn(
  follow: Follow,
  { session, reading }: Saved,
  backfill: Backfill,
): (shown?: string) => void {
  let isFirst = true;
  return (shown) => {
    const returning = isFirst && shown === session ? reading : null;
    isFirst = false;
    if (returning === null) return follow.resume();
    backfill.drawAll();
    // What an effect changes is drawn after it.
    queueMicrotask(() => follow.goTo(returning));
  };
}
