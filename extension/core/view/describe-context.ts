import type { ContextText } from '../ports/context-source.ts';
import type { ToolSpec } from '../ports/model.ts';

export interface Injected {
  /** Of a point in time. */
  readonly asked?: AskedThen;
  readonly system: string;
  /** As it is now. */
  readonly context: readonly ContextText[];
  /** What the conversation has told of each kind, and still holds. */
  readonly held: ReadonlyMap<ContextText['kind'], string>;
  readonly tools: readonly ToolSpec[];
}

export interface AskedThen {
  /** The model that had been asked last, `provider/model`; undefined where none had been. */
  readonly model: string | undefined;
  /** System prompt and tools are those with which it was asked. */
  readonly isKept: boolean;
}

/** Everything that a model was told, and will be told with the next prompt, beside the conversation, as a text for people. */
export function describeInjected({ asked, system, context, held, tools }: Injected): string {
  const sections = [
    ...(asked ? [['Model', withOrigin(asked)]] : []),
    ['System prompt', system],
    ...context.flatMap((one) => contextSections(one, held.get(one.kind))),
    ...tools.map((tool) => [`Tool: ${tool.name}`, withSchema(tool)]),
  ];
  return sections.map(([title, text]) => `${RULE}\n${title}\n${RULE}\n\n${text}\n`).join('\n');
}

function contextSections(one: ContextText, told: string | undefined): string[][] {
  const title = `Context: ${one.kind}`;
  if (told === one.text) return [[title, withSources(one)]];
  const before = told === undefined ? [] : [[`${title}, as it was told`, told]];
  const isWanted = told !== undefined || !one.implied;
  return isWanted ? [...before, [`${title}, with the next prompt`, withSources(one)]] : [];
}

function withOrigin({ model, isKept }: AskedThen): string {
  if (model === undefined) return `No model had been asked yet.\n\n${AS_OF_NOW}.`;
  return isKept ? model : `${model}\n\n${AS_OF_NOW}: those of then are not kept.`;
}

const AS_OF_NOW = 'The system prompt and the tools are those with which a model would be asked now';

/** No heading: what is told has headings of its own. */
const RULE = '-'.repeat(80);

function withSources({ text, sources = [] }: ContextText): string {
  return [...sources.map((path) => `(from ${path})`), text].join('\n');
}

function withSchema({ description, inputSchema, freeform }: ToolSpec): string {
  return `${description}\n\n${freeform?.definition ?? JSON.stringify(inputSchema, null, 2)}`;
}
