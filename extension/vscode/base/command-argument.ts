import * as vscode from 'vscode';
import type * as z from 'zod/mini';

/**
 * Validates the argument that a script or another extension passed to a command. Throws an error with a
 * message for its author if the argument does not match the schema.
 */
export function argumentOf<Schema extends z.ZodMiniType>(schema: Schema, argument: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(argument ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new Error(vscode.l10n.t('Invalid argument for this command: {0}.', problems.join('; ')));
}
