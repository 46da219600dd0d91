// Facts about single models. A model without an entry works too, but has no price and no special request
// fields.
import { EFFORTS, type Effort } from '../../ports/model.ts';

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** The billed tokens of one request; the three kinds of prompt tokens do not overlap. */
interface BilledTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface Limits {
  readonly contextWindow: number;
  readonly maxOutput: number;
}

interface Facts {
  readonly price: Price;
  readonly limits: Limits;
  /** A prompt of more tokens doubles the input price and raises the output price by half. */
  readonly step?: number;
}

const LARGE: Limits = { contextWindow: 1_050_000, maxOutput: 128_000 };
const MEDIUM: Limits = { contextWindow: 400_000, maxOutput: 128_000 };
const STEP = 272_000;

/** A cache write costs the input price times this; models before 5.6 report none. */
const WRITE = 1.25;

const gpt5: Facts = { price: { input: 1.25, cacheRead: 0.125, output: 10 }, limits: MEDIUM };
const gpt52: Facts = { price: { input: 1.75, cacheRead: 0.175, output: 14 }, limits: MEDIUM };

/** From developers.openai.com/api/docs/models, November 2026. */
const known: Readonly<Record<string, Facts>> = {
  'gpt-5.6-sol': { price: { input: 4, cacheRead: 0.4, output: 20 }, limits: LARGE, step: STEP },
  'gpt-5.5': { price: { input: 5, cacheRead: 0.5, output: 30 }, limits: LARGE, step: STEP },
  'gpt-5.4': { price: { input: 2.5, cacheRead: 0.25, output: 15 }, limits: LARGE, step: STEP },
  'gpt-5.4-mini': { price: { input: 0.75, cacheRead: 0.075, output: 4.5 }, limits: MEDIUM },
  'gpt-5.2': gpt52,
  'gpt-5.2-codex': gpt52,
  'gpt-5.1': gpt5,
  'gpt-5.1-codex': gpt5,
  'gpt-5': gpt5,
  'gpt-5-codex': gpt5,
  'gpt-5-mini': { price: { input: 0.25, cacheRead: 0.025, output: 2 }, limits: MEDIUM },
};

/** Also finds a snapshot, whose name ends with its date. */
function factsOf(model: string): Facts | undefined {
  const name = model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

/** US dollars for one request; undefined if the model's price is unknown. */
export function codexCostOf(model: string, tokens: BilledTokens): number | undefined {
  const facts = factsOf(model);
  if (!facts) return undefined;
  const { price, step = Number.POSITIVE_INFINITY } = facts;
  const { input, cacheRead, cacheWrite, output } = tokens;
  const [prompt, reply] = input + cacheRead + cacheWrite > step ? [2, 1.5] : [1, 1];
  const asked = price.input * (input + WRITE * cacheWrite) + price.cacheRead * cacheRead;
  return (prompt * asked + reply * price.output * output) / 1e6;
}

/** US dollars per million tokens. */
export function codexPriceOf(model: string): { readonly input: number; readonly output: number } | undefined {
  const price = factsOf(model)?.price;
  return price && { input: price.input, output: price.output };
}

export function limitsOf(model: string): Limits | undefined {
  return factsOf(model)?.limits;
}

/** For example, 506 for `gpt-5.6-sol`; 0 for any other name. */
function generation(model: string): number {
  const [, major, minor] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  return major === undefined || /-chat\b/.test(model) ? 0 : Number(major) * 100 + Number(minor ?? 0);
}

/** The model accepts `reasoning` and returns its reasoning encrypted. Others answer either with 400. */
export function thinks(model: string): boolean {
  return generation(model) >= 500 || /^(o\d|codex-|gpt-oss)/.test(model);
}

/** The model accepts tools whose input is one text in a grammar. */
export function takesFreeform(model: string): boolean {
  return generation(model) >= 500;
}

/** The model accepts `text.verbosity: "low"`; the codex models answer it with 400. */
export function takesVerbosity(model: string): boolean {
  return generation(model) >= 500 && !model.includes('codex');
}

/** The supported effort nearest to `wanted`. */
export function effortFor(model: string, wanted: Effort): Effort {
  const levels = levelsOf(model);
  const distance = (level: Effort) => Math.abs(EFFORTS.indexOf(level) - EFFORTS.indexOf(wanted));
  return levels.reduce((best, level) => (distance(level) < distance(best) ? level : best));
}

const COMMON = ['low', 'medium', 'high'] as const;

function levelsOf(model: string): readonly [Effort, ...Effort[]] {
  const version = generation(model);
  if (version >= 502) return model.includes('codex') ? [...COMMON, 'xhigh'] : ['none', ...COMMON, 'xhigh'];
  if (model.includes('codex') || version < 500) return model.includes('max') ? [...COMMON, 'xhigh'] : COMMON;
  return version === 500 ? ['minimal', ...COMMON] : ['none', ...COMMON];
}
