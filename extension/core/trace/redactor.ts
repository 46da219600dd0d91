import { formsOf, withoutForms } from '../secrets/key-redaction.ts';

/** Takes secrets out of what is written down. */
export class Redactor {
  /** Of every secret each text that gives it away. */
  readonly forms: readonly string[];

  constructor(secrets: readonly string[]) {
    this.forms = [...new Set(secrets.flatMap((secret) => formsOf(secret.trim())))];
  }

  /** A copy of plain data without them, names of fields too. */
  clean<Value>(value: Value): Value {
    // Only the texts in it are replaced, by texts.
    return this.#clean(value) as Value;
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return withoutForms(value, this.forms);
    if (Array.isArray(value)) return value.map((item) => this.#clean(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [withoutForms(name, this.forms), this.#clean(field)]),
    );
  }
}
