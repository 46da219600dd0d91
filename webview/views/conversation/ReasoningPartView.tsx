import type { JSX } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import { Markdown } from '../../markdown/Markdown.tsx';
import type { ReasoningPart } from '../../state/parts.ts';
import { Disclosure } from '../common/Disclosure.tsx';
import { OutcomeWords } from '../common/OutcomeWords.tsx';

export function ReasoningPartView(props: { part: ReasoningPart }): JSX.Element {
  const title = () =>
    props.part.open ? strings.thinking : strings.thoughtFor(Math.round(props.part.milliseconds / 1_000));
  const tokens = () => (props.part.tokens === undefined ? [] : [strings.thinkingTokens(props.part.tokens)]);
  return (
    <div class="part reasoning" data-part="reasoning" data-part-id={props.part.id}>
      <Disclosure
        id={props.part.id}
        label={
          <span class="words">
            <span class="name">{title()}</span>
            <OutcomeWords words={tokens()} />
          </span>
        }
      >
        <Markdown text={props.part.text} />
      </Disclosure>
    </div>
  );
}
