import { createComputed, createEffect, For, type JSX, on, onMount, Show } from 'solid-js';
import { unwrap } from 'solid-js/store';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import { newestSection } from '../../state/parts.ts';
import type { Reading } from '../../state/persist.ts';
import type { PanelStore } from '../../state/store.ts';
import { Icon } from '../../ui/icons.tsx';
import { nearViewportOf } from '../../ui/near-viewport.ts';
import { Approvals } from '../approvals/Approvals.tsx';
import type { Find } from '../find/create-find.ts';
import { FindWidget } from '../find/FindWidget.tsx';
import { RetryNotice } from '../notices/RetryNotice.tsx';
import { createReveal } from '../scrolling/reveal.ts';
import { createSectionWindow } from '../scrolling/section-window.ts';
import type { Follow } from '../scrolling/stick-to-end.ts';
import { listenToContent } from './content-actions.ts';
import { EmptyState } from './EmptyState.tsx';
import { Header } from './Header.tsx';
import { listenToReader } from './reading-commands.ts';
import { SectionView } from './SectionView.tsx';

/** For the context menu. VS Code's own items, such as Copy, stay in it. */
const MENU_CONTEXT = JSON.stringify({ webviewSection: 'harness.conversation' });

export function Conversation(props: { follow: Follow; find: Find }): JSX.Element {
  const panel = usePanel();
  const { store, memory } = panel;
  const { session: lastSession, reading } = memory.saved;
  const sections = createSectionWindow(() => unwrap(store.view.lines));
  const reveal = createReveal(store, sections, props.follow);
  let scroller!: HTMLDivElement;
  let content!: HTMLDivElement;
  let list!: HTMLDivElement;
  /** The reading position in the current state, while the reader looks at the past. */
  let left: Reading | null = null;

  /** Restores the reading position of the page before a reload. In another session, goes to the end. */
  const showSession = (session: string | undefined, before: string | undefined) => {
    left = null;
    reveal.cancel();
    sections.reset();
    if (before === undefined && session === lastSession && reading)
      reveal.goTo(reading.section, () => props.follow.goTo(reading));
    else props.follow.resume();
  };
  /** The whole session has replaced its end. */
  const showWhole = (added: number) => {
    const { reading } = memory.saved;
    sections.reset();
    if (props.follow.isFollowing() || !reading) props.follow.resume();
    else
      reveal.goTo(reading.section + added, () =>
        props.follow.goTo({ ...reading, section: reading.section + added }),
      );
  };
  /** Redrawn content is lower for a moment. The page then scrolls up without the reader. */
  const showEnd = () => {
    sections.showEnd();
    props.follow.resume();
  };
  /** Shows the past at its end. On return, restores the reading position. */
  const showPast = (isPast: boolean) => {
    const reading = left;
    props.find.close();
    if (!isPast && reading) reveal.goTo(reading.section, () => props.follow.goTo(reading));
    else showEnd();
  };
  const onMove = () => {
    if (!reveal.isWaiting()) sections.update();
  };
  // Runs before anything is drawn.
  createComputed(
    on(
      () => store.past === undefined,
      (isNow) => {
        if (!isNow) left = reveal.isWaiting() ? memory.saved.reading : props.follow.reading();
        if (!isNow && props.follow.isFollowing()) left = null;
      },
      { defer: true },
    ),
  );
  onMount(() => {
    sections.attach(scroller, list);
    props.follow.attach(scroller, content, {
      onMove,
      onRest: (reading) => store.past === undefined && memory.remember({ reading }),
    });
    listenToContent(content, {
      openLink: (href) => panel.post({ type: 'link/open', href }),
      openFile: (path, line, column) => panel.send({ type: 'file/open', path, line, column }),
      onTab: (from, isBackwards) => nearViewportOf(scroller).drawNextStop(from, isBackwards),
      onToggle: () => props.follow.hold(),
    });
    listenToReader({ panel, follow: props.follow, find: props.find, reveal, scroller });
    createEffect(on(newestOf(store), () => props.follow.noteNew(), { defer: true }));
    createEffect(on(() => store.panel?.session, showSession, { defer: true }));
    createEffect(
      on(
        () => ({ isEnd: store.view.isEnd, sections: store.view.lines.length }),
        (now, before) => before?.isEnd && !now.isEnd && showWhole(now.sections - before.sections),
      ),
    );
    createEffect(
      on(
        () => [store.view.lines, store.view.lines.length],
        () => (props.follow.isFollowing() ? showEnd() : onMove()),
      ),
    );
    createEffect(
      on(
        () => store.past?.seq,
        (seq) => showPast(seq !== undefined),
        { defer: true },
      ),
    );
    createEffect(on(sections.drawn, panel.keepSections));
  });

  return (
    <div class="conversation-frame">
      <Show when={props.find.isOpen()}>
        <FindWidget find={props.find} />
      </Show>
      {/* Silent, because it grows word by word. LiveRegion announces what matters. */}
      <div
        class="conversation"
        role="log"
        aria-label={strings.conversation}
        aria-live="off"
        tabindex="0"
        data-vscode-context={MENU_CONTEXT}
        ref={scroller}
      >
        <div class="content" ref={content}>
          <Show when={store.panel?.header?.trim() && store.panel.header}>
            {(art) => <Header art={art()} />}
          </Show>
          <Show when={store.panel !== undefined && isEmpty(store)}>
            <EmptyState />
          </Show>
          <div class="sections" ref={list}>
            <div style={{ height: `${sections.above()}px` }} />
            <For each={sections.drawn()}>{(index) => <SectionView index={index} window={sections} />}</For>
            <div style={{ height: `${sections.below()}px` }} />
          </div>
          <Approvals />
          <Show when={store.head.retry}>{(retry) => <RetryNotice retry={retry()} />}</Show>
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

function isEmpty({ view }: PanelStore): boolean {
  return view.lines.length <= 1 && (newestSection(view)?.rows.length ?? 0) === 0;
}

/** Changes whenever there is something new to read. */
function newestOf({ view, head }: PanelStore): () => unknown {
  return () => {
    const section = newestSection(view);
    return [
      view.lines.length,
      section?.rows.length,
      section?.rows.at(-1)?.parts.length,
      section?.open?.text.content,
      head.approvals.length,
    ];
  };
}
