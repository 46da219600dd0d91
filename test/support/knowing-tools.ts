import type { Tool } from '../../extension/core/tools/common/tool.ts';

/**
 * The tools for a model that knows each file without reading it, and may use all of them. For scripts about what a change
 * does, not about what the model has read before.
 */
export function knowing(tools: readonly Tool[]): readonly Tool[] {
  return tools.map(({ replaces: _, ...tool }) => ({
    ...tool,
    prepare: (input, context, signal) => tool.prepare(input, { ...context, seen: undefined }, signal),
  }));
}
