import type { Attachment } from '../../extension/protocol/composer-messages.ts';
import type { Panel } from '../state/panel.ts';

/** What is in the input. */
export interface TypedPrompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** To the run that is on, as soon as it can hear. */
  readonly isSteer: boolean;
  /** Whatever the host had to say against it. */
  readonly asIs: boolean;
}

/** Sends what is in the input. */
export function submitPrompt({ drafting, send }: Panel, prompt: TypedPrompt): void {
  const { text, attachments, isSteer, asIs } = prompt;
  const rest = {
    text,
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(asIs && { asIs }),
  };
  const before = drafting.before();
  if (before !== undefined) {
    send({ type: 'prompt/fork', before, ...rest });
    drafting.endEdit();
  } else {
    send({ type: isSteer ? 'prompt/steer' : 'prompt/submit', ...rest });
    drafting.sent();
  }
}
