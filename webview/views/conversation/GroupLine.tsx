import type { JSX } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { Icon } from '../../ui/icons.tsx';
import { Outcome } from '../tools/Outcome.tsx';
import { toolIcons } from '../tools/tool-icons.ts';

/** What neighbouring calls of one kind did, in one line. */
export function GroupLine(props: { calls: ToolPart[]; failed: number }): JSX.Element {
  const ended = () => props.calls.filter((call) => call.result !== undefined).length;
  const isRunning = () => ended() < props.calls.length;
  const outcome = () => [
    ...(isRunning() ? [strings.doneOfGroup(ended(), props.calls.length)] : []),
    ...(props.failed > 0 ? [strings.failedOfGroup(props.failed)] : []),
  ];
  const state = () => (isRunning() ? 'running' : props.failed > 0 ? 'error' : 'done');
  return (
    <>
      <Icon name={toolIcons[state()].name} tone={toolIcons[state()].tone} />
      <span class="words">
        <span class="name">{groupName(props.calls)}</span>
        <Outcome words={outcome()} hasFailed={props.failed > 0} />
        <span class="visually-hidden"> {strings.toolStates[state()]}</span>
      </span>
      <Icon name="chevron" tone="faint" class="chevron" />
    </>
  );
}

/** Files and folders are counted once, however often they are read. */
function groupName(calls: readonly ToolPart[]): string {
  const name = calls[0]?.name ?? '';
  const words: Readonly<Record<string, (count: number) => string>> = strings.groups;
  const things = name === 'grep' ? calls : calls.map((call) => call.input?.path ?? call.id);
  return words[name]?.(new Set<unknown>(things).size) ?? '';
}
