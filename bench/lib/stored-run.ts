// The events of one run, as a log stores them: a prompt, requests that think, read, edit and run commands,
// and an answer.
import { createHash } from 'node:crypto';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { richTokens } from '../../test/support/rich-markdown.ts';

export interface StoredRun {
  /** From 1. */
  readonly turn: number;
  /** The number of parts in the panel: at least two, the prompt and the answer. */
  readonly parts: number;
  readonly prompt: string;
  /** The end of the answer in the last run of a session. */
  readonly end?: string | undefined;
}

type Kind = 'reasoning' | 'text' | 'read' | 'edit' | 'bash';

/** The replies of a run's requests, in rotation. */
const REPLIES: readonly (readonly Kind[])[] = [
  ['reasoning', 'text', 'read', 'read'],
  ['reasoning', 'edit'],
  ['text', 'bash'],
];
/** Characters of the commands' outputs, in rotation. */
const OUTPUTS = [300, 2_000, 800, 20_000, 1_200, 6_000] as const;
/** Tokens of the answers, in rotation. */
const ANSWERS = [400, 150, 800, 250] as const;

let numbers = 0;

/** Returns each number once. */
function next(): number {
  numbers += 1;
  return numbers;
}

export function runOf({ turn, parts, prompt, end }: StoredRun): EventDraft[] {
  const answer = richTokens(end ? ANSWERS[0] : pick(ANSWERS, turn)).join('');
  return [
    { type: 'user', content: `${prompt}, and explain what you have changed in \`src/parse.ts\`.` },
    { type: 'turn_started', turn },
    { type: 'status', state: 'thinking', message: 'Thinking' },
    ...repliesOf(parts - 2).flatMap(requestOf),
    ...replyWith([{ type: 'text', content: end ? `${answer}\n\n${end}` : answer }], 'end'),
    { type: 'status', state: 'idle', message: '' },
    { type: 'turn_ended', turn, reason: 'done' },
  ];
}

/** Replies with this many parts in total. */
function repliesOf(parts: number): (readonly Kind[])[] {
  const replies: (readonly Kind[])[] = [];
  for (let left = parts; left > 0; ) {
    const reply = pick(REPLIES, replies.length).slice(0, left);
    replies.push(reply);
    left -= reply.length;
  }
  return replies;
}

/** One request, its reply, and the results of its calls. */
function requestOf(kinds: readonly Kind[]): EventDraft[] {
  const blocks = kinds.map(blockOf);
  const calls = blocks.filter((block) => block.type === 'tool_call');
  return [...replyWith(blocks, calls.length > 0 ? 'tool_calls' : 'end'), ...calls.flatMap(executionOf)];
}

function replyWith(blocks: readonly EventDraft[], stop: string): EventDraft[] {
  const request = next();
  return [
    { type: 'request_started', request, provider: 'anthropic', model: 'bench' },
    ...blocks,
    { type: 'usage', inputTokens: 40_000, outputTokens: 300, cacheReadTokens: 39_000, cacheWriteTokens: 900 },
    { type: 'request_ended', request, outcome: 'completed', stop },
  ];
}

function blockOf(kind: Kind): EventDraft {
  const number = next();
  if (kind === 'text') return { type: 'text', content: richTokens(60 + (number % 90)).join('') };
  if (kind === 'reasoning') return reasoning(number);
  return { type: 'tool_call', id: `toolu_${number}`, name: kind, input: inputOf(kind, number) };
}

function reasoning(number: number): EventDraft {
  const thinking = `The lines of part ${number} are read one at a time. `.repeat(6 + (number % 8));
  const data = { type: 'thinking', thinking, signature: 'Signed'.repeat(60) };
  return { type: 'reasoning', content: thinking, opaque: { provider: 'anthropic', model: 'bench', data } };
}

function inputOf(kind: Exclude<Kind, 'text' | 'reasoning'>, number: number): Record<string, unknown> {
  const path = `src/part-${number % 200}.ts`;
  if (kind === 'read') return { path };
  if (kind === 'bash') return { command: `npm test -- test/part-${number % 200}.test.ts` };
  const content = ['  const lines = text.split(lineFeed);', '  return lines.map(parseLine);'];
  return { path, operations: [{ op: 'replace', startLine: 4, endLine: 9, content }] };
}

type Call = Extract<EventDraft, { type: 'tool_call' }>;

function executionOf({ id, name, input }: Call): EventDraft[] {
  const action = hash(id);
  const decided = { decision: 'allow_once', by: 'mode', rule: 'acceptEdits', action } as const;
  return [
    { type: 'status', state: 'running_tool', message: `Running ${name}` },
    { type: 'permission', id, tool: name, risk: 'safe', ...decided },
    { type: 'tool_started', id },
    { type: 'tool_result', id, isError: false, milliseconds: 40, ...resultOf(name, String(input.path)) },
    { type: 'status', state: 'thinking', message: 'Thinking' },
  ];
}

function resultOf(name: string, path: string) {
  const seen = { [`/workspace/${path}`]: hash(path) };
  if (name === 'read') return { result: JSON.stringify({ content: source(1_500) }), seen };
  if (name === 'edit')
    return {
      result: JSON.stringify({ path, linesChanged: 2, newLineCount: 96 }),
      seen,
      added: 2,
      removed: 6,
    };
  const stdout = source(pick(OUTPUTS, next()));
  return { result: JSON.stringify({ stdout, stderr: '', exitCode: 0 }) };
}

/** This many characters that look like a file, or like a test's report. */
function source(length: number): string {
  const line = (number: number) =>
    `  ok ${number} - reads "line ${number}" of the file in ${number % 7} ms\n`;
  return Array.from({ length: Math.ceil(length / 50) }, (_, index) => line(index + 1)).join('');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function pick<Item>(items: readonly Item[], index: number): Item {
  // The list is one of the lists above, which are not empty.
  return items[index % items.length] as Item;
}
