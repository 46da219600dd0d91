import type { Attachments } from '../ports/attachments.ts';
import type { ImageBlock, Message, UserBlock } from '../ports/model.ts';

/**
 * Puts the bytes of images into messages. Reads each image once, so that every later request has the same
 * bytes.
 */
export class Images {
  readonly #attachments: Attachments | undefined;
  /** The messages of the last `load`; `#taken` has the results. */
  readonly #given: Message[] = [];
  readonly #taken: Message[] = [];
  readonly #loaded = new Map<string, Promise<ImageBlock>>();

  constructor(attachments: Attachments | undefined) {
    this.#attachments = attachments;
  }

  /**
   * Returns the messages with the bytes of their images; a missing image stays without bytes. A message that
   * is unchanged since the last call is not processed again, nor are those before it. Returns the same array
   * each time, so the caller must not store it.
   */
  async load(messages: readonly Message[]): Promise<readonly Message[]> {
    const kept = this.#countKept(messages);
    const added = messages.slice(kept);
    const loaded = await Promise.all(added.map((message) => this.#withImages(message)));
    this.#given.splice(kept, Number.POSITIVE_INFINITY, ...added);
    this.#taken.splice(kept, Number.POSITIVE_INFINITY, ...loaded);
    return this.#taken;
  }

  #countKept(messages: readonly Message[]): number {
    let count = Math.min(messages.length, this.#given.length);
    while (count > 0 && messages[count - 1] !== this.#given[count - 1]) count -= 1;
    return count;
  }

  async #withImages(message: Message): Promise<Message> {
    if (message.role !== 'user' || !message.content.some(hasImages)) return message;
    return {
      role: 'user',
      content: await Promise.all(message.content.map((block) => this.#withBytes(block))),
    };
  }

  async #withBytes(block: UserBlock): Promise<UserBlock> {
    if (block.type === 'image') return this.#load(block);
    if (block.type !== 'tool_result' || !block.images) return block;
    return { ...block, images: await Promise.all(block.images.map((image) => this.#load(image))) };
  }

  #load(block: ImageBlock): Promise<ImageBlock> {
    const loaded = this.#loaded.get(block.name) ?? this.#read(block);
    this.#loaded.set(block.name, loaded);
    return loaded;
  }

  async #read(block: ImageBlock): Promise<ImageBlock> {
    const data = await this.#attachments?.read(block.name);
    return data === undefined ? block : { ...block, data };
  }
}

function hasImages(block: UserBlock): boolean {
  return block.type === 'image' || (block.type === 'tool_result' && block.images !== undefined);
}
