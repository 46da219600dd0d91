// Files that are no images: what VS Code's page gets of them is their content, never their path.

/** Bytes of a file that is put into the prompt. */
export const MAX_TEXT_BYTES = 50_000;

/** A file's text in a fence under its name; undefined for what is no text in UTF-8, or too long. */
export async function fencedText(file: File): Promise<string | undefined> {
  if (file.size > MAX_TEXT_BYTES) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? undefined : fence(file.name, text);
  } catch {
    // Not UTF-8, or a folder.
    return undefined;
  }
}

/** The fence is longer than any in the text. */
function fence(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${name}:\n${marks}\n${text.replace(/\n?$/, '\n')}${marks}\n`;
}
