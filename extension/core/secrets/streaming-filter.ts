// Hides secrets in a text that comes in chunks. The end of a chunk waits while it may be a part of a secret.
import { SecretFilter } from './secret-filter.ts';
import { BEFORE } from './secret-patterns.ts';
import { settledPrefixLength } from './streaming-boundary.ts';

/** What stands in the place of a secret. `isOutput`: a command says the text, so control characters may be within a secret. */
export interface SecretPolicy {
  /** `text` with its secrets hidden. */
  hide(text: string, isOutput?: boolean): string;
  /** The length of the part of `text` that no later text changes. */
  settledLength(text: string, isOutput?: boolean): number;
  /** What is hidden is as long as the secret. */
  readonly keepsLength: boolean;
  /** Grows when more is hidden than before. */
  known(): number;
}

/** A placeholder for each secret: for the log, and for those who read it. */
export function placeholderPolicy(secrets: SecretFilter): SecretPolicy {
  return policyOf(secrets, false, (text, isOutput) => secrets.text(text, isOutput));
}

/** A mask for each secret, as long as that: for what keeps its chunks as they came. */
export function maskPolicy(secrets = new SecretFilter()): SecretPolicy {
  return policyOf(secrets, true, (text, isOutput) => secrets.mask(text, isOutput));
}

function policyOf(secrets: SecretFilter, keepsLength: boolean, hide: SecretPolicy['hide']): SecretPolicy {
  return {
    hide,
    keepsLength,
    settledLength: (text, isOutput) => settledPrefixLength(text, secrets, isOutput),
    known: () => secrets.forms.length,
  };
}

/** All that it returns, put together, is the whole text with its secrets hidden. */
export class StreamingSecretFilter {
  readonly #policy: SecretPolicy;
  readonly #isOutput: boolean;
  #held = '';
  /** The end of what came before: it tells what the held text is a part of. */
  #before = '';

  constructor(policy: SecretPolicy, isOutput = false) {
    this.#policy = policy;
    this.#isOutput = isOutput;
  }

  /** What waits, as it came. */
  get held(): string {
    return this.#held;
  }

  /** Returns what is settled now. */
  push(text: string): string {
    this.#held += text;
    return this.#release(this.#policy.settledLength(this.#held, this.#isOutput));
  }

  /** Nothing comes any more. Returns the rest. */
  end(): string {
    return this.#release(this.#held.length);
  }

  /** Does not wait any longer, and hides all that waits. */
  cut(): string {
    const hidden = '~'.repeat(this.#held.length);
    this.#pass(this.#held.length);
    return hidden;
  }

  #release(end: number): string {
    const hidden = this.#hidden(end);
    this.#pass(end);
    return hidden;
  }

  #hidden(end: number): string {
    const { keepsLength, hide } = this.#policy;
    if (!keepsLength) return hide(this.#held.slice(0, end), this.#isOutput);
    const start = this.#before.length;
    return hide(this.#before + this.#held, this.#isOutput).slice(start, start + end);
  }

  #pass(end: number): void {
    if (this.#policy.keepsLength) this.#before = (this.#before + this.#held.slice(0, end)).slice(-BEFORE);
    this.#held = this.#held.slice(end);
  }
}
