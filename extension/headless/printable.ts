/**
 * Escapes characters that could move the cursor, hide text or forge a question. Keeps line feeds and tabs.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Reports a message to the user. The message is untrusted, because an imported file may contain it. */
export function report(text: string, output: NodeJS.WritableStream = process.stderr): void {
  // The indent keeps a further line from looking like a message of its own.
  output.write(`harness: ${printable(text).replaceAll('\n', '\n  ')}\n`);
}

/** Returns a count with its noun: `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
