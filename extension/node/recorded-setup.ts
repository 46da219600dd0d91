import * as z from 'zod/mini';
import type { EntryOf } from '../core/recording/entry.ts';

/** What a recording has of its user's settings that stands in no log. */
export interface RecordedSetup {
  /** Scopes of remembered approvals; older recordings have those of all workspaces. */
  readonly approvals: readonly string[];
  /** Addresses of the servers whose models were asked. */
  readonly endpoints: readonly string[];
}

const policies = z.array(z.object({ scope: z.string() }));
const settings = z.object({ provider: z.object({ origin: z.object({ baseUrl: z.string() }) }) });
const SETTINGS = ['settings', 'fallback'];

/** Gathers it from the entries of a recording, each thing once. */
export class SetupInRecording {
  readonly #asked = new Map<number, string>();
  readonly #approvals = new Set<string>();
  readonly #endpoints = new Set<string>();

  get found(): RecordedSetup {
    return { approvals: [...this.#approvals], endpoints: [...this.#endpoints] };
  }

  begin({ id, name }: EntryOf<'start'>): void {
    if (name === 'policies.load' || SETTINGS.includes(name)) this.#asked.set(id, name);
  }

  /** `decode` makes what the entry holds. */
  async end({ id, value }: EntryOf<'end'>, decode: (plain: unknown) => Promise<unknown>): Promise<void> {
    const name = this.#asked.get(id);
    if (name === undefined || value === undefined) return;
    this.#asked.delete(id);
    const given = await decode(value).catch(() => undefined);
    if (SETTINGS.includes(name)) {
      const { data } = settings.safeParse(given);
      if (data) this.#endpoints.add(data.provider.origin.baseUrl);
    } else for (const { scope } of policies.safeParse(given).data ?? []) this.#approvals.add(scope);
  }
}
