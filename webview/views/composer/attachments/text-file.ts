// Files that are not images. VS Code's page gets only their content, never their path.

/** The largest file that is put into the prompt. */
export const MAX_TEXT_BYTES = 50_000;

/** A file's text in a fence under its name; undefined if it is not UTF-8 text, or too long. */
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

/** Makes the fence longer than any in the text. */
function fence(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${name}:\n${marks}\n${text.replace(/\n?$/, '\n')}${marks}\n`;
}
