import type { ContextText } from '../ports/context-source.ts';
import type { ToolSpec } from '../ports/model.ts';

export interface Injected {
  /** Of a point in time: which one had been asked last, `provider/model`. */
  readonly model?: string | undefined;
  readonly system: string;
  /** As it is now. */
  readonly context: readonly ContextText[];
  /** What the conversation has told of each kind, and still holds. */
  readonly held: ReadonlyMap<ContextText['kind'], string>;
  readonly tools: readonly ToolSpec[];
}

/** Everything that a model was told, and will be told with the next prompt, beside the conversation, as a text for people. */
export function describeInjected({ model, system, context, held, tools }: Injected): string {
  const sections = [
    ...(model === undefined ? [] : [['Model', `${model}\n\n${AS_OF_NOW}`]]),
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

/** They are not in the log. */
const AS_OF_NOW = 'The system prompt and the tools are those with which this model would be asked now.';

/** No heading: what is told has headings of its own. */
const RULE = '-'.repeat(80);

function withSources({ text, sources = [] }: ContextText): string {
  return [...sources.map((path) => `(from ${path})`), text].join('\n');
}

function withSchema({ description, inputSchema, freeform }: ToolSpec): string {
  return `${description}\n\n${freeform?.definition ?? JSON.stringify(inputSchema, null, 2)}`;
}
