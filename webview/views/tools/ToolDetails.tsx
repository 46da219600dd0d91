import { createMemo, type JSX, Show } from 'solid-js';
import type { ShownOutput } from '../../../extension/protocol/events.ts';
import { effectOf } from '../../../extension/protocol/tool-names.ts';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { terminalLines } from '../../text/terminal.ts';
import { readShortAnswer } from '../../tools/tool-answer.ts';
import { viewOf } from '../../tools/tool-table.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { TerminalLines } from '../../ui/TerminalLines.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { MoreLines } from '../common/MoreLines.tsx';
import { StoredImage } from '../common/StoredImage.tsx';
import { cutText } from './cut-text.ts';
import { DiffRows } from './DiffRows.tsx';
import { diffOf } from './tool-diff.ts';
import { reasonOf, shownResult } from './tool-result.ts';

/** The most lines of an input or result that are shown. The user can open the rest in an editor. */
const SHOWN_LINES = 100;

/** The input of a call and its outcome. */
export function ToolDetails(props: { part: ToolPart }): JSX.Element {
  const diff = createMemo(() => diffOf(props.part));
  const image = createMemo(() => readShortAnswer(props.part.result)?.image);
  return (
    <>
      <Show when={diff()} fallback={<Text label={strings.input} text={inputText(props.part)} />}>
        {(rows) => (
          <>
            <ScrollBox label={strings.change} class="diff">
              <DiffRows rows={rows().rows} />
            </ScrollBox>
            <MoreLines lines={rows().more} />
          </>
        )}
      </Show>
      <Show when={props.part.permission}>
        {(permission) => <p class="meta">{strings.decidedBy(permission().rule)}</p>}
      </Show>
      <Show when={image()}>{(name) => <StoredImage name={name()} number={1} />}</Show>
      <Show when={props.part.result !== undefined && image() === undefined}>
        <Show
          when={props.part.shown}
          fallback={
            <Text
              label={strings.result}
              text={shownResult(props.part)}
              isFailure={props.part.state === 'error'}
              isTerminal={effectOf(props.part.name) === 'runs'}
              call={props.part.id}
            />
          }
        >
          {(shown) => (
            <>
              <Text label={strings.result} text={reasonOf(props.part)} isFailure />
              <Output shown={shown()} call={props.part.id} />
            </>
          )}
        </Show>
      </Show>
    </>
  );
}

interface TextProperties {
  readonly label: string;
  readonly text: string;
  readonly isFailure?: boolean;
  readonly isTerminal?: boolean;
  /** The call whose whole result the user can open. */
  readonly call?: string;
}

function Text(props: TextProperties): JSX.Element {
  const text = createMemo(() => cutText(props.text, SHOWN_LINES));
  /** The end of a command's output is the most informative part. */
  const isEnd = () => props.isTerminal && text().moreLines === 0 && text().moreCharacters === 0;
  return (
    <Show when={text().shown}>
      {(shown) => (
        <>
          <ScrollBox
            label={props.label}
            class={`${props.isFailure ? 'error-text' : ''} ${isEnd() ? 'from-end' : ''}`}
          >
            {props.isTerminal ? (
              <TerminalLines lines={terminalLines(shown())} />
            ) : (
              <VisibleText text={shown()} />
            )}
          </ScrollBox>
          <MoreLines lines={text().moreLines} characters={text().moreCharacters} call={props.call} />
        </>
      )}
    </Show>
  );
}

/** A command's output as it arrived. A mark shows where something is left out. */
function Output(props: { shown: ShownOutput; call: string }): JSX.Element {
  const lines = createMemo(() => {
    const { start, end } = props.shown;
    if (end === undefined) return terminalLines(start);
    return [...terminalLines(start.replace(/\n$/, '')), '…', ...terminalLines(end)];
  });
  return (
    <>
      <ScrollBox label={strings.result} class="from-end">
        <TerminalLines lines={lines()} />
      </ScrollBox>
      <MoreLines lines={props.shown.moreLines ?? 0} call={props.call} />
    </>
  );
}

/** What the line does not contain: a command to copy, a patch, and the JSON of an unknown tool's call. */
function inputText({ name, input = {} }: ToolPart): string {
  const json = () => (Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2));
  return viewOf(name).input?.(input) ?? json();
}
