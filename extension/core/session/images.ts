import type { Attachments } from '../ports/attachments.ts';
import type { ImageBlock, Message, UserBlock } from '../ports/model.ts';

/** Puts the bytes of images into messages. Each is read once, so what was sent stays as it was sent. */
export class Images {
  readonly #attachments: Attachments | undefined;
  readonly #loaded = new Map<string, Promise<ImageBlock>>();

  constructor(attachments: Attachments | undefined) {
    this.#attachments = attachments;
  }

  /** The same messages, but for those with images, whose bytes are then there; those of a missing one are not. */
  load(messages: readonly Message[]): Promise<readonly Message[]> {
    return Promise.all(messages.map((message) => this.#withImages(message)));
  }

  async #withImages(message: Message): Promise<Message> {
    if (message.role !== 'user' || message.content.every(({ type }) => type !== 'image')) return message;
    return {
      role: 'user',
      content: await Promise.all(message.content.map((block) => this.#withBytes(block))),
    };
  }

  #withBytes(block: UserBlock): UserBlock | Promise<UserBlock> {
    if (block.type !== 'image') return block;
    const loaded = this.#loaded.get(block.name) ?? this.#read(block);
    this.#loaded.set(block.name, loaded);
    return loaded;
  }

  async #read(block: ImageBlock): Promise<ImageBlock> {
    const data = await this.#attachments?.read(block.name);
    return data === undefined ? block : { ...block, data };
  }
}
