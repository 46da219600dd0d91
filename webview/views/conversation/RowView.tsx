import { createUniqueId, ErrorBoundary, For, type JSX, Show } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { usePanel } from '../../state/panel-context.ts';
import type { Part, Row, ToolPart } from '../../state/parts.ts';
import { ErrorPartView } from '../notices/ErrorPartView.tsx';
import { NoticePartView } from '../notices/NoticePartView.tsx';
import { ToolPartView } from '../tools/ToolPartView.tsx';
import { hasFailed } from '../tools/tool-line.ts';
import { GroupLine } from './GroupLine.tsx';
import { PlanPartView } from './PlanPartView.tsx';
import { ReasoningPartView } from './ReasoningPartView.tsx';
import { TextPartView } from './TextPartView.tsx';
import { UserPartView } from './UserPartView.tsx';

/** The least adjacent calls of one kind that fold into one line. */
const FOLD_FROM = 3;
const STICKY_LENGTH = 160;

/** A part, or adjacent calls of one kind, folded. Folded parts are not in the page. */
export function RowView(props: { row: Row }): JSX.Element {
  const { expanded } = usePanel();
  const id = () => `group-${props.row.parts[0]?.id}`;
  const calls = () => props.row.parts.filter((part): part is ToolPart => part.kind === 'tool');
  const failed = () => calls().filter((call) => hasFailed(call) || call.state === 'denied').length;
  const isFolded = () => calls().length >= FOLD_FROM;
  const content = createUniqueId();
  const isOpen = () => !isFolded() || expanded.has(id(), failed() > 0);
  return (
    <div
      class="row"
      classList={{
        group: isFolded(),
        'tool-row': calls().length > 0,
        sticky: isShortPrompt(props.row.parts[0]),
      }}
    >
      <Show when={isFolded()}>
        <button
          type="button"
          class="disclosure line"
          aria-expanded={isOpen()}
          aria-controls={content}
          onClick={() => expanded.set(id(), !isOpen())}
        >
          <GroupLine calls={calls()} failed={failed()} />
        </button>
      </Show>
      <div class="row-parts" id={content} hidden={!isOpen()}>
        <Show when={isOpen()}>
          <For each={props.row.parts}>
            {(part) => (
              <ErrorBoundary fallback={(error) => <BrokenPart error={error} />}>
                <PartView part={part} />
              </ErrorBoundary>
            )}
          </For>
        </Show>
      </div>
    </div>
  );
}

/** A short prompt stays visible above its answer; a longer one would cover the answer. */
function isShortPrompt(part: Part | undefined): boolean {
  return part?.kind === 'user' && part.content.length <= STICKY_LENGTH && !part.content.includes('\n');
}

/** A part that cannot be drawn must not break the others. */
function BrokenPart(props: { error: unknown }): JSX.Element {
  usePanel().reportError(props.error);
  return <p class="meta">{strings.cannotShow}</p>;
}

function PartView(props: { part: Part }): JSX.Element {
  switch (props.part.kind) {
    case 'user':
      return <UserPartView part={props.part} />;
    case 'text':
      return <TextPartView part={props.part} />;
    case 'reasoning':
      return <ReasoningPartView part={props.part} />;
    case 'tool':
      return <ToolPartView part={props.part} />;
    case 'plan':
      return <PlanPartView part={props.part} />;
    case 'error':
      return <ErrorPartView part={props.part} />;
    case 'notice':
      return <NoticePartView part={props.part} />;
    default:
      return props.part satisfies never;
  }
}
