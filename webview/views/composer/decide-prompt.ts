// Decides what happens to a text that the user sends. A command runs, a prompt goes to the host. If the text
// may not be what the user means, the user sees a warning first.
import type { Attachment } from '../../../extension/protocol/composer-messages.ts';
import { strings } from '../../l10n/strings.ts';
import type { Panel } from '../../state/panel.ts';
import type { DraftAttachments } from './attachments/draft-attachments.ts';
import { commandIn, doubtAbout, performCommand, type SlashCommand } from './completion/commands.ts';
import type { SharedFileChoice } from './shared-file.ts';

export interface DecisionOptions {
  readonly attachments: DraftAttachments;
  readonly sharedFile: Pick<SharedFileChoice, 'take'>;
  /** The reason why `text` cannot be sent now; empty if it can. */
  obstacle(text: string): string;
  /** Shown until the text changes. */
  say(problem: string): void;
  /** Shown for a moment. */
  onHint(hint: string): void;
  onHelp(): void;
  onSubmit(): void;
}

interface Decision {
  /** Returns what to do after the text has left the input; undefined if the text must stay. */
  decide(text: string, isSteer: boolean): (() => void) | undefined;
  run(name: SlashCommand): void;
  /** Calls `submit` once there is a session, with the text that was sent before. */
  catchUp(submit: (text: string, isSteer: boolean) => void): void;
  /** `restore` puts a text that the host rejected back into the input. */
  takeBack(restore: (text: string) => void): void;
}

export function createDecision(panel: Panel, options: DecisionOptions): Decision {
  const { attachments } = options;
  /** The user has seen the warning about this text. */
  let insisted: string | undefined;
  let early: { readonly text: string; readonly isSteer: boolean } | undefined;

  const run = (name: SlashCommand, argument?: string) =>
    performCommand(name, panel, options.onHelp, argument);
  const isDoubtful = (text: string) => {
    const doubt = text === insisted ? '' : doubtAbout(text);
    if (doubt === '') return false;
    insisted = text;
    options.say(doubt);
    return true;
  };
  const isHindered = (text: string) => {
    const hint = options.obstacle(text);
    const problem = attachments.obstacle();
    if (hint !== '') options.onHint(hint);
    else if (problem !== '') options.say(problem);
    return hint !== '' || problem !== '';
  };
  const send = (text: string, isSteer: boolean) => {
    // Without the fields that only the page needs.
    const sent = attachments.items().map(({ name, title, bytes }) => ({ name, title, bytes }));
    attachments.set([]);
    const withoutOpenFile = options.sharedFile.take();
    submitPrompt(panel, { text, attachments: sent, isSteer, asIs: text === insisted, withoutOpenFile });
    insisted = undefined;
    options.onSubmit();
  };
  return {
    run,
    decide(text, isSteer) {
      const command = commandIn(text);
      if (command) return () => run(command.name, command.argument);
      if (text.trim() === '' && attachments.isEmpty()) return undefined;
      early = panel.store.panel ? undefined : { text, isSteer };
      if (isHindered(text) || isDoubtful(text)) return undefined;
      return () => send(text, isSteer);
    },
    catchUp(submit) {
      // The draft is the last part of the input's content to arrive.
      panel.listen(({ type }) => {
        if (type !== 'draft' || !early) return;
        const { text, isSteer } = early;
        early = undefined;
        submit(text, isSteer);
      });
    },
    takeBack(restore) {
      panel.listen((message) => {
        if (message.type !== 'prompt/refused') return;
        restore(message.text);
        attachments.restore(message.attachments);
        if (message.canInsist) insisted = message.text;
        options.say(message.canInsist ? strings.insist(message.reason) : message.reason);
      });
    },
  };
}

/** The content of the input. */
interface TypedPrompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** For the current run, as soon as it can take a message. */
  readonly isSteer: boolean;
  /** Sends the prompt despite the host's objections. */
  readonly asIs: boolean;
  readonly withoutOpenFile?: boolean;
}

/** Sends the content of the input. */
export function submitPrompt({ drafting, send }: Panel, prompt: TypedPrompt): void {
  const { text, attachments, isSteer, asIs, withoutOpenFile } = prompt;
  const rest = {
    text,
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(asIs && { asIs }),
    ...(withoutOpenFile && { withoutOpenFile }),
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
