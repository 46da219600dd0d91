import '../core/base/zod-messages.ts';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { EFFORTS } from '../core/ports/model.ts';
import { permissionMode } from '../protocol/messages.ts';

/** Wrong usage. The command line reports it on standard error and ends with exit code 2. */
export class UsageError extends Error {}

/** The command line names something that is missing or of the wrong kind. The exit code is 2, too. */
export class UnusableError extends Error {}

const wholeNumber = (name: string) =>
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d*$/, `${name} must be a whole number greater than 0`)),
    z.transform(Number),
  );
const positiveNumber = (name: string) =>
  z.pipe(
    z.string().check(z.regex(/^(?!0+(\.0+)?$)\d+(\.\d+)?$/, `${name} must be a number greater than 0`)),
    z.transform(Number),
  );
const address = z.optional(z.url('--base-url must be a URL'));
const text = z.optional(z.string());
const logDir = z.optional(z.string().check(z.minLength(1, '--log-dir must name a folder')));
const flag = z._default(z.boolean(), false);

const execOptions = z.object({
  model: text,
  'base-url': address,
  effort: z.optional(z.enum(EFFORTS)),
  cwd: z._default(z.string(), '.'),
  system: text,
  'max-turns': z.optional(wholeNumber('--max-turns')),
  'max-tokens': z.optional(wholeNumber('--max-tokens')),
  permissions: z.optional(permissionMode),
  yes: flag,
  json: flag,
  session: text,
  continue: flag,
  'log-dir': logDir,
  record: text,
});
export type ExecOptions = z.output<typeof execOptions>;

const toolOptions = z.object({ cwd: z._default(z.string(), '.'), yes: flag });
const modelsOptions = z.object({
  provider: text,
  'base-url': address,
  json: flag,
});
const replayOptions = z.object({
  json: flag,
  speed: z.optional(positiveNumber('--speed')),
  step: flag,
});
const cwd = z._default(z.string(), '.');
const anySession = { json: flag, 'log-dir': logDir };
const format = z._default(z.enum(['session', 'md', 'html']), 'session');

/** The verbs of `harness sessions`, with their options. */
export const sessionVerbs = {
  list: z.object(anySession),
  show: z.object(anySession),
  export: z.object({ ...anySession, format, force: flag }),
  import: z.object({ ...anySession, cwd }),
  verify: z.object(anySession),
  restore: z.object({ ...anySession, cwd, to: z.optional(wholeNumber('--to')), 'dry-run': flag }),
} as const;
export type SessionVerb = keyof typeof sessionVerbs;

export const commands = {
  exec: execOptions,
  tool: toolOptions,
  models: modelsOptions,
  replay: replayOptions,
} as const;
export type CommandName = keyof typeof commands | 'sessions';
export const CLI_COMMANDS: readonly string[] = [...Object.keys(commands), 'sessions'];

interface Parsed<Options extends z.core.$ZodType> {
  readonly options: z.output<Options>;
  readonly positionals: readonly string[];
}
export type CommandOptions<Name extends keyof typeof commands> = z.output<(typeof commands)[Name]>;
export type VerbOptions<Verb extends SessionVerb> = z.output<(typeof sessionVerbs)[Verb]>;

/** Returns the options and positionals of one command. Throws `UsageError`. */
export function parseCommand<Name extends keyof typeof commands>(
  name: Name,
  args: readonly string[],
): Parsed<(typeof commands)[Name]> {
  return parse(name, commands[name], args);
}

/** Does the same for `harness sessions VERB`. */
export function parseVerb<Verb extends SessionVerb>(
  verb: Verb,
  args: readonly string[],
): Parsed<(typeof sessionVerbs)[Verb]> {
  return parse(`sessions ${verb}`, sessionVerbs[verb], args);
}

function parse<Options extends z.ZodMiniObject>(
  name: string,
  schema: Options,
  args: readonly string[],
): Parsed<Options> {
  const { values, positionals } = split(name, schema, args);
  const parsed = z.safeParse(schema, values);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(describe).join('\n'));
  return { options: parsed.data, positionals };
}

function split(name: string, { shape }: z.ZodMiniObject, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(shape).map(([option, field]) => [
      option,
      { type: isFlag(field) ? 'boolean' : 'string' } as const,
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explain(error, name, Object.keys(shape)));
  }
}

/** Returns Node's message. For an unknown option, lists the known ones. */
function explain(error: unknown, name: string, options: readonly string[]): string {
  // `parseArgs` throws Node errors, which have a code.
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return message;
  const known = options.map((option) => `--${option}`).join(', ');
  return `${message.split('. ')[0]}; ${name} takes ${known}`;
}

function isFlag(field: z.core.$ZodType): boolean {
  return z.safeParse(field, true).success;
}

function describe(issue: z.core.$ZodIssue): string {
  return issue.message.startsWith('--') ? issue.message : `--${issue.path.join('.')}: ${issue.message}`;
}

/** Resolves with the path of `--cwd`, links resolved. Rejects with `UsageError` if it is not a directory. */
export async function directory(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => undefined);
  if (folder && (await stat(folder)).isDirectory()) return folder;
  throw new UsageError(`--cwd: ${path} is not a directory`);
}
