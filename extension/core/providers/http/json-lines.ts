/**
 * The lines of a body of newline-delimited JSON, those that arrived together in one list, without empty ones; the last one
 * counts also without its newline.
 */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for await (const bytes of body) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = [...begun, lines[0]].join('');
      begun = [];
      yield lines.filter(isWritten);
    }
    begun.push(rest);
  }
  yield [[...begun, decoder.decode()].join('')].filter(isWritten);
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}
