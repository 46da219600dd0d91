import type { Opaque } from '../../../protocol/events.ts';
import type { AssistantBlock, ImageBlock, Message, UserBlock } from '../../ports/model.ts';
import { type Fields, fieldsOf, listOf } from '../wire/json.ts';
import { toolName } from '../wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../wire/unicode.ts';
import { toCallId } from './call-id.ts';
import type { Dialect } from './dialect.ts';
import { mergeData, mergeDetails, serverData } from './reasoning-details.ts';

/** The model and the server that get the messages. */
export interface Listener {
  readonly provider: string;
  readonly model: string;
  readonly dialect: Dialect;
  /** The model accepts images. */
  readonly images: boolean;
}

/** Replaces the signature for calls of another model (ai.google.dev/gemini-api/docs/thought-signatures). */
const NO_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } };

/**
 * Translates a message. A tool's result becomes a separate message, so the result may be several messages, or
 * none.
 */
export function toMessages(message: Message, listener: Listener): readonly Fields[] {
  return message.role === 'user'
    ? fromUser(message.content, listener)
    : fromAssistant(message.content, listener);
}

/** Results come first, because they must directly follow the calls that they answer. */
function fromUser(blocks: readonly UserBlock[], { dialect, images }: Listener): Fields[] {
  const results = blocks.flatMap((block) =>
    block.type === 'tool_result'
      ? [
          {
            role: 'tool',
            tool_call_id: toCallId(block.id, dialect.ids),
            content: wellFormedText(block.content) || '(empty)',
          },
        ]
      : [],
  );
  const parts = blocks.flatMap((block) => toPart(block, images));
  return parts.length === 0 ? results : [...results, { role: 'user', content: plain(parts) }];
}

function toPart(block: UserBlock, images: boolean): Fields[] {
  // A result is one text, so its images come in the user's message after it.
  if (block.type === 'tool_result') return (block.images ?? []).map((image) => toImage(image, images));
  if (block.type === 'image') return [toImage(block, images)];
  return block.text.trim() === '' ? [] : [{ type: 'text', text: wellFormedText(block.text) }];
}

function toImage({ mediaType, data }: ImageBlock, images: boolean): Fields {
  if (!images) return { type: 'text', text: '(An image was attached here. You cannot see images.)' };
  if (data === undefined)
    return { type: 'text', text: '(An image was attached here. Its file is missing now.)' };
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

/** Joins parts that are all text, because the templates of many local models do not support parts. */
function plain(parts: readonly Fields[]): unknown {
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('\n\n') : parts;
}

function fromAssistant(blocks: readonly AssistantBlock[], listener: Listener): Fields[] {
  const text = blocks
    .flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
    .join('\n\n');
  const calls = toCalls(blocks, listener);
  if (text === '' && calls.length === 0) return [];
  const said = text === '' ? listener.dialect.emptyContent : wellFormedText(text);
  return [
    {
      role: 'assistant',
      content: said,
      ...dataOfReply(blocks, listener),
      ...echoOf(blocks, said, calls.length > 0, listener),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function toCalls(blocks: readonly AssistantBlock[], listener: Listener): Fields[] {
  const calls = blocks.filter((block) => block.type === 'tool_call');
  return calls.map(({ id, name, input, opaque }, index) => ({
    id: toCallId(id, listener.dialect.ids),
    type: 'function',
    function: { name: toolName(name), arguments: JSON.stringify(wellFormedData(input)) },
    ...dataOfCall(opaque, index, listener),
  }));
}

/** Of parallel calls, only the first one must be signed. */
function dataOfCall(opaque: Opaque | undefined, index: number, listener: Listener): Fields {
  const own = serverData(ownData(opaque, listener) ?? {});
  const needsDummy = listener.dialect.echo === 'thought_signature' && index === 0;
  return own ?? (needsDummy ? { extra_content: NO_SIGNATURE } : {});
}

/** What the server sent with the message. */
function dataOfReply(blocks: readonly AssistantBlock[], listener: Listener): Fields {
  const details = opaqueIn(blocks, listener).flatMap(({ reasoning_details }) => listOf(reasoning_details));
  const data = blocks.flatMap((block) => (block.type === 'text' ? [ownData(block.opaque, listener)] : []));
  return {
    ...(details.length > 0 && { reasoning_details: mergeDetails(details) }),
    ...data.reduce((all, next) => mergeData(all, serverData(next ?? {})), undefined),
  };
}

/** The reasoning of this model that its server expects back as a text. */
function echoOf(
  blocks: readonly AssistantBlock[],
  said: string | null,
  hasCalls: boolean,
  listener: Listener,
): Fields {
  switch (listener.dialect.echo) {
    case 'none':
    case 'thought_signature':
      return {};
    case 'reasoning_content': {
      const thought = thoughtIn(blocks, listener);
      return thought !== '' || hasCalls ? { reasoning_content: thought } : {};
    }
    case 'thinking_parts': {
      const thought = thoughtIn(blocks, listener);
      return thought === '' ? {} : { content: withThought(thought, said) };
    }
  }
}

function withThought(thought: string, said: string | null): Fields[] {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: thought }] };
  return said ? [thinking, { type: 'text', text: said }] : [thinking];
}

function thoughtIn(blocks: readonly AssistantBlock[], listener: Listener): string {
  const own = blocks.flatMap((block) =>
    block.type === 'reasoning' && ownData(block.opaque, listener) ? [block.text] : [],
  );
  return wellFormedText(own.join(''));
}

function opaqueIn(blocks: readonly AssistantBlock[], listener: Listener): Fields[] {
  return blocks.flatMap((block) => {
    const data = block.type === 'reasoning' ? ownData(block.opaque, listener) : undefined;
    return data ? [data] : [];
  });
}

/** Leaves out data of another provider or model. */
function ownData(opaque: Opaque | undefined, { provider, model }: Listener): Fields | undefined {
  if (opaque?.provider !== provider || opaque.model !== model) return undefined;
  return fieldsOf(wellFormedData(opaque.data));
}
