import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { cliFile } from '../../scripts/lib/cli-build.mjs';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Whoever reads what it says has enough of it after the first piece. */
  readonly isCutShort?: boolean;
  /** Called as soon as the process runs. */
  readonly started?: (kill: (signal: NodeJS.Signals) => void) => unknown;
}

/** Runs `harness …` with its own home, and no key but the one in `env`. */
export async function cli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^OLLAMA_HOST$/.test(name)),
  );
  const child = spawn(process.execPath, [cliFile, ...args], {
    cwd: options.cwd,
    env: { ...inherited, HARNESS_HOME: options.home, ...options.env },
  });
  // It may end before it has read all of it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  options.started?.((signal) => child.kill(signal));
  const [stdout, stderr, [code]] = await Promise.all([
    options.isCutShort ? beginningOf(child.stdout) : text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, stdout, stderr };
}

async function beginningOf(stream: AsyncIterable<unknown>): Promise<string> {
  for await (const piece of stream) return String(piece);
  return '';
}

export function eventsOf(stdout: string): SessionEvent[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionEvent);
}
