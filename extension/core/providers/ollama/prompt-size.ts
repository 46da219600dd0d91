import type { AssistantBlock, Turn, UserBlock } from '../../ports/model.ts';

/** Of prose and code on average. */
const CHARACTERS_PER_TOKEN = 4;
/** No conversation has tokens as long as this on average. */
const LONGEST_TOKENS = 8;
/** No server has ever run a model in less; tokens. */
const SMALLEST_WINDOW = 2048;

/** About how many tokens the prompt has, images left out. */
export function tokensOf(turn: Turn): number {
  return Math.ceil(charactersOf(turn) / CHARACTERS_PER_TOKEN);
}

/**
 * The server has read so few tokens that it must have left some of the prompt out: older ones do so in spite of
 * `truncate: false`, and say nothing.
 */
export function isCut(turn: Turn, promptTokens: number): boolean {
  const characters = charactersOf(turn);
  if (characters < SMALLEST_WINDOW * CHARACTERS_PER_TOKEN) return false;
  return characters > promptTokens * LONGEST_TOKENS;
}

function charactersOf({ system, messages }: Turn): number {
  let characters = system.length;
  for (const { content } of messages) for (const block of content) characters += lengthOf(block);
  return characters;
}

function lengthOf(block: UserBlock | AssistantBlock): number {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text.length;
    case 'tool_result':
      return block.content.length;
    case 'tool_call':
      return lengthsIn(block.input);
    default:
      return 0;
  }
}

/** Of the texts in a tool's arguments, which are nearly all there is to them. */
function lengthsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + lengthsIn(inner), 0);
}
