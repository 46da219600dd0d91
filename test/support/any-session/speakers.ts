// Models of every protocol: what they write with a reply that they alone understand, what a request to them looks like, and
// what is wrong with one.
import type { ModelEvent, Turn } from '../../../extension/core/ports/model.ts';
import { toAnthropicRequest as toMessages } from '../../../extension/core/providers/anthropic/to-request.ts';
import { toCodexRequest as toResponses } from '../../../extension/core/providers/codex/to-request.ts';
import { toOllamaRequest as toOllama } from '../../../extension/core/providers/ollama/to-request.ts';
import { dialectOf } from '../../../extension/core/providers/openai/dialect.ts';
import { toChatRequest as toChat } from '../../../extension/core/providers/openai/to-request.ts';
import { toChatMessages, toChatTools } from '../../../extension/vscode/language-models/to-chat-messages.ts';
import { violationOf } from '../../../scripts/lib/claude/anthropic-rules.ts';
import { type ChatServer, chatViolation } from '../rules/chat-rules.ts';
import { ollamaViolation } from '../rules/ollama-rules.ts';
import { responsesViolation } from '../rules/responses-rules.ts';
import { vscodeViolation } from '../rules/vscode-rules.ts';
import type { Block } from './program.ts';

export interface Speaker {
  readonly provider: string;
  readonly model: string;
  /** The tools that its models know from home. */
  readonly tools?: readonly string[];
  /** What it puts beside a block for itself, with `seal` in it; undefined where it puts nothing. */
  seal(block: Block, seal: string): unknown;
  /** What is sent, as it is read from the wire, and what is wrong with it; `paused`: its last reply was. */
  request(turn: Turn, paused: boolean): { readonly raw: string; readonly violation: string | undefined };
}

/** In every text that a speaker thinks: no other one may get it. */
export function sealOf({ provider, model }: Speaker): string {
  return `SEAL-OF-${provider}-${model.replaceAll('/', '-')}.`;
}

function claude(model: string): Speaker {
  return {
    provider: 'anthropic',
    model,
    seal: (block, seal) => {
      if (block.type === 'thinking')
        return { type: 'thinking', thinking: seal + block.text, signature: 'EqQB' };
      return block.type === 'sealed' ? { type: 'redacted_thinking', data: seal } : undefined;
    },
    request: (turn, paused) => {
      const raw = JSON.stringify(toMessages(turn, new Set()));
      return { raw, violation: violationOf(raw, { paused, signed: undefined }) };
    },
  };
}

const codex: Speaker = {
  provider: 'codex',
  model: 'gpt-5.6-sol',
  tools: ['apply_patch', 'update_plan'],
  seal: (block, seal) => {
    switch (block.type) {
      case 'thinking':
        return {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: block.text }],
          encrypted_content: seal,
        };
      case 'sealed':
        return { type: 'compaction', encrypted_content: seal };
      case 'text':
        return { phase: block.preamble ? 'commentary' : 'final_answer' };
      case 'call':
        return block.name === 'apply_patch' ? { type: 'custom_tool_call' } : undefined;
    }
  },
  request: (turn) => {
    const raw = JSON.stringify(toResponses(turn));
    return { raw, violation: responsesViolation(JSON.parse(raw)) };
  },
};

type Seal = Speaker['seal'];

function chat(
  provider: string,
  model: string,
  server: ChatServer,
  seal: Seal = () => undefined,
  baseUrl = '',
): Speaker {
  const dialect = dialectOf(provider, baseUrl, model);
  const listener = { provider, model, dialect, images: server.images };
  const translated = new WeakMap();
  return {
    provider,
    model,
    seal,
    request: (turn) => {
      const raw = JSON.stringify(toChat(turn, listener, translated));
      return { raw, violation: chatViolation(JSON.parse(raw), server) };
    },
  };
}

const echoed =
  (echo: string): Seal =>
  (block) =>
    block.type === 'thinking' ? { echo } : undefined;

function ollama(model: string, sees: boolean): Speaker {
  const facts = { window: 32_768, capabilities: new Set(sees ? ['vision'] : []), isRemote: false };
  return {
    provider: 'ollama',
    model,
    seal: (block) => (block.type === 'thinking' ? {} : undefined),
    request: (turn) => {
      const raw = JSON.stringify(toOllama(turn, facts, true));
      return { raw, violation: ollamaViolation(JSON.parse(raw), sees) };
    },
  };
}

const vscode: Speaker = {
  provider: 'vscode',
  model: 'copilot/gpt-5',
  seal: () => undefined,
  request: (turn) => {
    const messages = toChatMessages(turn);
    const tools = toChatTools(turn.tools);
    return { raw: JSON.stringify([messages, tools]), violation: vscodeViolation(messages, tools) };
  },
};

export const speakers: readonly Speaker[] = [
  claude('claude-opus-5-5'),
  claude('claude-haiku-4-5'),
  codex,
  chat('openai', 'gpt-5', { images: true, systemRole: 'developer' }, undefined, 'https://api.openai.com/v1'),
  chat('gemini', 'gemini-3-pro', { images: true, echoes: 'extra_content' }, (block, seal) =>
    block.type === 'call' || block.type === 'text'
      ? { extra_content: { google: { thought_signature: seal } } }
      : undefined,
  ),
  chat('openrouter', 'moonshotai/kimi-k2', { images: true, echoes: 'reasoning_details' }, (block, seal) =>
    block.type === 'thinking' || block.type === 'sealed'
      ? { reasoning_details: [{ type: 'reasoning.encrypted', data: seal, index: 0 }] }
      : undefined,
  ),
  chat(
    'deepseek',
    'deepseek-chat',
    { images: true, echoes: 'reasoning_content' },
    echoed('reasoning_content'),
  ),
  chat(
    'mistral',
    'mistral-large',
    { images: true, ids: /^[a-zA-Z0-9]{9}$/, thinkingParts: true },
    echoed('thinking_parts'),
  ),
  chat('groq', 'llama', { images: false }),
  ollama('qwen3', true),
  ollama('qwen2.5-coder', false),
  vscode,
];

/** What a speaker sends for a block. */
export function eventOf(block: Block, speaker: Speaker): ModelEvent | undefined {
  const { provider, model } = speaker;
  const seal = sealOf(speaker);
  const data = speaker.seal(block, seal);
  const opaque = data === undefined ? {} : { opaque: { provider, model, data } };
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...(block.preamble && { preamble: true }), ...opaque };
    case 'thinking':
      return { type: 'reasoning', text: seal + block.text, ...opaque };
    case 'sealed':
      if (!opaque.opaque) return undefined;
      return provider === 'codex'
        ? { type: 'provider_block', opaque: opaque.opaque }
        : { type: 'reasoning', text: '', ...opaque };
    case 'call': {
      const { id, name, input, isInvalid } = block;
      return isInvalid
        ? { type: 'tool_call', id, name, input: {}, invalid: 'no JSON', ...opaque }
        : { type: 'tool_call', id, name, input, ...opaque };
    }
  }
}
