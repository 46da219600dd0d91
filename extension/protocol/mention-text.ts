// The syntax of mentions in a prompt: `@src/a.ts`, `@src/a.ts:3-9`, `@"a b.ts"`, `@src/a.ts#name`, `@src/`,
// `@problems`.

/** One mention in a text. */
export interface Mention {
  /** The text after the `@`, without quotes. */
  readonly name: string;
  readonly isQuoted: boolean;
  /** Offset of its `@` in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Names of information that the editor has. */
export const fixedMentions = ['problems', 'selection', 'terminal', 'git'] as const;
export type FixedMention = (typeof fixedMentions)[number];

/**
 * Only the start of the text or a character that begins a word may precede a mention. After any other one,
 * `@` is part of an address or of code.
 */
const mentions = /(?<![^\s([{<'"`,;])@(?:"([^"\n]+)"|([^\s"@`][^\s"`]*))/gu;
/** Punctuation that ends the sentence, not the name. */
const closing = /[.,;:!?)\]}>']+$/;
const plainName = /^[^\s"`@][^\s"`]*$/u;

/** All mentions in `text`, in order. */
export function mentionsIn(text: string): Mention[] {
  return Array.from(text.matchAll(mentions), ({ 0: whole, 1: quoted, 2: plain = '', index }) => {
    const name = quoted ?? plain.replace(closing, '');
    const end = index + (quoted === undefined ? 1 + name.length : whole.length);
    return { name, isQuoted: quoted !== undefined, start: index, end };
  }).filter(({ name }) => name !== '');
}

/** Writes `name` as a mention, in quotes if it would not be read as one name without them. */
export function writeMention(name: string): string {
  const isPlain = plainName.test(name) && !closing.test(name);
  return isPlain ? `@${name}` : `@"${name}"`;
}

/** The mention or command that the user is typing at `caret`. */
export interface Token {
  readonly kind: 'mention' | 'command';
  /** The text from after the `@` or the `/` up to the caret. */
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

const mentionBefore = /(?<![^\s([{<'"`,;])@(?:"([^"\n]*)|([^\s"@`]*))$/u;

/**
 * What can be completed at `caret`; undefined if nothing can. A command must be at the beginning of the text.
 */
export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*)$/.exec(before);
  if (command) return commandToken(text, command[1] ?? '');
  const mention = mentionBefore.exec(before);
  if (!mention) return undefined;
  const [, quoted, plain = ''] = mention;
  const rest = (quoted === undefined ? /^[^\s"@`]*/u : /^[^"\n]*"?/u).exec(text.slice(caret))?.[0] ?? '';
  // An open quote does not extend over the text after the caret.
  const end = quoted !== undefined && !rest.endsWith('"') ? caret : caret + rest.length;
  return { kind: 'mention', query: quoted ?? plain, start: mention.index, end };
}

function commandToken(text: string, query: string): Token | undefined {
  const rest = /^[a-z]*/.exec(text.slice(1 + query.length))?.[0] ?? '';
  const end = 1 + query.length + rest.length;
  return text.slice(end).trim() === '' ? { kind: 'command', query, start: 0, end } : undefined;
}
