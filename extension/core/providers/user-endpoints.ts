// The providers and aliases that users add: by settings in the editor, by a file for the CLI.
import * as z from 'zod/mini';
import '../base/zod-messages.ts';
import { say } from '../../protocol/say.ts';
import { catalog } from './catalog.ts';

/** These providers have a protocol of their own, or a key of their own. */
const RESERVED = new Set(catalog.filter(({ protocol }) => protocol !== 'chat').map(({ name }) => name));

const name = z.string().check(
  z.regex(
    /^[a-z0-9][a-z0-9._-]*$/i,
    say('it can contain only letters, digits, dots, hyphens and underscores'),
  ),
  z.refine(
    (value) => !RESERVED.has(value),
    say('it is the name of a provider that is not an OpenAI-compatible server'),
  ),
);

const endpoint = z.strictObject({
  name,
  baseUrl: z.url({ protocol: /^https?$/, error: say('it must start with http:// or https://') }),
  models: z.optional(z.array(z.string().check(z.minLength(1)))),
  keyless: z.optional(z.boolean()),
});

/** OpenAI-compatible servers. */
export const endpointsSchema = z
  .array(endpoint)
  .check(
    z.refine(
      (endpoints) => new Set(endpoints.map((each) => each.name)).size === endpoints.length,
      say('two endpoints have the same name'),
    ),
  );

/** Short names for models. */
export const aliasesSchema = z.record(z.string(), z.string().check(z.trim(), z.minLength(1)));

/** Says what is wrong and where: `endpoints[0].baseUrl: it must …`. `translate` gets each reason. */
export function problemsIn(error: z.core.$ZodError, translate = (reason: string) => reason): string {
  return error.issues
    .map(({ path, message }) =>
      path.length > 0 ? `${placeOf(path)}: ${translate(message)}` : translate(message),
    )
    .join('; ');
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
