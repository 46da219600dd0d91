import { parseArgs } from 'node:util';
import * as z from 'zod';
import { EFFORTS } from '../core/ports/model.ts';
import { permissionMode } from '../protocol/messages.ts';

/** Wrong usage: told on standard error, exit code 2. */
export class UsageError extends Error {}

const wholeNumber = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, `${name} takes a whole number above 0`)
    .transform(Number);

const execOptions = z.object({
  model: z.string().optional(),
  'base-url': z.url('--base-url takes an address').optional(),
  effort: z.enum(EFFORTS).optional(),
  cwd: z.string().default('.'),
  system: z.string().optional(),
  'max-turns': wholeNumber('--max-turns').optional(),
  'max-tokens': wholeNumber('--max-tokens').optional(),
  permissions: z.optional(permissionMode),
  yes: z.boolean().default(false),
  json: z.boolean().default(false),
  session: z.string().optional(),
  continue: z.boolean().default(false),
  'log-dir': z.string().optional(),
});
export type ExecOptions = z.output<typeof execOptions>;

const toolOptions = z.object({ cwd: z.string().default('.'), yes: z.boolean().default(false) });
const modelsOptions = z.object({
  provider: z.string().optional(),
  'base-url': z.url('--base-url takes an address').optional(),
  json: z.boolean().default(false),
});
const sessionsOptions = z.object({ json: z.boolean().default(false) });

export const commands = {
  exec: execOptions,
  tool: toolOptions,
  models: modelsOptions,
  sessions: sessionsOptions,
} as const;
export type CommandName = keyof typeof commands;

export interface Parsed<Name extends CommandName> {
  readonly options: z.output<(typeof commands)[Name]>;
  readonly positionals: readonly string[];
}

/** Options and positionals of one command. Throws `UsageError`. */
export function parseCommand<Name extends CommandName>(name: Name, args: readonly string[]): Parsed<Name> {
  const { values, positionals } = split(name, args);
  const parsed = commands[name].safeParse(values);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(describe).join('\n'));
  // The schema that was looked up by this name made the data.
  return { options: parsed.data as z.output<(typeof commands)[Name]>, positionals };
}

function split(name: CommandName, args: readonly string[]) {
  const { shape } = commands[name];
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

/** Node's own words, but for an unknown option the ones that there are. */
function explain(error: unknown, name: CommandName, options: readonly string[]): string {
  // `parseArgs` throws errors of Node, which have a code.
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
