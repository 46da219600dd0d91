import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import '../core/english-issues.ts';
import { EFFORTS } from '../core/ports/model.ts';
import { permissionMode } from '../protocol/messages.ts';

/** Wrong usage: told on standard error, exit code 2. */
export class UsageError extends Error {}

const wholeNumber = (name: string) =>
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d*$/, `${name} takes a whole number above 0`)),
    z.transform(Number),
  );
const positiveNumber = (name: string) =>
  z.pipe(
    z.string().check(z.regex(/^(?!0+(\.0+)?$)\d+(\.\d+)?$/, `${name} takes a number above 0`)),
    z.transform(Number),
  );
const address = z.optional(z.url('--base-url takes an address'));
const text = z.optional(z.string());
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
  'log-dir': text,
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
  'live-tools': flag,
  yes: flag,
  keep: flag,
});
const sessionsOptions = z.object({
  json: flag,
  cwd: z._default(z.string(), '.'),
  format: z._default(z.enum(['session', 'md', 'html']), 'session'),
  to: z.optional(wholeNumber('--to')),
  'dry-run': flag,
});

export const commands = {
  exec: execOptions,
  tool: toolOptions,
  models: modelsOptions,
  sessions: sessionsOptions,
  replay: replayOptions,
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
