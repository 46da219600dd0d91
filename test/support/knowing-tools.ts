import type { Tool } from '../../extension/core/tools/common/tool.ts';

/**
 * The tools as for a model that knows each file without reading it. For scripts whose subject is what a change does, and
 * not what the model has read before.
 */
export function knowing(tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => ({
    ...tool,
    inputSchema: tool.inputSchema,
    prepare: (input, context, signal) => tool.prepare(input, { ...context, seen: undefined }, signal),
  }));
}
