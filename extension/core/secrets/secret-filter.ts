// Removes secrets from what enters the log: the keys that Harness knows, in all their forms, and everything
// that looks like a secret.
import type { EventDraft, Opaque } from '../../protocol/events.ts';
import { formsOf } from './key-redaction.ts';
import { isMask, maskOf } from './masks.ts';
import {
  endOf,
  type FoundSecret,
  type HiddenLine,
  hiddenLines,
  movedBy,
  replaceInLines,
  together,
} from './secret-match.ts';
import { BEFORE, beginningsOf, escapeLiteral, looksReal, secretKinds } from './secret-patterns.ts';
import { TerminalText } from './terminal-text.ts';

/** A shorter text contains no secret. */
const SHORTEST = 8;
/** After this, `ESCAPED` may belong to a JSON escape. It must stay, or the JSON would become invalid. */
const ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
const ESCAPED = /^(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/;
/** A word also begins after an escape of JSON or of an address, and after a color code. */
const WORD_BEGINS = /(?:^|\W|\\[nrtbf]|(?:\\u[\dA-Fa-f]{2}|%)[\dA-Fa-f]{2}|(?:\W|\\u001b)\[[\d;]*m)$/;
const SOURCES = secretKinds.map(({ source }) => source).join('|');

/**
 * Fields that must be exact. A signed block goes back to its provider unchanged or not at all (`NOBODYS`).
 */
const EXACT_FIELDS: ReadonlySet<string> = new Set(['type', 'id', 'opaque', 'attachments']);
/** In the log, file names must be exact too: those in `seen`, and those in events of the types in `EXACT`. */
const EXACT_HERE: ReadonlySet<string> = new Set([...EXACT_FIELDS, 'seen']);
const EXACT: ReadonlySet<string> = new Set([
  'session_started',
  'checkpoint',
  'files_changed',
  'reviewed',
  'imported',
]);

/** Replaces a signed block that contains a secret. No provider accepts it as its own. */
const NOBODYS: Opaque = { provider: '', model: '', data: null };

export class SecretFilter {
  /** The secret for each of its forms. */
  readonly #known = new Map<string, string>();
  #forms: readonly string[] = [];
  #expression = expressionOf([]);
  #beginnings = beginningsOf([]);

  constructor(secrets: readonly string[] = []) {
    this.know(secrets);
  }

  /** Adds `secrets` to those that are hidden. Ignores very short ones, which may be words. */
  know(secrets: readonly string[]): void {
    const before = this.#known.size;
    for (const secret of secrets.map((text) => text.trim())) {
      for (const form of formsOf(secret)) this.#known.set(form, secret);
    }
    if (this.#known.size === before) return;
    this.#forms = [...this.#known.keys()].sort((a, b) => b.length - a.length);
    this.#expression = expressionOf(this.#forms);
    this.#beginnings = beginningsOf(this.#forms);
  }

  /** All forms of known secrets, longest first. */
  get forms(): readonly string[] {
    return this.#forms;
  }

  /**
   * A cheap check that is false for most words. False means that `text` has no secret, no terminal code, and
   * no beginning of a secret at its end.
   */
  mayHold(text: string): boolean {
    return this.#beginnings.test(text);
  }

  /**
   * Returns `text` with a placeholder for each secret. Existing placeholders stay. A secret may contain
   * escape sequences. In the output of a command (`isOutput`), it may contain any control characters.
   */
  text(text: string, isOutput = false): string {
    if (text.length < SHORTEST || !this.mayHold(text)) return text;
    const read = this.#readText(text, isOutput, ({ placeholder }) => placeholder);
    return read.hiding(this.#hiddenIn(read));
  }

  /** Returns `text` with a mask for each secret, as long as the secret. */
  mask(text: string, isOutput = false): string {
    if (!this.mayHold(text)) return text;
    const read = this.#readText(text, isOutput, maskOf);
    return read.with(this.#hiddenIn(read), maskOf);
  }

  /** A code other than a color, such as a title or an address, may contain a secret too. */
  #readText(text: string, isOutput: boolean, by: (line: HiddenLine) => string): TerminalText {
    const read = new TerminalText(text, isOutput);
    const coded = read.withCodes((code) =>
      code.length < SHORTEST ? code : replaceInLines(code, this.find(code).flatMap(hiddenLines), by),
    );
    return coded === text ? read : new TerminalText(coded, isOutput);
  }

  #hiddenIn(read: TerminalText): readonly HiddenLine[] {
    return this.secretsIn(read).flatMap(hiddenLines);
  }

  /**
   * Two secrets may be separated only by a terminal code. So each piece between codes is also searched alone.
   * A secret that begins there ends the previous one.
   */
  secretsIn(read: TerminalText): readonly FoundSecret[] {
    if (read.pieces.length === 1) return this.find(read.text);
    const parted = this.find(read.parted).flatMap((secret) => read.inPiece(secret));
    const begun = parted.map(({ from }) => from).filter((from) => read.isBehindCode(from));
    const found = [0, ...begun].flatMap((start, index) =>
      movedBy(
        start,
        this.find(read.text.slice(start, begun[index]), (at) => read.isBehindCode(start + at)),
      ),
    );
    return together(found, parted);
  }

  /** The secrets in a text without codes, in order. A word also begins at `begins` and after a secret. */
  find(text: string, begins: (at: number) => boolean = () => false): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    const expression = this.#expression;
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match; match = expression.exec(text)) {
      const last = found.at(-1);
      const isBehind = last !== undefined && endOf(last) === match.index;
      const secret = this.#secretIn(match, isBehind || begins(match.index));
      if (secret) found.push(secret);
    }
    return found;
  }

  /** Returns a copy without secrets, or `draft` itself if it has none. */
  draft<Draft extends EventDraft>(draft: Draft): Draft {
    return EXACT.has(draft.type) ? draft : this.#cleanDraft(draft, EXACT_HERE);
  }

  /** Does the same for data that leaves this machine, where file names need not be exact. */
  leaving<Draft extends EventDraft>(draft: Draft): Draft {
    return this.#cleanDraft(draft, EXACT_FIELDS);
  }

  #cleanDraft<Draft extends EventDraft>(draft: Draft, exact: ReadonlySet<string>): Draft {
    // Texts are replaced with texts, and everything else stays.
    return this.#withoutSigned(this.#fields(draft, exact) as Draft);
  }

  /** Replaces a signed block that contains a secret. The text goes to the provider unsigned. */
  #withoutSigned<Draft extends EventDraft>(draft: Draft): Draft {
    if (!('opaque' in draft) || this.data(draft.opaque) === draft.opaque) return draft;
    return { ...draft, opaque: NOBODYS };
  }

  /** Returns plain data without secrets in its texts and field names. */
  data<Value>(value: Value): Value {
    // Texts are replaced with texts, and everything else stays.
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

  #secretIn(match: RegExpExecArray, begins: boolean): FoundSecret | undefined {
    const { 0: whole, index: from, input } = match;
    const before = input.slice(Math.max(0, from - BEFORE), from);
    const [escaped = ''] = (ESCAPE.test(before) && ESCAPED.exec(whole)) || [];
    const group = match.findIndex((text, index) => index > 0 && text !== undefined);
    const text = match[Math.max(group, 0)] ?? '';
    const place = whole.lastIndexOf(text);
    const isToken = text === whole && /^\w/.test(whole);
    const isReal = looksReal(text) && !isMask(text) && (!isToken || WORD_BEGINS.test(before) || begins);
    if (group > 0 && !isReal) return undefined;
    const kept = Math.max(0, escaped.length - place);
    const secret = group > 0 ? text : (this.#known.get(whole) ?? whole);
    const kind = secretKinds[group - 1]?.name ?? 'secret';
    return { at: from + place + kept, from, text: text.slice(kept), kind, secret };
  }
}

/**
 * `forms` are in no group, and each kind is one group. An alternative that never matches would make the
 * expression five times as slow.
 */
function expressionOf(forms: readonly string[]): RegExp {
  return new RegExp([...forms.map(escapeLiteral), SOURCES].join('|'), 'g');
}
