import * as vscode from 'vscode';
import type { AttachmentFiles } from '../../node/composer/attachment-files.ts';
import type {
  ComposerAnswer,
  ComposerQuestion,
  PromptRefused,
  SentPrompt,
} from '../../protocol/composer-messages.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { completeMention } from '../mentions/completions.ts';
import type { FileList } from '../mentions/file-list.ts';
import type { MentionContext } from '../mentions/mention-context.ts';
import type { Models } from '../models/models.ts';
import { addAttachment, mentionsOf, openAttachment, pickAttachments } from './attachments.ts';
import { problemWithAttachments } from './image-check.ts';

/** The parts that all inputs of a window share. */
export interface ComposerParts {
  readonly attachments: AttachmentFiles;
  readonly files: FileList;
  readonly mentions: MentionContext;
}

export interface ComposerHostOptions extends Pick<ComposerParts, 'attachments' | 'files'> {
  takesImages(): Promise<boolean>;
  answer(message: ComposerAnswer): void;
  /** Puts text into the input. */
  insert(text: string): void;
}

export type Refusal = Pick<PromptRefused, 'reason' | 'canInsist'>;

/**
 * The reason not to send a prompt as it is, after the events of `eventsBefore`. Undefined if there is none.
 */
export async function whyRefused(
  { text, attachments = [], asIs }: SentPrompt,
  eventsBefore: () => readonly SessionEvent[],
  { models, composer }: { readonly models: Pick<Models, 'describe'>; readonly composer: ComposerParts },
): Promise<Refusal | undefined> {
  if (attachments.length > 0) {
    const { images, modelName } = await models.describe();
    const problem = images
      ? await problemWithAttachments(attachments, eventsBefore(), composer.attachments)
      : vscode.l10n.t('{0} does not accept images. Select another model, or remove the image.', modelName);
    if (problem !== undefined) return { reason: problem, canInsist: false };
  }
  const reason = asIs ? undefined : await composer.mentions.problemWith(text);
  return reason === undefined ? undefined : { reason, canInsist: true };
}

/** Answers requests of the input. Rejects with a sentence for the user. */
export async function handleComposerMessage(
  message: ComposerQuestion,
  options: ComposerHostOptions,
): Promise<void> {
  const { attachments, answer, insert } = options;
  switch (message.type) {
    case 'completion/get': {
      const items = await completeMention(options.files, message.query);
      return answer({ type: 'completion/items', request: message.request, items: [...items] });
    }
    case 'attachment/add':
      return answer(await addAttachment(attachments, message));
    case 'attachment/pick':
      return pickAttachments(attachments, message.session, await options.takesImages(), answer, insert);
    case 'attachment/open':
      return openAttachment(attachments, message.name);
    case 'mention/drop':
      return drop(message.uris, insert);
  }
}

function drop(uris: readonly string[], insert: (text: string) => void): void {
  const mentions = mentionsOf(uris);
  if (mentions !== '') insert(mentions);
  else
    void vscode.window.showInformationMessage(vscode.l10n.t('You can mention only files in this workspace.'));
}
