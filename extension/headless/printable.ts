/** Without what could move the cursor, hide text or forge a question on a terminal. Line feeds and tabs stay. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Says it to whoever sits there, who need not trust what is said: a file may have brought it. */
export function report(text: string, output: NodeJS.WritableStream = process.stderr): void {
  // No line of it can be taken for another one of ours.
  output.write(`harness: ${printable(text).replaceAll('\n', '\n  ')}\n`);
}
