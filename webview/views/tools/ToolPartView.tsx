import { createMemo, type JSX, Show } from 'solid-js';
import { effectOf } from '../../../extension/protocol/tool-names.ts';
import { strings } from '../../l10n/strings.ts';
import { newestLines } from '../../state/live-output.ts';
import { usePanel } from '../../state/panel-context.ts';
import type { ToolPart } from '../../state/parts.ts';
import { visibleText } from '../../text/plain-text.ts';
import { viewOf } from '../../tools/tool-table.ts';
import { Icon } from '../../ui/icons.tsx';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { TerminalLines } from '../../ui/TerminalLines.tsx';
import { ChangeCounts } from '../common/ChangeCounts.tsx';
import { Disclosure } from '../common/Disclosure.tsx';
import { OutcomeWords } from '../common/OutcomeWords.tsx';
import { ToolDetails } from './ToolDetails.tsx';
import { toolIcons } from './tool-icons.ts';
import { foundWord, hasFailed, outcomeOf, permissionOf, subjectOf } from './tool-line.ts';

/** The newest lines of a running command that a closed card shows, and an opened one. */
const LIVE_LINES = 8;
const LIVE_LINES_OPEN = 60;

/** A call in one line: state, action, subject, outcome. */
export function ToolPartView(props: { part: ToolPart }): JSX.Element {
  const { expanded } = usePanel();
  const failed = createMemo(() => hasFailed(props.part));
  return (
    <div
      class="part tool"
      classList={{ failed: failed(), command: effectOf(props.part.name) === 'runs' }}
      data-part="tool"
      data-part-id={props.part.id}
      data-tool={props.part.name}
      data-state={props.part.state}
    >
      <Disclosure
        id={props.part.id}
        openByDefault={failed()}
        label={<Line part={props.part} failed={failed()} />}
        aside={
          <Show when={props.part.added !== undefined}>
            <ChangeCounts
              call={props.part.id}
              added={props.part.added ?? 0}
              removed={props.part.removed ?? 0}
            />
          </Show>
        }
      >
        <ToolDetails part={props.part} />
      </Disclosure>
      <Show when={props.part.state === 'running' && props.part.output.text !== ''}>
        <LiveOutput part={props.part} isOpen={expanded.has(props.part.id, failed())} />
      </Show>
      <Show when={props.part.state === 'running' && effectOf(props.part.name) === 'runs'}>
        <CommandActions part={props.part} />
      </Show>
    </div>
  );
}

function Line(props: { part: ToolPart; failed: boolean }): JSX.Element {
  const { store } = usePanel();
  const icon = () => toolIcons[props.failed ? 'error' : props.part.state];
  const outcome = createMemo(() => outcomeOf(props.part));
  return (
    <>
      <Icon name={icon().name} tone={icon().tone} />
      <span class="words">
        <span class="call">
          <span class="name">{visibleText(props.part.name)}</span>{' '}
          <span class={`subject ${viewOf(props.part.name).shape ?? ''}`}>
            <bdi dir="ltr">{subjectOf(props.part, store.panel?.roots)}</bdi>
          </span>
        </span>
        <OutcomeWords words={outcome()} found={foundWord(props.part)} />
        <span class="visually-hidden"> {strings.toolStates[props.part.state]}</span>
      </span>
      <Show when={permissionOf(props.part)}>
        {(words) => (
          <span class="allowed">
            <span>{` · ${words()}`}</span>
          </span>
        )}
      </Show>
    </>
  );
}

/** What the user can do with a running command. */
function CommandActions(props: { part: ToolPart }): JSX.Element {
  const panel = usePanel();
  const nameOf = (label: string) => strings.labelOf(label, subjectOf(props.part, panel.store.panel?.roots));
  const act = (action: 'stop' | 'background') => {
    panel.send({ type: 'call/act', id: props.part.id, action });
    // The buttons disappear in a moment.
    panel.input.focus();
  };
  return (
    <Show when={!(panel.store.panel?.readOnly || panel.store.past)}>
      <div class="call-actions">
        <button
          type="button"
          class="quiet"
          aria-label={nameOf(strings.runInBackground)}
          onClick={() => act('background')}
        >
          {strings.runInBackground}
        </button>
        <button type="button" class="quiet" aria-label={nameOf(strings.stop)} onClick={() => act('stop')}>
          {strings.stop}
        </button>
      </div>
    </Show>
  );
}

/** The newest output of a command. Its end stays visible. */
function LiveOutput(props: { part: ToolPart; isOpen: boolean }): JSX.Element {
  const lines = createMemo(() => newestLines(props.part.output, props.isOpen ? LIVE_LINES_OPEN : LIVE_LINES));
  return (
    <Show
      when={props.isOpen}
      fallback={
        <div class="live-output">
          <pre dir="ltr">
            <TerminalLines lines={lines()} />
          </pre>
        </div>
      }
    >
      <ScrollBox label={strings.output} class="live-output">
        <TerminalLines lines={lines()} />
      </ScrollBox>
    </Show>
  );
}
