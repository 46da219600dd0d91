import { createHash } from 'node:crypto';
import { type Fields, fieldsOf, textOf } from '../wire/json.ts';
import { parseToolInput } from '../wire/tool-calls.ts';
import { utf8Length } from '../wire/unicode.ts';
import { mergeData, serverData } from './reasoning-details.ts';

/** A call as far as it has arrived. */
export interface OpenCall {
  /** The server's id; empty until it sends one. */
  serverId: string;
  /** Harness's own id, for a call without one. */
  readonly ownId: string;
  name: string;
  /** The arguments; `bytes` is their size. */
  json: string;
  bytes: number;
  /** The server expects it back with the call. */
  data: Fields | undefined;
  /** Its position among the calls. */
  readonly place: number;
  readonly index: number | undefined;
}

/**
 * Assembles the calls of one reply from their fragments. The index identifies a call, but a new id begins a
 * new call, because some servers give every call the index 0. A fragment without both belongs to the last
 * call.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  readonly #used: readonly string[];
  /** The call that an id belongs to; undefined for an id of an earlier reply. */
  readonly #owners: Map<string, OpenCall | undefined>;
  #last: OpenCall | undefined;

  /** `used`: the ids of earlier replies, which some servers use again. */
  constructor(used: readonly string[]) {
    this.#used = used;
    this.#owners = new Map(used.map((id) => [id, undefined]));
  }

  /** Adds a fragment and returns its call. */
  add(fragment: Fields): OpenCall {
    const written = fieldsOf(fragment.function) ?? {};
    const call = this.#callOf(fragment, written) ?? this.#begin(fragment);
    this.#last = call;
    call.serverId ||= textOf(fragment.id);
    call.data = mergeData(call.data, serverData(fragment));
    const name = textOf(written.name);
    // Servers send the whole name again with every fragment, or the rest of it.
    if (name !== call.name) call.name += name;
    append(call, written.arguments);
    return call;
  }

  /** The server's id, unless another call has it. */
  idOf(call: OpenCall): string {
    const { serverId, ownId } = call;
    if (serverId === '') return ownId;
    if (!this.#owners.has(serverId)) this.#owners.set(serverId, call);
    return this.#owners.get(serverId) === call ? serverId : ownId;
  }

  /** In the order in which the model wrote them. */
  inOrder(): readonly OpenCall[] {
    return this.#calls
      .filter(({ serverId, name, json }) => serverId !== '' || name !== '' || json !== '')
      .sort((left, right) => left.place - right.place);
  }

  /** The call that was written last; only this one can be cut off. */
  last(): OpenCall | undefined {
    return this.#last;
  }

  #callOf(fragment: Fields, written: Fields): OpenCall | undefined {
    const index = indexOf(fragment);
    const id = textOf(fragment.id);
    if (index === undefined && id !== '') return this.#calls.findLast(({ serverId }) => serverId === id);
    const call = index === undefined ? this.#last : this.#calls.findLast((known) => known.index === index);
    if (!call) return undefined;
    const isOther =
      id === '' ? isCall(written) && isWhole(call) : call.serverId !== '' && call.serverId !== id;
    return isOther ? undefined : call;
  }

  /** Unique for each call of a conversation, and the same on every replay. */
  #ownId(): string {
    const place = JSON.stringify([this.#used, this.#calls.length]);
    return `call_${createHash('sha256').update(place).digest('hex').slice(0, 32)}`;
  }

  #begin(fragment: Fields): OpenCall {
    const index = indexOf(fragment);
    const call: OpenCall = {
      serverId: '',
      ownId: this.#ownId(),
      name: '',
      json: '',
      bytes: 0,
      data: undefined,
      place: index ?? this.#calls.length,
      index,
    };
    this.#calls.push(call);
    return call;
  }
}

function append(call: OpenCall, written: unknown): void {
  const isText = typeof written === 'string';
  if (!isText && !fieldsOf(written)) return;
  const piece = isText ? written : JSON.stringify(written);
  call.json = isText ? call.json + piece : piece;
  call.bytes += utf8Length(piece);
}

function indexOf({ index }: Fields): number | undefined {
  return Number.isInteger(index) ? Number(index) : undefined;
}

/** Its arguments are complete, so a fragment without an id may belong to another call. */
function isWhole({ json }: OpenCall): boolean {
  return json.trimEnd().endsWith('}') && typeof parseToolInput(json) !== 'string';
}

function isCall(written: Fields): boolean {
  return textOf(written.name) !== '' && written.arguments !== undefined && written.arguments !== '';
}
