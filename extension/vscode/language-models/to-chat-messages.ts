import * as vscode from 'vscode';
import type { AssistantBlock, Message, ToolSpec, Turn, UserBlock } from '../../core/ports/model.ts';
import { callId, objectSchema, toolName } from '../../core/providers/wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../../core/providers/wire/unicode.ts';

/** What stands in a message that Harness sends. */
type SentPart =
  | vscode.LanguageModelTextPart
  | vscode.LanguageModelToolCallPart
  | vscode.LanguageModelToolResultPart;

const { User, Assistant } = vscode.LanguageModelChatMessageRole;

/** There are two roles alone, so the system prompt opens the first message of the user. */
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
  // Results stand directly behind the calls that they answer.
  const results = message.content.filter(({ type }) => type === 'tool_result');
  const others = message.content.filter(({ type }) => type !== 'tool_result');
  return new vscode.LanguageModelChatMessage(User, [...results, ...others].flatMap(toParts));
}

const known = new WeakMap<UserBlock | AssistantBlock, readonly SentPart[]>();

/** A block stays as it is and is sent with every later request, so it is translated once. */
function toParts(block: UserBlock | AssistantBlock): readonly SentPart[] {
  const parts = known.get(block) ?? translate(block);
  known.set(block, parts);
  return parts;
}

/** Thinking and what only its maker understands have no place in this API. */
function translate(block: UserBlock | AssistantBlock): readonly SentPart[] {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text.trim() === '' ? [] : [new vscode.LanguageModelTextPart(wellFormedText(block.text))];
    case 'image':
      return [new vscode.LanguageModelTextPart('(An image was attached here, which this model cannot see.)')];
    case 'tool_call':
      return [toCall(block)];
    case 'tool_result': {
      const text = new vscode.LanguageModelTextPart(wellFormedText(block.content) || '(empty)');
      return [new vscode.LanguageModelToolResultPart(toId(block.id), [text])];
    }
    default:
      return [];
  }
}

/** Whoever stands behind the model may take no other ids and names. */
function toCall({ id, name, input }: Extract<AssistantBlock, { type: 'tool_call' }>): SentPart {
  return new vscode.LanguageModelToolCallPart(toId(id), toolName(name), wellFormedData(input));
}

const toId = (id: string) => callId(id, 'call_');
