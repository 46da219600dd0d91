// Where a text is cut, half a secret may be left, which would not be known again as one and taken out.

/** What may be a part of one. Longer ones are known again by their beginning. */
const LAST_WORD = /[\w.~+/=:@%-]{1,1000}$/;
/** Different characters that one has at least. */
const DIFFERENT = 6;

/** Of a text that is longer, the first `most` characters without the word in which they end. */
export function cutAtWord(text: string, most: number): string {
  return text.length <= most ? text : withoutLastWord(text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''));
}

/** Of a text that goes on. */
export function withoutLastWord(text: string): string {
  return text.replace(LAST_WORD, (word) => (new Set(word).size < DIFFERENT ? word : ''));
}
