import type { Opaque } from '../../../protocol/events.ts';
import type { ModelEvent } from '../../ports/model.ts';
import type { Give } from '../wire/exchange.ts';
import type { Fields } from '../wire/json.ts';
import type { Echo } from './dialect.ts';
import { mergeData, mergeDetails } from './reasoning-details.ts';

type Kind = 'text' | 'reasoning';

/** The author of a reply. Its opaque data goes back to no other model. */
export interface ReplyAuthor {
  readonly provider: string;
  readonly model: string;
  readonly echo: Echo;
}

/**
 * Splits a model's text and thinking into blocks: a block ends where the other kind begins. Drops empty lines
 * before a block.
 */
export class ReplyParts {
  readonly #author: ReplyAuthor;
  #kind: Kind | undefined;
  #text = '';
  #isBegun = false;
  #details: readonly unknown[] = [];
  /** Data of the server for the message, not for one of its calls. */
  #data: Fields | undefined;
  /** The reply has text. */
  hasText = false;
  hasReasoning = false;

  constructor(author: ReplyAuthor) {
    this.#author = author;
  }

  add(kind: Kind, piece: string, give: Give): void {
    if (piece === '') return;
    if (this.#kind !== kind) this.close(give);
    this.#kind = kind;
    this.#text += piece;
    if (this.#isBegun) give(delta(kind, piece));
    else this.#begin(kind, give);
  }

  /** White space is held back until the first word arrives. */
  #begin(kind: Kind, give: Give): void {
    this.#text = this.#text.replace(/^\s*\n/, '');
    this.#isBegun = this.#text.trim() !== '';
    if (this.#isBegun) give(delta(kind, this.#text));
  }

  addDetails(pieces: readonly unknown[]): void {
    if (pieces.length > 0) this.#details = mergeDetails([...this.#details, ...pieces]);
  }

  addData(data: Fields | undefined): void {
    this.#data = mergeData(this.#data, data);
  }

  /** Returns, once, data that arrived without a call. */
  takeData(): Fields | undefined {
    const data = this.#data;
    this.#data = undefined;
    return data;
  }

  /** Emits the open block as a whole. */
  close(give: Give): void {
    const [kind, text] = [this.#kind, this.#text];
    this.#kind = undefined;
    this.#text = '';
    this.#isBegun = false;
    if (kind === 'text') this.#said(text, give);
    else this.#thought(text, give);
  }

  #said(text: string, give: Give): void {
    if (text.trim() === '') return;
    this.hasText = true;
    const data = this.takeData();
    give({ type: 'text', text, ...(data && { opaque: this.opaque(data) }) });
  }

  /** Keeps details even without a text: a server may show nothing else of its reasoning. */
  #thought(text: string, give: Give): void {
    const opaque = this.#opaqueOfThought(text);
    if (text.trim() === '' && !opaque) return;
    this.hasReasoning = true;
    give({ type: 'reasoning', text, ...(opaque && { opaque }) });
  }

  #opaqueOfThought(text: string): Opaque | undefined {
    const details = this.#details;
    this.#details = [];
    if (details.length > 0) return this.opaque({ reasoning_details: details });
    // Then the text is in a field of its own.
    const isWanted = this.#author.echo === 'reasoning_content' || this.#author.echo === 'thinking_parts';
    return isWanted && text.trim() !== '' ? this.opaque({ echo: this.#author.echo }) : undefined;
  }

  opaque(data: Fields): Opaque {
    return { provider: this.#author.provider, model: this.#author.model, data };
  }
}

function delta(kind: Kind, text: string): ModelEvent {
  return kind === 'text' ? { type: 'text_delta', text } : { type: 'reasoning_delta', text };
}
