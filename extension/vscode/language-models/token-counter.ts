import type * as vscode from 'vscode';
import type { AssistantBlock, Turn, Usage, UserBlock } from '../../core/ports/model.ts';

type Block = UserBlock | AssistantBlock;

/**
 * Estimates what a request has used, since the API does not tell it: counts the texts by the model's own measure. What
 * was counted for an earlier request is not counted again.
 */
export class TokenCounter {
  /** Tokens of the conversation up to and with a block. */
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
