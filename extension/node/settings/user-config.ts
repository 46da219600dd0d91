import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { SetupError } from '../../core/base/setup-error.ts';
import { aliasesSchema, endpointsSchema, problemsIn } from '../../core/providers/user-endpoints.ts';
import { say } from '../../protocol/say.ts';

const userConfig = z.strictObject({
  endpoints: z._default(endpointsSchema, []),
  aliases: z._default(aliasesSchema, {}),
  /** `provider/model` or an alias. */
  /** For one command of which the model gives no limit. */
  'terminal.timeoutSeconds': z.optional(z.int().check(z.minimum(1), z.maximum(3600))),
  fallbackModel: z.optional(z.string().check(z.trim(), z.minLength(1))),
});
/** The editor's settings, for programs that run without the editor. */
export type UserConfig = z.output<typeof userConfig>;

/**
 * Resolves with empty settings if there is no such file. Rejects with `SetupError`, which states the mistake
 * and its place.
 */
export async function readUserConfig(path: string): Promise<UserConfig> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw new SetupError(
      'config',
      say('Could not read {0}: {1}. Make the file readable, or remove it.', path, error.message),
    );
  });
  const parsed = userConfig.safeParse(parse(text, path));
  if (parsed.success) return parsed.data;
  throw new SetupError(
    'config',
    say('{0} is not valid: {1}. Fix or remove it.', path, problemsIn(parsed.error)),
  );
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { message } = error as Error;
    throw new SetupError('config', say('{0} is not valid JSON: {1}. Fix or remove it.', path, message));
  }
}
