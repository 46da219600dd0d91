import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { conversationMarkdown, partMarkdown } from '../../core/export/conversation-markdown.ts';
import type { ReadLog } from '../../core/view/log-window.ts';
import { conversationParts } from '../../core/view/parts.ts';

/** Milliseconds for which the status bar shows the confirmation. */
const CONFIRMATION = 3_000;

/** Copies the whole conversation to the clipboard. */
export async function copyConversation(log: ReadLog): Promise<void> {
  const events = await log.whole(log.events);
  if (events.length === 0)
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no conversation to copy yet.'));
  else await copy(conversationMarkdown(events), vscode.l10n.t('Conversation copied'));
}

/** Copies one part, given its section and its id. */
export async function copyPart(log: ReadLog, section: number, id: string): Promise<void> {
  const part = conversationParts(await log.whole(log.section(section))).find(
    (candidate) => candidate.id === id,
  );
  if (part) await copy(partMarkdown(part), vscode.l10n.t('Part copied'));
  else
    void vscode.window.showInformationMessage(vscode.l10n.t('You can copy this part when it is complete.'));
}

const partOfMenu = z.object({ section: z.number(), part: z.string() });

/** Copies the part whose context menu the user opened. `context` is what the page gave VS Code for it. */
export async function copyPartOfMenu(log: ReadLog, context: unknown): Promise<void> {
  const place = partOfMenu.safeParse(context).data;
  if (place) await copyPart(log, place.section, place.part);
}

async function copy(markdown: string, confirmation: string): Promise<void> {
  await vscode.env.clipboard.writeText(markdown);
  vscode.window.setStatusBarMessage(confirmation, CONFIRMATION);
}
