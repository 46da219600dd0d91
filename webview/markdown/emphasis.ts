// Makes `**重要：**次` bold. CommonMark requires a space or punctuation beside such marks, which languages
// without spaces do not have.
import type { MarkdownIt } from 'markdown-it';

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

export function allowEmphasisWithoutSpaces(markdown: MarkdownIt): void {
  markdown.inline.State = class extends markdown.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      if (!canSplitWord || (found.can_open && found.can_close)) return found;
      const before = this.src.slice(Math.max(0, start - 2), start);
      const after = this.src.slice(start + found.length, start + found.length + 2);
      return {
        ...found,
        can_open: found.can_open || (endsSpaceless(before) && /^\S/.test(after)),
        can_close: found.can_close || (beginsSpaceless(after) && /\S$/.test(before)),
      };
    }
  };
}

function endsSpaceless(text: string): boolean {
  return spaceless.test([...text].at(-1) ?? '');
}

function beginsSpaceless(text: string): boolean {
  return spaceless.test([...text][0] ?? '');
}
