import type { EventOf } from '../../protocol/events.ts';
import type { ImageBlock, UserBlock } from '../ports/model.ts';

const MEDIA_TYPES: Readonly<Record<string, ImageBlock['mediaType']>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** A prompt as the model gets it: images first, then what was typed (there may be nothing), with what was added to it. */
export function promptBlocks({ content, context, attachments = [] }: EventOf<'user'>): UserBlock[] {
  const text = context ? `${content}\n\n${context}` : content;
  const images = attachments.map(imageBlock);
  return images.length > 0 && text.trim() === '' ? images : [...images, { type: 'text', text }];
}

function imageBlock(name: string): UserBlock {
  const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)];
  return mediaType ? { type: 'image', name, mediaType } : { type: 'text', text: `Attached: ${name}` };
}
