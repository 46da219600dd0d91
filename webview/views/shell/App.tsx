import { createSignal, type JSX, onCleanup, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import type { Panel } from '../../state/panel.ts';
import { PanelContext } from '../../state/panel-context.ts';
import { BackgroundList } from '../composer/BackgroundList.tsx';
import { Composer } from '../composer/Composer.tsx';
import { EditingNotice } from '../composer/EditingNotice.tsx';
import { QueuedPrompts } from '../composer/QueuedPrompts.tsx';
import { Conversation } from '../conversation/Conversation.tsx';
import { createFind } from '../find/create-find.ts';
import { Banners } from '../notices/Banners.tsx';
import { LiveRegion } from '../notices/LiveRegion.tsx';
import { PastBanner } from '../notices/PastBanner.tsx';
import { StatusLine } from '../notices/StatusLine.tsx';
import { createFollow } from '../scrolling/stick-to-end.ts';
import { CostDialog } from './CostDialog.tsx';
import { Help } from './Help.tsx';

/** Milliseconds for which a hint is shown, and in which a second Esc stops the run. */
const HINT_TIME = 2_500;

export function App(props: { panel: Panel }): JSX.Element {
  const follow = createFollow();
  const find = createFind(props.panel);
  const [hint, showHint] = createHint();
  const [isHelpOpen, setHelpOpen] = createSignal(false);

  const onEscape = () => {
    if (props.panel.store.past) return props.panel.post({ type: 'command', command: 'harness.backToNow' });
    if (props.panel.drafting.endEdit()) return;
    if (!props.panel.store.head.run.busy) return;
    if (hint() === strings.pressEscapeAgain) props.panel.send({ type: 'run/cancel' });
    else showHint(strings.pressEscapeAgain);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape' && !find.close()) onEscape();
    if (event.key !== 'F1') return;
    // VS Code would open its own command palette.
    event.preventDefault();
    event.stopPropagation();
    setHelpOpen(true);
  };
  const closeHelp = () => {
    setHelpOpen(false);
    props.panel.input.focus();
  };
  props.panel.listen(({ type }) => {
    if (type !== 'input/focus') return;
    if (isHelpOpen()) closeHelp();
    // In the past, the slider replaces the input.
    document.querySelector<HTMLElement>('.past [type="range"]')?.focus();
  });
  document.addEventListener('keydown', onKey);
  onCleanup(() => document.removeEventListener('keydown', onKey));

  return (
    <PanelContext.Provider value={props.panel}>
      <main classList={{ past: props.panel.store.past !== undefined }}>
        <Banners />
        <Show when={props.panel.store.past}>{(past) => <PastBanner past={past()} />}</Show>
        <Conversation follow={follow} find={find} />
        <StatusLine hint={hint()} />
        <BackgroundList />
        <QueuedPrompts />
        <EditingNotice />
        <Composer
          onSubmit={follow.resume}
          onHelp={() => setHelpOpen(true)}
          onHint={showHint}
          onScrollPage={follow.scrollPage}
        />
        <LiveRegion />
        <CostDialog />
        <Show when={isHelpOpen()}>
          <Help onClose={closeHelp} />
        </Show>
      </main>
    </PanelContext.Provider>
  );
}

/** A hint that disappears after a while. */
function createHint(): [() => string, (text: string) => void] {
  const [hint, setHint] = createSignal('');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (text: string) => {
    clearTimeout(timer);
    setHint(text);
    timer = setTimeout(() => setHint(''), HINT_TIME);
  };
  onCleanup(() => clearTimeout(timer));
  return [hint, show];
}
