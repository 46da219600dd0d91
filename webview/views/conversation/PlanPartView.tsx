import { For, type JSX } from 'solid-js';
import { strings } from '../../l10n/strings.ts';
import type { PlanPart } from '../../state/parts.ts';
import { Icon } from '../../ui/icons.tsx';

const icons = { pending: 'ring', in_progress: 'half', completed: 'check' } as const;
const tones = { pending: 'plain', in_progress: 'active', completed: 'good' } as const;

export function PlanPartView(props: { part: PlanPart }): JSX.Element {
  return (
    <div class="part plan" data-part="plan" data-part-id={props.part.id}>
      <ol aria-label={strings.plan}>
        <For each={props.part.steps}>
          {(step) => (
            <li data-status={step.status}>
              <Icon name={icons[step.status]} tone={tones[step.status]} />
              <span dir="auto">{step.title}</span>
              <span class="visually-hidden">{strings.planStatus[step.status]}</span>
            </li>
          )}
        </For>
      </ol>
    </div>
  );
}
