// The rules of the Messages API for a request, so that a test fails if the real API would answer 400.

/** The fields of a request that the rules check. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly RequestBlock[];
  readonly tools?: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string };
  readonly tool_choice?: { readonly type: string };
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly RequestBlock[];
}

type RequestBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** The server's state of the conversation that a request continues. */
export interface Conversation {
  /** The last request of the conversation that got a whole reply. */
  readonly last?: MessagesRequest | undefined;
  /** That reply ended with `pause_turn`. */
  readonly paused: boolean;
  /**
   * The sent signed blocks as JSON, by their signature, each with the request that it answered. Undefined if
   * signatures are not checked.
   */
  readonly signed:
    | ReadonlyMap<string, { readonly json: string; readonly request: MessagesRequest }>
    | undefined;
}

const FIELDS = new Set(
  'model max_tokens messages system tools tool_choice thinking stream metadata output_config stop_sequences'.split(
    ' ',
  ),
);
const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_MARKS = 4;

class Violation extends Error {}

/** The error message if the API would answer 400; undefined for a valid request. */
export function violationOf(raw: string, conversation: Conversation): string | undefined {
  try {
    check(raw, conversation);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.message;
    throw error;
  }
}

/** A request as the prefix rules compare it: one line per block, without cache marks. */
export function prefixOf(request: MessagesRequest): string[] {
  const blocks = request.messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block) => `${role} ${unmarked(block)}`),
  );
  return [`system ${unmarked(request.system)}`, `tools ${unmarked(request.tools)}`, ...blocks];
}

function check(raw: string, conversation: Conversation): void {
  const request = JSON.parse(raw) as MessagesRequest;
  // JSON.stringify escapes only lone surrogates.
  const isWellFormed = !/(?<!\\)(\\\\)*\\ud[89a-f]/.test(JSON.stringify(request));
  demand(isWellFormed, 'The request body is not valid JSON: no low surrogate in string');
  checkFields(request);
  checkModel(request);
  checkTools(request);
  checkMarks(request);
  request.messages.forEach((message, index) => {
    checkMessage(message, `messages.${index}`);
  });
  checkOrder(request.messages, conversation.paused);
  checkCalls(request);
  checkSigned(request, conversation);
  checkPrefix(request, conversation.last);
}

function checkFields(request: MessagesRequest): void {
  for (const field of Object.keys(request)) {
    demand(FIELDS.has(field), `${field}: Extra inputs are not permitted`);
  }
  demand(typeof request.model === 'string' && request.model !== '', 'model: Field required');
  demand(Number.isInteger(request.max_tokens), 'max_tokens: Field required');
  demand(request.max_tokens > 0 && request.max_tokens <= 128_000, 'max_tokens: must be between 1 and 128000');
  demand(
    Array.isArray(request.messages) && request.messages.length > 0,
    'messages: at least one message is required',
  );
  if (request.system !== undefined) {
    for (const block of blocksOf(request.system)) checkText(block, 'system');
  }
}

function checkModel(request: MessagesRequest): void {
  const [, line = '', major, minor] =
    /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(request.model) ?? [];
  if (!major) return;
  const version = Number(major) * 100 + Number(minor ?? 0);
  checkThinking(request, line, version);
  checkEffort(request, line, version);
  const forced = request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool';
  demand(!forced || version < 505, 'tool_choice: forced tool use is not supported for this model');
}

