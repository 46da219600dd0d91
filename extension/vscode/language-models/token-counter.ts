import type * as vscode from 'vscode';
import type { AssistantBlock, Turn, Usage, UserBlock } from '../../core/ports/model.ts';

type Block = UserBlock | AssistantBlock;

/**
 * Estimates the usage of a request, because the API does not report it. Counts the texts with the model's own
 * counter. Counts each block only once, even if later requests contain it.
 */
export class TokenCounter {
  /** Tokens of the conversation up to and including a block. */
  readonly #until = new WeakMap<Block, number>();

  async usage(
    chat: vscode.LanguageModelChat,
    turn: Turn,
    written: string,
    token: vscode.CancellationToken,
  ): Promise<Usage> {
    const [inputTokens, outputTokens] = await Promise.all([
      this.#prompt(chat, turn, token),
      chat.countTokens(written, token),
    ]);
    return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
  }

  async #prompt(
    chat: vscode.LanguageModelChat,
    { system, messages }: Turn,
    token: vscode.CancellationToken,
  ): Promise<number> {
    const blocks: Block[] = messages.flatMap(({ content }): readonly Block[] => content);
    const counted = blocks.findLastIndex((block) => this.#until.has(block));
    const last = blocks[counted];
    const before = last && this.#until.get(last);
    const texts = blocks.slice(counted + 1).map(textOf);
    const added = await chat.countTokens(
      [...(before === undefined ? [system] : []), ...texts].join('\n'),
      token,
    );
    const total = (before ?? 0) + added;
    const newest = blocks.at(-1);
    if (newest) this.#until.set(newest, total);
    return total;
  }
}

function textOf(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text;
    case 'tool_result':
      return block.content;
    case 'tool_call':
      return block.name + JSON.stringify(block.input);
    default:
      return '';
  }
}
