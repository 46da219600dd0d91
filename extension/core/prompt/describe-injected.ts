import type { ContextText } from '../ports/context-source.ts';
import type { ToolSpec } from '../ports/model.ts';

export interface Injected {
  readonly system: string;
  readonly context: readonly ContextText[];
  readonly tools: readonly ToolSpec[];
}

/** Everything that a model is told beside the conversation, as a text for people. */
export function describeInjected({ system, context, tools }: Injected): string {
  const told = context.filter(({ implied }) => !implied);
  const sections = [
    ['System prompt', system],
    ...told.map((one) => [`Context: ${one.kind}`, withSources(one)]),
    ...tools.map((tool) => [`Tool: ${tool.name}`, withSchema(tool)]),
  ];
  return sections.map(([title, text]) => `${RULE}\n${title}\n${RULE}\n\n${text}\n`).join('\n');
}

/** No heading: what is told has headings of its own. */
const RULE = '-'.repeat(80);

function withSources({ text, sources = [] }: ContextText): string {
  return [...sources.map((path) => `(from ${path})`), text].join('\n');
}

function withSchema({ description, inputSchema, freeform }: ToolSpec): string {
  return `${description}\n\n${freeform?.definition ?? JSON.stringify(inputSchema, null, 2)}`;
}
