import * as z from 'zod/mini';
import { ToolError } from '../base/tool-error.ts';
import { defineTool } from './common/tool.ts';

/** The user can choose each option with one number key. */
const MOST_OPTIONS = 9;

export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Asks the user one question, with options to choose from, and waits. Use it when the answer changes ' +
    'what you do and the workspace does not have it; not for permission.',
  schema: z.strictObject({ question: z.string(), options: z.optional(z.array(z.string())) }),
  async prepare({ question, options = [] }) {
    if (question.trim() === '')
      throw new ToolError('question is empty: give the question to ask', { code: 'invalid_input' });
    requireOptions(options);
    return {
      action: { kind: 'read', tool: 'ask_user', targets: [] },
      question: { question, options },
      execute: async (_signal, _onOutput, { answer = '' }) => ({ result: { answer } }),
    };
  },
});

function requireOptions(options: readonly string[]): void {
  if (options.length > MOST_OPTIONS)
    throw new ToolError(`options: at most ${MOST_OPTIONS} can be given, not ${options.length}`, {
      code: 'invalid_input',
    });
  const empty = options.findIndex((option) => option.trim() === '');
  if (empty >= 0)
    throw new ToolError(`options.${empty} is empty: give a short answer`, { code: 'invalid_input' });
  const twice = options.find((option, index) => options.indexOf(option) !== index);
  if (twice !== undefined)
    throw new ToolError(`options: “${twice}” is given twice`, { code: 'invalid_input' });
}
