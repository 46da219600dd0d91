import type { ModelInfo } from '../../ports/model.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../http/fields.ts';

/**
 * From LM Studio's own lists, GET /api/v0/models (lmstudio.ai/docs/developer/rest/endpoints) and, where that is gone,
 * /api/v1/models (lmstudio.ai/docs/developer/rest/list), those that are loaded first. Undefined for any other answer:
 * an address that it does not know it answers with an error and status 200.
 */
export function toModels(answer: unknown): ModelInfo[] | undefined {
  const { data, models } = fieldsOf(answer) ?? {};
  const list = data ?? models;
  if (!Array.isArray(list)) return undefined;
  const speaking = list.map((item) => fieldsOf(item) ?? {}).filter(isSpeaking);
  return speaking.sort((left, right) => Number(isLoaded(right)) - Number(isLoaded(left))).map(toModel);
}

/** What an embedding model makes is no text. */
function isSpeaking(model: Fields): boolean {
  return idOf(model) !== '' && !/^embedding/.test(textOf(model.type));
}

function idOf({ id, key }: Fields): string {
  return textOf(id) || textOf(key);
}

function isLoaded({ state, loaded_instances }: Fields): boolean {
  return state === 'loaded' || listOf(loaded_instances).length > 0;
}

function toModel(model: Fields): ModelInfo {
  const id = idOf(model);
  const contextWindow = windowOf(model);
  return {
    id,
    name: textOf(model.display_name) || id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(canCall(model) && { tools: true }),
  };
}

/** A loaded model has the context that it was loaded with, often a small part of what it could have. */
function windowOf(model: Fields): number | undefined {
  const instance = fieldsOf(listOf(model.loaded_instances)[0]);
  const counts = [
    model.loaded_context_length,
    fieldsOf(instance?.config)?.context_length,
    model.max_context_length,
  ];
  return counts.find((count): count is number => Number.isSafeInteger(count) && Number(count) > 0);
}

/** Others are helped along by the server, so that nothing is told of them. */
function canCall({ capabilities }: Fields): boolean {
  return listOf(capabilities).includes('tool_use') || fieldsOf(capabilities)?.trained_for_tool_use === true;
}
