import * as vscode from 'vscode';
import type { ToolSpec } from '../../core/ports/model.ts';
import { COMMON_ID } from '../../core/providers/http/call-id.ts';
import { checkRequest, type Piece } from '../../core/providers/http/check-request.ts';

/** Throws `ModelFailure` where whoever stands behind the model would refuse it. */
export function checkChatMessages(
  model: string,
  messages: readonly vscode.LanguageModelChatMessage[],
  tools: readonly ToolSpec[],
): void {
  const pieces = messages.flatMap(({ content }) => content.map(toPiece));
  const names = tools.map(({ name }) => name);
  checkRequest(`“${model}”`, { pieces, tools: names, ids: COMMON_ID, body: messages });
}

function toPiece(part: unknown): Piece {
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { type: 'call', id: part.callId, name: part.name };
  if (part instanceof vscode.LanguageModelToolResultPart) return { type: 'result', id: part.callId };
  return { type: 'said', isEmpty: part instanceof vscode.LanguageModelTextPart && part.value.trim() === '' };
}
