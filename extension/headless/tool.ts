import { ChangeTracker } from '../core/checkpoints/change-tracker.ts';
import { KeptImages } from '../core/context/kept-images.ts';
import { LogWriter } from '../core/log/log-writer.ts';
import { MemorySessionLog } from '../core/log/memory-session-log.ts';
import { TIMEOUT_MS } from '../core/loop/config.ts';
import { runToolCall } from '../core/loop/run-tool-call.ts';
import { RunningCalls } from '../core/loop/running-calls.ts';
import { Gate } from '../core/permission/gate.ts';
import { allTools } from '../core/tools/all-tools.ts';
import { parseCommand, UsageError } from './arguments.ts';
import { compose, ownModels } from './compose.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';

/** Runs `harness tool`: makes one call through the permission gate and prints its JSON result. */
export async function tool(args: readonly string[]): Promise<number> {
  const { options, positionals } = parseCommand('tool', args);
  const [name, json, ...rest] = positionals;
  if (name === undefined || json === undefined || rest.length > 0)
    throw new UsageError('tool requires NAME and JSON');
  const here = allTools.filter(({ needsLanguageServers }) => !needsLanguageServers);
  const names = here.map((candidate) => candidate.name);
  if (!names.includes(name)) throw new UsageError(`unknown tool “${name}”; tools: ${names.join(', ')}`);
  const call = { id: 'cli', name, input: inputOf(json) };
  const composed = await compose(options.cwd, options.yes ? 'bypass' : 'ask');
  // Without a session, there is no place for long outputs.
  const { outputs: _outputs, ...ports } = composed.ports;
  const writer = new LogWriter(new MemorySessionLog('cli', ports.clock), ports.logger, ports.secrets);
  const images = new KeptImages(ports.attachments);
  const cancel = new AbortController();
  const uninterrupt = onInterrupt(() => cancel.abort());
  const result = await runToolCall(
    {
      ...ports,
      writer,
      gate: new Gate('cli', writer, ports),
      changes: new ChangeTracker(undefined),
      toolContext: {
        workspace: ports.workspace,
        shell: ports.shell,
        seen: undefined,
        timeoutMs: (await ownModels()).timeoutMs ?? TIMEOUT_MS,
        keepImage: (bytes, path) => images.keep(bytes, path, []),
        withoutSecrets: asItIs,
      },
      cwd: options.cwd,
      maxResultChars: Number.POSITIVE_INFINITY,
      running: new RunningCalls(),
      remember: () => {},
      withoutSecrets: asItIs,
      signal: cancel.signal,
    },
    call,
  );
  uninterrupt();
  await composed.close();
  process.stdout.write(`${result.result}\n`);
  if (cancel.signal.aborted) return EXIT.cancelled;
  return !result.isError ? EXIT.done : EXIT.failed;
}

/** Masks nothing, because the user called the tool directly. */
const asItIs = <Value>(value: Value): Value => value;

function inputOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw new UsageError('the tool’s input must be a JSON object');
}
