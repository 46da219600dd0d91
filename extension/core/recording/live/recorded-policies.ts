import type { Policy, PolicyStore } from '../../ports/policy-store.ts';
import { type Decoding, decode } from '../coded.ts';
import type { Entry } from '../entry.ts';

/**
 * The approvals that were asked for in one opening of a session, each for any call: where a tool does something else than it
 * did, calls are decided on in another order. `policies` says when they cannot be read.
 */
export function recordedPolicies(
  policies: PolicyStore,
  entries: readonly Entry[],
  decoding: Decoding,
): PolicyStore {
  let all: Promise<readonly Policy[]> | undefined;
  return {
    load: async (scope) => {
      if (!(await policies.load(scope))) return undefined;
      all ??= policiesIn(entries, decoding);
      return (await all).filter((policy) => policy.scope === scope);
    },
    add: (policy) => policies.add(policy),
  };
}

async function policiesIn(entries: readonly Entry[], decoding: Decoding): Promise<readonly Policy[]> {
  const asked = new Set<number>();
  const found: Policy[] = [];
  for (const entry of entries) {
    if (entry.kind === 'start' && entry.name === 'policies.load') asked.add(entry.id);
    if (entry.kind !== 'end' || !asked.has(entry.id) || entry.value === undefined) continue;
    // What the port gave.
    found.push(...((await decode(entry.value, decoding)) as readonly Policy[]));
  }
  return found;
}