/** https://platform.claude.com/docs/en/build-with-claude/thinking */
function checkThinking(request: MessagesRequest, line: string, version: number): void {
  const { type, budget_tokens: budget = 0 } = request.thinking ?? {};
  demand(type !== 'adaptive' || version >= 406, 'thinking: adaptive thinking is not supported on this model');
  demand(type !== 'enabled' || version < 407, '"thinking.type.enabled" is not supported for this model');
  const canBeOff = version < 505 ? line !== 'fable' && line !== 'mythos' : line === 'haiku';
  demand(type !== 'disabled' || canBeOff, '"thinking.type.disabled" is not supported for this model');
  const isBetween = type === 'between_tools';
  demand(
    !isBetween || (line === 'sonnet' && version >= 505),
    '"thinking.type.between_tools" is not supported',
  );
  if (type !== 'enabled') return;
  demand(budget >= 1024, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  demand(budget < request.max_tokens, '`max_tokens` must be greater than `thinking.budget_tokens`');
  checkTurnBegin(request);
}

/** Models with a budget think at the beginning of a turn, or not at all in it. */
function checkTurnBegin({ messages }: MessagesRequest): void {
  const isPrompt = (message: WireMessage) =>
    message.role === 'user' && ids(message, 'tool_result', 'type').length === 0;
  const at = messages.findLastIndex(isPrompt) + 1;
  const first = blocksOf(messages[at]?.content ?? []).at(0);
  demand(
    !first || isThinking(first),
    `messages.${at}.content.0: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`.`,
  );
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** https://platform.claude.com/docs/en/build-with-claude/effort */
function checkEffort({ thinking, output_config }: MessagesRequest, line: string, version: number): void {
  const effort = output_config?.effort;
  if (effort === undefined) return;
  const since = { opus: 405, sonnet: 406, haiku: 505 }[line] ?? 500;
  demand(version >= since, 'This model does not support the effort parameter.');
  demand(EFFORTS.includes(effort), "output_config.effort: Input should be 'low', 'medium', 'high', …");
  const isHighest = effort === 'xhigh' || effort === 'max';
  demand(effort !== 'xhigh' || version >= 407, 'This model does not support effort level xhigh.');
  demand(!isHighest || thinking?.type !== 'disabled', 'thinking cannot be disabled at this effort');
}

function checkTools({ tools = [] }: MessagesRequest): void {
  tools.forEach((tool, index) => {
    const at = `tools.${index}`;
    const schema = tool.input_schema as Record<string, unknown> | undefined;
    demand(TOOL_NAME.test(tool.name), `${at}.name: String should match pattern '${TOOL_NAME.source}'`);
    demand(schema?.type === 'object', `${at}.input_schema.type: Field required`);
    for (const key of ['oneOf', 'anyOf', 'allOf', '$schema']) {
      demand(
        !Object.hasOwn(schema ?? {}, key),
        `${at}.input_schema: does not support ${key} at the top level`,
      );
    }
  });
  demand(new Set(tools.map(({ name }) => name)).size === tools.length, 'tools: Tool names must be unique.');
}

function checkMarks(request: MessagesRequest): void {
  const messages = request.messages.flatMap(({ content }) => blocksOf(content));
  const blocks = [...(request.tools ?? []), ...blocksOf(request.system ?? []), ...messages];
  const marked = blocks.filter(({ cache_control }) => cache_control);
  demand(
    marked.length <= MAX_MARKS,
    `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`,
  );
  const hours = marked.map((block) => (block.cache_control as { ttl?: string }).ttl === '1h');
  demand(
    !hours.slice(hours.indexOf(false)).includes(true) || !hours.includes(false),
    'cache_control.ttl: 1h must not come after 5m',
  );
  for (const block of marked) {
    demand(
      !isThinking(block as RequestBlock),
      'cache_control: Extra inputs are not permitted on thinking blocks',
    );
  }
}

function checkMessage({ role, content }: WireMessage, at: string): void {
  const blocks = blocksOf(content);
  demand(blocks.length > 0, `${at}: all messages must have non-empty content`);
  blocks.forEach((block, index) => {
    const place = `${at}.content.${index}`;
    const allowed = role === 'user' ? ['text', 'tool_result', 'image', 'document'] : undefined;
    demand(
      !allowed || allowed.includes(block.type),
      `${place}: \`${block.type}\` blocks are not allowed for role user`,
    );
    checkText(block, place);
    if (block.type === 'tool_result') checkResult(block, place);
    if (block.type === 'tool_use') checkCall(block, place);
  });
  const last = blocks.at(-1);
  demand(
    role === 'user' || !last || !isThinking(last),
    `${at}: The final block in an assistant message cannot be \`thinking\`.`,
  );
  const afterCalls = blocks.slice(blocks.findIndex(({ type }) => type === 'tool_use'));
  demand(
    !blocks.some(({ type }) => type === 'tool_use') || afterCalls.every(({ type }) => type === 'tool_use'),
    `${at}: nothing may stand behind a \`tool_use\` block but another one`,
  );
}

function checkText(block: RequestBlock, at: string): void {
  if (block.type !== 'text') return;
  demand(block.text !== '', `${at}: text content blocks must be non-empty`);
  demand(String(block.text).trim() !== '', `${at}: text content blocks must contain non-whitespace text`);
}

