import * as vscode from 'vscode';
import {
  type ImageProblem,
  imagesSentAgain,
  MANY_IMAGES,
  MANY_IMAGES_PIXELS,
  MAX_SENT_BYTES,
  MAX_SENT_IMAGES,
  problemWithImages,
} from '../../core/context/image-limits.ts';
import type { AttachmentFiles } from '../../node/composer/attachment-files.ts';
import type { Attachment } from '../../protocol/composer-messages.ts';
import type { SessionEvent } from '../../protocol/events.ts';

const MEGABYTE = 1024 * 1024;

/**
 * The reason why the model would refuse a prompt with these images after `events`; undefined if there is
 * none.
 */
export async function problemWithAttachments(
  attachments: readonly Attachment[],
  events: readonly SessionEvent[],
  files: Pick<AttachmentFiles, 'describe'>,
): Promise<string | undefined> {
  const names = [...imagesSentAgain(events), ...attachments.map(({ name }) => name)];
  const described = await Promise.all(names.map(async (name) => files.describe(name)));
  const problem = problemWithImages(described.filter((image) => image !== undefined));
  return problem && sentenceFor(problem, attachments);
}

function sentenceFor(problem: ImageProblem, attachments: readonly Attachment[]): string {
  switch (problem.kind) {
    case 'count':
      return vscode.l10n.t(
        'With this prompt, the conversation has {0} images, but the model accepts at most {1}. Attach fewer, compact the conversation, or start a new session.',
        problem.count,
        MAX_SENT_IMAGES,
      );
    case 'bytes':
      return vscode.l10n.t(
        'The images in this conversation total {0} MB, but the model accepts at most {1} MB. Attach fewer or smaller ones, compact the conversation, or start a new session.',
        Math.ceil(problem.bytes / MEGABYTE),
        MAX_SENT_BYTES / MEGABYTE,
      );
    case 'pixels': {
      const { name, width = 0, height = 0 } = problem.image;
      const title = attachments.find((attachment) => attachment.name === name)?.title;
      return vscode.l10n.t(
        'If a conversation has more than {0} images, the model accepts none larger than {1} × {1} pixels. {2} has {3} × {4}. Make it smaller, compact the conversation, or start a new session.',
        MANY_IMAGES,
        MANY_IMAGES_PIXELS,
        title ?? vscode.l10n.t('An earlier image'),
        width,
        height,
      );
    }
  }
}
