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
 * Returns what the recording at `path` reveals of the user's settings. Returns undefined if the recording
 * contains a secret: in a line, in stored bytes, or spread over several pieces. Also returns undefined if the
 * recording cannot be parsed. Version 1 did not mask secrets in several pieces, so such a recording counts as
 * unsafe if `hasHidden` says that its session had a secret. Rejects if the system denies reading.
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

/** Settings of the user that a recording contains and a log does not. */
export interface RecordedSetup {
  /** The scopes of remembered approvals. Older recordings have the approvals of all workspaces. */
  readonly approvals: readonly string[];
  /** The addresses of the servers that the session asked. */
  readonly endpoints: readonly string[];
}

const policies = z.array(z.object({ scope: z.string() }));
const settings = z.object({ provider: z.object({ origin: z.object({ baseUrl: z.string() }) }) });
const SETTINGS = ['settings', 'fallback'];

/** Collects the settings from the entries of a recording, without duplicates. */
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

  /** `decode` decodes the value of the entry. */
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