function checkResult(block: RequestBlock, at: string): void {
  const isEmpty = block.content === undefined || block.content === '';
  demand(!block.is_error || !isEmpty, `${at}: content cannot be empty if \`is_error\` is true`);
}

function checkCall({ id, name, input }: RequestBlock, at: string): void {
  demand(ID.test(String(id)), `${at}.id: String should match pattern '${ID.source}'`);
  demand(TOOL_NAME.test(String(name)), `${at}.name: String should match pattern '${TOOL_NAME.source}'`);
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  demand(isObject, `${at}.input: Input should be a valid dictionary`);
}

function checkOrder(messages: readonly WireMessage[], paused: boolean): void {
  messages.forEach(({ role }, index) => {
    const expected = index % 2 === 0 ? 'user' : 'assistant';
    demand(role === expected, `messages.${index}: roles must alternate between "user" and "assistant"`);
  });
  const isPrefilled = messages.at(-1)?.role === 'assistant';
  demand(
    !isPrefilled || paused,
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}

/**
 * Every call must have exactly one result, before all other blocks of the next message. There must be no
 * other results.
 */
function checkCalls({ messages, tools = [] }: MessagesRequest): void {
  const all: string[] = [];
  messages.forEach((message, index) => {
    if (message.role !== 'user') return;
    const before = messages[index - 1];
    const calls = before ? ids(before, 'tool_use', 'id') : [];
    const results = ids(message, 'tool_result', 'tool_use_id');
    const at = `messages.${index}`;
    checkAnswers(calls, results, at);
    const front = blocksOf(message.content).slice(0, results.length);
    demand(
      front.every(({ type }) => type === 'tool_result'),
      `${at}: tool_result blocks must come first`,
    );
    all.push(...calls);
  });
  demand(new Set(all).size === all.length, 'messages: `tool_use` ids must be unique');
  demand(
    all.length === 0 || tools.length > 0,
    'Requests which have `tool_use` or `tool_result` blocks must define tools.',
  );
}

function checkAnswers(calls: readonly string[], results: readonly string[], at: string): void {
  const missing = calls.filter((id) => !results.includes(id));
  demand(
    missing.length === 0,
    `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}`,
  );
  const unexpected = results.filter((id) => !calls.includes(id));
  demand(
    unexpected.length === 0,
    `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected}`,
  );
  demand(new Set(results).size === results.length, `${at}: each \`tool_use\` must have a single result`);
}

/** A signed block must return unchanged, after the same prefix as before. */
function checkSigned(request: MessagesRequest, { signed }: Conversation): void {
  if (!signed) return;
  const prefix = prefixOf(request);
  let position = 2;
  request.messages.forEach(({ content }, message) => {
    blocksOf(content).forEach((block, index) => {
      const at = `messages.${message}.content.${index}`;
      if (isThinking(block)) checkSignature(block, at, prefix.slice(0, position), signed);
      position++;
    });
  });
}

function checkSignature(
  block: RequestBlock,
  at: string,
  before: readonly string[],
  signed: NonNullable<Conversation['signed']>,
): void {
  const issued = signed.get(String(block.signature ?? block.data));
  const invalid = `${at}: Invalid \`signature\` in \`${block.type}\` block.`;
  demand(issued?.json === JSON.stringify(block), invalid);
  const difference = issued && firstDifference(prefixOf(issued.request), before);
  demand(!difference, `${invalid} The block is bound to a different conversation. ${difference}`);
}

function checkPrefix(request: MessagesRequest, last: MessagesRequest | undefined): void {
  if (!last) return;
  const difference = firstDifference(prefixOf(last), prefixOf(request));
  demand(
    !difference,
    `The conversation does not begin like its last request, which costs the prompt cache. ${difference}`,
  );
}

function firstDifference(expected: readonly string[], actual: readonly string[]): string | undefined {
  const index = expected.findIndex((line, at) => line !== actual[at]);
  return index < 0 ? undefined : `Was ${expected[index]}, is ${actual[index]}`;
}

function ids({ content }: WireMessage, type: string, field: string): string[] {
  return blocksOf(content).flatMap((block) => (block.type === type ? [String(block[field])] : []));
}

function isThinking({ type }: RequestBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function blocksOf(content: string | readonly RequestBlock[]): readonly RequestBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function unmarked(value: unknown): string {
  return JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)) ?? 'none';
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new Violation(message);
}
