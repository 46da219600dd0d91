import { say } from '../../protocol/say.ts';

/** In characters. No model accepts more, and one line of the log must hold the prompt. */
export const LONGEST_PROMPT = 2_000_000;

export const PROMPT_TOO_LONG = say(
  'A prompt can have {0} characters, and this one has more. Put the text into a file of the workspace, and name that in the prompt.',
  LONGEST_PROMPT,
);

/** Throws where the user's text is too long to be stored whole. */
export function checkPrompt(content: string): void {
  if (content.length > LONGEST_PROMPT) throw new Error(PROMPT_TOO_LONG);
}
