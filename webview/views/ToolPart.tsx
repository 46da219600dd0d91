import { createMemo, type JSX, Show } from 'solid-js';
import type { ToolPart as Part } from '../state/parts.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';
import { Icon } from '../ui/icons.tsx';
import { Changes } from './Changes.tsx';
import { Disclosure } from './Disclosure.tsx';
import { usePanel } from './panel-context.ts';
import { ToolDetails } from './ToolDetails.tsx';
import { toolIcons } from './tool-icons.ts';
import { hasFailed, outcomeOf, permissionOf, subjectOf } from './tool-line.ts';

const LIVE_LINES = 8;

/** A call in one line: how it went, what, on what, with which outcome. */
export function ToolPart(props: { part: Part }): JSX.Element {
  const failed = createMemo(() => hasFailed(props.part));
  return (
    <div
      class="part tool"
      classList={{ failed: failed() }}
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
            <Changes call={props.part.id} added={props.part.added ?? 0} removed={props.part.removed ?? 0} />
          </Show>
        }
      >
        <ToolDetails part={props.part} />
      </Disclosure>
      <Show when={props.part.state === 'running' && props.part.output.text}>
        {(output) => <LiveOutput text={output()} />}
      </Show>
    </div>
  );
}

function Line(props: { part: Part; failed: boolean }): JSX.Element {
  const { store } = usePanel();
  const icon = () => toolIcons[props.failed ? 'error' : props.part.state];
  return (
    <>
      <Icon name={icon().name} tone={icon().tone} />
      <span class="name">{visibleText(props.part.name)}</span>
      <span class="subject" dir="ltr">
        {subjectOf(props.part, store.panel?.roots)}
      </span>
      <span class="outcome">{outcomeOf(props.part).join(' · ')}</span>
      <span class="allowed">{permissionOf(props.part)}</span>
      <span class="visually-hidden">{strings.toolStates[props.part.state]}</span>
    </>
  );
}

/** The newest lines of a running command. */
function LiveOutput(props: { text: string }): JSX.Element {
  return (
    <div class="live-output">
      <pre dir="ltr">{props.text.trimEnd().split('\n').slice(-LIVE_LINES).join('\n')}</pre>
    </div>
  );
}
