// Changes of made files that look like code: repeated lines, blank ones, several levels of indentation.
import { randomFrom } from '../random-from.ts';
import type { FileVersions, Hunk } from './file-change.ts';

const WORDS = ['path', 'line', 'count', 'name', 'file', 'text', 'start', 'end', 'value', 'index'];
const LINES = [40, 120] as const;
/** Unchanged lines between two hunks. */
const GAP = [1, 9] as const;

/** The same changes each time. */
export function madeChanges(count: number): FileVersions[] {
  return Array.from({ length: count }, (_, seed) => new Maker(seed).versions());
}

class Maker {
  readonly #random: () => number;
  #next = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed + 1);
  }

  versions(): FileVersions {
    const before = this.#lines(this.#between(...LINES));
    const hunks: Hunk[] = [];
    for (let at = this.#between(...GAP); at < before.length - 4; ) {
      const hunk = this.#hunk(before, at);
      hunks.push(hunk);
      at += hunk.removed.length + this.#between(...GAP);
    }
    return { before, hunks };
  }

  /** Replaces, inserts or deletes. */
  #hunk(before: readonly string[], start: number): Hunk {
    const removed = before.slice(start, start + this.#between(0, 3));
    const added = this.#lines(this.#between(removed.length === 0 ? 1 : 0, 4));
    return { start, removed, added: added.filter((line) => !removed.includes(line)) };
  }

  #lines(count: number): string[] {
    const lines: string[] = [];
    let level = this.#between(0, 2);
    while (lines.length < count) {
      const line = this.#line();
      if (line.startsWith('}')) level = Math.max(0, level - 1);
      lines.push(line === '' ? '\n' : `${'  '.repeat(level)}${line}\n`);
      if (line.endsWith('{')) level += 1;
    }
    return lines;
  }

  #line(): string {
    const [name, other] = [this.#word(), this.#word()];
    this.#next += 1;
    const forms = [
      '',
      '}',
      `return ${name};`,
      ` * The ${name} - "${other}" - of ${this.#next}.`,
      `if (${name} === '${other}${this.#next}') {`,
      `const ${name} = ${other}(${this.#next}, 'a ${other}');`,
      `${name}.push("${other} ${this.#next}");`,
    ];
    return forms[this.#between(0, forms.length - 1)] ?? '';
  }

  #word(): string {
    return WORDS[this.#between(0, WORDS.length - 1)] ?? '';
  }

  #between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }
}
