import type { JSX } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart, ToolState } from '../../state/parts.ts';
import { viewOf } from '../../tools/tool-table.ts';
import { Icon } from '../../ui/icons.tsx';
import { OutcomeWords } from '../common/OutcomeWords.tsx';
import { toolIcons } from '../tools/tool-icons.ts';

/** Summarizes adjacent calls of one kind in one line. */
export function GroupLine(props: { calls: ToolPart[]; failed: number }): JSX.Element {
  const ended = () => props.calls.filter((call) => call.result !== undefined).length;
  const isRunning = () => ended() < props.calls.length;
  const countOf = (state: ToolState) => props.calls.filter((call) => call.state === state).length;
  const outcome = () => [
    ...(isRunning() ? [strings.doneOfGroup(ended(), props.calls.length)] : []),
    ...(props.failed > 0 ? [strings.failedOfGroup(props.failed)] : []),
    ...(countOf('skipped') > 0 ? [strings.skippedOfGroup(countOf('skipped'))] : []),
    ...(countOf('cancelled') > 0 ? [strings.stoppedOfGroup(countOf('cancelled'))] : []),
  ];
  const state = (): ToolState => {
    if (isRunning()) return 'running';
    if (props.failed > 0) return 'error';
    if (countOf('cancelled') > 0) return 'cancelled';
    return countOf('skipped') > 0 ? 'skipped' : 'done';
  };
  return (
    <>
      <Icon name={toolIcons[state()].name} tone={toolIcons[state()].tone} />
      <span class="words">
        <span class="name">{groupName(props.calls)}</span>
        <OutcomeWords words={outcome()} hasFailed={props.failed > 0} />
        <span class="visually-hidden"> {strings.toolStates[state()]}</span>
      </span>
      <Icon name="chevron" tone="faint" class="chevron" />
    </>
  );
}

/** Counts files and folders once, even if several calls read them. */
function groupName(calls: readonly ToolPart[]): string {
  const { group } = viewOf(calls[0]?.name ?? '');
  if (!group) return '';
  const { by, title } = group;
  const things = by === undefined ? calls : calls.map((call) => call.input?.[by] ?? call.id);
  return title(new Set<unknown>(things).size);
}
