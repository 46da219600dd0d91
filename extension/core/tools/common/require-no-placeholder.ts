// A model cannot write a secret that it never saw. So Harness refuses to write the secret's placeholder into
// a file.

import { ToolError } from '../../base/tool-error.ts';
import { placeholdersIn } from '../../secrets/placeholder.ts';

/**
 * Throws `ToolError` if `after` has a placeholder that `before` lacks. `path` is the file to write, absent
 * for a command.
 */
export function requireNoSecretPlaceholder(before: string, after: string, path?: string): void {
  const known = placeholdersIn(before);
  const placeholder = [...placeholdersIn(after)].find((candidate) => !known.has(candidate));
  if (placeholder === undefined) return;
  const what = `${placeholder} stands for a secret that is hidden from you, and is not the secret itself`;
  throw new ToolError(
    path === undefined
      ? `${what}: the command was not run. Use the file or the environment variable that holds it, or ask the user`
      : `${what}: written, it would destroy the secret in ${path}. Nothing was written. Leave its lines as they are and ` +
          'edit the others by their numbers, or change a part of such a line with bash, for instance with sed -i',
    { code: 'invalid_input' },
  );
}
