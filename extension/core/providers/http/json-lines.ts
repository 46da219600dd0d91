/** The lines of a body of newline-delimited JSON, without empty ones; the last one counts also without its newline. */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const bytes of body) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    for (const end of lines.slice(0, -1)) {
      const line = [...pieces, end].join('').trim();
      pieces = [];
      if (line !== '') yield line;
    }
    pieces.push(lines.at(-1) ?? '');
  }
  const rest = [...pieces, decoder.decode()].join('').trim();
  if (rest !== '') yield rest;
}
