import type { AssistantBlock, Message, UserBlock } from '../ports/model.ts';

/** Characters of one block. Of a longer one, the beginning and the end stay. */
const LONGEST_BLOCK = 8_000;

/** How a prompt begins in `conversationText`. */
export const PROMPT_MARK = 'User: ';

/**
 * A conversation as one text for a model that summarizes it. Omits what only the conversation's provider
 * understands.
 */
export function conversationText(messages: readonly Message[]): string {
  return messages
    .flatMap((message) =>
      message.role === 'user' ? message.content.flatMap(ofUser) : message.content.flatMap(ofAssistant),
    )
    .join('\n\n');
}

/** Omits context, because the model gets it again after a summary. */
function ofUser(block: UserBlock): string[] {
  switch (block.type) {
    case 'text':
      return [`${PROMPT_MARK}${shorten(block.text)}`];
    case 'image':
      return [`${PROMPT_MARK}[an image]`];
    case 'tool_result':
      return [`${block.isError ? 'Error' : 'Result'}: ${shorten(block.content)}`];
    case 'context':
      return [];
  }
}

function ofAssistant(block: AssistantBlock): string[] {
  if (block.type === 'text') return [`Assistant: ${shorten(block.text)}`];
  return block.type === 'tool_call' ? [`Call: ${block.name} ${shorten(JSON.stringify(block.input))}`] : [];
}

function shorten(text: string): string {
  if (text.length <= LONGEST_BLOCK) return text;
  const half = LONGEST_BLOCK / 2;
  return `${text.slice(0, half)}\n[${text.length - LONGEST_BLOCK} characters left out]\n${text.slice(-half)}`;
}
