import * as vscode from 'vscode';
import type { AssistantBlock, Message, ToolSpec, Turn, UserBlock } from '../../core/ports/model.ts';
import { callId, objectSchema, toolName } from '../../core/providers/wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../../core/providers/wire/unicode.ts';

/** A part of a message that Harness sends. */
type SentPart =
  | vscode.LanguageModelTextPart
  | vscode.LanguageModelToolCallPart
  | vscode.LanguageModelToolResultPart;

const { User, Assistant } = vscode.LanguageModelChatMessageRole;

/** The API has only two roles, so the system prompt starts the user's first message. */
export function toChatMessages({ system, messages }: Turn): vscode.LanguageModelChatMessage[] {
  const instructions = system.trim() === '' ? [] : [new vscode.LanguageModelTextPart(wellFormedText(system))];
  const sent = messages.map(toMessage).filter(({ content }) => content.length > 0);
  const [first, ...rest] = sent;
  if (first?.role !== User) {
    return instructions.length > 0
      ? [new vscode.LanguageModelChatMessage(User, instructions), ...sent]
      : sent;
  }
  return [new vscode.LanguageModelChatMessage(User, [...instructions, ...first.content]), ...rest];
}

export function toChatTools(tools: readonly ToolSpec[]): vscode.LanguageModelChatTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description: wellFormedText(description),
    inputSchema: objectSchema(inputSchema),
  }));
}

function toMessage(message: Message): vscode.LanguageModelChatMessage {
  if (message.role === 'assistant') {
    return new vscode.LanguageModelChatMessage(Assistant, message.content.flatMap(toParts));
  }
  // Tool results must directly follow the calls that they answer.
  const results = message.content.filter(({ type }) => type === 'tool_result');
  const others = message.content.filter(({ type }) => type !== 'tool_result');
  return new vscode.LanguageModelChatMessage(User, [...results, ...others].flatMap(toParts));
}

const known = new WeakMap<UserBlock | AssistantBlock, readonly SentPart[]>();

/** Blocks never change and every later request sends them again, so each is translated once. */
function toParts(block: UserBlock | AssistantBlock): readonly SentPart[] {
  const parts = known.get(block) ?? translate(block);
  known.set(block, parts);
  return parts;
}

const UNSEEN = '(An image was attached here, which this model cannot see.)';

/** The API has no parts for thinking and provider-specific blocks. */
function translate(block: UserBlock | AssistantBlock): readonly SentPart[] {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text.trim() === '' ? [] : [new vscode.LanguageModelTextPart(wellFormedText(block.text))];
    case 'image':
      return [new vscode.LanguageModelTextPart(UNSEEN)];
    case 'tool_call':
      return [toCall(block)];
    case 'tool_result': {
      const text = new vscode.LanguageModelTextPart(wellFormedText(block.content) || '(empty)');
      const images = (block.images ?? []).map(() => new vscode.LanguageModelTextPart(UNSEEN));
      return [new vscode.LanguageModelToolResultPart(toId(block.id), [text, ...images])];
    }
    default:
      return [];
  }
}

/** The provider of the model may reject other ids and names. */
function toCall({ id, name, input }: Extract<AssistantBlock, { type: 'tool_call' }>): SentPart {
  return new vscode.LanguageModelToolCallPart(toId(id), toolName(name), wellFormedData(input));
}

const toId = (id: string) => callId(id, 'call_');
