import * as z from 'zod/mini';
import { decode } from '../../core/recording/encode.ts';
import type { EntryOf } from '../../core/recording/entry.ts';
import type { RecordedSession } from '../../core/recording/recorded-session.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import { maskedPieces } from '../../core/secrets/masked-pieces.ts';
import type { MaskedPieces } from '../../core/secrets/masked-text.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import { maskPolicy } from '../../core/secrets/streaming-filter.ts';
import { isUnread } from '../fs/file-errors.ts';
import { holdsSecretInLine } from '../log/find-secrets.ts';
import { RecordingOnDisk } from './recording-on-disk.ts';

/**
 * What the recording at `path` has of its user's settings. Undefined where it has a secret in it: in its lines, in the bytes
 * that they hold, or in pieces that lie in several of them. One that makes no sense may have; so may one of the first
 * version, which hid nothing that came in pieces, where `hasHidden` says that its session had a secret. Rejects where the
 * system does not let it be read.
 */
export async function setupWithoutSecrets(
  path: string,
  secrets: SecretFilter,
  hasHidden: boolean,
): Promise<RecordedSetup | undefined> {
  if (await holdsSecretInLine(path, secrets)) return undefined;
  const recording = await RecordingOnDisk.open(path).catch(ofNoSense);
  if (!recording) return undefined;
  try {
    return await setupIn(recording, secrets, hasHidden).catch(ofNoSense);
  } finally {
    await recording.close();
  }
}

function ofNoSense(error: unknown): undefined {
  if (isUnread(error)) throw error;
}

async function setupIn(
  recording: RecordedSession,
  secrets: SecretFilter,
  hasHidden: boolean,
): Promise<RecordedSetup | undefined> {
  const pieces = new PiecesOfCalls(secrets);
  const setup = new SetupInRecording();
  const decoded = (plain: unknown) => decode(plain, { fetch: recording.fetch, errors: thisProduct.errors });
  for await (const entry of recording.entries()) {
    if (entry.kind === 'recording' && entry.version === 1 && hasHidden) return undefined;
    if (entry.kind === 'start') {
      pieces.begin(entry.id, entry.name);
      setup.begin(entry);
    }
    if (entry.kind === 'end') {
      pieces.end(entry.id);
      await setup.end(entry, decoded);
    }
    if (entry.kind === 'piece') pieces.add(entry.id, await decoded(entry.value));
    if (pieces.hasSecret) return undefined;
  }
  return pieces.hasSecret ? undefined : setup.found;
}

class PiecesOfCalls {
  hasSecret = false;
  readonly #secrets: SecretFilter;
  readonly #names = new Map<number, string>();
  readonly #pieces = new Map<number, MaskedPieces>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
  }

  begin(id: number, name: string): void {
    this.#names.set(id, name);
  }

  add(id: number, piece: unknown): void {
    const pieces = this.#pieces.get(id) ?? this.#masked(this.#names.get(id) ?? '');
    this.#pieces.set(id, pieces);
    pieces.add(piece);
  }

  end(id: number): void {
    this.#pieces.get(id)?.end();
    this.#pieces.delete(id);
    this.#names.delete(id);
  }

  #masked(name: string): MaskedPieces {
    const policy = maskPolicy(this.#secrets);
    return maskedPieces(name, {
      ...policy,
      hide: (text, isOutput) => {
        const hidden = policy.hide(text, isOutput);
        this.hasSecret ||= hidden !== text;
        return hidden;
      },
    });
  }
}

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
