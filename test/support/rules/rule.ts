// What the validators of requests share. They know nothing of the code that makes the requests.

export type Fields = Readonly<Record<string, unknown>>;

/** What an API would refuse, in a sentence. */
export class Violation extends Error {}

export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Violation(message);
}

/** The first violation that `check` finds; undefined where it finds none. */
export function violationIn(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.message;
    throw error;
  }
}

export function fields(value: unknown, at: string): Fields {
  demand(typeof value === 'object' && value !== null && !Array.isArray(value), `${at} is no object`);
  // It was just looked at.
  return value as Fields;
}

export function list(value: unknown, at: string): readonly Fields[] {
  demand(Array.isArray(value), `${at} is no list`);
  return value.map((item, index) => fields(item, `${at}[${index}]`));
}

/** A text with a visible character in it. */
export function demandText(value: unknown, at: string): void {
  demand(typeof value === 'string' && value.trim() !== '', `${at} is empty`);
}

export function demandOnly(given: Fields, allowed: string, at: string): void {
  const known = allowed.split(' ');
  for (const field of Object.keys(given)) demand(known.includes(field), `${at} has a field "${field}"`);
}

/** The halves of a character: no server reads a body with one. */
export function demandWellFormed(value: unknown, at = 'the request'): void {
  if (typeof value === 'string') demand(isWhole(value), `${at} has half a character`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    demand(isWhole(key), `${at} has half a character in a name`);
    demandWellFormed(inner, `${at}.${key}`);
  }
}

const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function demandToolName(name: unknown, at: string): void {
  demand(typeof name === 'string' && TOOL_NAME.test(name), `${at} has the name "${name}"`);
}

/** Tools of a request: legal names, each once, and a schema of an object. */
export function demandTools(tools: readonly { name: unknown; schema: unknown }[]): void {
  for (const { name, schema } of tools) {
    demandToolName(name, 'a tool');
    const { type, $schema, oneOf, anyOf, allOf } = fields(schema, `the schema of ${name}`);
    demand(type === 'object', `the schema of ${name} is of no object`);
    demand($schema === undefined, `the schema of ${name} has a $schema`);
    demand(
      [oneOf, anyOf, allOf].every((part) => part === undefined),
      `the schema of ${name} has a choice`,
    );
  }
  demand(new Set(tools.map(({ name }) => name)).size === tools.length, 'two tools have one name');
}

export interface SaidCall {
  readonly id: string;
  /** A result has to be of the same kind. */
  readonly kind: string;
}

/** Each call has exactly one result, before anything else is said, and no result is without a call. */
export class Calls {
  readonly #ids = new Set<string>();
  readonly #open = new Map<string, string>();
  readonly #form: RegExp;

  constructor(form: RegExp) {
    this.#form = form;
  }

  called({ id, kind }: SaidCall): void {
    demand(this.#form.test(id), `the call "${id}" has a wrong id`);
    demand(!this.#ids.has(id), `two calls have the id "${id}"`);
    this.#ids.add(id);
    this.#open.set(id, kind);
  }

  answered({ id, kind }: SaidCall): void {
    demand(this.#open.has(id), `the result of "${id}" has no call before it, or is its second one`);
    demand(this.#open.get(id) === kind, `the result of "${id}" is of another kind than its call`);
    this.#open.delete(id);
  }

  /** Nothing else may come before the results. */
  settled(before: string): void {
    demand(this.#open.size === 0, `${[...this.#open.keys()]} has no result before ${before}`);
  }

  get any(): boolean {
    return this.#ids.size > 0;
  }
}
