import type { ModelInfo } from '../core/ports/model.ts';
import { needsKey, type ProviderEntry } from '../core/providers/catalog.ts';
import { createProvider } from '../core/providers/create-provider.ts';
import type { Router } from '../core/providers/router.ts';
import { fetchWithProbes } from '../node/fetch.ts';
import { systemClock } from '../node/system-clock.ts';
import { parseCommand, UsageError } from './arguments.ts';
import { accessOf, ownModels } from './compose.ts';
import { EXIT } from './exit-codes.ts';
import { printable, report } from './printable.ts';

/** Covers a local server that has gone and a slow remote one. */
const PATIENCE_MS = 20_000;

/** Runs `harness models`: lists the models of one provider, or of every provider that is set up. */
export async function models(args: readonly string[]): Promise<number> {
  const { options } = parseCommand('models', args);
  const { router } = await ownModels();
  const write = options.json ? jsonLine : textLine;
  if (options.provider === undefined) {
    if (options['base-url']) throw new UsageError('--base-url requires --provider');
    return listAll(router, write);
  }
  const entry = providerOf(router, options.provider);
  for (const model of await listOf(entry, options['base-url']))
    process.stdout.write(write(entry.name, model));
  return EXIT.done;
}

type Write = (provider: string, model: ModelInfo) => string;

/** Skips a provider without a key that does not answer: its local server is not running. */
async function listAll(router: Router, write: Write): Promise<number> {
  const entries = router.providers.filter((entry) => entry.protocol !== 'vscode' && isSetUp(entry));
  const lists = entries.map((entry) => listOf(entry).catch((error: Error) => error));
  let code: number = EXIT.done;
  for (const [index, { name, key }] of entries.entries()) {
    const list = (await lists[index]) ?? [];
    if (!(list instanceof Error)) for (const model of list) process.stdout.write(write(name, model));
    else if (key) {
      report(list.message);
      code = EXIT.failed;
    }
  }
  return code;
}

function isSetUp(entry: ProviderEntry): boolean {
  const { apiKey, baseUrl } = accessOf(entry);
  return apiKey !== '' || !needsKey(entry, baseUrl);
}

async function listOf(entry: ProviderEntry, baseUrl?: string): Promise<readonly ModelInfo[]> {
  const provider = await createProvider(entry, {
    ...accessOf(entry, baseUrl),
    clock: systemClock,
    fetch: fetchWithProbes,
  });
  return provider.listModels(AbortSignal.timeout(PATIENCE_MS));
}

function providerOf(router: Router, name: string): ProviderEntry {
  const entry = router.find(name);
  if (entry) return entry;
  const names = router.providers.map((each) => each.name).join(', ');
  throw new UsageError(`unknown provider “${name}”; providers: ${names}`);
}

function jsonLine(provider: string, model: ModelInfo): string {
  return `${JSON.stringify({ ...model, id: `${provider}/${model.id}` })}\n`;
}

/** Formats columns for people. Leaves out unknown values. */
function textLine(provider: string, { id, name, contextWindow, price, tools }: ModelInfo): string {
  const facts = [
    contextWindow && `${Math.round(contextWindow / 1000)}k context`,
    price && `$${price.input} in, $${price.output} out per million tokens`,
    tools === false && 'cannot use tools',
  ].filter((fact) => fact);
  return `${[`${provider}/${id}`, name, ...(facts.length > 0 ? [facts.join(', ')] : [])].map(printable).join('\t')}\n`;
}
