/**
 * One line for the status: "bash npm test", "read src/a.ts", "code rename src/a.ts". At most 80 characters, never empty. `clean`
 * removes secrets before the text is cut.
 */
export function summarizeCall(
  call: {
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  },
  clean = (text: string) => text,
): string {
  const { action, command, pattern, path, source } = call.input;
  const subject = [command, pattern, path, source].find((value) => typeof value === 'string') ?? '';
  const words = typeof action === 'string' ? `${action} ${subject}` : String(subject);
  const line = `${call.name || '(no name)'} ${clean(words).replace(/\s+/g, ' ')}`.trim();
  return line.length <= 80 ? line : `${[...line].slice(0, 79).join('')}…`;
}
