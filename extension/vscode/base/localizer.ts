// A sentence of the log in another language. The log holds it in English, as `say` has built it, so it is known again by its
// template; that works for old logs too.

/** A sentence in the user's language; as it is where it is not known. */
export type Localizer = (sentence: string) => string;

/** In VS Code's bundles a key is a sentence, or "sentence/comment". With this comment it is a template of `say`. */
export const SAID = '/say';

/** Sentences within sentences. */
const DEEPEST = 3;

interface Place {
  /** Which value stands here. */
  readonly value: number;
  readonly isSentence: boolean;
}

/** A template with its places cut out: one more piece than places. */
interface Template {
  readonly pieces: readonly string[];
  readonly places: readonly Place[];
  readonly translation: string;
}

/** Knows the sentences of `bundle`, a bundle of VS Code for the user's language. */
export function createLocalizer(bundle: Readonly<Record<string, string>>): Localizer {
  const templates = saidIn(bundle);
  const whole = new Map(templates.filter(isWhole).map(({ pieces, translation }) => [pieces[0], translation]));
  const open = templates.filter((template) => !isWhole(template)).sort(bySpecificity);

  function known(sentence: string, depth: number): string | undefined {
    return whole.get(sentence) ?? lines(sentence, depth) ?? filled(sentence, depth);
  }

  /** Several sentences, each in a line. */
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

/** What a sentence begins with was certainly said by us, and not by a value: the longest beginning comes first. */
function bySpecificity(one: Template, other: Template): number {
  const beginning = ({ pieces: [first = ''] }: Template) => first.length;
  const own = ({ pieces }: Template) => pieces.join('').length;
  return beginning(other) - beginning(one) || own(other) - own(one);
}

/** What stands in the places of a template; undefined where the sentence is none of it. Looks at each character once. */
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
