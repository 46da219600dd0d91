import { say } from '../../protocol/say.ts';
import { SetupError } from '../loop/setup-error.ts';

/** Which model is meant: `provider` as in `provider/model`, `model` as that provider knows it. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
}

/** Short names that people type. */
const ALIASES: Readonly<Record<string, string>> = {
  sonnet: 'anthropic/claude-sonnet-5-5',
  opus: 'anthropic/claude-opus-5-5',
  haiku: 'anthropic/claude-haiku-5-5',
  demo: 'demo/demo',
};

export const PROVIDERS = ['anthropic', 'demo'] as const;

/** Reads `provider/model`, an alias, or a bare Claude id. Throws `SetupError` that names what there is. */
export function resolveModel(reference: string): ModelReference {
  const text = reference.trim();
  const alias = Object.hasOwn(ALIASES, text) ? ALIASES[text] : undefined;
  const full = alias ?? (text.startsWith('claude-') ? `anthropic/${text}` : text);
  const slash = full.indexOf('/');
  const provider = full.slice(0, slash);
  if (slash > 0 && slash < full.length - 1 && PROVIDERS.some((known) => known === provider)) {
    return { provider, model: full.slice(slash + 1) };
  }
  throw new SetupError(
    'not_found',
    say(
      'There is no model “{0}”. Write provider/model (providers: {1}) or one of {2}.',
      reference,
      PROVIDERS.join(', '),
      Object.keys(ALIASES).join(', '),
    ),
  );
}
