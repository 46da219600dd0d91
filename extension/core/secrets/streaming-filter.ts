// Hides secrets in a text that arrives in chunks. Holds back an end that may be part of a secret.
import { SecretFilter } from './secret-filter.ts';
import { BEFORE } from './secret-patterns.ts';
import { settledPrefixLength } from './streaming-boundary.ts';

/**
 * How secrets are replaced. `isOutput`: a command wrote the text, so secrets may contain control characters.
 */
export interface SecretPolicy {
  /** Returns `text` with its secrets hidden. */
  hide(text: string, isOutput?: boolean): string;
  /** The length of the part of `text` that no later text can change. */
  settledLength(text: string, isOutput?: boolean): number;
  /** The replacement is as long as the secret. */
  readonly keepsLength: boolean;
  /** A number that grows when the filter learns more secrets. */
  known(): number;
}

/** Replaces each secret with a placeholder, for the log and its readers. */
export function placeholderPolicy(secrets: SecretFilter): SecretPolicy {
  return policyOf(secrets, false, (text, isOutput) => secrets.text(text, isOutput));
}

/** Replaces each secret with a mask of the same length, so that chunks keep their lengths. */
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

/** The results in order, joined, are the whole text with its secrets hidden. */
export class StreamingSecretFilter {
  readonly #policy: SecretPolicy;
  readonly #isOutput: boolean;
  #held = '';
  /** The end of the released text. It decides whether the held text is part of a secret. */
  #before = '';

  constructor(policy: SecretPolicy, isOutput = false) {
    this.#policy = policy;
    this.#isOutput = isOutput;
  }

  /** The held text, unmasked. */
  get held(): string {
    return this.#held;
  }

  /** Returns the text that is now settled. */
  push(text: string): string {
    this.#held += text;
    return this.#release(this.#policy.settledLength(this.#held, this.#isOutput));
  }

  /** No more text follows. Returns the rest. */
  end(): string {
    return this.#release(this.#held.length);
  }

  /** Stops waiting, and hides all held text. */
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
