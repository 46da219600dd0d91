import type { ModelInfo } from '../../ports/model.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

/** The fields with the longest prompt, as OpenRouter, Groq, Mistral and vLLM name them. */
const WINDOWS = ['context_length', 'context_window', 'max_context_length', 'max_model_len'];

/** Reads the answer to GET /models. OpenAI sends only ids; other servers send more. */
export function openaiModelsIn(answer: unknown): ModelInfo[] {
  const list = listOf(fieldsOf(answer)?.data ?? answer);
  return list.flatMap((item) => {
    const fields = fieldsOf(item) ?? {};
    // Gemini's ids begin with the name of the collection.
    const id = textOf(fields.id).replace(/^models\//, '');
    return id === '' ? [] : [toModel(id, fields)];
  });
}

function toModel(id: string, fields: Fields): ModelInfo {
  const name = textOf(fields.name) || textOf(fields.display_name) || id;
  const contextWindow = windowOf(fields);
  const maxOutput =
    tokens(fields.max_completion_tokens) ?? tokens(fieldsOf(fields.top_provider)?.max_completion_tokens);
  const price = priceOf(fieldsOf(fields.pricing));
  const tools = canCall(fields);
  return {
    id,
    name,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(price && { price }),
    ...(tools !== undefined && { tools }),
  };
}

function windowOf(fields: Fields): number | undefined {
  // The context that llama.cpp gives each conversation; the model may support more.
  const given = tokens(fieldsOf(fields.meta)?.n_ctx);
  return given ?? WINDOWS.map((name) => tokens(fields[name])).find((count) => count !== undefined);
}

/** Dollars per token, as texts (openrouter.ai/docs/models); -1 for a routed model. */
function priceOf(pricing: Fields | undefined): ModelInfo['price'] {
  const [input, output] = [dollars(pricing?.prompt), dollars(pricing?.completion)];
  return input !== undefined && output !== undefined ? { input, output } : undefined;
}

function dollars(perToken: unknown): number | undefined {
  const value = typeof perToken === 'string' && perToken.trim() !== '' ? Number(perToken) : Number.NaN;
  // Rounds off the error of the multiplication.
  return value >= 0 ? Number((value * 1e6).toPrecision(12)) : undefined;
}

function canCall({ supported_parameters, capabilities }: Fields): boolean | undefined {
  if (Array.isArray(supported_parameters)) return supported_parameters.includes('tools');
  const callable = fieldsOf(capabilities)?.function_calling;
  return typeof callable === 'boolean' ? callable : undefined;
}

function tokens(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
