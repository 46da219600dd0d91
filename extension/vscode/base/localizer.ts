// Localizes sentences of the log. `say` wrote them in English, so Harness recognizes each by its template.
// This works for old logs, too.

/** Returns the localized sentence, or the same sentence if the bundle does not have it. */
export type Localizer = (sentence: string) => string;

/**
 * In VS Code's bundles a key is a sentence, or "sentence/comment". This comment marks a template of `say`.
 */
export const SAID = '/say';

/** The deepest nesting of sentences within sentences. */
const DEEPEST = 3;

interface Place {
  /** The index of the value at this place. */
  readonly value: number;
  readonly isSentence: boolean;
}

/** A template split at its places: one more piece than places. */
interface Template {
  readonly pieces: readonly string[];
  readonly places: readonly Place[];
  readonly translation: string;
}

/** `bundle` is VS Code's bundle for the display language. */
export function createLocalizer(bundle: Readonly<Record<string, string>>): Localizer {
  const templates = saidIn(bundle);
  const whole = new Map(templates.filter(isWhole).map(({ pieces, translation }) => [pieces[0], translation]));
  const open = templates.filter((template) => !isWhole(template)).sort(bySpecificity);

  function known(sentence: string, depth: number): string | undefined {
    return whole.get(sentence) ?? lines(sentence, depth) ?? filled(sentence, depth);
  }

  /** Localizes several sentences, one per line. */
  function lines(text: string, depth: number): string | undefined {
    if (!text.includes('\n')) return undefined;
    const localized = text.split('\n').map((line) => known(line, depth));
    return localized.every((line) => line !== undefined) ? localized.join('\n') : undefined;
  }

  function filled(sentence: string, depth: number): string | undefined {
    for (const template of open) {
      const values = valuesIn(sentence, template);
      if (values) return fill(template, values, depth);
    }
    return undefined;
  }

  function fill({ places, translation }: Template, values: readonly string[], depth: number): string {
    const localized = new Map(
      places.map(({ value, isSentence }, index) => {
        const text = values[index] ?? '';
        return [value, (isSentence && depth > 0 ? known(text, depth - 1) : undefined) ?? text];
      }),
    );
    return translation.replace(/\{(\d+)\.?\}/g, (_, value) => localized.get(Number(value)) ?? '');
  }

  return (sentence) => known(sentence, DEEPEST) ?? sentence;
}

function saidIn(bundle: Readonly<Record<string, string>>): Template[] {
  const said = Object.entries(bundle).filter(([key]) => key.endsWith(SAID));
  return said.map(([key, translation]) => parse(key.slice(0, -SAID.length), translation));
}

function isWhole({ places }: Template): boolean {
  return places.length === 0;
}

function parse(template: string, translation: string): Template {
  const places = Array.from(template.matchAll(/\{(\d+)(\.?)\}/g), ([, value, mark]) => ({
    value: Number(value),
    isSentence: mark === '.',
  }));
  return { pieces: template.split(/\{\d+\.?\}/), places, translation };
}

/**
 * Sorts the longest beginning first. The beginning of a sentence comes from the template and never from a
 * value.
 */
function bySpecificity(one: Template, other: Template): number {
  const beginning = ({ pieces: [first = ''] }: Template) => first.length;
  const own = ({ pieces }: Template) => pieces.join('').length;
  return beginning(other) - beginning(one) || own(other) - own(one);
}

/**
 * The values at the places of a template; undefined if the sentence does not match it. Reads each character
 * once.
 */
function valuesIn(sentence: string, { pieces }: Template): readonly string[] | undefined {
  const [first = ''] = pieces;
  const last = pieces.at(-1) ?? '';
  const end = sentence.length - last.length;
  if (first.length > end || !sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = sentence.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return undefined;
    values.push(sentence.slice(from, at));
    from = at + piece.length;
  }
  return [...values, sentence.slice(from, end)];
}
