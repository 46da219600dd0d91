// Text of a workspace that stands between Harness's own tags.

/**
 * Invisible characters that can hide text from a person: direction marks, tags, and runs of characters that
 * are harmless only as part of an emoji or a word.
 */
const HIDDEN =
  /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]|[\u200B-\u200D\u2060-\u2064\uFEFF]{2,}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu;

/** Tags that would end the section of a text, or that imitate another kind of context. */
const TAGS =
  /<(\/(instructions|selection|output)|\/?(permissions instructions|collaboration_mode|environment_context|workspace_files|git_status|editor_context|problems|limits)\b)/gi;

/** Removes hidden characters and reports their number. Escapes the tags, so the text stays in its section. */
export function harmless(text: string): string {
  const hidden = [...(text.match(HIDDEN) ?? []).join('')].length;
  const seen = text.replace(HIDDEN, '').replace(TAGS, '<\\$1');
  return hidden === 0 ? seen : `${seen}\n[${hidden} invisible characters removed]`;
}

/** A file's name may have any character. An escaped one cannot end its line or its tag. */
export function escaped(value: string): string {
  return value.replace(/[&<>"\p{Cc}\p{Cf}]/gu, (character) => `&#${character.codePointAt(0)};`);
}
