// A Messages API on 127.0.0.1. Plays a fixture, or a script whose requests it checks like the real API.
import {
  type Chunk,
  type Exchange,
  type Fixture,
  plain,
  type RecordedRequest,
  startWireServer,
  type WireServer,
} from '../wire/wire-server.ts';
import { type MessagesRequest, prefixOf, violationOf } from './anthropic-rules.ts';
import { completeBlocks, renderReply, type ScriptedReply, stopReason } from './anthropic-script.ts';

/** Returns the reply to request number `index` (from 0), not counting refused requests. */
export type Script = (request: MessagesRequest, index: number) => ScriptedReply;

type MessagesCall = RecordedRequest<MessagesRequest>;

export interface FakeAnthropic extends WireServer {
  /** Requests for messages, including refused ones. */
  readonly requests: readonly MessagesCall[];
  /** The messages of all refusals. A test with a correct client expects none. */
  readonly violations: readonly string[];
  /**
   * Call after a fork: the next request may have another prefix than the last request of its conversation.
   */
  forget(): void;
}

export interface FakeOptions {
  /** Any other key gets 401, with a message that quotes it. */
  readonly apiKey?: string;
  /** The response of `GET /v1/models`. */
  readonly models?: readonly object[];
}

type Answer = (request: MessagesCall) => Exchange;

export function playFixture(fixture: Fixture, options: FakeOptions = {}): Promise<FakeAnthropic> {
  const exchanges = fixture.exchanges ?? [fixture];
  let index = 0;
  return start(() => exchanges[Math.min(index++, exchanges.length - 1)] ?? fixture, [], options);
}

/**
 * Checks each request first. Answers 400 if a request breaks a rule of the API, or if it does not begin like
 * the last request of the same conversation. The first prompt identifies a conversation.
 */
export function playScript(script: Script, options: FakeOptions = {}): Promise<FakeAnthropic> {
  const violations: string[] = [];
  const last = new Map<string, { request: MessagesRequest; paused: boolean }>();
  const signed = new Map<string, { json: string; request: MessagesRequest }>();
  let index = 0;
  const answer: Answer = ({ raw, body }) => {
    const key = `${body.tools?.length ?? 0} ${firstPrompt(prefixOf(body))}`;
    const known = last.get(key);
    const violation = violationOf(raw, { last: known?.request, paused: known?.paused ?? false, signed });
    if (violation !== undefined) {
      violations.push(violation);
      return refusal(400, 'invalid_request_error', violation);
    }
    const reply = script(body, index++);
    if (reply.status !== undefined) return plain(reply.status, reply.body, reply.headers);
    const blocks = completeBlocks(reply, prefixOf(body).join('\n'));
    for (const block of blocks) {
      const signature = block.signature ?? block.data;
      const issued = { json: JSON.stringify(block), request: body };
      if (signature && !signed.has(String(signature))) signed.set(String(signature), issued);
    }
    if (isWhole(reply)) last.set(key, { request: body, paused: reply.stop_reason === 'pause_turn' });
    return stream(reply, renderReply(reply, blocks, body.model));
  };
  return start(answer, violations, options, () => last.clear());
}

/** The client's context comes before it, with the limits last. */
function firstPrompt([_system, _tools, ...blocks]: readonly string[]): string | undefined {
  return blocks[blocks.findIndex((block) => block.includes('<limits>')) + 1];
}

/** The client stores this reply, so its next request must begin like the answered one. */
function isWhole(reply: ScriptedReply): boolean {
  return !reply.error && stopReason(reply) !== 'refusal' && (reply.close ?? 'end') === 'end';
}

function stream(reply: ScriptedReply, chunks: readonly Chunk[]): Exchange {
  const [first, ...rest] = chunks;
  const delayed = first ? [{ ...first, delayMs: reply.headersDelayMs ?? 0 }, ...rest] : [];
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers },
    chunks: delayed,
    close: reply.close ?? 'end',
    delayHeaders: true,
  };
}

function refusal(status: number, type: string, message: string): Exchange {
  return plain(status, { type: 'error', error: { type, message }, request_id: 'req_fake' });
}

async function start(
  answer: Answer,
  violations: string[],
  options: FakeOptions,
  forget = () => {},
): Promise<FakeAnthropic> {
  const requests: MessagesCall[] = [];
  const server = await startWireServer(
    (request) => {
      const refused = unauthorized(request, options);
      if (refused) return refused;
      if (request.method === 'GET' && request.path.startsWith('/v1/models')) {
        return plain(200, { data: options.models ?? [], has_more: false });
      }
      if (request.method === 'POST' && request.path === '/v1/messages/count_tokens') return count(request);
      if (request.method !== 'POST' || request.path !== '/v1/messages') {
        return refusal(404, 'not_found_error', 'Not found');
      }
      // A request with another shape breaks the API's rules, which are checked.
      const call = request as MessagesCall;
      requests.push(call);
      return answer(call);
    },
    (error) => violations.push(`The fake failed: ${error}`),
  );
  return { ...server, requests, violations, forget };
}

/** Counts four bytes of the request as a token. Accepts only the fields of a prompt. */
function count({ raw, body }: RecordedRequest): Exchange {
  const wrong = Object.keys(Object(body)).find((field) => !COUNTED.includes(field));
  if (wrong) return refusal(400, 'invalid_request_error', `${wrong}: Extra inputs are not permitted`);
  return plain(200, { input_tokens: Math.ceil(raw.length / 4) });
}

const COUNTED = ['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'];

function unauthorized({ headers }: RecordedRequest, { apiKey }: FakeOptions): Exchange | undefined {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (given && (apiKey === undefined || given === apiKey)) return undefined;
  return refusal(401, 'authentication_error', `invalid x-api-key: ${given}`);
}
