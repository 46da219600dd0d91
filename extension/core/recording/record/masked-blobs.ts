import type { SecretPolicy } from '../../secrets/streaming-filter.ts';

/**
 * Maps the hash of large bytes to the hash of their masked form. Starts anew when the policy knows more
 * secrets.
 */
export class MaskedBlobs {
  readonly #policy: SecretPolicy;
  readonly #kept = new Map<string, string>();

  constructor(policy: SecretPolicy) {
    this.#policy = policy;
  }

  get(hash: string): string | undefined {
    return this.#kept.get(this.#nameOf(hash));
  }

  set(hash: string, kept: string): void {
    this.#kept.set(this.#nameOf(hash), kept);
  }

  #nameOf(hash: string): string {
    return `${this.#policy.known()} ${hash}`;
  }
}
