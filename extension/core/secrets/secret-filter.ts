// Takes secrets out of what enters the log: those that Harness holds, in all their forms, and what looks like one.
import type { EventDraft, Opaque } from '../../protocol/events.ts';
import { formsOf } from '../providers/http/without-key.ts';
import { maskOf, unmasked } from './masks.ts';
import { placeholderOf } from './placeholder.ts';
import { BEFORE, escapeLiteral, looksReal, secretKinds } from './secret-kinds.ts';
import { ReadText } from './through-codes.ts';

/** Nothing shorter is a secret. */
const SHORTEST = 8;
/** Line breaks as they are, and as JSON has them. */
const LINE_BREAKS = /(\r?\n|(?<!\\)\\r\\n|(?<!\\)\\n)/;
const JSON_ESCAPE = /\\(?:u[0-9a-f]{4}|.)/gi;
/** What a character stands behind that JSON has escaped: without it the rest would be no JSON any more. */
const CUT_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
/** Also behind what JSON or an address has escaped, and behind a colour. */
const WORD_BEGINS = /(?:^|\W|\\[nrtbf]|(?:\\u[\dA-Fa-f]{2}|%)[\dA-Fa-f]{2}|(?:\W|\\u001b)\[[\d;]*m)$/;
const SOURCES = secretKinds.map(({ source }) => source).join('|');

/**
 * What must be exact to be of use: names of calls and images, and what a provider has signed, which goes back byte for byte
 * or not at all (`NOBODYS`).
 */
const EXACT_FIELDS: ReadonlySet<string> = new Set(['type', 'id', 'opaque', 'attachments']);
/** Here, names of files have to be exact too: they are in `seen`, and in types of event of which nothing is hidden (`EXACT`). */
const EXACT_HERE: ReadonlySet<string> = new Set([...EXACT_FIELDS, 'seen']);
const EXACT: ReadonlySet<string> = new Set([
  'session_started',
  'checkpoint',
  'files_changed',
  'reviewed',
  'imported',
]);

/** Stands for what a provider has signed and what has a secret in it: no provider takes it for its own. */
const NOBODYS: Opaque = { provider: '', model: '', data: null };

/** What stands for a line of a secret with that placeholder. `length`: characters of the line where it is not in JSON. */
type Replacement = (placeholder: string, line: string, length: number) => string;

export class SecretFilter {
  /** What gives a secret away, with the secret. */
  readonly #known = new Map<string, string>();
  #forms: readonly string[] = [];
  #expression = expressionOf([]);

  constructor(secrets: readonly string[] = []) {
    this.know(secrets);
  }

  /** From now on these are hidden too. Very short ones are not: they may be words. */
  know(secrets: readonly string[]): void {
    const before = this.#known.size;
    for (const secret of secrets.map((text) => text.trim())) {
      for (const form of formsOf(secret)) this.#known.set(form, secret);
    }
    if (this.#known.size === before) return;
    this.#forms = [...this.#known.keys()].sort((a, b) => b.length - a.length);
    this.#expression = expressionOf(this.#forms);
  }

  /** The texts that give a known secret away, longest first. */
  get forms(): readonly string[] {
    return this.#forms;
  }

  /** `text` with a placeholder for each secret; itself where it has none. What was cleaned before stays as it is. */
  text(text: string): string {
    if (text.length < SHORTEST) return text;
    if (!ReadText.differs(text)) return this.#replace(text, (placeholder) => placeholder);
    const masked = this.mask(text);
    return masked === text ? text : unmasked(masked);
  }

  /** The same with a mask for each secret, as long as that is. Also one with terminal codes in it is a secret, and in what a command says one with any control characters. */
  mask(text: string, isOutput = false): string {
    return this.#replace(ReadText.differs(text, isOutput) ? this.#maskRead(text, isOutput) : text, maskOf);
  }

  #maskRead(text: string, isOutput: boolean): string {
    const read = new ReadText(text, isOutput);
    const masked = this.#replace(read.text, maskOf);
    return masked === read.text ? text : read.with(masked);
  }

  #replace(text: string, by: Replacement): string {
    return text.replace(this.#expression, (...found) => this.#hidden(found, by));
  }

  /** A copy without secrets; itself where it has none. */
  draft<Draft extends EventDraft>(draft: Draft): Draft {
    return EXACT.has(draft.type) ? draft : this.#cleanDraft(draft, EXACT_HERE);
  }

  /** The same of what leaves this machine: there, names of files need not be exact. */
  leaving<Draft extends EventDraft>(draft: Draft): Draft {
    return this.#cleanDraft(draft, EXACT_FIELDS);
  }

  #cleanDraft<Draft extends EventDraft>(draft: Draft, exact: ReadonlySet<string>): Draft {
    // Texts are replaced by texts, and all else is kept.
    return this.#withoutSigned(this.#fields(draft, exact) as Draft);
  }

  /** Its text stays, and goes to the provider as one that nobody has signed. */
  #withoutSigned<Draft extends EventDraft>(draft: Draft): Draft {
    if (!('opaque' in draft) || this.data(draft.opaque) === draft.opaque) return draft;
    return { ...draft, opaque: NOBODYS };
  }

  /** The same for plain data: texts in it, and names of fields. */
  data<Value>(value: Value): Value {
    // Texts are replaced by texts, and all else is kept.
    return this.#clean(value) as Value;
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#items(value) : this.#fields(value);
  }

  #items(items: readonly unknown[]): readonly unknown[] {
    const clean = items.map((item) => this.data(item));
    return clean.some((item, index) => item !== items[index]) ? clean : items;
  }

  #fields(value: object, exact?: ReadonlySet<string>): object {
    let changed = false;
    const fields = Object.entries(value).map(([name, field]) => {
      const clean = exact?.has(name) ? [name, field] : [this.text(name), this.data(field)];
      changed ||= clean[0] !== name || clean[1] !== field;
      return clean;
    });
    return changed ? Object.fromEntries(fields) : value;
  }

  /** `found` is what `replace` gives: the match, its groups, its place and the whole text. */
  #hidden([match, ...rest]: readonly (string | number | undefined)[], by: Replacement): string {
    const whole = String(match);
    const before = String(rest.at(-1))
      .slice(0, Number(rest.at(-2)))
      .slice(-BEFORE);
    if (CUT_ESCAPE.test(before)) return whole;
    const index = rest.slice(0, -2).findIndex((group) => group !== undefined);
    if (index < 0) return placeholders(whole, 'secret', this.#known.get(whole) ?? whole, by);
    const secret = String(rest[index]);
    const isToken = secret === whole && /^\w/.test(whole);
    if (!looksReal(secret) || (isToken && !WORD_BEGINS.test(before))) return whole;
    const at = whole.lastIndexOf(secret);
    const hidden = placeholders(secret, secretKinds[index]?.name ?? '', secret, by);
    return whole.slice(0, at) + hidden + whole.slice(at + secret.length);
  }
}

/** `forms` in no group, and a group for each kind. What never matches would make it five times as slow. */
function expressionOf(forms: readonly string[]): RegExp {
  return new RegExp([...forms.map(escapeLiteral), SOURCES].join('|'), 'g');
}

/** One on every line that is hidden, so that the others keep their numbers. */
function placeholders(found: string, kind: string, secret: string, by: Replacement): string {
  const lines = found.split(LINE_BREAKS);
  const placeholder = placeholderOf(kind, secret.split(LINE_BREAKS).filter(isLine).join(''));
  const lengthOf = (line: string) => (found === secret ? line : line.replace(JSON_ESCAPE, '.')).length;
  return lines
    .map((line, index) => (isLine(line, index) && line !== '' ? by(placeholder, line, lengthOf(line)) : line))
    .join('');
}

/** Of what was split at breaks that are kept. */
function isLine(_line: string, index: number): boolean {
  return index % 2 === 0;
}
