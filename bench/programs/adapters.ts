// Measures the providers' adapters against a minimal reader of the same bytes, and what they translate of a
// history. Arguments: the address of reply-server.ts, rounds. Prints milliseconds of processor time as JSON.
import type { Message, ModelProvider, Turn } from '../../extension/core/ports/model.ts';
import { createAnthropicProvider } from '../../extension/core/providers/anthropic/anthropic-provider.ts';
import { toAnthropicRequest as toMessagesRequest } from '../../extension/core/providers/anthropic/to-request.ts';
import { createCodexProvider } from '../../extension/core/providers/codex/codex-provider.ts';
import { toCodexRequest as toResponsesRequest } from '../../extension/core/providers/codex/to-request.ts';
import { UNKNOWN_FACTS } from '../../extension/core/providers/ollama/model-facts.ts';
import { createOllamaProvider } from '../../extension/core/providers/ollama/ollama-provider.ts';
import { toOllamaRequest } from '../../extension/core/providers/ollama/to-request.ts';
import { dialectOf } from '../../extension/core/providers/openai/dialect.ts';
import { createOpenAiProvider } from '../../extension/core/providers/openai/openai-provider.ts';
import type { Listener } from '../../extension/core/providers/openai/to-messages.ts';
import { type Translated, toChatRequest } from '../../extension/core/providers/openai/to-request.ts';
import type { WireOptions } from '../../extension/core/providers/wire/vendor.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { bareReplies } from './bare-replies.ts';
import { PROTOCOLS, type ProtocolName } from './reply-streams.ts';
import { addPair, measurePairs, noPairs, type Pairs, processorTimeOf } from './timing.ts';

const [url = '', rounds = '1'] = process.argv.slice(2);
const options: WireOptions = { apiKey: 'bench', baseUrl: url, clock: systemClock };
const SHORT = 10_000;
const LONG = 100_000;
const MESSAGES = 1_000;
/** Conversations in one measurement. */
const CONVERSATIONS = 10;

/** The times of one protocol, each with a reference. */
export interface AdapterTimes {
  /** A long reply, compared with the bare loop. */
  readonly overhead: Pairs;
  /** A long reply, compared with short ones with as many pieces. */
  readonly growth: Pairs;
  /** The second request of a long history, compared with the first. */
  readonly second: Pairs;
}

const create: Readonly<Record<ProtocolName, (options: WireOptions) => ModelProvider>> = {
  anthropic: createAnthropicProvider,
  codex: createCodexProvider,
  openai: createOpenAiProvider,
  ollama: createOllamaProvider,
};

const dialect = dialectOf('openai', url, 'bench');
const listener: Listener = { provider: 'openai', model: 'bench', dialect, images: true };
const translated: Translated = new WeakMap();

/** Builds the body of a request. */
const translate: Readonly<Record<ProtocolName, (turn: Turn) => unknown>> = {
  anthropic: (turn) => toMessagesRequest(turn, new Set()),
  codex: (turn) => toResponsesRequest(turn),
  openai: (turn) => toChatRequest(turn, listener, translated),
  ollama: (turn) => toOllamaRequest(turn, UNKNOWN_FACTS, undefined),
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

/** A new conversation of tool calls, none of which was ever sent. */
function newHistory(): Message[] {
  return Array.from({ length: MESSAGES / 2 }, (_, round): Message[] => {
    const [id, text] = [`call_${round}`, `I read ${round}.ts once more, to see what it says now. `];
    const input = { path: `src/${round}.ts`, limit: 100 };
    const said = [
      { type: 'text', text },
      { type: 'tool_call', id, name: 'read', input },
    ] as const;
    const result = { type: 'tool_result', id, content: text.repeat(40), isError: false } as const;
    return [
      { role: 'assistant', content: said },
      { role: 'user', content: [result] },
    ];
  }).flat();
}

/**
 * Compares the first request of long histories with the second, when each has one more message. Excludes the
 * JSON encoding.
 */
async function measureSecond(protocol: ProtocolName): Promise<Pairs> {
  const pairs = noPairs();
  for (let round = 0; round <= Number(rounds); round++) {
    const histories = Array.from({ length: CONVERSATIONS }, newHistory);
    const build = async () => histories.map((history) => translate[protocol](turnOf('bench', history)));
    const first = await processorTimeOf(build);
    for (const history of histories) history.push(PROMPT);
    const second = await processorTimeOf(build);
    // The first round warms everything up.
    if (round > 0) addPair(pairs, second, first);
  }
  return pairs;
}

const results: Record<string, AdapterTimes> = {};
for (const protocol of PROTOCOLS) {
  results[protocol] = {
    overhead: await measureOverhead(protocol),
    growth: await measureGrowth(protocol),
    second: await measureSecond(protocol),
  };
}
console.log(JSON.stringify(results));
