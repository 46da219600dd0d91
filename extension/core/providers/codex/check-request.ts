import { COMMON_ID } from '../http/call-id.ts';
import { checkRequest, type Piece } from '../http/check-request.ts';
import { asList, asText, type WireFields } from './finished-item.ts';
import { OPENAI } from './options.ts';

/** Throws `ModelFailure` where the API would refuse it. */
export function checkInput(body: WireFields): void {
  const tools = asList(body.tools).map(({ name }) => asText(name));
  const pieces = asList(body.input).flatMap(piecesOf);
  checkRequest(OPENAI.name, { pieces, tools, ids: COMMON_ID, body });
}

function piecesOf({ type, role, call_id, name, content }: WireFields): Piece[] {
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      return [{ type: 'call', id: asText(call_id), name: asText(name) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', id: asText(call_id) }];
    case 'message': {
      const isEmpty = asList(content).length === 0;
      // The model itself may say something between a call and its result.
      return isEmpty || role !== 'assistant' ? [{ type: 'said', isEmpty }] : [];
    }
    default:
      return [];
  }
}
