import * as z from 'zod/mini';
import { versionOf } from '../base/content-hash.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { specOf, type ToolSpec, type Turn } from '../ports/model.ts';
import type { SessionLog } from '../ports/session-store.ts';
import type { LogWriter } from './log-writer.ts';

/** The part of a request before the conversation. It is the same in nearly all requests of a session. */
export type RequestPrefix = Pick<Turn, 'system' | 'tools'>;

const stored = z.object({
  system: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
      freeform: z.optional(z.object({ syntax: z.literal('lark'), definition: z.string() })),
    }),
  ),
});

/** Stores the prefixes of a session's requests, each once and without secrets. */
export class RequestPrefixes {
  readonly #log: Pick<SessionLog, 'keep'>;
  readonly #writer: Pick<LogWriter, 'withoutSecrets'>;
  /** Holds only a few, because the prefix changes only with the model and for a summary. */
  readonly #known: (RequestPrefix & { readonly name: string })[] = [];

  constructor(log: Pick<SessionLog, 'keep'>, writer: Pick<LogWriter, 'withoutSecrets'>) {
    this.#log = log;
    this.#writer = writer;
  }

  /** Returns the name of the blob, which is on disk before the event that names it. */
  keep({ system, tools }: RequestPrefix): string {
    const known = this.#known.find((each) => each.system === system && areSame(each.tools, tools));
    if (known) return known.name;
    const text = JSON.stringify(this.#writer.withoutSecrets({ system, tools: tools.map(specOf) }));
    const bytes = new TextEncoder().encode(text);
    const name = versionOf(bytes);
    this.#log.keep(bytes);
    this.#known.push({ system, tools, name });
    return name;
  }
}

/** Undefined if the blob is missing, damaged or not a prefix. */
export async function readPrefix(
  blobs: Pick<BlobStore, 'get'>,
  name: string,
): Promise<RequestPrefix | undefined> {
  try {
    return stored.parse(JSON.parse(new TextDecoder().decode(await blobs.get(name))));
  } catch {
    return undefined;
  }
}

function areSame(some: readonly ToolSpec[], others: readonly ToolSpec[]): boolean {
  return some.length === others.length && some.every((tool, index) => tool === others[index]);
}
