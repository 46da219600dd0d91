import type { ModelProvider } from '../ports/model.ts';
import type { Tool } from './tool.ts';

/** Those that every model gets, and those that this provider asks for. */
export function offeredTools(
  tools: readonly Tool[],
  provider: Pick<ModelProvider, 'tools'>,
): readonly Tool[] {
  return tools.filter(({ name, onDemand }) => !onDemand || provider.tools?.includes(name));
}
