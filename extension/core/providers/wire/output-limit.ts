/** How long a prompt and its answer may be together. */
const WINDOW = /maximum context length (?:is|of) (\d+)/i;
/** How long the prompt alone is. */
const PROMPT =
  /(\d+) (?:tokens )?(?:in the messages|in your prompt|of text input|from the input messages|input tokens)/i;
const LIMIT =
  /max_(?:completion_|output_|new_)?tokens\b.*(?:too large|at most|less than or equal|range|maximum|<=)/is;

/**
 * The answer might have become longer than the model can write, or than what the prompt leaves of its window: without a
 * limit it is as long as there is room. As OpenAI, vLLM, SGLang, OpenRouter, Groq and DeepSeek say it.
 */
export function refusesLimit(text: string): boolean {
  const [window, prompt] = [numberIn(text, WINDOW), numberIn(text, PROMPT)];
  return window !== undefined && prompt !== undefined ? prompt < window : LIMIT.test(text);
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
