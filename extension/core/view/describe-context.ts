import type { ContextText } from '../ports/context-source.ts';
import type { ToolSpec } from '../ports/model.ts';

export interface Injected {
  /** Present for a point in time. */
  readonly asked?: AskedThen;
  readonly system: string;
  /** The current context. */
  readonly context: readonly ContextText[];
  /** The text of each kind that the conversation contains. */
  readonly held: ReadonlyMap<ContextText['kind'], string>;
  readonly tools: readonly ToolSpec[];
}

export interface AskedThen {
  /** The model of the last request, `provider/model`; undefined before the first request. */
  readonly model: string | undefined;
  /** System prompt and tools are those of that request. */
  readonly isKept: boolean;
}

/**
 * Describes for people what the model got, and will get with the next prompt, in addition to the
 * conversation.
 */
export function describeInjected({ asked, system, context, held, tools }: Injected): string {
  const sections = [
    ...(asked ? [['Model', withOrigin(asked)]] : []),
    ['System prompt', system],
    ...context.flatMap((one) => contextSections(one, held.get(one.kind))),
    ...tools.map((tool) => [`Tool: ${tool.name}`, withSchema(tool)]),
  ];
  return sections.map(([title, text]) => `${RULE}\n${title}\n${RULE}\n\n${text}\n`).join('\n');
}

function contextSections(one: ContextText, sent: string | undefined): string[][] {
  const title = `Context: ${one.kind}`;
  if (sent === one.text) return [[title, withSources(one)]];
  const before = sent === undefined ? [] : [[`${title}, as it was sent`, sent]];
  const isWanted = sent !== undefined || !one.implied;
  return isWanted ? [...before, [`${title}, with the next prompt`, withSources(one)]] : [];
}

function withOrigin({ model, isKept }: AskedThen): string {
  if (model === undefined) return `No model had been asked yet.\n\n${AS_OF_NOW}.`;
  return isKept ? model : `${model}\n\n${AS_OF_NOW}: those from that point are not stored.`;
}

const AS_OF_NOW = 'The system prompt and the tools are those with which a model would be asked now';

/** Not a Markdown heading, because the texts have headings of their own. */
const RULE = '-'.repeat(80);

function withSources({ text, sources = [] }: ContextText): string {
  return [...sources.map((path) => `(from ${path})`), text].join('\n');
}

function withSchema({ description, inputSchema, freeform }: ToolSpec): string {
  return `${description}\n\n${freeform?.definition ?? JSON.stringify(inputSchema, null, 2)}`;
}
