/** What is known of the window in which a model can be run. Tokens. */
export interface WindowFacts {
  /** For which the model was made. */
  readonly trained?: number | undefined;
  /** `PARAMETER num_ctx` of its Modelfile: what its user has chosen. */
  readonly pinned?: number | undefined;
  /** With which it is in memory now. */
  readonly loaded?: number | undefined;
  /** Bytes of memory that each token of the window takes. */
  readonly bytesPerToken?: number | undefined;
  /** It runs elsewhere, so that its memory is not the user's. */
  readonly isRemote: boolean;
}

/** "Agents and coding tools should be set to at least 64000 tokens": https://docs.ollama.com/context-length */
const AGENT_WINDOW = 65_536;
/** With less an agent has no room beside its instructions and tools. */
const LEAST_WINDOW = 16_384;
/** Where neither the window of a model nor its shape is told. */
const UNKNOWN_WINDOW = 32_768;
/** Memory that the window may take beside the model itself. */
const CACHE_BYTES = 8 * 2 ** 30;
const STEP = 1024;

/**
 * The `num_ctx` to ask for: what the user has set (in the Modelfile, or by `OLLAMA_CONTEXT_LENGTH` for a model that is
 * loaded) where an agent can work with it, or else what an agent needs and the memory bears. Never more than the model
 * was made for.
 */
export function chooseWindow(facts: WindowFacts): number {
  const { trained = Number.POSITIVE_INFINITY, pinned = 0, loaded = 0, isRemote } = facts;
  // Another window than the loaded one would load the model anew.
  const chosen = [pinned, loaded].find((window) => window >= LEAST_WINDOW);
  if (chosen !== undefined) return Math.min(chosen, trained);
  return isRemote && Number.isFinite(trained) ? trained : Math.min(affordable(facts), trained);
}

function affordable({ trained, bytesPerToken }: WindowFacts): number {
  if (bytesPerToken === undefined) return trained === undefined ? UNKNOWN_WINDOW : AGENT_WINDOW;
  const fitting = Math.floor(CACHE_BYTES / bytesPerToken / STEP) * STEP;
  return Math.min(AGENT_WINDOW, Math.max(LEAST_WINDOW, fitting));
}
