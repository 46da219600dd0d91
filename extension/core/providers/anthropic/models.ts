// Prices of single models. A model without an entry works too, but has no price.

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The price of a request whose whole prompt, cached parts included, is longer than `tokens`. */
  readonly beyond?: { readonly tokens: number; readonly price: Price };
}

/** The billed tokens of one request; the four kinds of prompt tokens do not overlap. */
interface BilledTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Written to the cache for five minutes. */
  readonly cacheWrite5m: number;
  /** Written to the cache for an hour. */
  readonly cacheWrite1h: number;
}

/** A cache write costs the input price times this (platform.claude.com/docs/en/about-claude/pricing). */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

const fable: Price = { input: 10, output: 50, cacheRead: 1 };
const fable51: Price = { ...fable, cacheRead: 0.25 };
const fable52: Price = { input: 8, output: 40, cacheRead: 0.2 };
const opus: Price = { input: 5, output: 25, cacheRead: 0.5 };
const sonnet4: Price = { input: 3, output: 15, cacheRead: 0.3 };

/** From platform.claude.com/docs/en/about-claude/pricing and the models' overview pages, November 2026. */
const prices: Readonly<Record<string, Price>> = {
  'claude-fable-5-2': fable52,
  'claude-mythos-5-2': fable52,
  'claude-fable-5-1': fable51,
  'claude-mythos-5-1': fable51,
  'claude-fable-5': fable,
  'claude-mythos-5': fable,
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2 },
  'claude-opus-5': opus,
  'claude-opus-4-8': opus,
  'claude-opus-4-7': opus,
  'claude-opus-4-6': opus,
  'claude-opus-4-5': opus,
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2 },
  'claude-sonnet-4-6': sonnet4,
  'claude-sonnet-4-5': sonnet4,
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    beyond: { tokens: 100_000, price: { input: 0.5, output: 2.5, cacheRead: 0.05 } },
  },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1 },
};

/** US dollars for one request; undefined if the model's price is unknown. */
export function anthropicCostOf(model: string, tokens: BilledTokens): number | undefined {
  const listed = listedPrice(model);
  if (!listed) return undefined;
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  const price = listed.beyond && prompt > listed.beyond.tokens ? listed.beyond.price : listed;
  const input = tokens.input + WRITE_5M * tokens.cacheWrite5m + WRITE_1H * tokens.cacheWrite1h;
  return (price.input * input + price.cacheRead * tokens.cacheRead + price.output * tokens.output) / 1e6;
}

/** US dollars per million tokens, for a prompt of ordinary length. */
export function anthropicPriceOf(
  model: string,
): { readonly input: number; readonly output: number } | undefined {
  const listed = listedPrice(model);
  return listed && { input: listed.input, output: listed.output };
}

/** Also finds a snapshot, whose name ends with its date. */
function listedPrice(model: string): Price | undefined {
  const name = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}
