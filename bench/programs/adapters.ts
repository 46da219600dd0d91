// Measures the providers' adapters against a minimal reader of the same bytes. Arguments: the address of
// reply-server.ts, rounds. Prints milliseconds of processor time as JSON.
import type { Message, ModelProvider, Turn } from '../../extension/core/ports/model.ts';
import { createAnthropicProvider } from '../../extension/core/providers/anthropic/anthropic-provider.ts';
import { createCodexProvider } from '../../extension/core/providers/codex/codex-provider.ts';
import { createOllamaProvider } from '../../extension/core/providers/ollama/ollama-provider.ts';
import { createOpenAiProvider } from '../../extension/core/providers/openai/openai-provider.ts';
import type { WireOptions } from '../../extension/core/providers/wire/vendor.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { bareReplies } from './bare-replies.ts';
import { PROTOCOLS, type ProtocolName } from './reply-streams.ts';
import { measurePairs, type Pairs, processorTimeOf } from './timing.ts';

const [url = '', rounds = '1'] = process.argv.slice(2);
const options: WireOptions = { apiKey: 'bench', baseUrl: url, clock: systemClock };
const SHORT = 10_000;
const LONG = 100_000;

/** The times of one protocol, each with a reference. */
export interface AdapterTimes {
  /** A long reply, compared with the bare loop. */
  readonly overhead: Pairs;
  /** A long reply, compared with short ones with as many pieces. */
  readonly growth: Pairs;
}

const create: Readonly<Record<ProtocolName, (options: WireOptions) => ModelProvider>> = {
  anthropic: createAnthropicProvider,
  codex: createCodexProvider,
  openai: createOpenAiProvider,
  ollama: createOllamaProvider,
};

/** The server takes the length of the reply from the name. */
const modelOf = (deltas: number) => `bench-${deltas}`;

const PROMPT: Message = { role: 'user', content: [{ type: 'text', text: 'q' }] };

function turnOf(model: string, messages: readonly Message[]): Turn {
  return { model, system: 'Work.', messages, tools: [], maxTokens: 4096 };
}

/** The text of a reply, from the adapter's events. */
async function readReply(protocol: ProtocolName, deltas: number): Promise<string> {
  let reply = '';
  const turn = turnOf(modelOf(deltas), [PROMPT]);
  for await (const event of create[protocol](options).streamTurn(turn, new AbortController().signal)) {
    if (event.type === 'text_delta') reply += event.text;
    if (event.type === 'error') throw new Error(event.error.message);
  }
  return reply;
}

async function measureOverhead(protocol: ProtocolName): Promise<Pairs> {
  const ours = () => readReply(protocol, LONG);
  const bare = () => bareReplies[protocol](url, modelOf(LONG));
  if ((await ours()) !== (await bare())) throw new Error(`The two read different replies over ${protocol}.`);
  return measurePairs(Number(rounds), ours, bare, processorTimeOf);
}

/** Compares one reply with ten short ones that have as many pieces in total. */
function measureGrowth(protocol: ProtocolName): Promise<Pairs> {
  const short = async () => {
    for (let read = 0; read < LONG; read += SHORT) await readReply(protocol, SHORT);
  };
  return measurePairs(Number(rounds), () => readReply(protocol, LONG), short, processorTimeOf);
}

const results: Record<string, AdapterTimes> = {};
for (const protocol of PROTOCOLS) {
  results[protocol] = {
    overhead: await measureOverhead(protocol),
    growth: await measureGrowth(protocol),
  };
}
console.log(JSON.stringify(results));
