import * as z from 'zod/mini';
import type { BackgroundCommands } from '../../background/background-commands.ts';
import { fileOf } from '../../background/background-fold.ts';
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts';
import { ToolError } from '../../base/tool-error.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../common/tool.ts';

const id = z.string().check(z.describe('From bash, such as bg1'));

export const bashOutput = defineTool({
  name: 'bash_output',
  description:
    'Returns what a background command has printed since you last looked, and whether it runs. You hear ' +
    'when it ends, so do not wait for that in a loop. To search its whole output, grep its file.',
  schema: z.strictObject({ id }),
  async prepare(input, context) {
    const background = requireBackground(context);
    return {
      action: { kind: 'read', tool: 'bash_output', targets: [] },
      execute: async () => look(background, input.id, context),
    };
  },
});

export const bashStop = defineTool({
  name: 'bash_stop',
  description: 'Ends a background command with all its child processes.',
  schema: z.strictObject({ id }),
  async prepare(input, context) {
    const background = requireBackground(context);
    return {
      action: { kind: 'read', tool: 'bash_stop', targets: [] },
      execute: async () => {
        await background.stop(input.id, 'model');
        return { result: { content: `${input.id} was stopped with all its child processes.` } };
      },
    };
  },
});

function requireBackground({ background }: ToolContext): BackgroundCommands {
  if (background) return background;
  throw new ToolError('there are no background commands here, because there is no session', {
    code: 'unsupported',
  });
}

async function look(
  background: BackgroundCommands,
  wanted: string,
  { withoutSecrets }: ToolContext,
): Promise<ToolOutput> {
  const { command, output } = await background.look(wanted);
  const { end } = command;
  const { left } = output;
  const file = fileOf(command);
  return {
    result: {
      id: wanted,
      output: stripTerminalCodes(withoutSecrets(output.text, true)),
      running: !end,
      ...(end?.exitCode !== undefined && { exitCode: end.exitCode }),
      file,
      ...(left > 0 && { note: `${left} bytes in the middle are left out; all of it is in ${file}` }),
    },
  };
}
