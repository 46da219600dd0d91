import { type TextDocument, workspace } from 'vscode';

/** The bytes that the document would have on disk if it were saved now as it is. */
export async function bytesOf(document: TextDocument): Promise<Uint8Array> {
  return workspace.encode(document.getText(), { encoding: document.encoding });
}

/**
 * The text that the document has to hold so that saving it gives exactly `bytes`. Undefined where no text does: mixed line
 * ends, which VS Code makes equal, bytes that are invalid in the document's encoding, another byte order mark, NULs.
 */
export async function textFor(document: TextDocument, bytes: Uint8Array): Promise<string | undefined> {
  const { encoding } = document;
  if (!encoding.startsWith('utf16') && bytes.includes(0)) return undefined;
  const text = await workspace.decode(bytes, { encoding });
  if (hasMixedLineEnds(text)) return undefined;
  return equalBytes(await workspace.encode(text, { encoding }), bytes) ? text : undefined;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Also a lone CR, which VS Code takes for a line end. */
function hasMixedLineEnds(text: string): boolean {
  const unlike = text.includes('\r\n') ? /\r(?!\n)|(?<!\r)\n/ : /\r/;
  return unlike.test(text);
}
