import { say } from '../../protocol/say.ts';

/** In characters. No model accepts more, and one line of the log must hold the prompt. */
export const LONGEST_PROMPT = 2_000_000;

export const PROMPT_TOO_LONG = say(
  'This prompt is longer than {0} characters. Put the text in a workspace file, and mention that file in the prompt.',
  LONGEST_PROMPT,
);

/** Throws where the user's text is too long to be stored whole. */
export function checkPrompt(content: string): void {
  if (content.length > LONGEST_PROMPT) throw new Error(PROMPT_TOO_LONG);
}
