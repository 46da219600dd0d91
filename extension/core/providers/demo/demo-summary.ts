import type { Message } from '../../ports/model.ts';
import { PROMPT_MARK } from '../../session/conversation-text.ts';
import type { Step } from './demo-script.ts';

/** A summary that no model has written: the prompts of the conversation that the request holds as a text. */
export function demoSummary(messages: readonly Message[]): Step {
  const lines = messages
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []))
    .filter((line) => line.startsWith(PROMPT_MARK))
    .map((line) => `- ${line.slice(PROMPT_MARK.length)}`);
  const text = `This is a demo: no model has summarised anything. The conversation had these prompts:\n\n${lines.join('\n')}`;
  return { text, calls: [] };
}
