import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { AttachmentError, type AttachmentFiles } from '../../node/composer/attachment-files.ts';
import type { AttachmentAdd, ComposerAnswer } from '../../protocol/composer-messages.ts';
import { MAX_IMAGE_BYTES } from '../../protocol/composer-messages.ts';
import { say } from '../../protocol/say.ts';
import { errorMessage } from '../base/localize.ts';
import { mentionOf } from '../mentions/mention.ts';

/** Stores an image that the page has sent. */
export async function addAttachment(
  files: AttachmentFiles,
  { session, request, title, data }: AttachmentAdd,
): Promise<ComposerAnswer> {
  try {
    const bytes = Buffer.from(data, 'base64');
    const name = await files.keep(bytes, title);
    return { type: 'attachment/added', session, request, attachment: { name, title, bytes: bytes.length } };
  } catch (error) {
    return { type: 'attachment/refused', request, reason: errorMessage(error) };
  }
}

/**
 * Lets the user choose files for the input of a session. `answer` receives the images, `mention` a text that
 * names the other files.
 */
export async function pickAttachments(
  files: AttachmentFiles,
  session: string,
  takesImages: boolean,
  answer: (message: ComposerAnswer) => void,
  mention: (text: string) => void,
): Promise<void> {
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Attach Files or Images'),
    openLabel: vscode.l10n.t('Attach'),
    canSelectMany: true,
    filters: {
      [vscode.l10n.t('All Files')]: ['*'],
      [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'],
    },
  });
  for (const uri of picked ?? []) {
    const isImage = takesImages && /\.(png|jpe?g|gif|webp)$/i.test(uri.path);
    if (isImage) answer(await keepFile(files, session, uri.fsPath));
    else if (vscode.workspace.getWorkspaceFolder(uri)) mention(mentionOf(uri));
    else answer({ type: 'attachment/refused', reason: outside(uri) });
  }
}

async function keepFile(files: AttachmentFiles, session: string, path: string): Promise<ComposerAnswer> {
  const title = basename(path);
  try {
    if ((await stat(path)).size > MAX_IMAGE_BYTES)
      throw new AttachmentError(
        say('{0} is larger than 5 MB. Make it smaller, then attach it again.', title),
      );
    const bytes = await readFile(path);
    const name = await files.keep(bytes, title);
    return {
      type: 'attachment/added',
      session,
      attachment: { name, title, bytes: bytes.length },
      data: bytes.toString('base64'),
    };
  } catch (error) {
    return { type: 'attachment/refused', reason: errorMessage(error) };
  }
}

/** Mentions of the files at these URIs. Leaves out files outside the workspace. */
export function mentionsOf(addresses: readonly string[]): string {
  return addresses
    .map((address) => vscode.Uri.parse(address, true))
    .filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .map((uri) => mentionOf(uri))
    .join('');
}

/** Opens an image of the conversation. */
export async function openAttachment(files: AttachmentFiles, name: string): Promise<void> {
  const path = files.path(name);
  if (path) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true });
}

function outside(uri: vscode.Uri): string {
  const name = basename(uri.path);
  return vscode.l10n.t(
    '{0} is outside this workspace. From there, you can attach only images, and only if the model accepts them.',
    name,
  );
}
