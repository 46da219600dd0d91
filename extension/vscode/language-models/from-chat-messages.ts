import * as vscode from 'vscode';
import type {
  AssistantBlock,
  ImageBlock,
  Message,
  ToolSpec,
  Turn,
  UserBlock,
} from '../../core/ports/model.ts';
import { parseToolInput } from '../../core/providers/wire/tool-calls.ts';

type Asked = Pick<Turn, 'system' | 'messages'>;
type ChatMessage = vscode.LanguageModelChatRequestMessage;

const { User, Assistant } = vscode.LanguageModelChatMessageRole;

/** Converts a VS Code request into a turn. VS Code's own messages may have a third role, the system's. */
export function fromChatMessages(given: readonly ChatMessage[]): Asked {
  const isSaid = ({ role }: ChatMessage) => role === User || role === Assistant;
  const system = given.filter((message) => !isSaid(message)).map(textsOf);
  const messages = given.filter(isSaid).map(fromMessage);
  return {
    system: system.join('\n\n'),
    messages: joined(messages.filter(({ content }) => content.length > 0)),
  };
}

/**
 * Merges adjacent messages of one role, because tool results must precede everything else in a user's
 * message.
 */
function joined(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    // Both messages have the same role.
    if (last?.role !== message.role) result.push(message);
    else result[result.length - 1] = { ...last, content: [...last.content, ...message.content] } as Message;
  }
  return result;
}

export function fromChatTools(tools: readonly vscode.LanguageModelChatTool[] = []): ToolSpec[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    // JSON Schema that VS Code validates. Undefined if a tool has no input.
    inputSchema: (inputSchema as ToolSpec['inputSchema'] | undefined) ?? { type: 'object', properties: {} },
  }));
}

/** The text of a message. */
export function textOfMessage(given: string | ChatMessage): string {
  return typeof given === 'string' ? given : textsOf(given);
}

function fromMessage({ role, content }: ChatMessage): Message {
  return role === Assistant
    ? { role: 'assistant', content: content.flatMap(fromAssistantPart) }
    : { role: 'user', content: content.flatMap(fromUserPart) };
}

function fromAssistantPart(part: unknown): AssistantBlock[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (!(part instanceof vscode.LanguageModelToolCallPart)) return [];
  const input = parseToolInput(JSON.stringify(part.input ?? {}));
  return [
    { type: 'tool_call', id: part.callId, name: part.name, input: typeof input === 'string' ? {} : input },
  ];
}

function fromUserPart(part: unknown): UserBlock[] {
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const result = { type: 'tool_result', id: part.callId, content: textOf(part), isError: false } as const;
    // A result contains only text. Images of a tool follow it as separate blocks.
    return [result, ...part.content.flatMap(toImage)];
  }
  const image = toImage(part);
  const text = textOf(part);
  return image.length > 0 || text === '' ? image : [{ type: 'text', text }];
}

/** Empty if the part is not an image of a supported type. */
function toImage(part: unknown): ImageBlock[] {
  if (!(part instanceof vscode.LanguageModelDataPart) || !isImageType(part.mimeType)) return [];
  const data = Buffer.from(part.data).toString('base64');
  return [{ type: 'image', name: '', mediaType: part.mimeType, data }];
}

function isImageType(type: string): type is ImageBlock['mediaType'] {
  return /^image\/(png|jpeg|gif|webp)$/.test(type);
}

function textsOf({ content }: ChatMessage): string {
  return content.map(textOf).join('');
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelToolCallPart) return part.name + JSON.stringify(part.input);
  if (part instanceof vscode.LanguageModelToolResultPart) return part.content.map(textOf).join('');
  const isText =
    part instanceof vscode.LanguageModelDataPart && /^text\/|^application\/json$/.test(part.mimeType);
  return isText ? new TextDecoder().decode(part.data) : '';
}
