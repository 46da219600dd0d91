import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { COMMON_ID } from '../http/call-id.ts';
import { checkRequest, type Piece } from '../http/check-request.ts';
import { ANTHROPIC } from './options.ts';

/** Throws `ModelFailure` where the API would refuse it. */
export function checkMessages(body: MessageCreateParamsStreaming): void {
  const tools = (body.tools ?? []).flatMap((tool) => ('name' in tool ? [tool.name] : []));
  checkRequest(ANTHROPIC.name, { pieces: piecesOf(body.messages), tools, ids: COMMON_ID, body });
}

function* piecesOf(messages: MessageCreateParamsStreaming['messages']): Generator<Piece> {
  for (const { content } of messages) {
    if (content.length === 0) yield { type: 'said', isEmpty: true };
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'tool_use') yield { type: 'call', id: block.id, name: block.name };
      else if (block.type === 'tool_result') yield { type: 'result', id: block.tool_use_id };
      else yield { type: 'said', isEmpty: block.type === 'text' && block.text.trim() === '' };
    }
  }
}
