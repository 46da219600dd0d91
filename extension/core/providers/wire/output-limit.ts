/** The limit for a prompt and its answer together. */
const WINDOW = /maximum context length (?:is|of) (\d+)/i;
/** The length of the prompt alone. */
const PROMPT =
  /(\d+) (?:tokens )?(?:in the messages|in your prompt|of text input|from the input messages|input tokens)/i;
const LIMIT =
  /max_(?:completion_|output_|new_)?tokens\b.*(?:too large|at most|less than or equal|range|maximum|<=)/is;

/**
 * The server refuses a limit above what the model can write, or above what the prompt leaves of its window.
 * Without a limit, the answer may fill that space. In the wordings of OpenAI, vLLM, SGLang, OpenRouter, Groq
 * and DeepSeek.
 */
export function refusesLimit(text: string): boolean {
  const [window, prompt] = [numberIn(text, WINDOW), numberIn(text, PROMPT)];
  return window !== undefined && prompt !== undefined ? prompt < window : LIMIT.test(text);
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
