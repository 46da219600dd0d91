// Measures the next request after 1,000 turns against building the same request anew: from the log's events
// to the body of the request, without its JSON. Arguments: rounds. Prints milliseconds of processor time as
// JSON, by protocol.
import { Images } from '../../extension/core/context/images.ts';
import { Transcript } from '../../extension/core/log/transcript.ts';
import type { Turn } from '../../extension/core/ports/model.ts';
import { toAnthropicRequest as toMessagesRequest } from '../../extension/core/providers/anthropic/to-request.ts';
import { toCodexRequest as toResponsesRequest } from '../../extension/core/providers/codex/to-request.ts';
import { UNKNOWN_FACTS } from '../../extension/core/providers/ollama/model-facts.ts';
import { toOllamaRequest } from '../../extension/core/providers/ollama/to-request.ts';
import { dialectOf } from '../../extension/core/providers/openai/dialect.ts';
import type { Listener } from '../../extension/core/providers/openai/to-messages.ts';
import { type Translated, toChatRequest } from '../../extension/core/providers/openai/to-request.ts';
import { RENDERING_VERSION } from '../../extension/core/rendering/render-result.ts';
import type { EventDraft, SessionEvent } from '../../extension/protocol/events.ts';
import { PROTOCOLS, type ProtocolName } from './reply-streams.ts';
import { addPair, noPairs, type Pairs, processorTimeOf } from './timing.ts';

const [rounds = '1'] = process.argv.slice(2);
const TURNS = 1_000;
/** Further requests in one measurement, because one takes too little time to be measured. */
const NEXT = 20;
/** One result in so many has an image. */
const TURNS_OF_IMAGE = 50;
const IMAGE = 'A'.repeat(10_000);

const dialect = dialectOf('openai', 'http://127.0.0.1', 'bench');
const listener: Listener = { provider: 'openai', model: 'bench', dialect, images: true };
const translated: Translated = new WeakMap();

/** Builds the body of a request. */
const translate: Readonly<Record<ProtocolName, (turn: Turn) => unknown>> = {
  anthropic: (turn) => toMessagesRequest(turn, new Set()),
  codex: (turn) => toResponsesRequest(turn),
  openai: (turn) => toChatRequest(turn, listener, translated),
  ollama: (turn) => toOllamaRequest(turn, UNKNOWN_FACTS, undefined),
};

const content = 'A line of a file that is as long as lines of code are.\n'.repeat(40);

/** A request, whose reply reads a file. */
function eventsOf(turn: number): EventDraft[] {
  const [request, id] = [turn + 1, `call_${turn}`];
  const rendering = { version: RENDERING_VERSION, limit: 30_000 };
  const image = turn % TURNS_OF_IMAGE === 0 && { attachments: [`${turn}.png`] };
  return [
    { type: 'request_started', request, provider: 'bench', model: 'bench' },
    { type: 'text', content: `I read ${turn}.ts once more, to see what it says now.` },
    { type: 'tool_call', id, name: 'read', input: { path: `src/${turn}.ts`, limit: 100 } },
    { type: 'request_ended', request, outcome: 'completed', stop: 'tool_calls' },
    { type: 'tool_result', id, result: JSON.stringify({ content }), isError: false, rendering, ...image },
  ];
}

const prompt: EventDraft[] = [
  { type: 'user', content: 'Work.' },
  { type: 'turn_started', turn: 1 },
];
const past = [...prompt, ...Array.from({ length: TURNS }, (_, turn) => eventsOf(turn)).flat()].map(stored);

function stored(draft: EventDraft, index: number): SessionEvent {
  return { ...draft, timestamp: 0, session: 'bench', seq: index + 1, prev: '' };
}

/** A session with its history, from which it makes requests. */
class Conversation {
  readonly #transcript = new Transcript();
  readonly #images = new Images({ read: async () => IMAGE, keep: async () => '' });
  readonly #protocol: ProtocolName;

  constructor(protocol: ProtocolName) {
    this.#protocol = protocol;
  }

  async request(events: readonly SessionEvent[]): Promise<unknown> {
    for (const event of events) this.#transcript.apply(event);
    const messages = await this.#images.load(this.#transcript.messages());
    return translate[this.#protocol]({
      model: 'bench',
      system: 'Work.',
      messages,
      tools: [],
      maxTokens: 4096,
    });
  }
}

async function measure(protocol: ProtocolName): Promise<Pairs> {
  const pairs = noPairs();
  for (let round = 0; round <= Number(rounds); round++) {
    const conversation = new Conversation(protocol);
    const anew = await processorTimeOf(() => conversation.request(past));
    const further = Array.from({ length: NEXT }, (_, index) => eventsOf(TURNS + index).map(stored));
    const next = await processorTimeOf(async () => {
      for (const events of further) await conversation.request(events);
    });
    // The first round warms everything up.
    if (round > 0) addPair(pairs, next / NEXT, anew);
  }
  return pairs;
}

const results: Record<string, Pairs> = {};
for (const protocol of PROTOCOLS) results[protocol] = await measure(protocol);
console.log(JSON.stringify(results));
