import * as z from 'zod/mini';

/** What a session gives the model in addition to its prompts. `docs/prompts.md` says what each kind is about. */
export const contextKind = z.enum([
  'permissions',
  'collaboration',
  'instructions',
  'environment',
  'limits',
  'files',
  'git',
  'editor',
  'problems',
]);
export type ContextKind = z.infer<typeof contextKind>;
